import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmptyDatabase, type EmptyDatabase } from '../../test/support/empty-database';
import { migrate, migrationsDirectory, readMigrations } from './migrations';
import { DatabaseStartError } from './start-error';

const FIRST = ['20260101000000_first', 'CREATE TABLE first (id int); INSERT INTO first VALUES (1);'] as const;
const SECOND = ['20260102000000_second', 'ALTER TABLE first ADD COLUMN name text;'] as const;

describe('migrate', () => {
  let database: EmptyDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await openEmptyDatabase();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ponte-migrations-'));
  });

  afterEach(async () => {
    await database.clear();
    await rm(folder, { recursive: true });
  });

  afterAll(() => database.close());

  async function write(...migrations: (readonly [name: string, sql: string])[]): Promise<void> {
    for (const [name, sql] of migrations) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'migration.sql'), sql);
    }
  }

  const start = (): Promise<string[]> => migrate(database.target, folder);

  /** What the start is refused with: always one line for whoever starts the service. */
  async function refusal(): Promise<string> {
    const error: unknown = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseStartError);
    const { message } = error as DatabaseStartError;
    expect(message).not.toContain('\n');
    return message;
  }

  const tables = async (): Promise<string[]> =>
    (
      await database.rows<{ name: string }>(`
      SELECT relname::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`)
    ).map(({ name }) => name);

  it('applies what is missing in the order of the names, once', async () => {
    await write(SECOND, FIRST);
    expect(await start()).toEqual([FIRST[0], SECOND[0]]);
    expect(await start()).toEqual([]);
    expect(await database.rows('SELECT id, name FROM first')).toEqual([{ id: 1, name: null }]);
  });

  it('applies only what is new', async () => {
    await write(FIRST);
    await start();
    await write(SECOND);
    expect(await start()).toEqual([SECOND[0]]);
  });

  it('records each migration with the SHA-256 of its file', async () => {
    await write(FIRST);
    await start();
    const rows = await database.rows(`
      SELECT migration_name, checksum, applied_steps_count, rolled_back_at, logs,
        length(id) AS id_length, finished_at >= started_at AS in_order FROM _prisma_migrations`);
    expect(rows).toEqual([
      {
        migration_name: FIRST[0],
        checksum: createHash('sha256').update(FIRST[1]).digest('hex'),
        applied_steps_count: 1,
        rolled_back_at: null,
        logs: null,
        id_length: 36,
        in_order: true,
      },
    ]);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await write(FIRST);
    await start();
    await write([FIRST[0], `${FIRST[1]} `]);
    expect(await refusal()).toContain(`migration ${FIRST[0]} was changed after it was applied`);
  });

  it('refuses a database that a newer version has migrated, and changes nothing in it', async () => {
    await write(FIRST, SECOND);
    await start();
    await rm(join(folder, SECOND[0]), { recursive: true });
    await write(['20260101120000_between', 'CREATE TABLE between_them (id int)']);
    expect(await refusal()).toContain(`migration ${SECOND[0]}, which this program does not know`);
    expect(await tables()).not.toContain('between_them');
  });

  it('refuses a migration that another tool began and did not finish', async () => {
    await write(FIRST);
    await start();
    await database.rows('UPDATE _prisma_migrations SET finished_at = NULL');
    expect(await refusal()).toContain(`migration ${FIRST[0]} was begun and not finished`);
  });

  it('applies again what was marked as rolled back', async () => {
    await write(FIRST);
    await start();
    await database.rows('UPDATE _prisma_migrations SET finished_at = NULL, rolled_back_at = now()');
    await database.rows('DROP TABLE first');
    expect(await start()).toEqual([FIRST[0]]);
    expect(await start()).toEqual([]);
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    await write(FIRST, [SECOND[0], 'CREATE TABLE half (id int); SELECT 1 / 0;']);
    expect(await refusal()).toBe(`migration ${SECOND[0]} failed and was rolled back: division by zero`);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await write(SECOND);
    expect(await start()).toEqual([SECOND[0]]);
  });

  it('refuses a database full of tables of somebody else', async () => {
    await database.rows('CREATE TABLE stranger (id int)');
    await write(FIRST);
    expect(await refusal()).toContain('the database has tables that Ponte did not make');
    expect(await tables()).toEqual(['stranger']);
  });
});

describe('migrationsDirectory', () => {
  it("is the package's own, with a first migration", async () => {
    const migrations = await readMigrations(migrationsDirectory());
    expect(migrations[0]?.name).toMatch(/^\d{14}_start$/);
  });
});
