import { createHash } from 'node:crypto';
import { DataDirectory } from '../src/database/data-directory';
import { EMBEDDED_TEMPLATE, templateIn } from './support/database-template';
import { openCopyOf } from './support/database-image';
import { openEmptyEngine } from './support/empty-database';

const open = () => openCopyOf(new DataDirectory(templateIn(EMBEDDED_TEMPLATE)).cluster);

/** All that a test could leave behind: tables, settings, sequences, files, a session's own. */
const LEFT = `
  select jsonb_build_object(
    'relations', (select jsonb_agg(oid::text || relfilenode order by oid) from pg_class),
    'functions', (select count(*) from pg_proc),
    'settings', (select md5(string_agg(name || setting, ',' order by name)) from pg_settings),
    'prepared', (select count(*) from pg_prepared_statements),
    'transaction', txid_current()::text,
    'files', (select jsonb_agg(file order by file) from pg_ls_dir('base/5') as file),
    'log', pg_current_wal_lsn(),
    'organizations', (select count(*) from organization)) as left`;

type Embedded = Awaited<ReturnType<typeof open>>;

async function leftIn(pglite: Embedded): Promise<unknown> {
  const { rows } = await pglite.query<{ left: unknown }>(LEFT);
  return rows[0]?.left;
}

async function use(pglite: Embedded): Promise<void> {
  await pglite.exec(`
    create table kept_by_nobody (id serial primary key, text text);
    insert into kept_by_nobody (text) select repeat('x', 900) from generate_series(1, 20000);
    create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger failing before insert on organization for each row execute function fail();
    alter table delivery disable trigger all;
    prepare ready as select 1;
    set time zone 'Asia/Tokyo';
    listen somebody`);
  await expect(pglite.exec('select 1 / 0')).rejects.toThrow('division by zero');
  // Closes files that were open before, and removes them.
  await pglite.exec('vacuum full pg_class');
  await pglite.exec('vacuum full pg_attribute');
  await pglite.exec('checkpoint');
}

/** Which relations there are, in which files. */
async function relationsIn(pglite: Embedded): Promise<unknown> {
  return (await pglite.query('select oid, relfilenode, relname from pg_class order by oid')).rows;
}

/** What is in the files of the database. */
async function filesOf(pglite: Embedded): Promise<unknown> {
  const { rows } = await pglite.query(`
    select file, md5(pg_read_binary_file('base/5/' || file)) from pg_ls_dir('base/5') as file order by file`);
  return rows;
}

/** Of the engine's memory, as long as it was at first. */
function memoryOf(pglite: Embedded, bytes: number): string {
  const memory = pglite.Module.HEAPU8 as Uint8Array;
  return createHash('sha1').update(memory.subarray(0, bytes)).digest('hex');
}

describe('a database in memory that was closed', () => {
  it('is used again, as it was before the first who used it', async () => {
    const first = await open();
    const engine = first.Module;
    await first.close();
    const again = await open();
    expect(again.Module === engine).toBe(true);
    const { length } = again.Module.HEAPU8;
    const memory = memoryOf(again, length);
    const before = await leftIn(again);
    await use(again);
    const relations = await relationsIn(again);
    await again.close();
    for (let times = 0; times < 3; times += 1) {
      const next = await open();
      expect(next.Module === engine).toBe(true);
      expect(memoryOf(next, length)).toBe(memory);
      expect(await leftIn(next)).toEqual(before);
      await use(next);
      expect(await relationsIn(next)).toEqual(relations);
      await next.close();
    }
  });

  it('is not used again by another while it is open', async () => {
    const [one, other] = [await open(), await open()];
    expect(one.Module === other.Module).toBe(false);
    const files = await filesOf(other);
    expect(await filesOf(one)).toEqual(files);
    await use(one);
    expect(await filesOf(one)).not.toEqual(files);
    expect(await filesOf(other)).toEqual(files);
    expect(await leftIn(other)).toMatchObject({ organizations: 0, prepared: 0 });
    const third = await open();
    expect(await filesOf(third)).toEqual(files);
    for (const each of [one, other, third]) await each.close();
  });

  it('is closed to the one who had it, also when another has it', async () => {
    const one = await open();
    const engine = one.Module;
    await one.close();
    const next = await open();
    expect(next.Module === engine).toBe(true);
    expect([one.closed, next.closed]).toEqual([true, false]);
    expect(() => one.exec('select 1')).toThrow('the database is closed');
    await one.close();
    const third = await open();
    expect(third.Module === engine).toBe(false);
    await next.close();
    await third.close();
  });

  it('is ended when one of another cluster is closed', async () => {
    const empty = await openEmptyEngine();
    const engine = empty.Module;
    await empty.close();
    await (await open()).close();
    const next = await openEmptyEngine();
    expect(next.Module === engine).toBe(false);
    await next.close();
  });

  it.each([
    ['in the middle of a transaction', 'begin'],
    ['with a library that was loaded since, of which the engine keeps only a part', "load 'dict_snowball'"],
    [
      'when it has become large',
      "set work_mem = '900MB'; select count(*) from (select g || repeat('x', 9000) from generate_series(1, 30000) g order by 1) s",
    ],
  ])('is not used again %s', async (_, statement) => {
    const one = await open();
    const engine = one.Module;
    await one.exec(statement);
    await one.close();
    const next = await open();
    expect(next.Module === engine).toBe(false);
    await next.close();
  });
});
