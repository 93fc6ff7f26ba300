import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { openTestReplicas } from '../../test/support/database';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  openPool,
  randomDatabaseName,
} from '../../test/support/postgres-server';
import { newId } from '../kernel/identifier';
import { migrate, migrationsDirectory, readMigrations } from './migrations';
import { PostgresDatabase } from './postgres.database';
import { poolMigrationTarget } from './pool-migrations';
import { DatabaseStartError } from './start-error';

describe('PostgresDatabase.open', () => {
  let name: string;

  beforeEach(async () => {
    name = randomDatabaseName();
    await createDatabase(name);
  });

  afterEach(() => dropDatabase(name));

  const open = (): Promise<PostgresDatabase> => PostgresDatabase.open(databaseUrl(name));

  it('applies every migration once when twenty replicas start on an empty database at once', async () => {
    const replicas = await Promise.all(Array.from({ length: 20 }, open));
    const rows = await replicas[0]?.query(
      { name: 'h', text: 'SELECT migration_name AS name FROM _prisma_migrations' },
      [],
    );
    const migrations = await readMigrations(migrationsDirectory());
    expect(rows).toEqual(migrations.map((migration) => ({ name: migration.name })));
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('leaves nothing of a migration whose connection was cut, and applies it at the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ponte-migrations-'));
    const file = join(folder, '20260101000000_slow', 'migration.sql');
    await mkdir(join(file, '..'));
    await writeFile(file, 'CREATE TABLE half (id int); SELECT pg_sleep(600);');
    const pool = openPool(name);
    pool.on('error', () => undefined);
    const once = migrate(poolMigrationTarget(pool), folder, { longest: 0, pause: 1 });
    const cut = expect(once).rejects.toThrow(DatabaseStartError);
    await cutSleeper(pool);
    await cut;
    const tables = await pool.query(`SELECT FROM pg_class WHERE relname IN ('half', '_prisma_migrations')`);
    expect(tables.rowCount).toBe(0);

    await writeFile(file, 'CREATE TABLE half (id int);');
    expect(await migrate(poolMigrationTarget(pool), folder)).toEqual(['20260101000000_slow']);
    await pool.end();
    await rm(folder, { recursive: true });
  });

  async function cutSleeper(pool: Pool): Promise<void> {
    const sleeper = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    while ((await pool.query(sleeper)).rowCount === 0);
  }

  it('means the same instants whatever time zone the server is set to', async () => {
    const pool = openPool(name);
    await pool.query(`ALTER DATABASE "${name}" SET timezone = 'America/New_York'`);
    await pool.end();
    const database = await open();
    const createdAt = new Date('2026-03-08T07:30:00.000Z');
    await database.prisma.organization.create({
      data: { id: newId(), slug: 'a', name: 'A', timeZone: 'UTC', currency: 'BRL', createdAt },
    });
    const rows = await database.query({ name: 'i', text: 'SELECT created_at FROM organization' }, []);
    expect(rows).toEqual([{ created_at: createdAt }]);
    await database.close();
  });

  it('works with statement limits of the server that a migration would exceed', async () => {
    const pool = openPool(name);
    await pool.query(`ALTER DATABASE "${name}" SET statement_timeout = '200ms'`);
    const limited = openPool(name);
    const folder = await mkdtemp(join(tmpdir(), 'ponte-migrations-'));
    await mkdir(join(folder, '20260101000000_slow'));
    await writeFile(join(folder, '20260101000000_slow', 'migration.sql'), 'SELECT pg_sleep(0.4)');
    expect(await migrate(poolMigrationTarget(limited), folder)).toHaveLength(1);
    await Promise.all([pool.end(), limited.end(), rm(folder, { recursive: true })]);
  });

  it('says in one line, without the password, that the server cannot be reached', async () => {
    const error: unknown = await PostgresDatabase.open('postgresql://ponte:s3cret@127.0.0.1:1/ponte').catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseStartError);
    expect(String(error)).toContain('the database of DATABASE_URL cannot be used');
    expect(String(error)).not.toMatch(/s3cret|\n/);
  });

  it('survives connections that the server cuts', async () => {
    const database = await open();
    // Several, so that some are idle when they are cut and nobody waits for an answer of theirs.
    await Promise.all(
      Array.from({ length: 5 }, () => database.query({ name: 's', text: 'SELECT pg_sleep(0.05)' }, [])),
    );
    const pool = openPool(name);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await pool.end();
    const answers = async (): Promise<boolean> =>
      database.query({ name: 'one', text: 'SELECT 1' }, []).then(
        () => true,
        () => false,
      );
    // A statement may still be handed a connection that is about to notice; it never takes long.
    while (!(await answers()));
    expect(await database.prisma.organization.count()).toBe(0);
    await database.close();
  });
});

describe('replicas on one database', () => {
  it('see what the others committed and skip what the others work on', async () => {
    const [left, right] = await openTestReplicas(2);
    if (!left || !right) throw new Error('two replicas');
    for (const slug of ['a', 'b'])
      await left.prisma.organization.create({
        data: { id: newId(), slug, name: slug, timeZone: 'UTC', currency: 'BRL' },
      });
    const claim = `SELECT slug FROM organization ORDER BY slug LIMIT 1 FOR UPDATE SKIP LOCKED`;
    await left.transaction(async (tx) => {
      expect(await tx.$queryRawUnsafe(claim)).toEqual([{ slug: 'a' }]);
      expect(await right.query({ name: 'claim', text: claim }, [])).toEqual([{ slug: 'b' }]);
    });
    await Promise.all([left.close(), right.close()]);
  });
});
