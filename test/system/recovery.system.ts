import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningService } from '../../scripts/demo/running-service';
import { Random } from '../support/random';
import { makeOrders, type LoadWebhook, makeWebhooks, Sender } from './load';
import { PrivateServer } from './recovery/private-server';
import { settled } from './settled';

/* What docs/backup.md says of pg_dump and of point-in-time recovery, done with PostgreSQL's own programs. */

const ROOT = join(__dirname, '../..');
const RESTORE_POINT = 'before_the_mistake';
const ENV = {
  CONFIG_DIR: join(ROOT, 'config'),
  SHOPIFY_WEBHOOK_SECRET: 'recovery-secret',
  ADMIN_API_KEY: 'recovery-operators-key-01',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};
const OPERATOR = { authorization: `Bearer ${ENV.ADMIN_API_KEY}`, 'content-type': 'application/json' };

let server: PrivateServer;
let feedKey: string;
/** Where a connector was: when the dump was made, at the restore point, and after it. */
let [atDump, atPoint, later] = ['', '', ''];
let webhooks: [LoadWebhook[], LoadWebhook[], LoadWebhook[], LoadWebhook[]];

async function onDatabase<T>(url: string, work: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), { ...ENV, DATABASE_URL: url });
  try {
    const result = await work(service);
    expect(await service.stop()).toBe(0);
    return result;
  } finally {
    await service.kill();
  }
}

async function send({ url }: RunningService, sent: readonly LoadWebhook[]): Promise<void> {
  const sender = new Sender(ENV.SHOPIFY_WEBHOOK_SECRET, () => undefined);
  sender.aim(url);
  await sender.sendAll(sent, 4);
  await settled(url, ENV.ADMIN_API_KEY);
}

/** Reads the feed from a cursor to its end. */
async function feed(
  { url }: RunningService,
  after: string,
): Promise<{ status: number; cursor: string; orders: Set<string> }> {
  const orders = new Set<string>();
  for (let cursor = after; ;) {
    const reply = await fetch(`${url}/feed?limit=500&after=${cursor}`, {
      headers: { authorization: `Bearer ${feedKey}` },
    });
    if (reply.status !== 200) return { status: reply.status, cursor, orders };
    const page = (await reply.json()) as { items: { businesskey?: string }[]; cursor: string; more: boolean };
    for (const { businesskey = '' } of page.items) {
      const order = /shopify\/order\/(\d+)/.exec(businesskey)?.[1];
      if (order !== undefined) orders.add(order);
    }
    cursor = page.cursor;
    if (!page.more) return { status: 200, cursor, orders };
  }
}

const ordersOf = (sent: readonly LoadWebhook[]): Set<string> =>
  new Set(sent.map(({ id }) => /\d+/.exec(id)?.[0] ?? ''));

async function booksAreRight(url: string): Promise<void> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'dist/scripts/ledger-verify.js')],
    {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, SECRETS_KEY: ENV.SECRETS_KEY },
    },
  );
  expect(stdout).toContain('The books are right');
}

beforeAll(async () => {
  const random = new Random(20261125);
  const batch = (after: number): LoadWebhook[] => makeWebhooks(makeOrders(5, random, after), random);
  webhooks = [batch(100), batch(200), batch(300), batch(400)];
  server = await PrivateServer.start();
  await server.sql('postgres', 'CREATE DATABASE ponte', 'CREATE DATABASE restored');
  await onDatabase(server.url('ponte'), async (service) => {
    const made = await fetch(`${service.url}/admin/organizations/main/keys`, {
      ...{ method: 'POST', headers: OPERATOR },
      body: JSON.stringify({ name: 'the ERP', scopes: ['feed:read'] }),
    });
    ({ key: feedKey } = (await made.json()) as { key: string });
    await send(service, webhooks[0]);
    atDump = (await feed(service, '')).cursor;
    // While the service runs, both of them.
    await server.program('pg_dump', '-Fc', '-f', join(server.folder, 'ponte.dump'), server.url('ponte'));
    const base = join(server.folder, 'base');
    await server.program('pg_basebackup', '-D', base, '-d', server.url('postgres'), '--checkpoint=fast');
    await send(service, webhooks[1]);
    atPoint = (await feed(service, atDump)).cursor;
    await server.sql('ponte', `SELECT pg_create_restore_point('${RESTORE_POINT}')`);
    await send(service, webhooks[2]);
    later = (await feed(service, atPoint)).cursor;
  });
  await server.sql('ponte', 'SELECT pg_switch_wal()', 'CHECKPOINT');
});
afterAll(() => server.stop());

describe('PostgreSQL’s own tools', () => {
  it('restore a dump into a new database, and connectors that have read more are told', async () => {
    const url = server.url('restored');
    await server.program('pg_restore', '--exit-on-error', '-d', url, join(server.folder, 'ponte.dump'));
    await booksAreRight(url);
    await onDatabase(url, async (service) => {
      expect([(await feed(service, atPoint)).status, (await feed(service, later)).status]).toEqual([
        410, 410,
      ]);
      // As many changes again, so that there are some at the positions that the lost ones had.
      await send(service, [...webhooks[3], ...webhooks[1], ...webhooks[2]]);
      expect([(await feed(service, atPoint)).status, (await feed(service, later)).status]).toEqual([
        410, 410,
      ]);
      const { status, orders } = await feed(service, atDump);
      expect(status).toBe(200);
      expect(orders).toEqual(ordersOf([...webhooks[1], ...webhooks[2], ...webhooks[3]]));
    });
    await booksAreRight(url);
  });

  it('recover to a point in time, and only connectors that have read beyond it are told', async () => {
    const port = await server.recover(join(server.folder, 'base'), RESTORE_POINT);
    const url = server.url('ponte', port);
    await booksAreRight(url);
    await onDatabase(url, async (service) => {
      expect((await feed(service, later)).status).toBe(410);
      await send(service, [...webhooks[3], ...webhooks[2]]);
      expect((await feed(service, later)).status).toBe(410);
      const { status, orders } = await feed(service, atPoint);
      expect(status).toBe(200);
      expect(orders).toEqual(ordersOf([...webhooks[2], ...webhooks[3]]));
    });
    await booksAreRight(url);
  });
});
