import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  openPool,
  randomDatabaseName,
} from '../../test/support/postgres-server';
import { until } from '../../test/support/until';
import { migrationPool } from './connection-pool';
import { DatabaseServers } from './database-servers';
import { migrate } from './migrations';
import { poolMigrationTarget } from './pool-migrations';
import { DatabaseStartError } from './start-error';

const NAME = '20260102000000_two_tables';
const LOCKS_BOTH = 'ALTER TABLE a ADD COLUMN c int; ALTER TABLE b ADD COLUMN c int;';

describe('a migration, while the version before is at work', () => {
  const database = randomDatabaseName();
  let folder: string;
  let pool: Pool;
  let worker: Client;

  beforeEach(async () => {
    await createDatabase(database);
    folder = await mkdtemp(join(tmpdir(), 'ponte-migrations-'));
    pool = openPool(database);
    worker = new Client({ connectionString: databaseUrl(database) });
    await worker.connect();
    await write('20260101000000_start', 'CREATE TABLE a (id int); CREATE TABLE b (id int);');
    await migrate(poolMigrationTarget(pool), folder);
    await write(NAME, LOCKS_BOTH);
  });

  afterEach(async () => {
    await worker.end();
    await pool.end();
    await dropDatabase(database);
    await rm(folder, { recursive: true });
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }

  const start = (patience = { longest: 60_000, pause: 10 }): Promise<string[]> =>
    migrate(poolMigrationTarget(pool), folder, patience);

  /** Waits until the migration waits for a lock. */
  const waits = (): Promise<void> =>
    until(async () => {
      const { rows } = await worker.query<{ waiting: boolean }>(
        `select exists (select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())) as waiting`,
      );
      return rows[0]?.waiting === true;
    });

  it('lets traffic pass that waits behind it, and is applied when the tables are free', async () => {
    await worker.query('BEGIN; INSERT INTO a VALUES (1)');
    const migrating = start();
    await waits();
    // Behind a lock that is waited for without end, this would stand for as long as the worker's transaction.
    await pool.query('INSERT INTO a VALUES (2)');
    await worker.query('COMMIT');
    expect(await migrating).toEqual([NAME]);
  });

  it('gives way to work that it blocks and that blocks it', async () => {
    // The worker never checks for a deadlock itself, so that it cannot be the one that ends.
    await worker.query(`SET deadlock_timeout = '1h'`);
    await worker.query('BEGIN; INSERT INTO b VALUES (1)');
    const migrating = start();
    await waits();
    await worker.query('INSERT INTO a VALUES (1)');
    await worker.query('COMMIT');
    expect(await migrating).toEqual([NAME]);
    expect((await pool.query('SELECT c FROM a')).rows).toEqual([{ c: null }]);
  });

  it('is tried again when its connection is terminated', async () => {
    await worker.query('BEGIN; INSERT INTO a VALUES (1)');
    const migrating = start();
    await waits();
    await worker.query(
      'select pg_terminate_backend(pid) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
    );
    await worker.query('COMMIT');
    expect(await migrating).toEqual([NAME]);
  });

  it('may take its time, but not be silent: a replica that is stopped in it would keep the others out', async () => {
    await write(
      NAME,
      `CREATE TABLE limits AS SELECT current_setting('idle_in_transaction_session_timeout') AS silence,
         current_setting('statement_timeout') AS statement, current_setting('transaction_timeout', true) AS whole`,
    );
    const migrations = migrationPool(new DatabaseServers(databaseUrl(database)));
    expect(await migrate(poolMigrationTarget(migrations), folder)).toEqual([NAME]);
    await migrations.end();
    const { rows } = await pool.query<{ whole: string | null }>('SELECT * FROM limits');
    expect(rows).toEqual([{ silence: '1min', statement: '0', whole: rows[0]?.whole ? '0' : null }]);
  });

  it('fails with one line that names it when the tables are not free in time', async () => {
    await worker.query('BEGIN; INSERT INTO a VALUES (1)');
    const failure: unknown = await start({ longest: 1, pause: 1 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseStartError);
    expect((failure as Error).message).toBe(
      `migration ${NAME} failed and was rolled back: canceling statement due to lock timeout`,
    );
    await worker.query('ROLLBACK');
    expect(await start()).toEqual([NAME]);
  });
});
