import { type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import {
  CONNECT_MS,
  KEEPALIVE_MS,
  KEPT_SETTINGS,
  MIGRATING_SESSION,
  WORKING_SESSION,
} from './connection-limits';
import { OpenConnections } from './open-connections';
import { runOn, StatementPool } from './statement-pool';
import { WatchedClient } from './watched-client';

/** What a pool is for. */
interface PoolPurpose {
  application_name: string;
  max: number;
  /** Milliseconds for which a connection is kept that nothing is asked of. */
  idleTimeoutMillis: number;
}

const WORKING: PoolPurpose = { application_name: 'ponte', max: 10, idleTimeoutMillis: 10_000 };
/** One connection, kept from one probe of an orchestrator to the next. */
export const PROBING: PoolPurpose = { application_name: 'ponte probes', max: 1, idleTimeoutMillis: 60_000 };

/** Two connections for a moment. */
const COMPARING: PoolPurpose = { application_name: 'ponte', max: 2, idleTimeoutMillis: 10_000 };
/** Milliseconds in which the server must have answered. */
const COMPARE_WITHIN_MS = 5_000;

/** The connections to a PostgreSQL server. */
export class ConnectionPool extends StatementPool {
  constructor(
    databaseUrl: string,
    readonly connections = new OpenConnections(),
    purpose = WORKING,
  ) {
    super({
      ...configOf(databaseUrl, connections),
      ...purpose,
      // What is asked of a connection without waiting is sent without waiting: see `queryInTransaction`.
      pipeline: true,
      onConnect: (client: ClientBase) => client.query(WORKING_SESSION),
    });
    // An idle connection that breaks is replaced; without a listener its error would end the process.
    this.on('error', () => undefined);
  }
}

/**
 * Checks whether a connection keeps what it was set to. With a pooler that gives each transaction whatever session is free, it
 * does not: while one connection is in a transaction, another gets a session that nobody has set.
 * @returns the names of what was lost; none, too, where the server takes no two connections
 */
export async function lostSettings(databaseUrl: string): Promise<string[]> {
  const pool = new ConnectionPool(databaseUrl, new OpenConnections(), COMPARING);
  const run = <Row>(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    runOn<Row>(client, { text, answerWithinMs: COMPARE_WITHIN_MS }, values);
  const taken: PoolClient[] = [];
  const take = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    taken.push(client);
    return client;
  };
  try {
    const [one, other] = [await take(), await take()];
    await run(one, 'BEGIN');
    const shown = await run<{ name: string; setting: string }>(other, SHOW, [Object.keys(KEPT_SETTINGS)]);
    await run(one, 'ROLLBACK');
    return shown.filter(({ name, setting }) => setting !== KEPT_SETTINGS[name]).map(({ name }) => name);
  } catch {
    // Whatever is wrong with it, those who work with the database will say so.
    return [];
  } finally {
    for (const client of taken) client.release(true);
    await pool.end();
  }
}

const SHOW = 'select name, setting from pg_settings where name = any($1) order by name';

/** A pool of one connection, for migrations: named as such, and free to take their time. */
export function migrationPool(databaseUrl: string): Pool {
  const pool = new Pool({
    ...configOf(databaseUrl, new OpenConnections(), Infinity),
    application_name: 'ponte migrations',
    max: 1,
    onConnect: (client: ClientBase) => client.query(MIGRATING_SESSION),
  });
  pool.on('error', () => undefined);
  return pool;
}

/** What every connection of the service is made with. */
export function connectionConfig(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
  };
}

function configOf(
  databaseUrl: string,
  connections: OpenConnections,
  answerMs?: number,
): ClientConfig & { Client: new () => ClientBase } {
  const Client = class extends WatchedClient {
    constructor(config?: ClientConfig) {
      super(connections, { ...config, answerMs });
    }
  };
  return { ...connectionConfig(databaseUrl), Client };
}
