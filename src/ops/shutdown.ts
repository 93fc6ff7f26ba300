import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplication, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { ListenerPool } from './listener-pool';

/** How long replies in flight may take, in milliseconds. */
const DRAIN_LIMIT_MS = 30_000;
/** How long the modules may then take to close, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;
/** How often idle connections are closed while draining, in milliseconds. */
const SWEEP_MS = 50;

/** The part of `process` that shutting down needs. */
export interface ShutdownProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

/**
 * Ends the process without losing a reply: says that it is not ready and serves on until whoever spreads requests
 * has noticed, begins no more work, stops accepting connections, answers what is in flight, then closes the modules.
 * They stay open until the last reply, which may need them.
 */
@Injectable()
export class Shutdown implements OnModuleInit {
  private readonly logger = new Logger('shutdown');
  private readonly open = new Set<Socket>();
  private started = false;
  private stopClaiming: () => void = () => undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly listeners: ListenerPool,
  ) {}

  /** From the first signal on: the process should get no more work. */
  get begun(): boolean {
    return this.started;
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.server.on('connection', (socket: Socket) => {
      // What comes in is not listened to: Node would hand every byte of every request to this thread.
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
    // A client that keeps its connection learns with this reply that it must not use it again.
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.started) void reply.header('connection', 'close');
      done();
    });
  }

  /**
   * Ends the process on SIGTERM or SIGINT: with 0 when all is done, with 1 at once on a second signal.
   * @param graceMs how long everything is still served after SIGTERM, in milliseconds; whoever presses Ctrl-C waits
   *   for nobody
   */
  onSignals(app: INestApplication, process: ShutdownProcess, graceMs = 0): void {
    const stop = (grace: number): void => {
      if (this.started) {
        process.exit(1);
        return;
      }
      this.logger.log({ msg: 'shutdown: begun; requests are served for servesOnMs more', servesOnMs: grace });
      void this.run(app, grace).then((clean) => process.exit(clean ? 0 : 1));
    };
    process.on('SIGTERM', () => stop(graceMs));
    process.on('SIGINT', () => stop(0));
  }

  /** @param stopClaiming called when nothing is served any more but what is in flight: no other work is to begin either */
  beforeDraining(stopClaiming: () => void): void {
    this.stopClaiming = stopClaiming;
  }

  /**
   * @param graceMs how long everything is still served, in milliseconds; not when no connection is accepted anyway
   * @returns false when a module could not be closed
   */
  async run(app: INestApplication, graceMs = 0): Promise<boolean> {
    this.started = true;
    if (graceMs > 0 && this.listeners.areOpen) await wait(graceMs);
    this.stopClaiming();
    await this.drain(app.getHttpServer() as Server);
    try {
      const late = wait(CLOSE_LIMIT_MS, 'late', { ref: false });
      if ((await Promise.race([app.close(), late])) !== 'late') return true;
      this.logger.error({
        msg: `shutdown: the application was not closed within ${CLOSE_LIMIT_MS} ms; the process ends all the same`,
      });
    } catch (error) {
      this.logger.error({ msg: 'shutdown: closing failed; the process ends all the same', err: error });
    }
    return false;
  }

  private async drain(server: Server): Promise<void> {
    if (!this.listeners.areOpen) return;
    let closed = false;
    void this.listeners.close().then(() => (closed = true));
    const deadline = performance.now() + DRAIN_LIMIT_MS;
    while (!closed && performance.now() < deadline) {
      server.closeIdleConnections();
      // To Node a connection on which nothing was ever sent is not idle.
      for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
      await wait(SWEEP_MS);
    }
    if (closed) return;
    this.logger.warn({
      msg: 'shutdown: replies were still in flight at the deadline; their connections are cut off',
    });
    server.closeAllConnections();
  }
}
