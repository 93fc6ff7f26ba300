import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { ANSWER_MS } from './connection-limits';
import type { DatabaseServer } from '../config/database-address';
import { type DatabaseServers, NoWritableServer, READ_ONLY } from './database-servers';
import type { OpenConnections } from './open-connections';
import { shortageOf } from './server-shortage';

/** Milliseconds: how long closing a connection may take before its socket is destroyed. */
const CLOSE_MS = 2_000;

/** What a connection of the service is made with. */
export interface WatchedConfig extends ClientConfig {
  /** Milliseconds without a byte of the server after which the connection is abandoned; Infinity: never. */
  answerMs?: number;
  /** The servers of which the one that takes writes is connected to; absent: the one that is named. */
  servers?: DatabaseServers;
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
  private readonly servers: DatabaseServers | undefined;
  /** Which of several servers it is connected to. */
  private server: DatabaseServer | undefined;
  private isEnding = false;

  constructor(
    private readonly connections: OpenConnections,
    { answerMs = ANSWER_MS, servers, ...config }: WatchedConfig = {},
  ) {
    super(config);
    this.answerMs = answerMs;
    this.servers = servers;
    connections.add(this);
    this.on('error', (error: Error) => this.lost(error));
    this.on('end', () => this.lost(new Error('Connection terminated')));
    this.on('drain', () => this.drained());
    this.connection.on('readyForQuery', () => this.answered());
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.serverOnlyReads();
      const shortage = shortageOf(code);
      if (shortage !== undefined) connections.recordShortage(shortage);
    });
    this.watchQueries();
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    if (!callback) return this.chooseServer().then(() => super.connect()) as Promise<this>;
    if (!this.servers?.several) return super.connect(callback);
    this.chooseServer().then(() => super.connect(callback), callback);
  }

  /**
   * Sets the session, before anything else is asked of the connection.
   * @param session statements, separated by semicolons
   * @throws NoWritableServer when the server only reads
   */
  async begin(session: string): Promise<void> {
    const results = (await this.query(`${session};\nSHOW transaction_read_only`)) as unknown as {
      rows: { transaction_read_only?: string }[];
    }[];
    if (results.at(-1)?.rows[0]?.transaction_read_only !== 'on') return;
    this.serverOnlyReads();
    throw new NoWritableServer('the server of DATABASE_URL only reads');
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

  /** Destroys the socket of a connection to a server that takes no writes; what was asked of it fails. */
  leave(): void {
    this.doubtServer();
    this.connection.stream.destroy(new NoWritableServer('the server of DATABASE_URL only reads'));
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.isEnding = true;
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
    if (!this.isEnding) this.doubtServer();
    this.drained();
    clearTimeout(this.timer);
    this.connections.remove(this);
  }

  private async chooseServer(): Promise<void> {
    if (!this.servers?.several) return;
    try {
      this.server = await this.servers.choose();
    } catch (error) {
      // It never connects, and so never ends.
      this.lost(error as Error);
      throw error;
    }
    // Where the driver reads them as it connects, and as it looks a password up.
    Object.assign(this, this.server);
    Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, this.server);
  }

  private doubtServer(): void {
    if (this.server) this.servers?.doubt(this.server);
  }

  /** Once its refusal has been passed on, this connection is left, and with it those that are idle. */
  private serverOnlyReads(): void {
    setImmediate(() => {
      this.leave();
      this.connections.serverOnlyReads();
    });
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
