import { PROVIDERS, signedHeaders } from '../../../src/sources/registry';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';
import { until } from '../../support/until';

const UNKNOWN_ZONE = { timeZone: 'Mars/Base' };
const STANDARD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const SHOP = { slug: 'shop', provider: 'shopify', secrets: ['first-secret'] };

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start(undefined, { PUBLIC_URL: 'https://bridge.example/ponte' });
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

interface Source {
  secretCount: number;
  status: {
    receiving: boolean;
    reason: string | null;
    lastReceivedAt: string;
    lastRefusedAt: string | null;
    lastRefusal: string | null;
    waiting: number;
    dead: number;
  };
}

const made = async (body: object = SHOP): Promise<Source> => {
  const reply = await client.send('post', '/sources', body);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body as Source;
};
const shown = async (): Promise<Source> => (await client.send('get', '/sources/shop')).body as Source;

/** Sends a webhook about a customer, signed with the secret. @returns the status, and the problem if it is one */
async function hook(secret: string, id = `d-${Math.random()}`): Promise<string> {
  const body = Buffer.from('{"id": 1}');
  const headers = signedHeaders('shopify', { topic: 'shop/update', body, id, secret, sentAt: new Date() });
  const reply = await service.http
    .post(`/hooks/${client.slug}/shop`)
    .set(headers)
    .serialize((bytes) => bytes as string)
    .send(body);
  return reply.status === 200 ? '200' : refusalOf(reply);
}

describe('a source', () => {
  it('is made, shown and listed, with the address to give to the provider and without its secrets', async () => {
    const source = await made({ ...SHOP, settings: { documentField: 'cpf' }, reason: 'opening' });
    const view = {
      id: expect.any(String) as string,
      slug: 'shop',
      provider: 'shopify',
      settings: { documentField: 'cpf' },
      paused: false,
      credentials: [],
      secretCount: 1,
      webhookUrl: `https://bridge.example/ponte/hooks/${client.slug}/shop`,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
      status: {
        receiving: true,
        reason: null,
        lastReceivedAt: null,
        lastRefusedAt: null,
        lastRefusal: null,
        ...{ quietFor: null, expectedWithin: null, silent: false, failing: false, switchOff: null },
        waiting: 0,
        dead: 0,
        unhandled: 0,
        lastUnhandledAt: null,
        lastUnhandledEvents: [],
        hooks: null,
        comparedAt: null,
        comparedUntil: null,
        missed: 0,
        comparisonFailure: null,
        completeness: null,
      },
    };
    expect(source).toEqual(view);
    expect(await shown()).toEqual(view);
    await made({ slug: 'other', provider: 'woocommerce' });
    expect((await client.send('get', '/sources')).body).toMatchObject({
      items: [{ slug: 'other' }, view],
      after: null,
    });
    const [, entry] = await client.items('/audit');
    expect(entry).toMatchObject({
      action: 'source.create',
      subject: 'shop',
      before: null,
      after: { provider: 'shopify', settings: { documentField: 'cpf' }, paused: false, secretCount: 1 },
      reason: 'opening',
    });
    for (const path of ['/sources', '/audit'])
      expect((await client.send('get', path)).text).not.toContain('first-secret');
  });

  it('is expected to send as often as its operator says, whatever its provider', async () => {
    await made();
    expect(await hook('first-secret')).toBe('200');
    expect((await shown()).status).toMatchObject({ expectedWithin: null });
    const change = { settings: { silentAfterHours: 6 } };
    expect((await client.send('patch', '/sources/shop', change)).status).toBe(200);
    expect((await shown()).status).toMatchObject({ expectedWithin: 6 * 3600, silent: false });
    const wrong = await client.send('patch', '/sources/shop', { settings: { silentAfterHours: -1 } });
    expect(refusalOf(wrong)).toBe('422 validation-failed /settings/silentAfterHours');
  });

  it('receives at once, and tells what came in', async () => {
    await made();
    expect(await hook('first-secret')).toBe('200');
    expect(await hook('another-secret')).toBe('401 signature-invalid');
    await service.settle();
    // The refusal is written after its reply.
    await until(async () => (await shown()).status.lastRefusedAt !== null);
    const { status } = await shown();
    expect(status).toEqual({
      receiving: true,
      reason: null,
      lastReceivedAt: expect.any(String) as string,
      lastRefusedAt: expect.any(String) as string,
      lastRefusal: 'the signature does not match',
      ...{ quietFor: expect.any(Number) as number, expectedWithin: null, silent: false, failing: false },
      switchOff: null,
      waiting: 0,
      dead: 0,
      unhandled: 0,
      lastUnhandledAt: null,
      lastUnhandledEvents: [],
      hooks: null,
      comparedAt: null,
      comparedUntil: null,
      missed: 0,
      comparisonFailure: null,
      completeness: null,
    });
    expect(Math.abs(Date.parse(status.lastReceivedAt) - Date.now())).toBeLessThan(60_000);
  });

  it('says so where no rule takes its events, and no more once their deliveries were taken', async () => {
    await made({ slug: 'shop', provider: 'standard-webhooks', secrets: [STANDARD] });
    const body = Buffer.from(
      JSON.stringify({
        type: 'customer.updated',
        timestamp: '2026-11-20T12:00:00Z',
        data: { id: '7', name: 'Lia Campos' },
      }),
    );
    const headers = signedHeaders('standard-webhooks', {
      ...{ topic: 'customer.updated', body, id: 'msg_1', secret: STANDARD, sentAt: new Date() },
    });
    const reply = await service.http
      .post(`/hooks/${client.slug}/shop`)
      .set(headers)
      .serialize((bytes) => bytes as string)
      .send(body);
    expect(reply.status).toBe(200);
    await service.settle();
    const { lastReceivedAt, ...status } = (await shown()).status;
    expect(status).toMatchObject({
      ...{ unhandled: 1, lastUnhandledAt: lastReceivedAt, lastUnhandledEvents: ['customer.updated'] },
      ...{ receiving: true, dead: 0 },
    });
    const rule = [
      'rule: customers',
      'when: {event: customer.updated}',
      'then: [{id: customer, do: customer.ensure, with: {name: "${customer.name}"}}]',
    ].join('\n');
    await service.http
      .put(`/admin/organizations/${client.slug}/rules/customers`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(rule)
      .expect(200);
    const { delivery } = reply.body as { delivery: string };
    expect(
      (await client.send('post', `/deliveries/${delivery}/replay`, { dryRun: false })).status,
    ).toBeLessThan(300);
    await service.settle();
    expect((await shown()).status).toMatchObject({
      unhandled: 0,
      lastUnhandledAt: null,
      lastUnhandledEvents: [],
      hooks: null,
      comparedAt: null,
      comparedUntil: null,
      missed: 0,
      comparisonFailure: null,
      completeness: null,
    });
  });

  it('counts what waits and what needs a person, each for itself and up to a thousand', async () => {
    await made();
    await made({ slug: 'other', provider: 'woocommerce' });
    const { id } = (await shown()) as unknown as { id: string };
    await service.database.prisma.$executeRaw`
      insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at,
                            ready_at, state, reason)
      select gen_random_uuid(), ${client.id}::uuid, ${id}::uuid, 't', n::text, n::text, '{}', '2026-01-01Z', '2999-01-01Z',
             (case when n <= 3 then 'dead' else 'waiting' end)::delivery_state, 'why'
      from generate_series(1, 1100) n`;
    expect((await shown()).status).toMatchObject({ waiting: 1000, dead: 3 });
    expect((await shown()).status.lastReceivedAt).toBe('2026-01-01T00:00:00.000Z');
    const [other] = await client.items('/sources?limit=1');
    expect(other).toMatchObject({ slug: 'other', status: { lastReceivedAt: null, waiting: 0, dead: 0 } });
  });

  it.each<[object, string]>([
    [{ slug: undefined }, '/slug'],
    [{ slug: 'My Shop' }, '/slug'],
    [{ slug: 's'.repeat(64) }, '/slug'],
    [{ provider: 'shopfy' }, '/provider'],
    [{ provider: 'toString' }, '/provider'],
    [{ secrets: 'first' }, '/secrets'],
    [{ secrets: ['a', 1] }, '/secrets'],
    [{ secrets: ['1', '2', '3', '4', '5', '6'] }, '/secrets'],
    [{ secrets: ['a', '  '] }, '/secrets/1'],
    [{ secrets: ['a', ' a'] }, '/secrets/1'],
    [{ secrets: ['two\nlines'] }, '/secrets/0'],
    [{ secrets: ['x'.repeat(1001)] }, '/secrets/0'],
    [{ provider: 'standard-webhooks', secrets: ['no base64!'] }, '/secrets/0'],
    [{ provider: 'standard-webhooks', secrets: ['whsec_'] }, '/secrets/0'],
    [{ provider: 'pagarme', secrets: ['nineteen characters'] }, '/secrets/0'],
    [{ settings: [] }, '/settings'],
    [{ settings: { documentfield: 'cpf' } }, '/settings/documentfield'],
    [{ settings: { 'a/b~c': 1 } }, '/settings/a~1b~0c'],
    [{ settings: { documentField: 7 } }, '/settings/documentField'],
    [{ settings: { documentField: null } }, '/settings/documentField'],
    [{ settings: { documentField: 'x'.repeat(501) } }, '/settings/documentField'],
    [{ settings: { bookTestOrders: 'yes' } }, '/settings/bookTestOrders'],
    [{ settings: UNKNOWN_ZONE }, '/settings/timeZone'],
    [{ settings: { timeZone: '-03:00' } }, '/settings/timeZone'],
    [{ settings: { __proto__: null, toString: 1, timeZone: 'x' } }, '/settings/toString /settings/timeZone'],
    [{ paused: 'no' }, '/paused'],
  ])('is not made of %j', async (changes, pointers) => {
    const reply = await client.send('post', '/sources', { ...SHOP, ...changes });
    expect(refusalOf(reply)).toBe(`422 validation-failed ${pointers}`);
    expect(reply.text).not.toMatch(/no base64!|two|xxx|Mars/);
    expect(await client.items('/sources')).toEqual([]);
    expect(await client.items('/audit?limit=1')).not.toMatchObject([{ action: 'source.create' }]);
  });

  it('is told which provider or setting was meant', async () => {
    const provider = await client.send('post', '/sources', { ...SHOP, provider: 'shopfy' });
    expect(provider.text).toContain('did you mean \\"shopify\\"?');
    const setting = await client.send('post', '/sources', { ...SHOP, settings: { documentfield: 'x' } });
    expect(setting.text).toContain('did you mean \\"documentField\\"?');
  });

  it('has its slug alone, however many ask at once', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => client.send('post', '/sources', SHOP)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await client.items('/sources')).toHaveLength(1);
    const other = await OperatorsClient.of(service);
    expect((await other.send('post', '/sources', SHOP)).status).toBe(201);
  });

  it('changes its settings as a whole', async () => {
    await made({ ...SHOP, settings: { documentField: 'cpf', timeZone: 'America/Manaus' } });
    const settings = { instalmentsField: 'parcelas' };
    const changed = await client.send('patch', '/sources/shop', { settings, reason: 'renamed' });
    expect([changed.status, changed.body]).toMatchObject([200, { settings, secretCount: 1 }]);
    expect(await client.lastAudit()).toMatchObject({
      action: 'source.change',
      before: { settings: { documentField: 'cpf', timeZone: 'America/Manaus' } },
      after: { settings },
      reason: 'renamed',
    });
    expect(refusalOf(await client.send('patch', '/sources/shop', { settings: UNKNOWN_ZONE }))).toBe(
      '422 validation-failed /settings/timeZone',
    );
    expect(refusalOf(await client.send('patch', '/sources/shop', {}))).toBe(
      '422 validation-failed /settings',
    );
    expect(await shown()).toMatchObject({ settings });
    expect(await hook('first-secret')).toBe('200');
  });

  it('is a stranger to every other organization', async () => {
    await made();
    const other = await OperatorsClient.of(service);
    for (const [method, path, body] of [
      ['get', '', undefined],
      ['patch', '', { settings: {} }],
      ['post', '/secrets', { secret: 'mine' }],
      ['delete', '/secrets', undefined],
      ['post', '/pause', undefined],
      ['post', '/resume', undefined],
    ] as const)
      expect(refusalOf(await other.send(method, `/sources/shop${path}`, body))).toBe('404 not-found');
    expect(await shown()).toMatchObject({ secretCount: 1, paused: false });
  });

  it('begins its address with the host of the request where PUBLIC_URL is not set', async () => {
    const plain = await TestService.start();
    const [source] = ((await plain.admin('sources')) as { items: { webhookUrl: string }[] }).items;
    expect(source?.webhookUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/main\/[a-z-]+$/);
    await plain.stop();
  });
});

describe('the secrets of a source', () => {
  it('are live together until the old ones are retired', async () => {
    await made();
    const added = await client.send('post', '/sources/shop/secrets', {
      secret: ' second-secret\n',
      reason: 'leak',
    });
    expect([added.status, added.body]).toMatchObject([200, { secretCount: 2 }]);
    expect(await client.lastAudit()).toMatchObject({
      action: 'source.add-secret',
      subject: 'shop',
      before: { secretCount: 1 },
      after: { secretCount: 2 },
      reason: 'leak',
    });
    expect([await hook('first-secret'), await hook('second-secret')]).toEqual(['200', '200']);
    const retired = await client.send('delete', '/sources/shop/secrets', { reason: 'moved' });
    expect([retired.status, retired.body]).toMatchObject([200, { secretCount: 1 }]);
    expect([await hook('first-secret'), await hook('second-secret')]).toEqual([
      '401 signature-invalid',
      '200',
    ]);
    expect(await client.lastAudit()).toMatchObject({
      action: 'source.retire-secrets',
      before: { secretCount: 2 },
      after: { secretCount: 1 },
      reason: 'moved',
    });
    expect((await client.send('get', '/audit')).text).not.toMatch(/first-secret|second-secret/);
  });

  it('are retired once: asking again changes nothing', async () => {
    await made();
    const before = await client.lastAudit();
    expect((await client.send('delete', '/sources/shop/secrets')).body).toMatchObject({ secretCount: 1 });
    expect(await client.lastAudit()).toEqual(before);
  });

  it('are five at most, and each is there once', async () => {
    await made({ ...SHOP, secrets: ['1', '2', '3', '4'] });
    const add = async (secret: string) => client.send('post', '/sources/shop/secrets', { secret });
    expect(refusalOf(await add('3'))).toBe('409 conflict');
    expect((await add('5')).body).toMatchObject({ secretCount: 5 });
    expect(refusalOf(await add('6'))).toBe('409 conflict');
    expect(await shown()).toMatchObject({ secretCount: 5 });
  });

  it('are all kept, however many are added at once', async () => {
    await made({ slug: 'shop', provider: 'shopify' });
    const secrets = ['1', '2', '3', '4', '5'];
    const replies = await Promise.all(
      secrets.map((secret) => client.send('post', '/sources/shop/secrets', { secret })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await shown()).toMatchObject({ secretCount: 5 });
    expect(await Promise.all(secrets.map((secret) => hook(secret)))).toEqual(secrets.map(() => '200'));
  });

  it('are refused by a provider that could not use them, in words that do not repeat them', async () => {
    await made({ slug: 'shop', provider: 'standard-webhooks' });
    const add = async (secret: unknown) => client.send('post', '/sources/shop/secrets', { secret });
    for (const secret of ['not base64!', '', 7, undefined]) {
      const reply = await add(secret);
      expect(refusalOf(reply)).toBe('422 validation-failed /secret');
      expect(reply.text).not.toContain('not base64!');
    }
    expect((await add(STANDARD)).body).toMatchObject({ secretCount: 1 });
  });
});

describe('a source without a secret', () => {
  it('refuses everything, and says so', async () => {
    const { status } = await made({ slug: 'shop', provider: 'shopify' });
    expect(status).toMatchObject({ receiving: false, reason: 'it has no secret, so it refuses everything' });
    expect(await hook('')).toBe('401 signature-invalid');
  });
});

describe('a paused source', () => {
  it('tells its provider to come back, works on what it has, and receives again when it is resumed', async () => {
    await made();
    const paused = await client.send('post', '/sources/shop/pause', { reason: 'stocktaking' });
    expect([paused.status, paused.body]).toMatchObject([
      200,
      { paused: true, status: { receiving: false, reason: 'it is paused' } },
    ]);
    expect(await client.lastAudit()).toMatchObject({
      action: 'source.pause',
      before: { paused: false },
      after: { paused: true },
      reason: 'stocktaking',
    });
    expect(await hook('first-secret', 'same')).toBe('503 source-paused');
    expect(await hook('another-secret')).toBe('401 signature-invalid');
    const before = await client.items('/audit');
    expect((await client.send('post', '/sources/shop/pause')).body).toMatchObject({ paused: true });
    expect(await client.items('/audit')).toEqual(before);
    const resumed = await client.send('post', '/sources/shop/resume', {});
    expect([resumed.status, resumed.body]).toMatchObject([
      200,
      { paused: false, status: { receiving: true } },
    ]);
    expect(await hook('first-secret', 'same')).toBe('200');
  });

  it('goes on with what it had received', async () => {
    await made();
    await service.database.prisma.$executeRaw`
      with stored as (
        insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at,
                              ready_at)
        select gen_random_uuid(), organization_id, id, 'shop/update', 'waits', 'waits', '{}', now(), '2999-01-01Z'
        from source where organization_id = ${client.id}::uuid
        returning organization_id, id
      )
      insert into delivery_body select organization_id, id, '{"id":1}' from stored`;
    await client.send('post', '/sources/shop/pause');
    expect((await shown()).status.waiting).toBe(1);
    await service.database.prisma.delivery.updateMany({
      where: { organizationId: client.id },
      data: { readyAt: new Date() },
    });
    await service.settle();
    expect((await shown()).status.waiting).toBe(0);
    expect(await client.items('/deliveries')).toMatchObject([{ state: 'done' }]);
  });
});

describe('the providers', () => {
  it('tell what can be set and what a person has to do', async () => {
    const items = await client.items('/providers');
    expect(items.map(({ id }) => id)).toEqual(PROVIDERS.map(({ id }) => id));
    expect(items[0]).toMatchObject({
      id: 'shopify',
      title: 'Shopify',
      settings: {
        bookTestOrders: { type: 'boolean', required: false, default: false },
        timeZone: { type: 'string', required: false, format: 'time-zone' },
      },
      setUp: PROVIDERS[0]?.setUp,
    });
    expect((await client.send('get', '/providers/shopify')).body).toEqual(items[0]);
    for (const id of ['nobody', 'constructor'])
      expect(refusalOf(await client.send('get', `/providers/${id}`))).toBe('404 not-found');
    expect((await client.send('get', '/providers', undefined, OPERATORS_KEY)).status).toBe(200);
  });
});
