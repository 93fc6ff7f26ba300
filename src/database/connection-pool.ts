import { type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import {
  CONNECT_MS,
  KEEPALIVE_MS,
  KEPT_SETTINGS,
  MIGRATING_SESSION,
  READING_SESSION,
  WORKING_SESSION,
} from './connection-limits';
import type { DatabaseServers } from './database-servers';
import { OpenConnections } from './open-connections';
import { runOn, StatementPool } from './statement-pool';
import { WatchedClient, type WatchedConfig } from './watched-client';

/** What a pool is for. */
interface PoolPurpose {
  application_name: string;
  max: number;
  /** Milliseconds for which a connection is kept that nothing is asked of. */
  idleTimeoutMillis: number;
  /** Sets a session as it begins; {@link WORKING_SESSION} unless given. */
  onConnect?: (client: ClientBase) => Promise<unknown>;
}

const WORKING: PoolPurpose = { application_name: 'ponte', max: 10, idleTimeoutMillis: 10_000 };
/** One connection, kept from one probe of an orchestrator to the next. */
export const PROBING: PoolPurpose = { application_name: 'ponte probes', max: 1, idleTimeoutMillis: 60_000 };

/** One connection for `ponte doctor`, on which nothing can be written. */
export const READING: PoolPurpose = {
  application_name: 'ponte doctor',
  max: 1,
  idleTimeoutMillis: 10_000,
  onConnect: (client) => client.query(READING_SESSION),
};

/** Two connections for a moment. */
const COMPARING: PoolPurpose = { application_name: 'ponte', max: 2, idleTimeoutMillis: 10_000 };
/** Milliseconds in which the server must have answered. */
const COMPARE_WITHIN_MS = 5_000;

/** The connections to a PostgreSQL server: of several, to the one that takes writes. */
export class ConnectionPool extends StatementPool {
  constructor(
    servers: DatabaseServers,
    readonly connections = new OpenConnections(),
    purpose = WORKING,
  ) {
    super({
      ...configOf(servers, connections),
      // What is asked of a connection without waiting is sent without waiting: see `queryInTransaction`.
      pipeline: true,
      onConnect: (client: ClientBase) => begin(client, WORKING_SESSION),
      ...purpose,
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
export async function lostSettings(servers: DatabaseServers): Promise<string[]> {
  const pool = new ConnectionPool(servers, new OpenConnections(), COMPARING);
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
export function migrationPool(servers: DatabaseServers): Pool {
  const pool = new Pool({
    ...configOf(servers, new OpenConnections(), Infinity),
    application_name: 'ponte migrations',
    max: 1,
    onConnect: (client: ClientBase) => begin(client, MIGRATING_SESSION),
  });
  pool.on('error', () => undefined);
  return pool;
}

/** What every connection of the service is made with. */
export function connectionConfig(servers: DatabaseServers): WatchedConfig {
  return {
    servers,
    connectionString: servers.connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
  };
}

function configOf(
  servers: DatabaseServers,
  connections: OpenConnections,
  answerMs?: number,
): ClientConfig & { Client: new () => ClientBase } {
  const config = connectionConfig(servers);
  const Client = class extends WatchedClient {
    constructor(purpose?: ClientConfig) {
      super(connections, { ...config, ...purpose, answerMs });
    }
  };
  return { ...config, Client };
}

/** A pool knows its connections as clients of the driver; all of them are the service's own. */
async function begin(client: ClientBase, session: string): Promise<void> {
  await (client as unknown as WatchedClient).begin(session);
}
