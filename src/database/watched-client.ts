import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { ANSWER_MS } from './connection-limits';
import type { OpenConnections } from './open-connections';

/** Milliseconds: how long closing a connection may take before its socket is destroyed. */
const CLOSE_MS = 2_000;

/** What a connection of the service is made with. */
export interface WatchedConfig extends ClientConfig {
  /** Milliseconds without a byte of the server after which the connection is abandoned; Infinity: never. */
  answerMs?: number;
}

interface Deadline {
  answerWithinMs?: number;
}

/**
 * A connection that is abandoned when the server owes an answer and sends nothing: its socket is destroyed, and whatever
 * was asked of it fails instead of waiting for ever. The driver's own `query_timeout` fails one statement and, without a
 * pipeline, leaves a connection in the pool whose answers no longer belong to their statements.
 *
 * One listener of errors is there for its whole life, so that a connection that breaks never ends the process, whoever
 * uses it at that moment.
 */
export class WatchedClient extends Client {
  /** Since when a statement has been waiting for its answer, of `performance.now()`; undefined: none is. */
  pendingSince: number | undefined;
  /** What the connection broke by. */
  brokenBy: Error | undefined;
  private readonly answerMs: number;
  /** Milliseconds that each statement without an answer may wait for it, once those before it have theirs. */
  private limits: number[] = [];
  private lastReceivedAt = performance.now();
  private bytesReceived = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;

  constructor(
    private readonly connections: OpenConnections,
    { answerMs = ANSWER_MS, ...config }: WatchedConfig = {},
  ) {
    super(config);
    this.answerMs = answerMs;
    connections.add(this);
    this.on('error', (error: Error) => this.lost(error));
    this.on('end', () => this.lost(new Error('Connection terminated')));
    this.on('drain', () => this.drained());
    this.connection.on('readyForQuery', () => this.answered());
    this.watchQueries();
  }

  /** Whether nothing is asked of it, in no transaction, and nothing was received after a moment of `performance.now()`. */
  idleSince(moment: number): boolean {
    return (
      this.pendingSince === undefined && this.getTransactionStatus() === 'I' && this.lastReceivedAt < moment
    );
  }

  /** Destroys the socket; what was asked of it fails with `ETIMEDOUT`. */
  abandon(): void {
    const seconds = Math.round((performance.now() - this.lastReceivedAt) / 1_000);
    const message = `the connection to the database was abandoned: nothing was received for ${seconds} s`;
    this.connection.stream.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A server that is not there does not close its side.
    const late = setTimeout(() => this.connection.stream.destroy(), CLOSE_MS).unref();
    this.once('end', () => clearTimeout(late));
    return callback ? super.end(callback) : super.end();
  }

  private watchQueries(): void {
    const query = this.query.bind(this) as (...asked: unknown[]) => unknown;
    const watched = (...asked: unknown[]): unknown => {
      this.started((asked[0] as Deadline | undefined)?.answerWithinMs);
      return query(...asked);
    };
    this.query = watched as Client['query'];
  }

  private started(answerWithinMs: number = this.answerMs): void {
    if (this.brokenBy) return;
    this.limits.push(answerWithinMs);
    if (this.pendingSince === undefined) {
      this.received();
      this.pendingSince = this.lastReceivedAt;
    }
    this.checkInTime();
  }

  /** One statement has its answer; those behind it in the pipeline begin now. */
  private answered(): void {
    if (this.pendingSince === undefined) return;
    this.connections.recordWait(performance.now() - this.pendingSince);
    this.received();
    this.pendingSince = this.lastReceivedAt;
    this.limits.shift();
    if (this.limits.length > 0) this.checkInTime();
  }

  private drained(): void {
    this.pendingSince = undefined;
    this.limits = [];
  }

  private lost(error: Error): void {
    if (this.brokenBy) return;
    this.brokenBy = error;
    if (this.pendingSince !== undefined) this.connections.recordWait(performance.now() - this.pendingSince);
    this.drained();
    clearTimeout(this.timer);
    this.connections.remove(this);
  }

  private received(): void {
    this.lastReceivedAt = performance.now();
    this.bytesReceived = this.bytesRead;
  }

  private get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead;
  }

  private get deadline(): number {
    return this.lastReceivedAt + (this.limits[0] ?? this.answerMs);
  }

  /** One timer for many statements: it is set anew when it came too early, not at each of them. */
  private checkInTime(): void {
    const at = this.deadline;
    if (at >= this.timerAt || at === Infinity) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    // What arrived while this process had no time to read is read before it is called silence.
    const check = (): void => void setImmediate(() => this.check());
    this.timer = setTimeout(check, at - performance.now()).unref();
  }

  private check(): void {
    this.timerAt = Infinity;
    if (this.pendingSince === undefined || this.brokenBy) return;
    // A long answer that is still arriving.
    if (this.bytesRead !== this.bytesReceived) this.received();
    if (performance.now() < this.deadline) return this.checkInTime();
    const silentSince = this.lastReceivedAt;
    this.abandon();
    this.connections.connectionSilent(silentSince);
  }
}
