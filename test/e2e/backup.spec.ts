import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedPageView } from '../../src/feed/feed.dto';
import { shopifyOrder, type DemoOrder } from '../../scripts/demo/shop-orders';
import type { Database } from '../../src/database/database';
import { DirectoryLock } from '../../src/database/directory-lock';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { ponte, type Ran } from '../support/command-line';
import { embeddedDataDir, openTestDatabase } from '../support/database';
import { OPERATORS_KEY, TestService } from '../support/service';
import { settledTables, storedTables } from '../support/stored-tables';

const KEY = Buffer.alloc(32, 9).toString('base64');

let folder: string;
let place: { dataDir: string; drop(): Promise<void> };
let database: Database;
let service: TestService;
let backup: string;
/** What the database had when the backup was made. */
let tables: Map<string, string>;
/** Cursors of a connector: where it was at the backup, and where it went afterwards. */
let before: FeedPageView;
let after: FeedPageView;
let feedKey: string;

const order = (number: number): DemoOrder => ({
  ...{ id: 6_600_000_000_000 + number, number, total: '150.00', name: 'Ana Souza', instalments: 3 },
  ...{ document: cpfNumber(66_000 + number), email: `ana${number}@example.com` },
});

async function pay(at: TestService, ...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const body = shopifyOrder(order(number), true);
    // Twice, as shops do: how often one was sent again is stored, too.
    for (const duplicate of [false, true]) {
      const reply = await at.hook({ source: 'shopify', topic: 'orders/paid', body, id: `paid-${number}` });
      expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ duplicate })]);
    }
  }
  await at.settle();
}

async function feed(at: TestService, cursor: string): Promise<{ status: number; body: FeedPageView }> {
  return at.http.get(`/feed?limit=500&after=${cursor}`).set('authorization', `Bearer ${feedKey}`);
}

function command(...args: string[]): Promise<Ran> {
  return ponte(args, { env: { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY, SECRETS_KEY: KEY } });
}

/** The database of another data directory. */
async function inDirectory(dataDir: string, work: (at: Database) => Promise<unknown>): Promise<void> {
  const other = await PgliteDatabase.open(dataDir);
  try {
    await work(other);
  } finally {
    await other.close();
  }
}

/** The service on another data directory. */
async function onDirectory<T>(dataDir: string, work: (at: TestService) => Promise<T>): Promise<T> {
  const other = await TestService.start(await PgliteDatabase.open(dataDir));
  try {
    return await work(other);
  } finally {
    await other.stop();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-backup-'));
  place = await embeddedDataDir();
  database = await PgliteDatabase.open(place.dataDir);
  service = await TestService.start(database, { DATA_DIR: place.dataDir });
  const made = await service.operate('post', 'keys', { name: 'the ERP', scopes: ['feed:read'] });
  ({ key: feedKey } = made.body as { key: string });
  await pay(service, 1, 2);
  before = (await feed(service, '')).body;
  backup = join(folder, 'a.backup');
  const ran = await command('backup', backup, '--json');
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The backup is whole')]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ file: backup, bytes: statSync(backup).size });
  tables = await settledTables(database);
  await pay(service, 3, 4);
  after = (await feed(service, before.cursor)).body;
});
afterAll(async () => {
  await service.stop();
  await place.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup of the embedded database', () => {
  it('is restored to every row that was there, while the database it is of goes on', async () => {
    const dataDir = join(folder, 'restored');
    const ran = await command('restore', backup, '--data-dir', dataDir, '--json');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('Restored.')]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ deliveries: 2, key: 'fits', setAside: null });
    await inDirectory(dataDir, async (restored) => {
      expect(await storedTables(restored)).toEqual(tables);
      expect(await verifyLedger(restored.prisma)).toMatchObject({ entries: 12 });
    });
    expect(await database.prisma.delivery.count()).toBe(4);
    expect(readdirSync(place.dataDir)).not.toContain('postgres.backup');
  });

  it('says to a connector that has read more than the backup had, and lets every other one go on', async () => {
    const dataDir = join(folder, 'feed');
    await command('restore', backup, '--data-dir', dataDir);
    expect(after.items.length).toBeGreaterThan(0);
    await onDirectory(dataDir, async (restored) => {
      expect((await feed(restored, before.cursor)).status).toBe(200);
      expect((await feed(restored, after.cursor)).status).toBe(410);
      // Other changes get the positions that were read before: they come to whoever reads on from the backup.
      await pay(restored, 5, 6);
      const refused = await feed(restored, after.cursor);
      expect([refused.status, refused.body]).toEqual([
        410,
        expect.objectContaining({ type: 'urn:ponte:problem:cursor-unknown' }),
      ]);
      const anew = await feed(restored, before.cursor);
      const receipts = anew.body.items.filter(({ type }) => type === 'receipt.registered');
      expect(receipts).toHaveLength(6);
      // A timer announces balances, also those of what the backup has, and then both have it.
      const ids = after.items.filter(({ type }) => type !== 'balance.changed').map(({ id }) => id);
      expect(ids).not.toEqual([]);
      expect(anew.body.items.filter(({ id }) => ids.includes(id))).toEqual([]);
    });
  });

  it('has calls looked for in a finance service elsewhere, which may have what was asked of it since', async () => {
    const connections = service.part(ConnectionsRepository);
    const { id } = await database.prisma.organization.findUniqueOrThrow({ where: { slug: 'main' } });
    const connection = { baseUrl: 'https://books.example/v1' };
    await database.transaction((tx) => connections.put(tx, id, connection, 'a-key'));
    const dataDir = join(folder, 'elsewhere');
    const file = join(folder, 'elsewhere.backup');
    expect((await command('backup', file)).code).toBe(0);
    await database.transaction((tx) => connections.remove(tx, id));
    const ran = await command('restore', file, '--data-dir', dataDir);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining('until `ponte finance end-recovery`'),
    ]);
    await inDirectory(dataDir, async ({ prisma }) => {
      const { recoveredAt } = await prisma.financeConnection.findUniqueOrThrow({
        where: { organizationId: id },
      });
      expect(Date.now() - (recoveredAt?.getTime() ?? 0)).toBeLessThan(600_000);
    });
  });

  it('says that the key does not open what is stored, and the service then refuses to start', async () => {
    const wrong = { SECRETS_KEY: randomBytes(32).toString('base64') };
    const [one, other] = [join(folder, 'wrong-key'), join(folder, 'no-key')];
    const ran = await ponte(['restore', backup, '--data-dir', one], { env: wrong });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('does NOT open')]);
    const without = await ponte(['restore', backup, '--data-dir', other]);
    expect([without.code, without.stderr]).toEqual([0, expect.stringContaining('no key is at hand')]);
    expect(readdirSync(other)).not.toContain('secrets.key');
    const database = await PgliteDatabase.open(one);
    await expect(TestService.start(database, wrong)).rejects.toThrow('cannot be decrypted');
    await database.close();
  });

  it('takes the place of a database only when that may be set aside, and of none that is in use', async () => {
    const dataDir = join(folder, 'taken');
    expect((await command('restore', backup, '--data-dir', dataDir)).code).toBe(0);
    await inDirectory(dataDir, (restored) => restored.prisma.$executeRaw`create table made_since ()`);
    const refused = await command('restore', backup, '--data-dir', dataDir);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has a database already')]);
    const lock = await DirectoryLock.acquire(dataDir);
    const inUse = await command('restore', backup, '--data-dir', dataDir, '--set-aside');
    expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('is in use by another process')]);
    await lock.release();
    const ran = await command('restore', backup, '--data-dir', dataDir, '--set-aside', '--json');
    const { setAside } = JSON.parse(ran.stdout) as { setAside: string };
    expect(setAside).toMatch(/postgres\.before-\d{8}T\d{6}Z$/);
    expect(existsSync(join(setAside, 'PG_VERSION'))).toBe(true);
    await inDirectory(dataDir, async ({ prisma }) => {
      expect(await prisma.delivery.count()).toBe(2);
      const [found] = await prisma.$queryRaw<{ table: string | null }[]>`
        select to_regclass('made_since')::text as "table"`;
      expect(found).toEqual({ table: null });
    });
  });

  it('does not let a service start where restoring was interrupted', async () => {
    const dataDir = join(folder, 'interrupted');
    await command('restore', backup, '--data-dir', dataDir);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.restoring'), '');
    await expect(PgliteDatabase.open(dataDir)).rejects.toThrow('was interrupted: run `ponte restore` again');
    expect((await command('restore', backup, '--data-dir', dataDir)).code).toBe(0);
    await (await PgliteDatabase.open(dataDir)).close();
  });

  it('is refused where it is cut off, damaged, or no backup, and nothing is left of it', async () => {
    const bytes = readFileSync(backup);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
    const files: Record<string, Buffer> = {
      half: bytes.subarray(0, bytes.length / 2),
      'less its end': bytes.subarray(0, -1),
      damaged,
      'no archive': Buffer.from('not even compressed'),
      empty: Buffer.alloc(0),
    };
    const dataDir = join(folder, 'not-restored');
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
      const ran = await command('restore', join(folder, name), '--data-dir', dataDir);
      expect([name, ran.code, ran.stderr]).toEqual([
        name,
        1,
        expect.stringMatching(/cut off|damaged|no backup/),
      ]);
      expect(readdirSync(dataDir)).toEqual(['lock']);
    }
  });

  it('of a newer version is refused, and named', async () => {
    await database.prisma
      .$executeRaw`insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '29990101000000_later', now())`;
    const newer = join(folder, 'newer.backup');
    expect((await command('backup', newer)).code).toBe(0);
    await database.prisma.$executeRaw`delete from _prisma_migrations where id = 'x'`;
    const ran = await command('restore', newer, '--data-dir', join(folder, 'newer'));
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('29990101000000_later')]);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('making a backup', () => {
  it('is for the operators’ key alone, stands in the audit log, and writes over nothing', async () => {
    const made = await service.operate('post', 'keys', { name: 'an admin', scopes: ['admin'] });
    const { key } = made.body as { key: string };
    const reply = await service.http.post('/admin/backup').set('authorization', `Bearer ${key}`);
    expect([reply.status, reply.body]).toEqual([
      403,
      expect.objectContaining({ title: expect.any(String) as string }),
    ]);
    expect(await database.prisma.auditEntry.count({ where: { action: 'backup.make' } })).toBeGreaterThan(0);
    const again = await command('backup', backup);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
  });

  it('is refused while another is made, and possible again when its reader has left', async () => {
    const begun = new AbortController();
    const ask = (signal?: AbortSignal) =>
      fetch(`${service.url}/admin/backup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATORS_KEY}` },
        ...(signal && { signal }),
      });
    const first = await ask(begun.signal);
    expect(first.status).toBe(200);
    const second = await ask();
    expect([second.status, await second.json()]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining('another backup is being made') as string }),
    ]);
    begun.abort();
    await expect(first.arrayBuffer()).rejects.toThrow();
    let third = await ask();
    while (third.status === 409) third = await ask();
    expect(third.status).toBe(200);
    await third.arrayBuffer();
    // It is read to its end: nobody has to wait for what is cleared away.
    const fourth = await ask();
    expect(fourth.status).toBe(200);
    await fourth.arrayBuffer();
  });

  it('is refused where the disk has no room for the copy, before anything is written', async () => {
    // As large as all that is free, and nothing on the disk: a file with a hole.
    const large = join(place.dataDir, 'postgres', 'large');
    const { bavail, bsize } = statfsSync(place.dataDir);
    writeFileSync(large, '');
    truncateSync(large, bavail * bsize);
    const file = join(folder, 'no-room.backup');
    try {
      const ran = await command('backup', file);
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringMatching(
          /the disk of DATA_DIR has no room for a copy.*: \d+ MB are needed and \d+ MB are free/,
        ),
      ]);
    } finally {
      rmSync(large);
    }
    expect([file, `${file}.part`].filter((name) => existsSync(name))).toEqual([]);
    expect(readdirSync(place.dataDir)).not.toContain('postgres.backup');
    expect((await command('backup', file)).code).toBe(0);
  });

  it('notices a download that is cut off', async () => {
    const bytes = readFileSync(backup);
    let sent = 0;
    // One breaks the connection, the other ends its reply as if it were whole.
    const servers = [true, false].map((breaks) =>
      createServer((_, response) => {
        sent += 1;
        response.writeHead(200, { 'content-type': 'application/gzip' });
        response.write(bytes.subarray(0, bytes.length / 2), () =>
          breaks ? response.destroy() : response.end(),
        );
      }),
    );
    for (const server of servers) {
      const file = join(folder, 'cut.backup');
      const ran = await ponte(['backup', file], {
        env: { PONTE_URL: await listening(server), PONTE_KEY: 'k' },
      });
      server.close();
      expect([ran.code, ran.stderr]).toEqual([3, expect.stringMatching(/No answer|cut off/)]);
      expect(existsSync(file)).toBe(false);
    }
    expect(sent).toBe(2);
  });

  it('names pg_dump where the database is another', async () => {
    const other = await TestService.start(await openTestDatabase());
    const reply = await other.http.post('/admin/backup').set('authorization', `Bearer ${OPERATORS_KEY}`);
    expect([reply.status, reply.body]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining('pg_dump') as string }),
    ]);
    await other.stop();
  });
});

function listening(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
}
