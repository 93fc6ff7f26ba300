import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type ListenOptions, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { markOperatorsConnection } from '../http/listeners';
import { listenOrExplain } from './listen-error';

/** Sockets that listen on the port: so many connections are accepted in one tick of the event loop. */
const LISTENERS = 64;
/**
 * Connections that may wait at one listening socket; the system may allow fewer. A connection beyond that is dropped, and
 * its sender tries again after seconds: better accepted and answered 503.
 */
const BACKLOG = 4_096;
/** Where a port can be listened on several times and the system spreads the callers. */
const SHARES_PORTS = process.platform === 'linux';

/** Where to listen. */
export interface Address {
  /** 0: any that is free. */
  port: number;
  host: string;
}

/**
 * The listening sockets. Node accepts one new connection from a listening socket in each tick of its event loop, however
 * many wait: under load, with ticks of tens of milliseconds, a health probe would wait for seconds behind the connections
 * before it. So the same port is listened on many times. Where that is not possible (Node before 22.12, systems other than
 * Linux) there is one listening socket.
 */
@Injectable()
export class ListenerPool implements BeforeApplicationShutdown {
  private readonly others: Server[] = [];
  private operators?: Server;

  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * @param operators where operators are served apart from everybody else; absent: nowhere apart
   * @throws ListenError when a port is in use, by whomever, or an address is not of this machine
   */
  async open(app: NestFastifyApplication, address: Address, operators?: Address): Promise<void> {
    // First: whoever finds the one port open can count on the other.
    if (operators) await listenOrExplain(operators, 'ADMIN_', () => this.openOperators(operators));
    await listenOrExplain(address, '', () => this.openAll(app, address));
  }

  private async openAll(app: NestFastifyApplication, { port, host }: Address): Promise<void> {
    const at = { port, host, backlog: BACKLOG, reusePort: SHARES_PORTS };
    // Another Ponte that shares its port would let this one listen beside it without an error.
    if (SHARES_PORTS && port !== 0) await endOf(await listening(createServer(), { port, host }));
    await app.listen(at);
    if (!SHARES_PORTS) return;
    const own = { ...at, port: (this.main.address() as AddressInfo).port };
    await Promise.all(Array.from({ length: LISTENERS - 1 }, () => this.openMore(own)));
  }

  /** Where operators are served apart: `http://127.0.0.1:3001`. */
  get operatorsUrl(): string | undefined {
    if (!this.operators) return undefined;
    const { address, family, port } = this.operators.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Accepts no more connections. Resolves when those that are open have ended. */
  async close(): Promise<void> {
    await Promise.all([this.main, ...this.others].map((server) => endOf(server)));
  }

  /** For whoever closes the application without waiting for its callers. */
  beforeApplicationShutdown(): void {
    for (const server of this.others) server.close();
  }

  /** Whether connections are accepted. */
  get areOpen(): boolean {
    return this.main.listening;
  }

  private get main(): HttpServer {
    return this.host.httpAdapter.getHttpServer() as HttpServer;
  }

  /** One is enough: operators do not come by the hundred. */
  private async openOperators({ port, host }: Address): Promise<void> {
    const listener = this.createListener(markOperatorsConnection);
    this.others.push(listener);
    this.operators = await listening(listener, { port, host });
  }

  /** Takes connections as Node's own HTTP server does, and hands them to it. */
  private createListener(mark: (socket: Socket) => void = () => undefined): Server {
    return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      mark(socket);
      this.main.emit('connection', socket);
    });
  }

  private async openMore(at: ListenOptions): Promise<void> {
    const opened = listening(this.createListener(), at);
    // Where a port cannot be shared, the first one serves alone.
    await opened.then((listener) => this.others.push(listener)).catch(() => undefined);
  }
}

async function listening(server: Server, at: ListenOptions): Promise<Server> {
  await once(server.listen(at), 'listening');
  return server;
}

async function endOf(server: Server): Promise<void> {
  if (server.listening) await promisify(server.close.bind(server))();
}
