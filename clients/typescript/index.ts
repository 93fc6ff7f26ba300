import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

/** The bodies of requests and replies, by the names of the OpenAPI description. */
export type Schemas = components['schemas'];
/** Every operation of Ponte, by method and path. */
export type PonteClient = Client<paths>;

/** Where Ponte is, and as whom it is called. */
export interface PonteOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** `https://ponte.example.com` */
  readonly baseUrl: string;
  /** The operators' key or one of an organization's keys; absent: for what needs none, such as webhooks. */
  readonly key?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with types for all paths, parameters, bodies and replies. */
export function createPonteClient({ baseUrl, key, headers, ...options }: PonteOptions): PonteClient {
  return createFetchClient<paths>({
    ...options,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...headers },
  });
}

/** Ponte refused, or something between here and Ponte did. */
export class PonteError extends Error {
  override readonly name = 'PonteError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** What Ponte says of it; undefined where the reply was no problem document. */
    readonly problem: Schemas['Problem'] | undefined,
  ) {
    super(problem ? `${status} ${problem.error}: ${problem.detail}` : `${status}`);
  }

  /** Stable, to decide by: `not-found`. */
  get code(): string | undefined {
    return this.problem?.error;
  }
}

/** What a call of the client gives. */
interface Called<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a reply; undefined where it has none.
 * @throws PonteError when Ponte refused
 */
export async function answer<T>(call: Promise<Called<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw new PonteError(response.status, isProblem(error) ? error : undefined);
}

function isProblem(body: unknown): body is Schemas['Problem'] {
  return typeof body === 'object' && body !== null && 'error' in body && 'detail' in body;
}
