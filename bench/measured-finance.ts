import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyFinance } from '../test/faulty-finance/faulty-finance';
import { STRICT } from '../test/system/remote-chaos/companies';

/** One call as the service sees it; milliseconds on the clock of `performance`. */
export interface MeasuredCall {
  readonly method: string;
  readonly path: string;
  readonly begin: number;
  /** When the answer was handed to the connection; undefined: not yet. */
  end?: number;
}

/**
 * A finance service of one company that answers every call after the same time, can be closed and opened, and
 * writes down when calls began and ended. Behind it the tests' finance service keeps the books.
 */
export class MeasuredFinance {
  calls: MeasuredCall[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    this.serve(request, response).catch(() => request.socket.destroy());
  });

  private constructor(
    private readonly books: FaultyFinance,
    private readonly delayMs: () => number,
  ) {}

  static async start(delayMs: () => number): Promise<MeasuredFinance> {
    const service = new MeasuredFinance(await FaultyFinance.start([STRICT]), delayMs);
    await once(service.server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  readonly url = (): string => `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api/v1`;

  /** Nobody listens until {@link open}. */
  async close(): Promise<number> {
    const { port } = this.server.address() as AddressInfo;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
    return port;
  }

  async open(port: number): Promise<void> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    await this.close();
    this.agent.destroy();
    await this.books.stop();
  }

  /** Calls to receive money that were answered. */
  get receipts(): MeasuredCall[] {
    return this.calls.filter(
      ({ method, path, end }) => method === 'POST' && /\/receipts(?:\?|$)/.test(path) && end !== undefined,
    );
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const call: MeasuredCall = { method, path, begin: performance.now() };
    this.calls.push(call);
    const [answer] = await Promise.all([this.ask(request, await buffer(request)), sleep(this.delayMs())]);
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    call.end = performance.now();
  }

  private async ask({ method, url = '', headers }: IncomingMessage, body: Buffer) {
    const address = new URL(url, this.books.url);
    const outgoing = send(address, {
      method,
      agent: this.agent,
      headers: { ...headers, host: address.host },
    });
    outgoing.end(body);
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    const type = reply.headers['content-type'] ?? 'application/json';
    return { status: reply.statusCode ?? 500, type, body: await buffer(reply) };
  }
}

/** How much of the time of some slots went by without a call, though there was work, from one instant to another. */
export function idleShare(calls: readonly MeasuredCall[], atOnce: number, from: number, to: number): number {
  const steps = calls
    .flatMap(({ begin, end = to }) => [
      { at: begin, by: 1 },
      { at: end, by: -1 },
    ])
    .sort((left, right) => left.at - right.at);
  let [inFlight, last, idle] = [0, from, 0];
  for (const { at, by } of [...steps, { at: to, by: 0 }]) {
    const until = Math.min(Math.max(at, from), to);
    idle += (until - last) * Math.max(0, atOnce - inFlight);
    last = until;
    inFlight += by;
  }
  return idle / ((to - from) * atOnce);
}

/** How many calls began in each second from an instant on. */
export function callsASecond(calls: readonly MeasuredCall[], from: number, seconds: number): number[] {
  const counts = Array.from({ length: seconds }, () => 0);
  for (const { begin } of calls) {
    const second = Math.floor((begin - from) / 1000);
    if (second >= 0 && second < seconds) counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}
