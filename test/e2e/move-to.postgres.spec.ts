import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { Prisma } from '../../src/database/client/client';
import { DataDirectory } from '../../src/database/data-directory';
import type { Database } from '../../src/database/database';
import { DirectoryLock } from '../../src/database/directory-lock';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import type { FeedPageView } from '../../src/feed/feed.dto';
import { ponte, type Ran } from '../support/command-line';
import { embeddedDataDir } from '../support/database';
import { cpfNumber } from '../support/documents';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  requireTestServer,
} from '../support/postgres-server';
import { TestService } from '../support/service';
import { until } from '../support/until';
import { WHOLE_LIVES } from '../support/whole-lives';

const ROOT = join(__dirname, '../..');
/** An owner of databases who is no superuser. */
const OWNER = `ponte_owner_${process.pid}`;
const PASSWORD = 'only-for-this-test';

let folder: string;
/** A data directory in which real work was done; tests work with copies of it. */
let worked: string;
let dropPlace: () => Promise<void>;
/** What its tables have. */
let tables: Map<string, string>;
let feedKey: string;
let page: FeedPageView;
const databases: string[] = [];

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: requireTestServer() });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** An empty database of an owner who is no superuser. */
async function emptyDatabase(): Promise<string> {
  const name = randomDatabaseName();
  databases.push(name);
  await createDatabase(name);
  await onServer(`ALTER DATABASE "${name}" OWNER TO ${OWNER}`);
  const url = new URL(databaseUrl(name));
  [url.username, url.password] = [OWNER, PASSWORD];
  return url.href;
}

function copyOfWork(name: string): string {
  const dataDir = join(folder, name);
  cpSync(worked, dataDir, { recursive: true });
  return dataDir;
}

function moveTo(url: string, dataDir: string, ...more: string[]): Promise<Ran> {
  return ponte(['move-to', '--data-dir', dataDir, ...more], { env: { DATABASE_URL: url } });
}

/** Every row of every table as text, those of timers too: nothing runs. */
async function everyRow({ prisma }: Database): Promise<Map<string, string>> {
  const names = await prisma.$queryRaw<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations' order by 1`;
  const rows = new Map<string, string>();
  for (const { name } of names) {
    const [row] = await prisma.$queryRaw<{ digest: string }[]>(
      Prisma.sql`select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as digest
        from ${Prisma.raw(`"${name}"`)} t`,
    );
    rows.set(name, row?.digest ?? '');
  }
  return rows;
}

async function rowsOf(opened: Promise<Database>): Promise<Map<string, string>> {
  const database = await opened;
  try {
    return await everyRow(database);
  } finally {
    await database.close();
  }
}

function feed(service: TestService, cursor: string): Promise<{ status: number; body: FeedPageView }> {
  return Promise.resolve(
    service.http.get(`/feed?limit=500&after=${cursor}`).set('authorization', `Bearer ${feedKey}`),
  );
}

async function pay(service: TestService, number: number): Promise<void> {
  const order = {
    ...{
      id: 6_700_000_000_000 + number,
      number,
      total: '150.01',
      name: 'Zé "D’Ávila" \\ Ñandú',
      instalments: 3,
    },
    ...{ document: cpfNumber(67_000 + number), email: `ze${number}@example.com` },
  };
  // As no writer of JSON would space it: what is stored of it has to arrive to the byte.
  const body = shopifyOrder(order, true).toString().replace('{', '{\t \n "ünïcode\\u0001": "\\\\N",');
  // Twice, as shops do: how often one was sent again is stored, too.
  const id = crypto.randomUUID();
  for (const duplicate of [false, true]) {
    const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body, id });
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ duplicate })]);
  }
  await service.settle();
}

beforeAll(async () => {
  await onServer(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${PASSWORD}'`);
  folder = mkdtempSync(join(tmpdir(), 'ponte-move-'));
  ({ dataDir: worked, drop: dropPlace } = await embeddedDataDir());
  const service = await TestService.start(await PgliteDatabase.open(worked));
  const made = await service.operate('post', 'keys', { name: 'the ERP', scopes: ['feed:read'] });
  ({ key: feedKey } = made.body as { key: string });
  for (let number = 1; number <= 6; number += 1) await pay(service, number);
  for (const [index, life] of WHOLE_LIVES.entries())
    for (const message of life.messages) {
      const [type, data] = message(`life-${index}`);
      const body = JSON.stringify({ type, timestamp: '2025-06-30T12:00:00Z', data });
      expect((await service.hook({ source: 'standard', topic: type, body })).status).toBe(200);
    }
  await service.settle();
  page = (await feed(service, '')).body;
  await service.stop();
  const database = await PgliteDatabase.open(worked);
  // More than is copied at once.
  await database.prisma.$executeRaw`
    insert into audit_entry (id, actor, action, subject, reason)
    select gen_random_uuid(), 'a test', 'nothing', n::text, repeat('é', 200) from generate_series(1, 20000) n`;
  await database.close();
  tables = await rowsOf(PgliteDatabase.open(worked));
});
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
  await onServer(`DROP ROLE IF EXISTS ${OWNER}`);
  await dropPlace();
  rmSync(folder, { recursive: true, force: true });
});

describe('ponte move-to', () => {
  it('brings every row to the byte, and the service goes on there and nowhere else', async () => {
    const filled = [...tables.values()].filter((digest) => !digest.startsWith('0 '));
    expect(filled.length).toBeGreaterThan(20);
    const [url, dataDir] = [await emptyDatabase(), copyOfWork('whole')];
    const ran = await moveTo(url, dataDir, '--json');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The move is complete.')]);
    expect(ran.stderr).toContain('"audit_entry": part 2 of');
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD);
    expect(await rowsOf(PostgresDatabase.open(url))).toEqual(tables);

    await expect(PgliteDatabase.open(dataDir)).rejects.toThrow('was moved to PostgreSQL: set DATABASE_URL');
    const again = await moveTo(url, dataDir);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was moved already')]);

    const service = await TestService.start(await PostgresDatabase.open(url));
    try {
      const before = await service.database.prisma.openDelivery.count();
      // A webhook that came before is known, a new one becomes an order, and the feed goes on behind the old cursor.
      await pay(service, 1);
      await pay(service, 13);
      const next = await feed(service, page.cursor);
      expect(next.status).toBe(200);
      const receipts = next.body.items.filter(({ type }) => type === 'receipt.registered');
      expect(receipts).toHaveLength(3);
      // Triggers work again.
      expect(await service.database.prisma.openDelivery.count()).toBe(before);
      await expect(service.database.prisma.$executeRaw`delete from entry`).rejects.toThrow();
    } finally {
      await service.stop();
    }
  });

  it('goes on where it was killed, and until then no service starts on either database', async () => {
    const [url, dataDir] = [await emptyDatabase(), copyOfWork('killed')];
    const child = spawn(
      process.execPath,
      ['scripts/run-ts.cjs', 'src/cli/main.ts', 'move-to', url, '--data-dir', dataDir],
      { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '' }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stderr }))
      if (line.startsWith('"audit_entry": part 2')) child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await expect(PostgresDatabase.open(url)).rejects.toThrow('is not complete: run the command again');
    await expect(PgliteDatabase.open(dataDir)).rejects.toThrow('is being moved to PostgreSQL');

    // The server notices at its own pace that the killed process has gone.
    let ran = await moveTo(url, dataDir);
    await until(async () => {
      if (ran.stderr.includes('another `ponte move-to`')) ran = await moveTo(url, dataDir);
      return !ran.stderr.includes('another `ponte move-to`');
    });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The move is complete.')]);
    // What had arrived was not copied again.
    expect(ran.stderr).not.toContain('"account": part');
    expect(await rowsOf(PostgresDatabase.open(url))).toEqual(tables);
  });

  it('is complete where it was killed after the last commit there and before the mark here', async () => {
    const [url, dataDir] = [await emptyDatabase(), copyOfWork('last')];
    expect((await moveTo(url, dataDir)).code).toBe(0);
    await markSource(dataDir, 'source');
    const ran = await moveTo(url, dataDir);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The move is complete.')]);
    await expect(PgliteDatabase.open(dataDir)).rejects.toThrow('was moved to PostgreSQL');
  });

  it('touches no database that has anything of others, and leaves the embedded one at work', async () => {
    const dataDir = copyOfWork('refused');
    const [foreign, used] = [await emptyDatabase(), await emptyDatabase()];
    await onDatabase(foreign, 'create table theirs (id int)', 'insert into theirs values (1)');
    const service = await TestService.start(await PostgresDatabase.open(used));
    await service.stop();
    for (const [url, words] of [
      [foreign, 'has tables that Ponte did not make'],
      [used, 'has records of Ponte already'],
      ['postgresql://nobody@127.0.0.1:1/nothing', 'cannot be used'],
    ] as const) {
      const ran = await moveTo(url, dataDir);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(words)]);
      expect(await rowsOf(PgliteDatabase.open(dataDir))).toEqual(tables);
    }
  });

  it('refuses while a service has the directory, and when a row was changed on the way', async () => {
    const dataDir = copyOfWork('in-use');
    const url = await emptyDatabase();
    const lock = await DirectoryLock.acquire(dataDir);
    const inUse = await moveTo(url, dataDir);
    expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('is in use by another process')]);
    await lock.release();

    expect((await moveTo(url, dataDir)).code).toBe(0);
    // As if it had been killed before the comparison, and somebody had written.
    await markSource(dataDir, 'source');
    await onDatabase(
      url,
      "update _prisma_migrations set rolled_back_at = null where migration_name = 'ponte_move_to'",
      'create table ponte_move_progress (table_name text primary key, next_block integer not null)',
      ...[...tables.keys()].map((name) => `insert into ponte_move_progress values ('"${name}"', 1000000)`),
      `update organization set name = name || ' ' where slug = 'main'`,
    );
    const differs = await moveTo(url, dataDir);
    expect([differs.code, differs.stderr]).toEqual([1, expect.stringContaining('"organization" has')]);
    await expect(PostgresDatabase.open(url)).rejects.toThrow('is not complete');

    const gaveUp = await ponte(['move-to', '--give-up', '--data-dir', dataDir]);
    expect([gaveUp.code, gaveUp.stderr]).toEqual([0, expect.stringContaining('may start')]);
    expect(await rowsOf(PgliteDatabase.open(dataDir))).toEqual(tables);
  });

  it('is not complete where a trigger does not act again, says which, and is when it does', async () => {
    const [url, dataDir] = [await emptyDatabase(), copyOfWork('triggers')];
    const { username, password } = new URL(requireTestServer());
    const superuser = Object.assign(new URL(url), { username, password }).href;
    // Somebody whose statement runs after each of ours.
    await onDatabase(
      superuser,
      `create function switch_off() returns event_trigger language plpgsql as $$ begin
        if exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
            where c.relname = 'entry' and not t.tgisinternal and t.tgenabled = 'O'
              and exists (select from pg_class p where p.relname = 'ponte_move_progress')) then
          alter table entry disable trigger user;
        end if; end $$`,
      `create event trigger switched_off on ddl_command_end when tag in ('ALTER TABLE') execute function switch_off()`,
    );
    const ran = await moveTo(url, dataDir);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/the rows are there, but the trigger \w+ of entry is switched off/),
    ]);
    await expect(PostgresDatabase.open(url)).rejects.toThrow('is not complete: run the command again');
    await expect(PgliteDatabase.open(dataDir)).rejects.toThrow('is being moved to PostgreSQL');

    await onDatabase(superuser, 'drop event trigger switched_off', 'drop function switch_off()');
    const again = await moveTo(url, dataDir);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('The move is complete.')]);
    expect(await rowsOf(PostgresDatabase.open(url))).toEqual(tables);
  });

  it('asks where to, and names no password', async () => {
    const ran = await ponte(['move-to', '--data-dir', worked], {
      env: { DATABASE_URL: 'mysql://a:secret@b/c' },
    });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Where to?')]);
    expect(ran.stderr).not.toContain('secret');
    const url = 'postgresql://a:secret@h1:99999,h2/c';
    const wrong = await ponte(['move-to', '--data-dir', worked], { env: { DATABASE_URL: url } });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('"h1:99999" is no host') });
    expect(wrong.stderr).not.toContain('secret');
    expect(wrong.stderr.trim().split('\n')).toHaveLength(1);
  });
});

async function onDatabase(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Says of the embedded database what an interrupted move had left. */
async function markSource(dataDir: string, part: string): Promise<void> {
  const pglite = await new DataDirectory(dataDir).open((reason) => {
    throw new Error(reason);
  });
  await pglite.query(`update _prisma_migrations set logs = $1 where migration_name = 'ponte_move_to'`, [
    part,
  ]);
  await pglite.close();
}
