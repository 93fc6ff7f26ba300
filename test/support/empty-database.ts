import type { PGlite } from '@electric-sql/pglite';
import type { Database } from '../../src/database/database';
import type { MigrationTarget } from '../../src/database/migrations';
import { EmbeddedEngine } from '../../src/database/embedded-engine';
import { EmbeddedPool } from '../../src/database/embedded-pool';
import { LocalEngine } from '../../src/database/local-engine';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { poolMigrationTarget } from '../../src/database/pool-migrations';
import { PostgresDatabase } from '../../src/database/postgres.database';
import { openCopyOf } from './database-image';
import { EMPTY_CLUSTER, templateIn } from './database-template';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  openPool,
  randomDatabaseName,
  TEST_SERVER,
} from './postgres-server';

/** A database without a single table, on the database the run is on. */
export interface EmptyDatabase {
  readonly target: MigrationTarget;
  rows<Row>(sql: string): Promise<Row[]>;
  /** Drops every table. */
  clear(): Promise<void>;
  /** Applies the migrations that are missing, as a start does, and opens it. */
  migrated(): Promise<Database>;
  close(): Promise<void>;
}

export async function openEmptyDatabase(): Promise<EmptyDatabase> {
  const { target, migrated, close } = TEST_SERVER ? await emptyOnServer() : await emptyInMemory();
  const rows = <Row>(sql: string): Promise<Row[]> => target.transaction((session) => session.rows<Row>(sql));
  const clear = (): Promise<void> =>
    target.transaction((session) => session.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  return { target, rows, clear, migrated, close };
}

async function emptyOnServer(): Promise<Omit<EmptyDatabase, 'rows' | 'clear'>> {
  const name = randomDatabaseName();
  await createDatabase(name);
  const pool = openPool(name);
  const close = async (): Promise<void> => {
    await pool.end();
    await dropDatabase(name);
  };
  const target = poolMigrationTarget(pool);
  return { target, migrated: () => PostgresDatabase.open(databaseUrl(name)), close };
}

/** An embedded engine in memory, whose database has not a single table. */
export function openEmptyEngine(): Promise<PGlite> {
  return openCopyOf(templateIn(EMPTY_CLUSTER));
}

async function emptyInMemory(): Promise<Omit<EmptyDatabase, 'rows' | 'clear'>> {
  const pglite = await openEmptyEngine();
  const pool = new EmbeddedPool(new LocalEngine(new EmbeddedEngine(pglite)));
  return {
    target: poolMigrationTarget(pool),
    migrated: () => PgliteDatabase.over(pglite),
    close: () => pglite.close(),
  };
}
