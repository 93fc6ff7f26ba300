import type { IncomingMessage } from 'node:http';
import { ComparisonWorker } from '../../src/deliveries/comparison/comparison-worker';
import { Comparisons } from '../../src/deliveries/comparison/comparisons.repository';
import { ProviderRequests } from '../../src/deliveries/fetch-back/provider-requests';
import { findProvider } from '../../src/sources/registry';
import { OperatorsClient } from '../support/operators-client';
import { type Behaviour, ProviderApiServer } from '../support/provider-api-server';
import { OPERATORS_KEY, TestService } from '../support/service';
import { readFixture } from '../support/source-cases';

const HOUR_MS = 3_600_000;
const CREDENTIALS = { consumerKey: 'ck_of_the_tests', consumerSecret: 'cs_of_the_tests' };
const SECRET = 'secret of the shop';
const PAID = readFixture('woocommerce', 'order-processing.json').toString('utf8');
const { id: PAID_ID, number: PAID_NUMBER } = JSON.parse(PAID) as { id: number; number: string };

let service: TestService;
let client: OperatorsClient;
let shop: ProviderApiServer;
let worker: ComparisonWorker;

beforeAll(async () => {
  service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
  shop = await ProviderApiServer.start((_request, response) => response.destroy());
  worker = service.part(ComparisonWorker);
});
beforeEach(async () => {
  shop.asked.length = 0;
  // What earlier tests left is compared no more.
  await service.database.prisma.source.updateMany({ data: { paused: true } });
  client = await OperatorsClient.of(service);
});
afterAll(async () => {
  await service.stop();
  await shop.stop();
});

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString().slice(0, 19);

/** A paid order that last changed so long ago. */
function order(id: number, changed: number): string {
  return PAID.replaceAll(String(PAID_ID), String(id))
    .replaceAll(`"number": "${PAID_NUMBER}"`, `"number": "${id}"`)
    .replace(/"date_modified_gmt": "[^"]*"/, `"date_modified_gmt": "${ago(changed)}"`);
}

async function source(
  settings: object = { apiUrl: shop.url },
  credentials: object = CREDENTIALS,
): Promise<string> {
  const body = { slug: 'loja', provider: 'woocommerce', secrets: [SECRET], settings };
  const made = await client.send('post', '/sources', body);
  expect(made.status).toBe(201);
  const { id } = made.body as { id: string };
  await client.send('put', '/sources/loja/credentials', { credentials });
  const createdAt = new Date(Date.now() - 48 * HOUR_MS);
  await service.database.prisma.source.update({ where: { id }, data: { createdAt } });
  return id;
}

/** Gives these orders, in pages as the request asks for them. */
function lists(orders: readonly string[]): Behaviour {
  return (request, response) => {
    const query = queryOf(request);
    const [size, page] = [Number(query.get('per_page')), Number(query.get('page'))];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`[${orders.slice(size * (page - 1), size * page).join(',\n')}]`);
  };
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://shop').searchParams;
}

async function hook(body: string): Promise<void> {
  const bytes = Buffer.from(body);
  const message = { secret: SECRET, body: bytes, topic: 'order.updated', id: 'd', sentAt: new Date() };
  const reply = await service.http
    .post(`/hooks/${client.slug}/loja`)
    .set(findProvider('woocommerce')?.sign(message) ?? {})
    .serialize((text) => text as unknown as string)
    .send(bytes);
  expect(reply.status).toBe(200);
}

/** As an hour later. */
async function again(id: string): Promise<void> {
  await service.database.prisma.sourceComparison.update({ where: { id }, data: { dueAt: new Date(0) } });
  await worker.run();
}

interface Status {
  comparedAt: string | null;
  comparedUntil: string | null;
  missed: number;
  comparisonFailure: string | null;
}

async function status(): Promise<Status> {
  return ((await client.send('get', '/sources/loja')).body as { status: Status }).status;
}

async function origins(): Promise<unknown[]> {
  await service.settle();
  return (await client.items('/deliveries')).map(({ origin, businessKey }) => [origin, businessKey]).sort();
}

describe('a source that is compared with the list of its shop', () => {
  it('gets what no webhook brought, once, and says how much that was', async () => {
    const id = await source();
    await hook(order(1, 2 * HOUR_MS));
    await service.settle();
    // The API writes the same order with other spaces than the webhook.
    const listed = [order(1, 2 * HOUR_MS).replaceAll(': ', ':'), order(2, HOUR_MS), order(3, HOUR_MS)];
    shop.behave(lists(listed));
    await worker.run();
    expect(await origins()).toEqual([
      ['comparison', 'loja/order/2'],
      ['comparison', 'loja/order/3'],
      ['webhook', 'loja/order/1'],
    ]);
    expect(await status()).toMatchObject({ missed: 2, comparisonFailure: null });
    await again(id);
    expect(await origins()).toHaveLength(3);
    expect(await status()).toMatchObject({ missed: 0, comparisonFailure: null });
  });

  it('gets nothing again of an order whose webhook is left to a person', async () => {
    const id = await source();
    await hook(order(1, HOUR_MS).replace(/"total": "[^"]*"/, '"total": "1.234"'));
    await service.settle();
    expect(await client.items('/deliveries')).toMatchObject([{ state: 'dead', businessKey: null }]);
    shop.behave(lists([order(1, HOUR_MS)]));
    await worker.run();
    expect(await status()).toMatchObject({ missed: 0, comparisonFailure: null });
    // A webhook that came before the order changed last had another state.
    shop.behave(lists([order(1, 20 * 60_000)]));
    await service.database.prisma.openDelivery.updateMany({
      where: { sourceId: id },
      data: { receivedAt: new Date(Date.now() - HOUR_MS) },
    });
    await again(id);
    expect(await status()).toMatchObject({ missed: 1, comparisonFailure: null });
  });

  it('gets the newer state of an order of which an older webhook came', async () => {
    await source();
    await hook(order(1, 3 * HOUR_MS));
    await service.settle();
    const { prisma } = service.database;
    await prisma.entityDelivery.updateMany({
      where: { organizationId: client.id },
      data: { receivedAt: new Date(Date.now() - 3 * HOUR_MS) },
    });
    shop.behave(lists([order(1, HOUR_MS)]));
    await worker.run();
    expect(await origins()).toHaveLength(2);
    expect(await status()).toMatchObject({ missed: 1 });
  });

  it('gets the newer state of an order of which an older one was imported since', async () => {
    await source();
    const line = order(1, 3 * HOUR_MS).replaceAll(/\r?\n */g, '');
    const imported = await service.http
      .post(`/admin/organizations/${client.slug}/sources/loja/import`)
      .set({ authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/x-ndjson' })
      .serialize((text) => text as unknown as string)
      .send(line);
    expect(imported.body).toMatchObject({ stored: 1 });
    await service.settle();
    shop.behave(lists([order(1, HOUR_MS)]));
    await worker.run();
    expect(await origins()).toEqual([
      ['comparison', 'loja/order/1'],
      ['import', 'loja/order/1'],
    ]);
  });

  it('asks for every page with the credentials, in a period that goes on where the last one ended', async () => {
    const id = await source();
    const seen: (string | undefined)[] = [];
    const orders = Array.from({ length: 120 }, (_, index) => order(1_000 + index, HOUR_MS));
    shop.behave((request, response) => {
      seen.push(request.headers.authorization);
      lists(orders)(request, response);
    });
    await worker.run();
    expect(await status()).toMatchObject({ missed: 120, comparisonFailure: null });
    const first = shop.asked.map((line) => new URL(line.split(' ')[1] ?? '', 'http://shop').searchParams);
    expect(first.map((query) => query.get('page'))).toEqual(['1', '2', '3']);
    const basic = Buffer.from('ck_of_the_tests:cs_of_the_tests').toString('base64');
    expect(new Set(seen)).toEqual(new Set([`Basic ${basic}`]));
    shop.asked.length = 0;
    const { comparedUntil } = await status();
    await again(id);
    const [later] = shop.asked.map((line) => new URL(line.split(' ')[1] ?? '', 'http://shop').searchParams);
    const until = Date.parse(comparedUntil ?? '');
    expect(Date.parse(`${later?.get('modified_after')}Z`)).toBe(
      Math.floor((until - 2 * HOUR_MS) / 1_000) * 1_000,
    );
    expect(later?.get('dates_are_gmt')).toBe('true');
  });

  it('leaves what has just changed to its webhook, and what means nothing alone', async () => {
    await source();
    const draft = readFixture('woocommerce', 'order-created-draft.json').toString('utf8');
    shop.behave(lists([order(1, 60_000), draft]));
    await worker.run();
    expect(await origins()).toEqual([]);
    expect(await status()).toMatchObject({ missed: 0, comparisonFailure: null });
  });

  it('waits for as long as the shop says, and goes on with the same page', async () => {
    await source();
    let refused = false;
    shop.behave((request, response) => {
      if (refused) return lists([order(1, HOUR_MS)])(request, response);
      refused = true;
      response.writeHead(429, { 'retry-after': '1' }).end();
    });
    await worker.run();
    expect(shop.asked).toHaveLength(2);
    expect(await status()).toMatchObject({ missed: 1, comparisonFailure: null });
  });

  it.each([
    ['does not take the credentials', 401, '{}', 'credentials (401)'],
    ['is down', 500, '', 'status 500'],
    ['has no such list', 404, '', 'status 404'],
    ['answers with a page for persons', 200, '<html>', 'no list of orders'],
    ['answers with half a list', 200, '[{"id": 1', 'no list of orders'],
  ])('keeps what it found and is compared anew when the shop %s', async (_how, code, body, says) => {
    const id = await source();
    const orders = Array.from({ length: 50 }, (_, index) => order(1_000 + index, HOUR_MS));
    shop.behave((request, response) => {
      if (queryOf(request).get('page') === '1') return lists(orders)(request, response);
      response.writeHead(code, { 'content-type': 'application/json' }).end(body);
    });
    await worker.run();
    expect(await status()).toMatchObject({ missed: 50, comparedUntil: null });
    expect((await status()).comparisonFailure).toContain(says);
    shop.behave(lists([...orders, order(2, HOUR_MS)]));
    await again(id);
    expect(await status()).toMatchObject({ missed: 1, comparisonFailure: null });
  });

  it('is not held up by a shop that is slow', async () => {
    await source();
    const timeouts = { connectMs: 60_000, headersMs: 200, totalMs: 60_000 };
    const parts = service.part(ProviderRequests) as unknown as { timeouts: object };
    const usual = parts.timeouts;
    parts.timeouts = timeouts;
    shop.behave(() => undefined);
    await worker.run();
    parts.timeouts = usual;
    expect((await status()).comparisonFailure).toContain('no answer came');
  });

  it('takes the rest where an order cannot be read, and says so', async () => {
    const id = await source();
    const broken = order(1, HOUR_MS).replace(/"total": "[^"]*"/, '"total": ""');
    shop.behave(lists([broken, order(2, HOUR_MS)]));
    await worker.run();
    expect(await status()).toMatchObject({
      ...{ missed: 1, comparedUntil: expect.any(String) as string },
      comparisonFailure: '1 of its list cannot be read, and were left out',
    });
    shop.behave(lists([]));
    await again(id);
    expect(await status()).toMatchObject({ missed: 0, comparisonFailure: null });
  });

  it.each([
    ['without credentials', { apiUrl: 'x' }, {}, 'credential consumerKey, credential consumerSecret of'],
    ['without an address', {}, CREDENTIALS, 'setting apiUrl of'],
  ])('is asked for nothing %s, and says so', async (_how, settings, credentials, says) => {
    await source('apiUrl' in settings ? { apiUrl: shop.url } : {}, credentials);
    await hook(order(1, HOUR_MS));
    await worker.run();
    expect(shop.asked).toEqual([]);
    expect((await status()).comparisonFailure).toContain(says);
    expect(await origins()).toEqual([['webhook', 'loja/order/1']]);
  });

  it('is compared by one replica at a time, and by another when that one is gone', async () => {
    const id = await source();
    shop.behave(lists([order(1, HOUR_MS)]));
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    expect(shop.asked).toHaveLength(1);
    const comparisons = service.part(Comparisons);
    const row = { where: { id } };
    await service.database.prisma.sourceComparison.update({ ...row, data: { dueAt: new Date(0) } });
    const lost = await comparisons.take([id]);
    expect(lost).toBeDefined();
    expect(await comparisons.take([id])).toBeUndefined();
    await service.database.prisma.sourceComparison.update({ ...row, data: { leaseUntil: new Date(0) } });
    expect(await comparisons.take([id])).toBeDefined();
    expect(lost && (await comparisons.renew(lost))).toBe(false);
    if (lost) await comparisons.end(lost, { found: 99, againInSeconds: 0 });
    expect(await status()).toMatchObject({ missed: 1 });
  });

  it('is not compared while it is paused', async () => {
    await source();
    expect((await client.send('post', '/sources/loja/pause')).status).toBe(200);
    await worker.run();
    expect(shop.asked).toEqual([]);
  });
});
