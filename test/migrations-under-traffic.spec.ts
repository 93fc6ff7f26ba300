import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { migrationsDirectory, readMigrations } from '../src/database/migrations';
import { faultsOf, LOCK_ORDER } from './support/migration-effects';
import { openEmptyEngine } from './support/empty-database';

/** The last migration that was released before these rules; those up to it are as they are. */
const LAST_EXEMPT = '20261123011652_record_counts';

describe('the migrations to come', () => {
  it('can be applied while the version before is at work', async () => {
    const pglite = await openEmptyEngine();
    const faults: Record<string, string[]> = {};
    for (const migration of await readMigrations(migrationsDirectory())) {
      if (migration.name <= LAST_EXEMPT) await pglite.exec(migration.sql);
      else faults[migration.name] = await faultsOf(pglite, migration);
    }
    await pglite.close();
    expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('are told of the order of locks in CONTRIBUTING.md', () => {
    const text = readFileSync(join(__dirname, '../CONTRIBUTING.md'), 'utf8').replace(/\s+/g, ' ');
    expect(text).toContain(LOCK_ORDER.map((table) => `\`${table}\``).join(', '));
  });
});

describe('what is refused of a migration', () => {
  let pglite: PGlite;

  beforeAll(async () => {
    pglite = await openEmptyEngine();
  });

  beforeEach(() =>
    pglite.exec(`
      DROP SCHEMA public CASCADE;
      CREATE SCHEMA public;
      CREATE TABLE stakeholder (id int PRIMARY KEY, name text);
      CREATE TABLE schedule (id int PRIMARY KEY, value int NOT NULL DEFAULT 0, "note" varchar(10));
      CREATE TABLE elsewhere (id int);`),
  );

  afterAll(() => pglite.close());

  const LOCK = 'LOCK TABLE "stakeholder", "schedule" IN ACCESS EXCLUSIVE MODE;';
  const TWO_TABLES = 'ALTER TABLE schedule ADD a int; ALTER TABLE stakeholder ADD a int;';

  it.each([
    ['two tables locked as it goes', TWO_TABLES, 'on the way'],
    [
      'a first lock that is too weak',
      `LOCK TABLE stakeholder, schedule IN SHARE MODE; ${TWO_TABLES}`,
      'on the way',
    ],
    [
      'a first lock that forgets one',
      `LOCK TABLE stakeholder IN ACCESS EXCLUSIVE MODE; ${TWO_TABLES}`,
      'schedule (',
    ],
    [
      'the order of locks the other way',
      `LOCK TABLE schedule, stakeholder IN ACCESS EXCLUSIVE MODE; ${TWO_TABLES}`,
      'lock stakeholder, schedule',
    ],
    [
      'a table without a place in the order before one that has one',
      `LOCK TABLE elsewhere, schedule IN ACCESS EXCLUSIVE MODE;`,
      'lock schedule, elsewhere',
    ],
    [
      'rows written in one table and another table altered',
      'UPDATE stakeholder SET name = name; ALTER TABLE schedule ADD a int;',
      'stakeholder (RowExclusiveLock)',
    ],
    ['a column dropped', 'ALTER TABLE schedule DROP COLUMN value', 'schedule.value is dropped'],
    [
      'a column renamed',
      'ALTER TABLE schedule RENAME COLUMN value TO worth',
      'schedule.value is dropped or renamed',
    ],
    ['a table dropped', 'DROP TABLE elsewhere', 'elsewhere.id is dropped'],
    ['a table renamed', 'ALTER TABLE elsewhere RENAME TO other', 'elsewhere.id is dropped or renamed'],
    [
      'another type',
      'ALTER TABLE schedule ALTER value TYPE bigint',
      'schedule.value becomes bigint, was integer',
    ],
    ['a shorter text', 'ALTER TABLE schedule ALTER note TYPE varchar(5)', 'becomes character varying(5)'],
    ['a column that must be given', 'ALTER TABLE schedule ADD a int NOT NULL', 'schedule.a is new, NOT NULL'],
    [
      'NOT NULL on what was optional',
      'ALTER TABLE schedule ALTER note SET NOT NULL',
      'note becomes NOT NULL',
    ],
    [
      'a default taken away',
      'ALTER TABLE schedule ALTER value DROP DEFAULT',
      'schedule.value loses its default',
    ],
    [
      'an index on a table with rows',
      'CREATE INDEX slow ON schedule (value)',
      'slow is built while nobody can write',
    ],
  ])('%s', async (_, sql, fault) => {
    const faults = await faultsOf(pglite, { sql });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it.each([
    ['several tables locked at first and in order', `-- Why.\n${LOCK}\n${TWO_TABLES}`],
    ['one table', 'ALTER TABLE schedule ADD a int, ADD b int NOT NULL DEFAULT 1'],
    [
      'a new table with an index that refers to another',
      'CREATE TABLE fresh (id int REFERENCES schedule NOT NULL); CREATE INDEX ON fresh (id);',
    ],
    ['reading another table', 'ALTER TABLE schedule ADD a int; SELECT count(*) FROM stakeholder'],
    ['what nothing uses any more', '-- contract: unused since 0.2\nALTER TABLE schedule DROP COLUMN note'],
    ['an index that is short', '-- index: a row an organization\nCREATE INDEX short ON elsewhere (id)'],
  ])('and nothing of %s', async (_, sql) => {
    expect(await faultsOf(pglite, { sql })).toEqual([]);
  });
});
