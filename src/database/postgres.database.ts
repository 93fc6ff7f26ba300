import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ConnectionPool, lostSettings, migrationPool, PROBING, READING } from './connection-pool';
import type { Channel, HotStatement } from './database';
import { DatabaseServers } from './database-servers';
import { failureCodes } from './failure-codes';
import { migrate, migrationState } from './migrations';
import { type AnswerDelays, OpenConnections } from './open-connections';
import { poolMigrationTarget } from './pool-migrations';
import { PoolAdapter } from './pool.adapter';
import { PostgresListener } from './postgres-listener';
import { PrismaDatabase } from './prisma.database';
import { DatabaseStartError, reasonOf } from './start-error';
import { failureOf, isAway } from './unavailable';

/** How a start waits for a server that is not ready yet. */
export interface StartPatience {
  /** Milliseconds. */
  forMs: number;
  /** Called with one line for whoever starts Ponte: before each wait, and where connections lose what they are set to. */
  report: (line: string) => void;
  /** Called as each stage begins, with one line. */
  onStage?: (line: string) => void;
  /** Whether a database in which Ponte has stored nothing yet is refused, and left as it is. */
  onlyStored?: boolean;
}

const NO_PATIENCE: StartPatience = { forMs: 0, report: () => undefined };
/** Milliseconds between the first two tries; the pauses double up to {@link LONGEST_PAUSE_MS}. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** SQLSTATE of `too_many_connections`. */
const NO_CONNECTION = '53300';

/**
 * A PostgreSQL server (15 or later), through one pool that Prisma and the hot statements share. Beside it is one connection
 * for probes, while they are made.
 */
export class PostgresDatabase extends PrismaDatabase {
  override readonly parallel = true;

  private readonly listeners: PostgresListener[] = [];
  private readonly probes: ConnectionPool;

  private constructor(
    private readonly pool: ConnectionPool,
    private readonly servers: DatabaseServers,
  ) {
    super(new PoolAdapter(pool));
    this.probes = new ConnectionPool(servers, pool.connections, PROBING);
  }

  /**
   * Connects and brings the database up to date. A server that takes no more connections, that is starting, not
   * there yet or only reads is waited for. Of several servers the one that takes writes is used, at each moment.
   * @param databaseUrl see `readDatabaseAddress`
   * @throws DatabaseStartError when the server refuses, is not ready in time, or the migrations do not fit
   */
  static async open(databaseUrl: string, patience = NO_PATIENCE): Promise<PostgresDatabase> {
    const servers = new DatabaseServers(databaseUrl, (line) => patience.report(`DATABASE_URL: ${line}`));
    await prepare(servers, patience);
    const lost = await lostSettings(servers);
    if (lost.length > 0) patience.report(lostLine(lost));
    return new PostgresDatabase(new ConnectionPool(servers), servers);
  }

  /**
   * Connects to a database as it is, to be read: nothing is brought up to date, and what would write fails. A server that is
   * away shows when something is asked.
   */
  static toRead(databaseUrl: string): PostgresDatabase {
    const servers = new DatabaseServers(databaseUrl);
    return new PostgresDatabase(new ConnectionPool(servers, new OpenConnections(), READING), servers);
  }

  /** Of several servers, what each says of itself: see `DatabaseServers.survey`. */
  surveyServers(): Promise<{ name: string; refusal?: string }[]> {
    return this.servers.survey();
  }

  /** @returns names of settings that a connection loses, see {@link lostSettings} */
  lostSettings(): Promise<string[]> {
    return lostSettings(this.servers);
  }

  /** Where the server takes no more connections, one of those that are open is used. */
  override async probe<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    try {
      return await this.probes.run<Row>(statement, values);
    } catch (error) {
      if (failureCodes(error).includes(NO_CONNECTION)) return this.query<Row>(statement, values);
      throw failureOf(error);
    }
  }

  override async notify(channel: Channel): Promise<void> {
    await this.query(NOTIFY, [channel]);
  }

  override listen(channel: Channel, heard: () => void): void {
    this.listeners.push(new PostgresListener(this.servers, channel, heard, this.pool.connections));
  }

  override delays(): AnswerDelays {
    return this.pool.connections.delays();
  }

  override shortage(): string | undefined {
    return this.pool.connections.shortage();
  }

  protected override run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.pool.run<Row>(statement, values);
  }

  protected override async closeDriver(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener.close()));
    await Promise.all([this.pool.end(), this.probes.end()]);
  }
}

const NOTIFY: HotStatement = { name: 'notify', text: `select pg_notify($1, '')` };

function lostLine(names: readonly string[]): string {
  return `connections of DATABASE_URL lose what Ponte sets (${names.join(', ')}): a pooler in between must be in session mode, see docs/deployment.md`;
}

async function prepare(servers: DatabaseServers, patience: StartPatience): Promise<void> {
  const { forMs, report, onStage, onlyStored = false } = patience;
  onStage?.('connecting to the database of DATABASE_URL and bringing it up to date');
  const deadline = performance.now() + forMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const failure = await tryToPrepare(servers, onlyStored);
    if (failure === undefined) return;
    const left = deadline - performance.now();
    // The driver's words name the user, the database or the address, never the password.
    if (left <= 0) throw new DatabaseStartError(`the database of DATABASE_URL cannot be used: ${failure}`);
    report(`the database of DATABASE_URL is not ready, Ponte waits for it: ${failure}`);
    await sleep(Math.min(pause, left));
  }
}

/** @returns why its server is not ready; undefined: the database is up to date */
async function tryToPrepare(servers: DatabaseServers, onlyStored: boolean): Promise<string | undefined> {
  const pool = migrationPool(servers);
  try {
    await reach(pool);
    if (onlyStored) await refuseEmpty(pool);
    await migrate(poolMigrationTarget(pool));
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseStartError || !isAway(error)) throw error;
    return reasonOf(error);
  } finally {
    await pool.end();
  }
}

/** @throws DatabaseStartError where no migration was applied, or the database does not fit this program */
async function refuseEmpty(pool: Pool): Promise<void> {
  const { applied } = await migrationState(
    async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await pool.query(sql, [...values])).rows as Row[],
  );
  if (applied.length === 0)
    throw new DatabaseStartError('the database of DATABASE_URL is empty: name the one that has the books');
}

async function reach(pool: Pool): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    if (isAway(error)) throw error;
    throw new DatabaseStartError(`the database of DATABASE_URL cannot be used: ${reasonOf(error)}`);
  }
}
