import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { Inbox } from '../../../src/deliveries/inbox';
import { signedHeaders } from '../../../src/sources/registry';
import { jsonBytes } from '../../../src/sources/samples';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

const SECRET = 'secret-of-the-shop';
const PAID = readFileSync(join(__dirname, '../../../docs/examples/shopify-order-paid.json'));
/** The same on one line. */
const PAID_LINE = PAID.toString('utf8').replaceAll(/\r?\n */g, '');

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
  await source({ slug: 'shop', provider: 'shopify', secrets: [SECRET] });
});
afterAll(() => service.stop());

async function source(body: object): Promise<void> {
  const reply = await client.send('post', '/sources', body);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
}

interface Options {
  slug?: string;
  query?: object;
  key?: string | undefined;
  type?: string;
}

async function imported(lines: string | Buffer, options: Options = {}): Promise<Response> {
  const { slug = 'shop', query = {}, key = OPERATORS_KEY, type = 'application/x-ndjson' } = options;
  return service.http
    .post(`/admin/organizations/${client.slug}/sources/${slug}/import`)
    .query(query)
    .set({ authorization: `Bearer ${key}`, 'content-type': type })
    .serialize((bytes) => bytes as string)
    .send(lines);
}

const order = (id: number, more: object = {}): string =>
  JSON.stringify({ id, total_price: '10.00', line_items: [], ...more });

interface Delivery {
  origin: string;
  topic: string;
  state: string;
}

const deliveries = async (): Promise<Delivery[]> =>
  (await client.items('/deliveries')) as unknown as Delivery[];

describe('an import', () => {
  it('stores each line once as its webhook would be, and says how it came', async () => {
    const first = await imported(`${PAID_LINE}\n${PAID_LINE}\n`, { query: { topic: 'orders/paid' } });
    const counts = { refused: 0, ignored: 0, problems: [] };
    expect([first.status, first.body]).toEqual([200, { lines: 2, stored: 1, duplicates: 1, ...counts }]);
    const again = await imported(PAID_LINE, { query: { topic: 'orders/paid' } });
    expect(again.body).toEqual({ lines: 1, stored: 0, duplicates: 1, ...counts });
    const headers = signedHeaders('shopify', {
      ...{ topic: 'orders/paid', body: PAID, id: 'd-1', secret: SECRET, sentAt: new Date() },
    });
    const hook = await service.http
      .post(`/hooks/${client.slug}/shop`)
      .set(headers)
      .serialize((bytes) => bytes as unknown as string)
      .send(PAID);
    expect(hook.status).toBe(200);
    await service.settle();
    expect((await deliveries()).map(({ origin, topic, state }) => [origin, topic, state])).toEqual([
      ['webhook', 'orders/paid', 'done'],
      ['import', 'orders/paid', 'done'],
    ]);
  });

  it('is no webhook that came: a source that is quiet stays so', async () => {
    const statusOf = async () =>
      (await client.send('get', '/sources/shop')).body as { status: { lastReceivedAt: string | null } };
    expect((await imported(PAID_LINE, { query: { topic: 'orders/paid' } })).body).toMatchObject({
      stored: 1,
    });
    expect((await statusOf()).status.lastReceivedAt).toBeNull();
  });

  it('knows an event that was received by the identifier that the provider gave it', async () => {
    await source({ slug: 'stripe', provider: 'stripe', secrets: ['whsec_1'] });
    const body = readFileSync(join(__dirname, '../../fixtures/stripe/charge-succeeded.json'));
    const headers = signedHeaders('stripe', {
      ...{ topic: '', body, id: '', secret: 'whsec_1', sentAt: new Date() },
    });
    const hook = await service.http
      .post(`/hooks/${client.slug}/stripe`)
      .set(headers)
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
    expect(hook.status).toBe(200);
    const line = JSON.stringify(JSON.parse(body.toString('utf8')));
    expect((await imported(line, { slug: 'stripe' })).body).toMatchObject({ stored: 0, duplicates: 1 });
  });

  it('counts what it refuses by its number in the file, without what it holds, and takes the rest', async () => {
    const lines = [
      '{"id": "Maria da Silva"}',
      '',
      order(7, { created_at: '2026-07-15T10:00:00Z', updated_at: 'Maria' }),
      PAID_LINE,
      '[1]',
      'no JSON of Maria',
    ];
    const reply = await imported(lines.join('\r\n'), { query: { line: '2001' } });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        ...{ lines: 5, stored: 1, duplicates: 0, refused: 4, ignored: 0 },
        problems: [2001, 2003, 2005, 2006].map((line) => ({ line, reason: expect.any(String) as string })),
      },
    ]);
    expect(reply.text).not.toContain('Maria');
    expect(await deliveries()).toHaveLength(1);
  });

  it('gives the first twenty problems, and counts all', async () => {
    const { body } = await imported('{}\n'.repeat(50));
    expect(body).toMatchObject({ lines: 50, stored: 0, refused: 50 });
    expect((body as { problems: unknown[] }).problems).toHaveLength(20);
  });

  it('stores and counts what Ponte makes nothing of, as it does of a webhook', async () => {
    const { body } = await imported('{"id": 1}', { query: { topic: 'shop/update' } });
    expect(body).toMatchObject({ stored: 1, refused: 0, ignored: 1 });
    const misspelt = await imported(PAID_LINE, { query: { topic: 'orders paid' } });
    expect(misspelt.body).toMatchObject({ stored: 0, refused: 1 });
  });

  it('takes as many bytes as a webhook has at most, and ten thousand lines', async () => {
    const most = 1024 * 1024;
    const note = 'x'.repeat(most - order(1, { note: '' }).length);
    expect((await imported(order(1, { note }))).status).toBe(200);
    expect((await imported(`${order(1, { note })} `)).status).toBe(413);
    expect((await imported('{}\n'.repeat(10_000))).body).toMatchObject({ refused: 10_000 });
    expect(refusalOf(await imported('{}\n'.repeat(10_001)))).toContain('body-too-large');
    expect((await imported('')).body).toMatchObject({ lines: 0, stored: 0 });
  });

  it('is refused as a whole where it cannot be meant', async () => {
    for (const query of [{ topc: 'orders/paid' }, { line: '0' }, { line: '1e3' }])
      expect(refusalOf(await imported(PAID_LINE, { query }))).toContain('malformed-request');
    expect(refusalOf(await imported(PAID_LINE, { type: 'application/json' }))).toContain(
      'media-type-unsupported',
    );
    await source({ slug: 'own', provider: 'standard-webhooks', secrets: [] });
    const named = await imported('{}', { slug: 'own', query: { topic: 'order.paid' } });
    expect(refusalOf(named)).toContain('malformed-request');
    expect((await imported(PAID_LINE, { slug: 'nobody' })).status).toBe(404);
    expect(await deliveries()).toEqual([]);
  });

  it('needs the key of an operator of the organization', async () => {
    const made = await client.send('post', '/keys', { name: 'till', scopes: ['finance:write'] });
    const { key } = made.body as { key: string };
    expect((await imported(PAID_LINE, { key })).status).toBe(403);
    expect((await imported(PAID_LINE, { key: 'nobody' })).status).toBe(401);
    const other = await OperatorsClient.of(service);
    const theirs = await other.send('post', '/keys', { name: 'admin', scopes: ['admin'] });
    expect((await imported(PAID_LINE, { key: (theirs.body as { key: string }).key })).status).toBe(404);
    expect(await deliveries()).toEqual([]);
  });

  it('puts nothing into a source that is paused, and needs no secret', async () => {
    expect((await client.send('post', '/sources/shop/pause')).status).toBe(200);
    const refused = await imported(PAID_LINE);
    expect([refusalOf(refused), refused.headers['retry-after']]).toEqual([
      expect.stringContaining('source-paused'),
      '300',
    ]);
    await source({ slug: 'new', provider: 'shopify', secrets: [] });
    expect((await imported(PAID_LINE, { slug: 'new' })).body).toMatchObject({ stored: 1 });
  });

  it('asks for credentials where what is named is fetched', async () => {
    await source({ slug: 'gateway', provider: 'asaas', secrets: ['a-token-that-is-long'] });
    const line = jsonBytes({ object: 'payment', id: 'pay_1', status: 'RECEIVED' });
    const refused = await imported(line, { slug: 'gateway' });
    expect(refusalOf(refused)).toContain('conflict');
    expect(refused.text).toContain('apiKey');
    expect(await deliveries()).toEqual([]);
  });

  it('believes nothing of a line but what it names, where its provider is asked', async () => {
    await source({
      slug: 'gateway',
      provider: 'nuvemshop',
      secrets: ['a-secret'],
      settings: { storeId: '3' },
    });
    const credentials = { accessToken: 'a-token' };
    await client.send('put', '/sources/gateway/credentials', { credentials });
    const line = jsonBytes({ id: 7, payment_status: 'paid', total: '99999.00' });
    expect((await imported(line, { slug: 'gateway' })).body).toMatchObject({ stored: 1 });
    const [delivery] = await service.database.prisma.delivery.findMany({
      where: { organizationId: client.id },
    });
    expect(delivery?.attributes).toMatchObject({ 'ponte.bodyUnsigned': 'yes', 'ponte.origin': 'import' });
    const body = await service.database.prisma.deliveryBody.findFirst({
      where: { organizationId: client.id },
    });
    expect(Buffer.from(body?.body ?? []).toString()).toBe(
      '{"store_id":"3","event":"order/updated","id":"7"}',
    );
  });

  it('stands in the audit log before anything is stored: who, why, which lines', async () => {
    const inbox = service.part(Inbox);
    const accept = jest.spyOn(inbox, 'accept').mockRejectedValueOnce(new Error('the connection is gone'));
    const failed = await imported(PAID_LINE, { query: { line: '5', reason: 'an outage' } });
    expect(refusalOf(failed)).toContain('unavailable');
    expect(failed.headers['retry-after']).toBe('5');
    accept.mockRestore();
    expect(await client.lastAudit()).toEqual({
      ...{ action: 'source.import', subject: 'shop', before: null, reason: 'an outage' },
      after: {
        id: expect.any(String) as string,
        ...{ first: 5, lines: 1 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    });
    expect((await imported(PAID_LINE)).body).toMatchObject({ stored: 1 });
  });

  it('waits while webhooks need the inbox', async () => {
    const inbox = service.part(Inbox);
    const crowded = jest.spyOn(inbox, 'crowded', 'get').mockReturnValueOnce(true).mockReturnValueOnce(true);
    expect((await imported(PAID_LINE)).body).toMatchObject({ stored: 1 });
    // Others may ask, too.
    expect(crowded.mock.calls.length).toBeGreaterThanOrEqual(3);
    crowded.mockRestore();
  });
});
