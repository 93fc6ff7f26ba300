import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';

/**
 * The PostgreSQL server the suite runs on, if any: `TEST_DATABASE_URL` names a database from which others can
 * be made. Without it the suite runs on the embedded database.
 */
export const TEST_SERVER = process.env.TEST_DATABASE_URL;

/** The server, for specs that cannot do without one. @throws Error when `TEST_DATABASE_URL` is not set */
export function requireTestServer(): string {
  if (!TEST_SERVER) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server');
  return TEST_SERVER;
}

/** A name that no other run uses. */
export function randomDatabaseName(): string {
  return `ponte_test_${randomBytes(8).toString('hex')}`;
}

/** Connection string of another database of the server. */
export function databaseUrl(name: string): string {
  const url = new URL(requireTestServer());
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Connections to a database of the server. `end` resolves before the server has ended its sessions, and {@link dropDatabase}
 * may end one first: that error belongs to nobody, and without a listener it would end the process.
 */
export function openPool(name: string): Pool {
  const pool = new Pool({ connectionString: databaseUrl(name) });
  pool.on('error', () => undefined);
  return pool;
}

/** Makes a database; with `template`, as a copy of that one. */
export async function createDatabase(name: string, template?: string): Promise<void> {
  await onServer(`CREATE DATABASE "${name}"${template ? ` TEMPLATE "${template}"` : ''}`);
}

/** Drops a database, whoever is still connected to it. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: requireTestServer() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
