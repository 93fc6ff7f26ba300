import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import type { MigrationTarget } from '../../src/database/migrations';
import { pgliteMigrationTarget } from '../../src/database/pglite.database';
import { postgresMigrationTarget } from '../../src/database/postgres.database';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  TEST_SERVER,
} from './postgres-server';

/** A database without a single table, on the database the run is on. */
export interface EmptyDatabase {
  readonly target: MigrationTarget;
  rows<Row>(sql: string): Promise<Row[]>;
  /** Drops every table. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openEmptyDatabase(): Promise<EmptyDatabase> {
  const { target, close } = TEST_SERVER ? await emptyOnServer() : await emptyInMemory();
  const rows = <Row>(sql: string): Promise<Row[]> => target.transaction((session) => session.rows<Row>(sql));
  const clear = (): Promise<void> =>
    target.transaction((session) => session.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  return { target, rows, clear, close };
}

async function emptyOnServer(): Promise<{ target: MigrationTarget; close(): Promise<void> }> {
  const name = randomDatabaseName();
  await createDatabase(name);
  const pool = new Pool({ connectionString: databaseUrl(name) });
  const close = async (): Promise<void> => {
    await pool.end();
    await dropDatabase(name);
  };
  return { target: postgresMigrationTarget(pool), close };
}

async function emptyInMemory(): Promise<{ target: MigrationTarget; close(): Promise<void> }> {
  const pglite = await PGlite.create();
  return { target: pgliteMigrationTarget(pglite), close: () => pglite.close() };
}
