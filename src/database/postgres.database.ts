import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type ClientBase, type PoolClient } from 'pg';
import { columnParser } from './column-types';
import type { Channel, HotStatement } from './database';
import { migrate, type MigrationTarget } from './migrations';
import { PostgresListener } from './postgres-listener';
import { PrismaDatabase } from './prisma.database';
import { DatabaseStartError, reasonOf } from './start-error';
import { connectionTaker, type RunStatement } from './transaction-statements';

/** A PostgreSQL server (15 or later), through one pool that Prisma and the hot statements share. */
export class PostgresDatabase extends PrismaDatabase {
  override readonly parallel = true;

  private readonly listeners: PostgresListener[] = [];

  private constructor(
    private readonly pool: Pool,
    private readonly databaseUrl: string,
  ) {
    super(new PrismaPg(pool));
  }

  /**
   * Connects and brings the database up to date.
   * @throws DatabaseStartError when the server cannot be reached or the migrations do not fit
   */
  static async open(databaseUrl: string): Promise<PostgresDatabase> {
    const pool = connectionPool(databaseUrl);
    try {
      await reach(pool);
      await migrate(postgresMigrationTarget(pool));
    } catch (error) {
      await pool.end();
      throw error;
    }
    return new PostgresDatabase(pool, databaseUrl);
  }

  override async notify(channel: Channel): Promise<void> {
    await this.query(NOTIFY, [channel]);
  }

  override listen(channel: Channel, heard: () => void): void {
    this.listeners.push(new PostgresListener(this.databaseUrl, channel, heard));
  }

  protected override run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return runOn<Row>(this.pool, statement, values);
  }

  protected override async closeDriver(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener.close()));
    await this.pool.end();
  }
}

type Callback = Parameters<Pool['connect']>[0];

const NOTIFY: HotStatement = { name: 'notify', text: `select pg_notify($1, '')` };
const TYPES = { getTypeParser: (oid: number) => columnParser(oid) };

async function runOn<Row>(
  connection: Pool | ClientBase,
  statement: RunStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await connection.query({ ...statement, values: [...values], types: TYPES });
  return rows as Row[];
}

/** What is asked of a connection in one go is written in one go: writing costs more than what is written. */
function writeAtOnce({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A pool that tells, where Prisma begins a transaction, which connection it is given. */
class TellingPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (callback) return super.connect(callback);
    const took = connectionTaker();
    return super.connect().then((client) => {
      took((statement, values) => {
        writeAtOnce(client);
        return runOn(client, statement, values);
      });
      return client;
    });
  }
}

function connectionPool(connectionString: string): Pool {
  const pool = new TellingPool({
    connectionString,
    application_name: 'ponte',
    max: 10,
    // What is asked of a connection without waiting is sent without waiting: see `queryWithin`.
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Prisma writes instants without an offset and reads them as UTC, whatever the session's time zone is.
    // Compiling a query takes PostgreSQL longer than any of ours runs.
    onConnect: (client: ClientBase) => client.query(`SET TIME ZONE 'UTC'; SET jit = off`),
  });
  // An idle connection that breaks is replaced; without a listener its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

async function reach(pool: Pool): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    // The driver's words name the user, the database or the address, never the password.
    throw new DatabaseStartError(`the database of DATABASE_URL cannot be used: ${reasonOf(error)}`);
  }
}

/** Applies migrations through a pool, each on a connection of its own. */
export function postgresMigrationTarget(pool: Pool): MigrationTarget {
  return {
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error): void => void (broken = error);
      client.on('error', onError);
      try {
        await client.query('BEGIN');
        const result = await work({
          script: async (sql) => void (await client.query(sql)),
          rows: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await client.query(sql, [...values])).rows as Row[],
        });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => void (broken = failure));
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
  };
}
