import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, type Answer } from './answer';
import { send, sendDoubleBody, sendHalf, sendTwice } from './answering';
import { Company, type CompanySettings } from './company';
import type { Fault } from './fault';
import { Fields } from './fields';
import { Judge } from './judge';
import type { Lag } from './lag';
import { route } from './routes';
import { Forecast } from './weather';
import type { Change } from './writing';

/** Below the range that systems take for connections going out, so that nobody sits on the port while it is shut. */
const PORTS = { from: 12_000, to: 32_000 };

/** How the service is reached just now. */
type Door = 'open' | 'shut' | 'resetting';

/** What a request asks for, as far as it could be read. */
interface Wish {
  readonly name: string;
  readonly identities: readonly string[];
  readonly apply: () => Answer;
}

/**
 * A finance service that does its work and fails in every way a network and a service can fail. It keeps books in
 * memory, forgets nothing, and its judge knows what really took effect.
 */
export class FaultyFinance {
  readonly judge = new Judge();
  readonly forecast = new Forecast();
  private readonly companies: readonly Company[];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly working = new Set<Promise<void>>();
  private door: Door = 'open';
  private doorOpensAt = 0;
  private early = new AbortController();
  private port = 0;

  private constructor(companies: readonly CompanySettings[]) {
    this.companies = companies.map(
      (settings) => new Company(settings, (effects) => this.judge.applied(effects)),
    );
    this.server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const work = this.serve(request, response).catch(() => {
        request.socket.destroy();
      });
      this.working.add(work);
      void work.finally(() => this.working.delete(work));
    });
    this.server.on('connection', (socket) => this.connected(socket));
  }

  /** Starts it on a free port of 127.0.0.1. */
  static async start(companies: readonly CompanySettings[]): Promise<FaultyFinance> {
    const service = new FaultyFinance(companies);
    await service.takePort();
    return service;
  }

  /** The service's root, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  /** Sets how far all listings are behind what was written. */
  lagBy(lag: Lag): void {
    for (const { history } of this.companies) history.lagBy(lag);
  }

  /** Shuts the door for a while; more of it while it is shut makes it longer. */
  shut(kind: 'refuse-others' | 'reset-others' | 'down', forMs: number): void {
    this.doorOpensAt = Math.max(this.doorOpensAt, performance.now() + forMs);
    if (kind === 'down') this.sockets.forEach((socket) => socket.resetAndDestroy());
    if (this.door !== 'open') return;
    this.door = kind === 'reset-others' ? 'resetting' : 'shut';
    if (this.door === 'shut') this.server.close();
    this.server.closeIdleConnections();
    const work = this.reopen();
    this.working.add(work);
    void work.finally(() => this.working.delete(work));
  }

  /** Opens the door before its time. */
  open(): void {
    this.doorOpensAt = 0;
    this.early.abort();
  }

  /** Waits until every request has taken the effect it will ever take, and the door is open. */
  async settled(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working);
  }

  async stop(): Promise<void> {
    await this.settled();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async takePort(): Promise<void> {
    for (;;) {
      this.port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
      try {
        await this.listen();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      }
    }
  }

  private async listen(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async reopen(): Promise<void> {
    const { signal } = (this.early = new AbortController());
    for (let left = 1; left > 0; left = this.doorOpensAt - performance.now()) {
      await sleep(left, undefined, { signal }).catch(() => undefined);
    }
    if (this.door === 'shut') await this.listen();
    this.door = 'open';
  }

  private connected(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.door === 'resetting') {
      socket.resetAndDestroy();
      return;
    }
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const wish = this.wishOf(request, body);
    const fault = this.forecast.next(wish.name);
    const entry = this.judge.asked(wish.name, wish.identities, fault);
    const apply = (): Answer => {
      const answer = answerOf(wish.apply);
      entry.status = answer.status;
      return answer;
    };
    await this.meet(fault, apply, request, response);
    // Whoever came in before the door was shut does not come back through the same connection.
    if (this.door !== 'open') this.server.closeIdleConnections();
  }

  private async meet(
    fault: Fault,
    apply: () => Answer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault.kind) {
      case 'none':
        return send(request, response, apply());
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'late-answer': {
        const answer = apply();
        await sleep(fault.afterMs);
        return send(request, response, answer);
      }
      case 'late-effect':
        await sleep(fault.afterMs);
        return send(request, response, apply());
      case 'cut-before-headers':
        apply();
        request.socket.destroy();
        return;
      case 'cut-within-answer':
        return sendHalf(request, apply());
      case 'error-500':
        if (fault.applied) apply();
        return sendText(response, 500, 'Internal Server Error');
      case 'busy':
        if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
        return sendText(response, fault.status, 'Come back later');
      case 'garbage':
        if (fault.applied) apply();
        return sendText(response, 200, '<html><body>We are working on it</body>');
      case 'double-body':
        return sendDoubleBody(request, response, apply());
      case 'double-answer':
        return sendTwice(request, apply());
      case 'refuse-others':
      case 'reset-others':
        send(request, response.setHeader('connection', 'close'), apply());
        return this.shut(fault.kind, fault.forMs);
      case 'down':
        return this.shut(fault.kind, fault.forMs);
    }
  }

  /** What the request asks for; a request that cannot be read, or may not be made, asks to be told so. */
  private wishOf(request: IncomingMessage, body: string): Wish {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const name = `${request.method} ${url.pathname.replace(/^\/api\/v1/, '')}`;
    try {
      const company = this.companyOf(request, url);
      const found = route(request.method ?? '', url.pathname);
      if (!found) throw new Refusal(404, 'not-found', 'there is nothing here');
      const { row, ids } = found;
      if ('read' in row) return { name, identities: [], apply: () => row.read(company, ids, url) };
      return { name, ...asWish(row.change(company, ids, Fields.of(parsed(request, body)))) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { name, identities: [], apply: () => error.answer };
    }
  }

  private companyOf({ headers }: IncomingMessage, { searchParams }: URL): Company {
    const organization = searchParams.get('Organization');
    const company = this.companies.find(({ settings }) => settings.organization === organization);
    const bearer = headers.authorization?.replace(/^Bearer /i, '');
    const key = headers['apitoken'] ?? bearer ?? searchParams.get('apitoken');
    if (!company || company.settings.apiKey !== key) {
      throw new Refusal(401, 'unauthorized', 'the key is not good here');
    }
    return company;
  }
}

function asWish({ identities, apply }: Change): Pick<Wish, 'identities' | 'apply'> {
  return { identities, apply };
}

function answerOf(apply: () => Answer): Answer {
  try {
    return apply();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function parsed({ method, headers }: IncomingMessage, body: string): unknown {
  if (method === 'DELETE' && body === '') return {};
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, 'unsupported', 'bodies are JSON here');
  }
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, 'malformed', 'the body is not JSON');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end(text);
}
