import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { formatMinor } from '../../src/kernel/money';
import { until } from '../support/until';
import { examine, IN_ORDER } from './books';
import { ServerPair } from './failover/server-pair';
import { connectorNamed, RunningConnector } from './feed/connectors';
import { ROOT } from './pages';
import { Front } from './walk/front';
import { Operator, type ServiceTerminal } from './walk/operator';
import { CONNECTIONS, Shop, STEP } from './walk/shop';

/** Ends a walk that stands still; it takes about a minute, and several on a machine that is busy. */
const LIMIT_MS = 480_000;
/** One of the examples, as somebody runs it for years: it keeps each change once, as a line of a file. */
const CONNECTOR = connectorNamed('connector.ts');
const ORGANIZATION = 'loja';
/** The day of every order. */
const PERIOD = ['--from', '2026-11-20', '--to', '2026-11-20'];

interface Completeness {
  totals: object[];
}

interface Replica {
  service: ServiceTerminal;
  url: string;
}

interface FeedPage {
  items: { id: string; businesskey?: string }[];
  cursor: string;
  more: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'ponte-walk-'));
const settings: Record<string, string> = {
  DATA_DIR: join(folder, 'data'),
  CONFIG_DIR: join(ROOT, 'config'),
  ADMIN_API_KEY: `operators-${randomBytes(16).toString('hex')}`,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  METRICS_TOKEN: randomBytes(16).toString('hex'),
  SHOPIFY_WEBHOOK_SECRET: 'walk-secret',
  TRUSTED_PROXIES: '127.0.0.1/32',
  PONTE_ORG: ORGANIZATION,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_FORMAT: 'json',
  SHUTDOWN_GRACE_SECONDS: '1',
};
const operator = new Operator(folder, settings);
const services: ServiceTerminal[] = [];
const typed = new Set(['a service']);
const took: string[] = [];
const begun = performance.now();
let front: Front;
/** The services that are to be at work. */
let replicas: Replica[] = [];
/** Of the connector. */
let key = '';
let pair: ServerPair | undefined;
let shop: Shop | undefined;
let connector: RunningConnector | undefined;

beforeAll(async () => {
  front = await Front.open();
  settings['PUBLIC_URL'] = front.url;
});

// Here and not in the test, so that it is done also where that comes to its limit.
afterAll(async () => {
  await shop?.giveUp();
  await connector?.kill().catch(() => undefined);
  for (const service of services) await service.kill();
  await pair?.drop();
  await front.close();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'from an embedded pilot to two replicas with a standby, nothing is lost, nothing is booked twice and nobody is needed',
  async () => {
    await startPilot();
    const inBackup = await backUp();
    await move();
    await startReplicas();
    await loseThePrimary();
    await loseAReplica();
    await restartBoth();
    await shopHere().close();
    await nothingIsLeftToDo();
    await booksAreRight();
    for (const { url } of replicas) await isWell(url);
    await connectorSawAll();
    await opensBackup(inBackup);
    expect([...typed].sort()).toEqual([...new Set(operator.names)].sort());
    const { orders, webhooks, unanswered } = shopHere();
    process.stdout.write(
      `walk: ${took.join(', ')}; ${orders.length} orders, ${webhooks.length} webhooks, ${unanswered} tries refused\n`,
    );
  },
  LIMIT_MS,
);

async function startPilot(): Promise<void> {
  expect(await type('before the pilot')).toContain('the first start makes it');
  replicas = [await start()];
  settings['PONTE_KEY'] = settings['ADMIN_API_KEY'] ?? '';
  askTheLast();
  [key = ''] = /ponte_[\w-]{43}/.exec(await type('records')) ?? [];
  shop = new Shop(front, settings['SHOPIFY_WEBHOOK_SECRET'] ?? '', ORGANIZATION);
  connector = RunningConnector.start(CONNECTOR, folder, { PONTE_URL: front.url, PONTE_KEY: key });
  await shop.goesOn();
  await CONNECTOR.kept(folder, 1);
  reached('pilot');
}

/** @returns how many webhooks may be in the backup at most */
async function backUp(): Promise<number> {
  expect(await type('backup')).toContain('before-the-move.backup');
  reached('backup');
  return shopHere().acknowledged + CONNECTIONS;
}

/** Nothing listens while the books are moved: the shop sends again until a replica does. */
async function move(): Promise<void> {
  pair = await ServerPair.startEmpty();
  typed.add('database');
  for (const statement of operator.statements('database')) await pair.onPrimary(statement);
  settings['DATABASE_URL'] = pair.urlOf('ponte');
  expect(await type('before the move')).not.toMatch(/^(fail|warn)/m);
  await shopHere().goesOn();
  await stop(...replicas);
  const [{ refused }, { acknowledged }] = [front, shopHere()];
  await until(() => front.refused > refused);
  await type('the move');
  expect(shopHere().acknowledged).toBe(acknowledged);
  reached('moved');
}

async function startReplicas(): Promise<void> {
  replicas = await Promise.all([start(), start()]);
  askTheLast();
  await until(() => front.ready === 2);
  expect(await type('after the move')).toContain('{"status":"ok"}');
  const old = operator.startService({}, ['DATABASE_URL']);
  services.push(old);
  expect([await old.end(), old.said]).toEqual([1, expect.stringContaining('was moved to PostgreSQL')]);
  await shopHere().goesOn();
  reached('on two replicas');
}

async function loseThePrimary(): Promise<void> {
  if (!pair) throw new Error('there are no servers');
  await pair.killPrimary();
  await until(() => front.ready === 0);
  typed.add('promotion');
  for (const statement of operator.statements('promotion')) await pair.onStandby(statement);
  await shopHere().goesOn();
  await until(() => front.ready === 2);
  reached('on the standby');
}

async function loseAReplica(): Promise<void> {
  const [lost, ...others] = replicas;
  await lost?.service.kill();
  await until(() => front.ready === 1);
  await shopHere().goesOn();
  replicas = [...others, await start()];
  await until(() => front.ready === 2);
  reached('a replica replaced');
}

/** One after the other. */
async function restartBoth(): Promise<void> {
  for (const replica of replicas) {
    await stop(replica);
    replicas = [...replicas.slice(1), await start()];
    await until(() => front.ready === 2);
    await shopHere().goesOn();
  }
  askTheLast();
  reached('both restarted');
}

async function nothingIsLeftToDo(): Promise<void> {
  await until(async () => (await listed('deliveries', '--state', 'waiting')).length === 0);
  reached('settled');
}

async function booksAreRight(): Promise<void> {
  const { orders, webhooks } = shopHere();
  expect(await type('the checks')).toContain('The books are right');
  for (const list of ['dead-letters', 'attention', 'effects'])
    expect([list, await listed(list)]).toEqual([list, []]);
  const complete = await operator.asks<Completeness>('completeness', '--source', 'shopify', ...PERIOD);
  const value = formatMinor(orders.reduce((sum, { totalMinor }) => sum + totalMinor, 0n));
  const all = { count: orders.length, value };
  expect(complete).toMatchObject({ differences: 0, entities: { orders: orders.length, differing: 0 } });
  for (const aspect of ['schedule', 'receipt'])
    expect(complete.totals).toContainEqual(
      expect.objectContaining({ aspect, shop: all, booked: all, inBooks: all }),
    );
  const database = await openDatabase(new Settings(settings));
  try {
    expect(await examine(database, orders, webhooks)).toEqual(IN_ORDER);
  } finally {
    await database.close();
  }
  reached('books compared');
}

/** Nothing that an alert would be about. */
async function isWell(url: string): Promise<void> {
  expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ok' });
  const reply = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${settings['METRICS_TOKEN']}` },
  });
  expect(reply.status).toBe(200);
  const metrics = await reply.text();
  const value = (name: string): number | undefined => {
    const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };
  expect({
    dead: value('ponte_deliveries{state="dead"}'),
    waiting: value('ponte_deliveries{state="waiting"}'),
    attention: value('ponte_attention_open'),
    unplaced: value('ponte_feed_unplaced_seconds'),
  }).toEqual({ dead: 0, waiting: 0, attention: 0, unplaced: 0 });
}

/** Every change once, in the order of the feed, and something of every order. */
async function connectorSawAll(): Promise<void> {
  const feed = await wholeFeed();
  const ids = feed.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const kept = await CONNECTOR.kept(folder, ids.length);
  expect(kept.map(({ id }) => id)).toEqual(ids);
  const orders = new Set(feed.map(({ businesskey = '' }) => /shopify\/order\/(\d+)/.exec(businesskey)?.[1]));
  expect(shopHere().orders.filter(({ id }) => !orders.has(String(id)))).toEqual([]);
  reached('feed compared');
}

async function opensBackup(mostDeliveries: number): Promise<void> {
  expect(await type('restore')).toMatch(/^key +fits$/m);
  delete settings['DATABASE_URL'];
  settings['DATA_DIR'] = join(folder, 'books-before-the-move');
  const restored = operator.startService();
  services.push(restored);
  const url = await restored.listening();
  settings['PONTE_URL'] = url;
  const deliveries = await listed('deliveries', '--all');
  expect(deliveries.length).toBeGreaterThanOrEqual(STEP);
  expect(deliveries.length).toBeLessThanOrEqual(mostDeliveries);
  const balance = await fetch(`${url}/v1/accounts/views/balance`, { headers: { apitoken: key } });
  expect([balance.status, await balance.text()]).toEqual([200, expect.stringMatching(/"balance":[1-9]/)]);
  expect(await restored.stop()).toBe(0);
  reached('backup opened');
}

function reached(what: string): void {
  took.push(`${what} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

function shopHere(): Shop {
  if (!shop) throw new Error('the shop has not opened');
  return shop;
}

/** Records of a list of `ponte`. */
async function listed(what: string, ...options: string[]): Promise<unknown[]> {
  return (await operator.asks<{ items: unknown[] }>(what, 'list', ...options)).items;
}

/** Types a block of the page. @returns what it printed */
async function type(name: string): Promise<string> {
  typed.add(name);
  return operator.types(name);
}

async function start(): Promise<Replica> {
  const service = operator.startService();
  services.push(service);
  const url = await service.listening();
  front.leadTo(url);
  return { service, url };
}

/** As systemd does. The proxy finds out by itself. */
async function stop(...stopped: readonly Replica[]): Promise<void> {
  for (const { service, url } of stopped) {
    expect(await service.stop()).toBe(0);
    front.leadNoMoreTo(url);
  }
}

/** `ponte` asks the service that was started last. */
function askTheLast(): void {
  settings['PONTE_URL'] = replicas.at(-1)?.url ?? '';
}

/** Reads the feed from its beginning to its end. */
async function wholeFeed(): Promise<FeedPage['items']> {
  const items: FeedPage['items'] = [];
  for (let cursor = ''; ;) {
    const reply = await fetch(`${front.url}/feed?limit=500&after=${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(reply.status).toBe(200);
    const page = (await reply.json()) as FeedPage;
    items.push(...page.items);
    if (!page.more) return items;
    ({ cursor } = page);
  }
}
