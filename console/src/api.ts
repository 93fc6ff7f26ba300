/** What the operators' API answers instead of a reply: RFC 9457. */
export interface ProblemDocument {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  /** Such as `urn:ponte:problem:source-paused`. */
  readonly type?: string;
  readonly errors?: readonly {
    readonly pointer?: string;
    readonly detail?: string;
    readonly message?: string;
    /** Of a document, from 1. */
    readonly line?: number;
    readonly column?: number;
  }[];
}

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(readonly problem: ProblemDocument) {
    super(problem.detail ?? problem.title);
  }

  /** The session has ended, or there was none. */
  get isSignedOut(): boolean {
    return this.problem.status === 401;
  }
}

let csrfToken = '';
let signedOut: () => void = () => undefined;

/** @param onSignedOut called when a reply says that nobody is signed in any more */
export function useToken(token: string, onSignedOut: () => void): void {
  csrfToken = token;
  signedOut = onSignedOut;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** @param path below `/admin/`, its parts encoded; see {@link pathOf} @throws ApiProblem */
export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return send<T>('GET', `${path}${searchOf(query)}`, undefined, { ...(signal && { signal }) });
}

/** @throws ApiProblem */
export function write<T = void>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return send<T>(method, path, body, { ...(signal && { signal }) });
}

/** Sends a document as it was written, such as a rule. @throws ApiProblem */
export function writeText<T>(
  method: 'POST' | 'PUT',
  path: string,
  text: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<T> {
  const headers = { 'content-type': 'text/plain' };
  return send<T>(method, `${path}${searchOf(query)}`, undefined, {
    ...{ body: text, headers },
    ...(signal && { signal }),
  });
}

/** Sends lines of JSON as they are, to the byte. @throws ApiProblem */
export function sendLines<T>(path: string, lines: Blob, query: Query): Promise<T> {
  return send<T>('POST', `${path}${searchOf(query)}`, lines, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
}

/** Removes something of which the API takes the reason in the address. @throws ApiProblem */
export function remove(path: string, reason: string): Promise<void> {
  return send('DELETE', `${path}${searchOf({ reason })}`, undefined, {});
}

/** Exchanges a key for a session. @throws ApiProblem */
export function signIn<T>(key: string): Promise<T> {
  return send<T>('POST', 'session', undefined, { headers: { authorization: `Bearer ${key}` } });
}

/** A path of parts, each encoded: what is in them leads nowhere else. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] satisfies [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

async function send<T>(method: string, path: string, body: unknown, options: RequestInit): Promise<T> {
  const reply = await fetch(`/admin/${path}`, {
    ...options,
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (reply.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  const problem = new ApiProblem(problemOf(reply.status, text));
  if (problem.isSignedOut && path !== 'session') signedOut();
  throw problem;
}

function problemOf(status: number, text: string): ProblemDocument {
  try {
    const said = JSON.parse(text) as Partial<ProblemDocument>;
    if (typeof said.title === 'string') return { ...said, title: said.title, status };
  } catch {
    // A proxy before Ponte may answer with a page of its own.
  }
  return { status, title: `HTTP ${status}` };
}
