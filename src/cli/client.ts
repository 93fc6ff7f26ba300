import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure, wrongUsage } from './failure';
import { problemText } from './output/problem';
import { oneLine } from './output/text';
import { isObject } from '../kernel/json-object';

/** Generous: a replay or a bulk of dead letters is worked through before it is answered. */
const ANSWER_LIMIT_MS = 120_000;

/** For the next part of a file: the first comes when all of it has been copied. */
const PART_LIMIT_MS = 900_000;

/** Seconds that are waited at most where Ponte says when to come back, and how often it is asked. */
const LONGEST_WAIT_SECONDS = 30;
const MOST_TRIES = 20;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the address; each part comes from {@link pathOf}. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Reply {
  readonly status: number;
  /** Exactly as received; empty where there is nothing to say. */
  readonly text: string;
  readonly body: unknown;
  /** Seconds after which Ponte says that trying again makes sense. */
  readonly retryAfter?: number;
}

/** One Ponte, over HTTP. */
export class PonteClient {
  /** @param url without a slash at its end */
  constructor(readonly url: string) {}

  /**
   * Sends a request and waits two minutes for the answer.
   * @returns what was done, or found
   * @throws Failure with the exit code of what stands in the way; no message holds a header or a body
   */
  async ask(request: Request): Promise<Reply> {
    const reply = await this.send(request);
    if (reply.status < 300) return reply;
    throw refusal(reply, this.url, exitOf(reply.status));
  }

  /**
   * As {@link ask}; where Ponte says to come back soon, it is asked again then. For what may be sent twice.
   * @throws Failure after {@link MOST_TRIES} times
   */
  async askPatiently(request: Request): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await this.send(request);
      if (reply.status < 300) return reply;
      const { retryAfter = Infinity } = reply;
      if (retryAfter > LONGEST_WAIT_SECONDS || tries === MOST_TRIES)
        throw refusal(reply, this.url, exitOf(reply.status));
      await sleep(retryAfter * 1_000);
    }
  }

  /**
   * Sends a request whose answer is a file.
   * @param file gets it, readable by its owner alone; what it had is gone
   * @throws Failure also where the answer is cut off
   */
  async download(request: Request, file: string): Promise<void> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new DOMException('', 'TimeoutError')), PART_LIMIT_MS);
    try {
      const response = await this.fetched(request, silence.signal);
      if (response.status !== 200 || !response.body)
        throw refusal(await this.replyOf(request, response), this.url, exitOf(response.status));
      const parts = heard(response.body, () => timer.refresh());
      await pipeline(parts, createWriteStream(file, { mode: 0o600, flush: true }));
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (isObject(error) && /^(open|write|fsync)$/.test(String(error['syscall'])))
        throw notWritten(file, error);
      throw this.noAnswer({ ...request, method: 'GET' }, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** As {@link ask}, but a refusal is an answer too. @throws Failure when what answers is not Ponte */
  async send(request: Request): Promise<Reply> {
    return this.replyOf(request, await this.fetched(request, AbortSignal.timeout(ANSWER_LIMIT_MS)));
  }

  private async replyOf(request: Request, response: Response): Promise<Reply> {
    if (response.status >= 300 && response.status < 400)
      throw notPonte(this.url, `it sends elsewhere, to ${oneLine(response.headers.get('location') ?? '?')}`);
    const text = await response.text().catch((error: unknown) => {
      throw this.noAnswer(request, error);
    });
    if (text === '') return { status: response.status, text, body: null };
    const type = response.headers.get('content-type') ?? 'no media type';
    if (!/^application\/(problem\+)?json\b/.test(type))
      throw notPonte(this.url, `it answers ${response.status} with ${oneLine(type)}`);
    const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
    return {
      status: response.status,
      text,
      body: parsed(text, this.url),
      ...(retryAfter >= 0 && { retryAfter }),
    };
  }

  private async fetched(
    { method, path, query = {}, headers, body }: Request,
    signal: AbortSignal,
  ): Promise<Response> {
    const address = new URL(this.url + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) address.searchParams.set(name, value);
    try {
      return await fetch(address, {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw this.noAnswer({ method, path }, error);
    }
  }

  private noAnswer({ method }: Request, error: unknown): Failure {
    const writes = method !== 'GET' && !neverArrived(error);
    return new Failure(
      EXIT.unreachable,
      `No answer from ${this.url}: ${reasonOf(error)}` +
        (writes ? '\nWhether the request took effect is not known: check before you repeat it.' : ''),
    );
  }
}

/**
 * A path of these parts, each taken literally.
 * @throws Failure of wrong usage for a part that would name another path: none, `.` or `..`
 */
export function pathOf(...parts: readonly string[]): string {
  return parts
    .map((part) => {
      if (/^\.{0,2}$/.test(part)) throw wrongUsage(`"${part}" names nothing`);
      return `/${encodeURIComponent(part.toWellFormed())}`;
    })
    .join('');
}

/** The refusal as an operator reads it. */
export function refusal({ status, body, retryAfter }: Reply, url: string, exit: Failure['exit']): Failure {
  if (!isObject(body) || typeof body['type'] !== 'string')
    return notPonte(url, `it answers ${status} without saying why`);
  const later = retryAfter === undefined ? '' : `\n  try again in ${retryAfter} s`;
  return new Failure(exit, problemText(body, status) + later);
}

function exitOf(status: number): Failure['exit'] {
  if (status === 401 || status === 403) return EXIT.keyRefused;
  return status === 404 ? EXIT.notFound : EXIT.refused;
}

async function* heard(parts: AsyncIterable<Uint8Array>, each: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    each();
    yield part;
  }
}

function notWritten(file: string, { code }: Readonly<Record<string, unknown>>): Failure {
  return wrongUsage(`${file} cannot be written (${String(code)})`);
}

function notPonte(url: string, how: string): Failure {
  return new Failure(EXIT.unreachable, `What answers at ${url} is not Ponte: ${how}`);
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notPonte(url, 'its JSON cannot be read');
  }
}

/** Errors of `fetch` may quote headers, so only codes are told. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = isObject(error) ? error : {};
  return typeof code === 'string' ? code : cause === undefined ? undefined : codeOf(cause);
}

function reasonOf(error: unknown): string {
  if (isObject(error) && error['name'] === 'TimeoutError') return 'none came in time';
  return codeOf(error) ?? 'the connection failed';
}

function neverArrived(error: unknown): boolean {
  return [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ].includes(codeOf(error) ?? '');
}
