import { Agent, request as send, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface Request {
  method: string;
  /** As it goes over the wire: nothing is encoded. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The address of this machine that it comes from: 127.0.0.0/8 are all ours. */
  from?: string;
  /** Milliseconds after which the client goes away; absent: a minute. */
  patienceMs?: number;
}

export interface Reply {
  /** 0: none came, and `error` says why. */
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  ms: number;
  error?: string;
}

/** One agent for each address, so that a hundred clients can be told apart. */
const agents = new Map<string, Agent>();

function agentOf(from: string): Agent {
  let agent = agents.get(from);
  if (!agent) agents.set(from, (agent = new Agent({ keepAlive: true, localAddress: from, maxSockets: 64 })));
  return agent;
}

/** Sends a request, however odd, and never throws on what comes of it. */
export async function exchange(url: string, request: Request): Promise<Reply> {
  const started = performance.now();
  const none = (error: string): Reply => ({
    status: 0,
    headers: {},
    text: '',
    ms: performance.now() - started,
    error,
  });
  try {
    const first = await once(url, request, started);
    // A kept connection that the service closed meanwhile: nothing was sent on it.
    return first.error === 'ECONNRESET' && first.ms < 50 ? await once(url, request, started) : first;
  } catch (error) {
    // What Node itself refuses to send.
    return none(error instanceof Error ? error.message : String(error));
  }
}

function once(url: string, request: Request, started: number): Promise<Reply> {
  const { method, path, headers = {}, body, from = '127.0.0.1', patienceMs = 60_000 } = request;
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = send(url, {
      method,
      path,
      agent: agentOf(from),
      headers: { ...length, ...headers },
      timeout: patienceMs,
    });
    const answer = (status: number, found: IncomingHttpHeaders, text: string, error?: string): void =>
      resolve({
        status,
        headers: found as Record<string, string | undefined>,
        text,
        ms: performance.now() - started,
        ...(error !== undefined && { error }),
      });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error(), { code: 'NO ANSWER IN TIME' })));
    outgoing.on('error', (error: NodeJS.ErrnoException) => answer(0, {}, '', error.code ?? error.message));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error: NodeJS.ErrnoException) => answer(0, {}, '', error.code ?? error.message));
      incoming.on('end', () =>
        answer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks).toString('utf8')),
      );
    });
    outgoing.end(body);
  });
}

/** Runs the jobs, so many at a time, in their order. */
export async function eachOf<T>(
  jobs: readonly T[],
  atOnce: number,
  work: (job: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) await work(jobs[index] as T, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
