import { createRequire } from 'node:module';
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import type { AxiosInstance, AxiosStatic } from 'axios';
import type { ConnectionTimeouts } from './connection';
import { unpack } from './unpack';
import type { FinanceRequest } from './finance-request';

/** Bytes of a reply at most, packed and unpacked. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/** What came of putting a request on the wire. */
export type SendResult =
  /** Surely not a byte of it left. */
  | { readonly stage: 'unsent'; readonly cause: string }
  /** Some of it may have left, and no reply came. */
  | { readonly stage: 'unanswered'; readonly cause: string }
  | Reply;

/** A reply's beginning, at least, came. */
export interface Reply {
  readonly stage: 'answered';
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked; undefined when not all of it came, or it is more than is taken. */
  readonly body: Buffer | undefined;
}

export interface SendOptions {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  readonly timeouts: ConnectionTimeouts;
  /** Called when the connection stands and nothing has left; false ends it as `unsent`. */
  readonly onSend?: () => boolean;
}

/** The cause of a request that its own caller stopped. */
export const WITHHELD = 'PONTE_WITHHELD';
/** Causes of requests that took too long. */
export const HEADERS_TIMEOUT = 'PONTE_HEADERS_TIMEOUT';
export const TOTAL_TIMEOUT = 'PONTE_TOTAL_TIMEOUT';
/** The cause of a request whose connection the service made something else of. */
const UPGRADED = 'PONTE_UPGRADED';

const load = createRequire(__filename);
let client: AxiosInstance | undefined;

/** Made for the first call: who books on the embedded ledger makes none. */
function axiosClient(): AxiosInstance {
  const axios = load('axios') as AxiosStatic;
  return axios.create({
    proxy: false,
    maxRedirects: 0,
    responseType: 'stream',
    decompress: false,
    transformRequest: [],
    transformResponse: [],
    validateStatus: () => true,
    // The agents and the timers here decide; axios's own would be a second opinion.
    timeout: 0,
  });
}

/** Sends one request, once. Never throws for what the network does; what axios throws holds headers and stays here. */
export async function sendRequest(request: FinanceRequest, options: SendOptions): Promise<SendResult> {
  const attempt = new Attempt(options);
  try {
    const { status, headers, data } = await attempt.untilGivenUp(
      (client ??= axiosClient()).request<Readable>({
        method: request.method,
        url: request.url,
        headers: { ...request.headers },
        ...(request.body !== undefined && { data: Buffer.from(request.body, 'utf8') }),
        httpAgent: options.httpAgent,
        httpsAgent: options.httpsAgent,
        transport: { request: attempt.open },
      }),
    );
    const plainHeaders = textHeaders(headers);
    return { stage: 'answered', status, headers: plainHeaders, body: await bodyOf(data, plainHeaders) };
  } catch (error) {
    return { stage: attempt.sent ? 'unanswered' : 'unsent', cause: attempt.cause ?? codeOf(error) };
  } finally {
    attempt.end();
  }
}

/** One sending, from the first attempt at a connection to the last byte of the reply. */
class Attempt {
  /** Whether bytes may have left. */
  sent = false;
  /** Why it was given up, where that was decided here. */
  cause: string | undefined;

  private readonly connecting = new AbortController();
  private readonly total: NodeJS.Timeout;
  private readonly givenUp: Promise<never>;
  private headers: NodeJS.Timeout | undefined;
  private request: ClientRequest | undefined;
  private rejectGivenUp: (error: Error) => void = () => undefined;

  constructor(private readonly options: SendOptions) {
    this.givenUp = new Promise((_resolve, reject) => (this.rejectGivenUp = reject));
    // Whoever waits for it hears of it; if nobody does any more, that is no error.
    this.givenUp.catch(() => undefined);
    this.total = setTimeout(() => this.giveUp(TOTAL_TIMEOUT), options.timeouts.totalMs);
  }

  /** What axios calls for a request to be opened. */
  readonly open = (options: RequestOptions, answered: (response: IncomingMessage) => void): ClientRequest => {
    const send = options.protocol === 'https:' ? httpsRequest : httpRequest;
    const dialling = { connectMs: this.options.timeouts.connectMs, signal: this.connecting.signal };
    const withDialling: RequestOptions = Object.assign({}, options, { dialling });
    const request = send(withDialling, answered);
    this.request = request;
    request.once('socket', () => this.beforeSending());
    request.once('response', () => clearTimeout(this.headers));
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      this.giveUp(UPGRADED);
    });
    if (this.cause !== undefined) request.destroy(new Error(this.cause));
    return request;
  };

  /** The same promise, or a rejection as soon as the attempt is given up. */
  untilGivenUp<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.givenUp]);
  }

  end(): void {
    clearTimeout(this.total);
    clearTimeout(this.headers);
  }

  /** The connection stands and the request has not been written to it yet. */
  private beforeSending(): void {
    if (this.options.onSend?.() === false) return this.giveUp(WITHHELD);
    this.sent = true;
    this.headers = setTimeout(() => this.giveUp(HEADERS_TIMEOUT), this.options.timeouts.headersMs);
  }

  private giveUp(cause: string): void {
    this.cause ??= cause;
    const error = new Error(cause);
    this.rejectGivenUp(error);
    this.connecting.abort();
    this.request?.destroy(error);
  }
}

/** A body that was read whole; undefined when it broke off, is too long, or cannot be unpacked. */
async function bodyOf(
  data: Readable,
  headers: Readonly<Record<string, string>>,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of data as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_REPLY_BYTES) return undefined;
      chunks.push(chunk);
    }
    return await unpack(Buffer.concat(chunks), headers['content-encoding'], MAX_REPLY_BYTES);
  } catch {
    return undefined;
  }
}

/** Headers as text, without those that axios knows to be otherwise. */
function textHeaders(headers: object): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** A system's word for an error; never its message, which may hold addresses and headers. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'UNKNOWN';
}
