import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../kernel/identifier';
import { MOVE_MARKER, MOVE_REFUSALS } from './move/marker';
import { FailedMigration, MIGRATION_PATIENCE, retryMigration } from './migration-retry';
import { DatabaseStartError } from './start-error';

/** One session of a database, inside a transaction. */
export interface MigrationSession {
  /** Runs any number of statements, without parameters. */
  script(sql: string): Promise<void>;
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface MigrationTarget {
  transaction<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>;
}

export interface Migration {
  /** Name of its folder: a timestamp and a word. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

interface AppliedMigration {
  name: string;
  checksum: string;
  finished: boolean;
  logs: string | null;
}

/**
 * The advisory lock that `prisma migrate deploy` takes as well, so that neither runs while the other does.
 * From prisma-engines, `ADVISORY_LOCK_KEY` of the PostgreSQL connector.
 */
const LOCK = 72_707_369;

/**
 * How long a migration waits for a lock. Whoever comes after it waits for the same table as long, the version before
 * with all its traffic: so it is short, and the migration is tried again.
 */
const LOCK_TIMEOUT = '2s';

/** As `prisma migrate deploy` creates it and reads it. */
const CREATE_HISTORY = `
  CREATE TABLE "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Brings a database up to date: each missing migration in a transaction of its own, together with its row in
 * `_prisma_migrations`. Replicas that start at once migrate one after another; whatever is interrupted leaves no trace. The version
 * before may be at work meanwhile: a migration that cannot have its locks is tried again.
 * @returns names of the migrations that this call applied
 * @throws DatabaseStartError when the database does not fit this program or a migration fails
 */
export async function migrate(
  target: MigrationTarget,
  directory: string = migrationsDirectory(),
  patience = MIGRATION_PATIENCE,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const applied: string[] = [];
  for (;;) {
    const name = await retryMigration(
      () => target.transaction((session) => applyNext(session, migrations)),
      patience,
    );
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/** The migrations of a folder in the order of their names. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = await readFile(join(directory, name, 'migration.sql'));
      return { name, sql: file.toString('utf8'), checksum: createHash('sha256').update(file).digest('hex') };
    }),
  );
}

/** `prisma/migrations` of this package, from the sources as well as from a build beneath it. */
export function migrationsDirectory(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'prisma', 'migrations');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new DatabaseStartError('the folder prisma/migrations is missing');
  }
}

/** What a start would do to the tables. */
export interface MigrationState {
  /** Names of the migrations applied, in their order. */
  readonly applied: readonly string[];
  /** Those that the next start applies, in this order. */
  readonly pending: readonly Migration[];
}

/**
 * Says what {@link migrate} would do, and changes nothing.
 * @throws DatabaseStartError when the database does not fit this program
 */
export async function migrationState(
  rows: MigrationSession['rows'],
  directory: string = migrationsDirectory(),
): Promise<MigrationState> {
  const migrations = await readMigrations(directory);
  const history = (await hasHistory(rows)) ? await appliedMigrations(rows) : [];
  checkHistory(history, migrations);
  const applied = history.map(({ name }) => name);
  return { applied, pending: migrations.filter(({ name }) => !applied.includes(name)) };
}

async function applyNext(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  // A server may limit statements; waiting for another replica's migration, or an index, may take longer.
  // How long the session may be silent stays limited: whoever is stopped here would keep everybody out for ever.
  await session.script('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
  await session.rows(`SELECT pg_advisory_xact_lock(${LOCK})`);
  const history = await readHistory(session);
  checkHistory(history, migrations);
  const done = new Set(history.map((row) => row.name));
  const next = migrations.find((migration) => !done.has(migration.name));
  if (next) await apply(session, next);
  return next?.name;
}

async function readHistory(session: MigrationSession): Promise<AppliedMigration[]> {
  if (await hasHistory((sql) => session.rows(sql))) return appliedMigrations((sql) => session.rows(sql));
  await session.script(CREATE_HISTORY);
  return [];
}

/** @throws DatabaseStartError when there are tables of somebody else */
async function hasHistory(rows: MigrationSession['rows']): Promise<boolean> {
  const [found] = await rows<{ history: boolean; tables: boolean }>(`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "history",
      EXISTS (
        SELECT FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      ) AS "tables"`);
  if (found?.history) return true;
  if (found?.tables)
    throw new DatabaseStartError('the database has tables that Ponte did not make: give it an empty one');
  return false;
}

function appliedMigrations(rows: MigrationSession['rows']): Promise<AppliedMigration[]> {
  return rows<AppliedMigration>(`
    SELECT migration_name AS "name", checksum, finished_at IS NOT NULL AS "finished", logs
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`);
}

function checkHistory(history: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const moving = history.find(({ name }) => name === MOVE_MARKER);
  if (moving) throw new DatabaseStartError(MOVE_REFUSALS[moving.logs ?? ''] ?? MOVE_REFUSALS.target);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of history) {
    const migration = known.get(row.name);
    if (!migration)
      throw new DatabaseStartError(
        `the database has migration ${row.name}, which this program does not know: start a newer version`,
      );
    if (!row.finished)
      throw new DatabaseStartError(
        `migration ${row.name} was begun and not finished: repair it with \`prisma migrate resolve\``,
      );
    if (row.checksum !== migration.checksum)
      throw new DatabaseStartError(
        `migration ${row.name} was changed after it was applied: restore its file from the release`,
      );
  }
}

async function apply(session: MigrationSession, migration: Migration): Promise<void> {
  try {
    await session.script(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await session.script(migration.sql);
    await session.rows(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [newId(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new FailedMigration(migration.name, error);
  }
}
