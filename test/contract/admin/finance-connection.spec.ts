import { FinanceAvailability } from '../../../src/deliveries/finance-availability';
import { BREAKER_RULES } from '../../../src/finance/remote/client/breaker';
import { FinanceClient } from '../../../src/finance/remote/client/finance-client';
import { FinanceConnections } from '../../../src/finance/remote/connections/connections';
import type { FaultyFinance } from '../../faulty-finance/faulty-finance';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { FINANCE_KEY } from '../../support/remote-finance';
import { CONNECTION, RemoteService } from '../../support/remote-service';
import { TestService } from '../../support/service';
import { StubService } from '../../support/stub-service';
import { until } from '../../support/until';

const SOMEBODY = '6f1f0c51-7d3c-4c1e-9a51-0000000000d1';

let remote: RemoteService;
let books: FaultyFinance;
let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  remote = await RemoteService.start();
  ({ books, ponte: service } = remote);
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => remote.stop());

interface Test {
  ok: boolean;
  detail: string;
}

async function connect(changes: object = {}): Promise<void> {
  const put = await client.send('put', '/finance', { ...CONNECTION, ...changes });
  expect([put.status, put.text]).toEqual([200, expect.not.stringContaining(FINANCE_KEY)]);
}

const tested = async (): Promise<Test> => (await client.send('post', '/finance/test')).body as Test;

describe('the connection to a finance service', () => {
  it('is stored and shown without its key', async () => {
    const { apiKey, ...shown } = {
      ...CONNECTION,
      credential: 'bearer',
      form: 'xml',
      limits: { perSecond: 5, atOnce: 2, oneWriteAtATime: true },
      timeouts: { connectMs: 1_000, headersMs: 2_000, totalMs: 3_000 },
      uniqueDocuments: true,
      customerListing: '/customers/all',
      unknownCustomers: 'repeat',
    };
    const put = await client.send('put', '/finance', { ...shown, apiKey, reason: 'go live' });
    expect([put.status, put.body]).toEqual([200, { ...shown, baseUrl: books.url }]);
    expect((await client.send('get', '/finance')).body).toEqual({ ...shown, baseUrl: books.url });
    expect(await client.lastAudit()).toEqual({
      action: 'finance.connect',
      subject: client.id,
      before: null,
      after: { ...shown, keyChanged: true },
      reason: 'go live',
    });
    const texts = ['/finance', '/audit'].map(async (path) => (await client.send('get', path)).text);
    expect((await Promise.all(texts)).join()).not.toContain(FINANCE_KEY);
  });

  it('keeps its key when it is changed without one, and nothing else', async () => {
    await connect({ uniqueDocuments: true });
    const changed = await client.send('put', '/finance', { organization: 'acme', settleMs: 20_000 });
    expect(changed.body).toEqual({ organization: 'acme', settleMs: 20_000, baseUrl: books.url });
    expect(await tested()).toMatchObject({ ok: true });
    const { apiKey: _key, ...before } = { ...CONNECTION, uniqueDocuments: true };
    expect(await client.lastAudit()).toMatchObject({
      before,
      after: { organization: 'acme', settleMs: 20_000, keyChanged: false },
      reason: null,
    });
  });

  it.each(['https://elsewhere.example/v1', 'https://elsewhere.example/v2'])(
    'asks for the key again when the address changes: %s',
    async (baseUrl) => {
      await connect();
      const moved = await client.send('put', '/finance', { organization: 'acme', baseUrl });
      expect(moved.status).toBe(422);
      expect(moved.body).toMatchObject({ errors: [{ pointer: '/apiKey', code: 'required' }] });
      expect((await client.send('get', '/finance')).body).toMatchObject({ baseUrl: books.url });
      await connect({ baseUrl });
      expect((await client.send('put', '/finance', { organization: 'acme' })).status).toBe(422);
      const same = await client.send('put', '/finance', { organization: 'acme', baseUrl: `${baseUrl}/` });
      expect(same.status).toBe(200);
    },
  );

  it.each([
    ['ApiToken', 'ApiToken'],
    ['apitoken', 'apitoken'],
    ['Bearer', 'bearer'],
  ])('stores the credential %s as %s', async (credential, stored) => {
    await connect({ credential });
    expect((await client.send('get', '/finance')).body).toMatchObject({ credential: stored });
  });

  it.each<[object, string]>([
    [{ credential: 'APITOKEN' }, '/credential'],
    [{ apiKey: undefined }, '/apiKey'],
    [{ apiKey: '' }, '/apiKey'],
    [{ baseUrl: 'http://127.0.0.1:1/v1' }, '/baseUrl'],
    [{ baseUrl: 'http://books.example/v1' }, '/baseUrl'],
    [{ baseUrl: 'ftp://books.example/v1' }, '/baseUrl'],
    [{ baseUrl: 'https://user:word@books.example' }, '/baseUrl'],
    [{ baseUrl: 'https://books.example/v1?key=1' }, '/baseUrl'],
    [{ baseUrl: 'https://' }, '/baseUrl'],
    [{ credential: 'cookie' }, '/credential'],
    [{ form: 'csv' }, '/form'],
    [{ limits: { perSecond: 0 } }, '/limits/perSecond'],
    [{ limits: { atOnce: 65 } }, '/limits/atOnce'],
    [{ limits: { oneWriteAtATime: 'no' } }, '/limits/oneWriteAtATime'],
    [{ timeouts: { totalMs: 0 } }, '/timeouts/totalMs'],
    [{ settleMs: 999 }, '/settleMs'],
    [{ customerListing: 'customers' }, '/customerListing'],
    [{ customerListing: '/../admin' }, '/customerListing'],
    [{ customerListing: '/customers/' }, '/customerListing'],
    [{ customerListing: '//elsewhere' }, '/customerListing'],
    [{ customerListing: '/customers?all' }, '/customerListing'],
    [{ apiKey: 'two\nlines' }, '/apiKey'],
  ])('is not stored with %j', async (changes, pointer) => {
    const put = await client.send('put', '/finance', { ...CONNECTION, ...changes });
    expect(refusalOf(put)).toBe(`422 validation-failed ${pointer}`);
    expect(put.text).not.toContain(FINANCE_KEY);
    expect(refusalOf(await client.send('get', '/finance'))).toBe('404 not-found');
  });

  it('is tried by reading an account', async () => {
    await connect();
    expect(await tested()).toEqual({
      ok: true,
      detail: 'the service listed its accounts',
      milliseconds: expect.any(Number) as number,
    });
  });

  it('is tried with a key that the service refuses', async () => {
    await connect({ apiKey: 'another-key' });
    const { ok, detail } = await tested();
    expect([ok, detail]).toEqual([false, expect.stringContaining('key')]);
    expect(detail).not.toContain('another-key');
  });

  it('is tried when nobody listens', async () => {
    await connect();
    books.shut('refuse-others', 60_000);
    expect(await tested()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('cannot be reached') as string,
    });
    books.open();
    await books.settled();
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '0x7f.1'])(
    'does not lead into this machine by an address that was stored: %s',
    async (host) => {
      const secure = await StubService.start('https');
      await connect({ baseUrl: secure.url(host) });
      expect(await tested()).toMatchObject({
        ok: false,
        detail: expect.stringContaining('its address is not allowed') as string,
      });
      expect(secure.connections).toBe(0);
      await secure.stop();
    },
  );

  it('cannot be tried or shown before there is one', async () => {
    expect(refusalOf(await client.send('get', '/finance'))).toBe('404 not-found');
    expect(refusalOf(await client.send('post', '/finance/test'))).toBe('409 finance-not-connected');
  });
});

describe('a finance service that does not answer as it should', () => {
  let stub: StubService;
  let own: TestService;

  beforeAll(async () => {
    stub = await StubService.start();
    own = await TestService.start(undefined, { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: stub.url() });
  });
  beforeEach(async () => {
    client = await OperatorsClient.of(own);
  });
  afterAll(async () => {
    await own.stop();
    await stub.stop();
  });

  it.each([
    [200, 'what?', 'the finance service answered 200: the reply cannot be used: no page in the reply'],
    [302, '', 'the finance service answered 302: the service redirects'],
    [502, '', 'the finance service answered 502'],
  ])('is tried where %i is answered with %j, and says so in a sentence', async (status, body, detail) => {
    stub.replies(status, body);
    await connect({ baseUrl: stub.url() });
    expect(await tested()).toMatchObject({ ok: false, detail });
  });

  it('leaves the process degraded between two tries of a service that is down, until one is answered', async () => {
    stub.replies(503);
    await connect({ baseUrl: stub.url() });
    await client.send('post', '/sources', { slug: 'shop', provider: 'shopify', secrets: ['s'.repeat(32)] });
    const [wire, connections] = [own.part(FinanceClient), own.part(FinanceConnections)];
    const connection = await connections.of({ id: client.id });
    for (let calls = 0; calls < BREAKER_RULES.failures; calls += 1)
      await wire.call(connection, { operation: 'accounts.list' });
    await until(() => wire.closedForMs(client.id) === 0);
    const condition = () => own.part(FinanceAvailability).check();
    expect(condition()).toBe('the finance service of 1 organization is down or asked for a pause');
    stub.replies(200, JSON.stringify({ items: [], count: 0, nextPageLink: null }));
    expect(await tested()).toMatchObject({ ok: true });
    expect(condition()).toBeUndefined();
  });
});

describe('where Ponte keeps the books itself', () => {
  let embedded: TestService;

  beforeAll(async () => (embedded = await TestService.start()));
  afterAll(() => embedded.stop());

  it('there is nothing to connect or to decide on', async () => {
    const own = await OperatorsClient.of(embedded);
    expect(refusalOf(await own.send('put', '/finance', CONNECTION))).toBe('409 conflict');
    expect(refusalOf(await own.send('post', '/finance/test'))).toBe('409 conflict');
    expect(refusalOf(await own.send('put', '/finance/recovery', { reason: 'why' }))).toBe('409 conflict');
    expect(refusalOf(await own.send('get', '/finance'))).toBe('404 not-found');
    expect(await own.items('/effects')).toEqual([]);
  });
});

describe('a database that was put back', () => {
  it('is told of by an operator, and stays until an operator ends what follows; both stand in the audit log', async () => {
    await connect();
    const recoveredBefore = () => service.part(FinanceConnections).of({ id: client.id });
    expect((await recoveredBefore()).recoveredAt).toBeUndefined();
    expect((await client.send('get', '/finance/recovery')).body).toEqual({ recoveredAt: null });
    expect(refusalOf(await client.send('put', '/finance/recovery', {}))).toBe(
      '422 validation-failed /reason',
    );
    const began = await client.send('put', '/finance/recovery', { reason: 'restored the dump of 03:00' });
    expect([began.status, began.body]).toEqual([200, { recoveredAt: expect.stringMatching(/^20.*Z$/) }]);
    // The next call is looked for, whatever was read of the connection just before.
    const { recoveredAt } = await recoveredBefore();
    expect(recoveredAt?.toISOString()).toBe((began.body as { recoveredAt: string }).recoveredAt);
    // Another setting of the connection does not end it.
    await connect({ cacheMs: 1_000 });
    expect((await client.send('get', '/finance/recovery')).body).toEqual(began.body);
    expect((await client.send('delete', '/finance/recovery')).body).toEqual({ recoveredAt: null });
    expect((await client.send('get', '/finance/recovery')).body).toEqual({ recoveredAt: null });
    const { items } = (await client.send('get', '/audit')).body as { items: Record<string, unknown>[] };
    const actions = items.filter(({ action }) => String(action).includes('ecovery'));
    expect(actions.map(({ action, reason }) => [action, reason]).toSorted()).toEqual([
      ['finance.beginRecovery', 'restored the dump of 03:00'],
      ['finance.endRecovery', null],
    ]);
  });

  it('changes nothing where no finance service is connected', async () => {
    const begun = await client.send('put', '/finance/recovery', { reason: 'restored' });
    expect(refusalOf(begun)).toBe('404 not-found');
    expect((await client.send('get', '/finance/recovery')).body).toEqual({ recoveredAt: null });
  });
});

describe('who is no operator', () => {
  const id = SOMEBODY;

  it.each<['get' | 'put' | 'post' | 'delete', string, object | undefined]>([
    ['put', '/finance', CONNECTION],
    ['get', '/finance/recovery', undefined],
    ['put', '/finance/recovery', { reason: 'why' }],
    ['delete', '/finance/recovery', undefined],
    ['get', '/finance', undefined],
    ['post', '/finance/test', undefined],
    ['get', '/effects', undefined],
    ['get', `/effects/${id}`, undefined],
    ['post', `/effects/${id}/adopt`, { reason: 'why' }],
    ['post', `/effects/${id}/repeat`, { reason: 'why' }],
    ['post', `/effects/${id}/abandon`, { reason: 'why' }],
  ])('can do nothing: %s %s', async (method, path, body) => {
    const made = await client.send('post', '/keys', {
      name: 'till',
      scopes: ['finance:read', 'finance:write'],
    });
    const { key } = made.body as { key: string };
    expect((await client.send(method, path, body, 'no-key-at-all')).status).toBe(401);
    expect((await client.send(method, path, body, key)).status).toBe(403);
  });
});
