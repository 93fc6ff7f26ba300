import { storedRetention } from '../../../src/kernel/retention';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient, send } from '../../support/operators-client';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

/** The rules of the configuration that comes with Ponte. */
const SHIPPED_RULES = [
  ...['bill-paid', 'fee-charged', 'marketplace-commission', 'order-cancelled', 'order-edited', 'order-paid'],
  ...['order-refunded', 'payment-disputed', 'payment-fee', 'payout-paid'],
];

describe('POST /admin/organizations', () => {
  it('makes an organization and says so in its audit log', async () => {
    const reply = await send(service, 'post', '', {
      slug: 'padaria',
      name: 'Padaria',
      timeZone: 'America/Manaus',
      currency: 'USD',
      reason: 'a new customer',
    });
    expect(reply.status).toBe(201);
    const { id, ...fields } = reply.body as { id: string };
    const stored = {
      slug: 'padaria',
      name: 'Padaria',
      timeZone: 'America/Manaus',
      currency: 'USD',
      defaultAccountId: null,
      rawBodyDays: 90,
      retention: storedRetention({}, 90),
      profile: 'cash',
    };
    expect(fields).toEqual(stored);
    expect((await send(service, 'get', `/${id}`)).body).toEqual({ id, ...stored });
    const audit = (await send(service, 'get', '/padaria/audit')).body as { items: object[] };
    expect(audit.items).toEqual([
      expect.objectContaining({
        action: 'organization.create',
        subject: id,
        before: null,
        after: { ...stored, rules: SHIPPED_RULES },
        reason: 'a new customer',
      }),
    ]);
  });

  it('is Brazilian unless it says otherwise, and brings no chart unasked', async () => {
    const reply = await client.send('get', '');
    expect(reply.body).toMatchObject({ timeZone: 'America/Sao_Paulo', currency: 'BRL' });
    expect(await client.items('/banks')).toEqual([]);
  });

  it('brings the chart that it names', async () => {
    const brazilian = await OperatorsClient.of(service, 'brazil');
    expect(await brazilian.items('/banks?code=341')).toEqual([
      { id: expect.any(String), code: '341', name: 'Itaú Unibanco', color: '#EC7000', deleted: false },
    ]);
    expect(await brazilian.items('/categories?referenceCode=1.1.01')).toHaveLength(1);
    expect(await brazilian.items('/cost-centers')).not.toEqual([]);
  });

  it('brings the rules and tables of the configuration, unless the request says otherwise', async () => {
    await send(service, 'post', '', { slug: 'with-rules', name: 'With rules' });
    await send(service, 'post', '', { slug: 'without', name: 'Without', rules: 'none' });
    const names = async (path: string): Promise<unknown[]> => {
      const { items } = (await send(service, 'get', path)).body as { items: { name: string }[] };
      return items.map(({ name }) => name);
    };
    expect(await names('/with-rules/rules')).toEqual(SHIPPED_RULES);
    expect(await names('/with-rules/tables')).toEqual([
      ...['category', 'gatewayAccount', 'paymentTiming', 'payoutAccount', 'sales'],
    ]);
    expect((await send(service, 'get', '/with-rules/rules/order-paid')).body).toMatchObject({
      ...{ version: 1, enabled: true },
    });
    expect(await names('/without/rules')).toEqual([]);
    expect(await names('/without/tables')).toEqual([]);
  });

  it.each([
    [{}, '422 validation-failed /name /slug'],
    [{ slug: 'Padaria', name: 'P' }, '422 validation-failed /slug'],
    [{ slug: '-p', name: 'P' }, '422 validation-failed /slug'],
    [{ slug: '0197a5b0-0000-7000-8000-000000000000', name: 'P' }, '422 validation-failed /slug'],
    [{ slug: 'p', name: 'P', timeZone: 'America/Nowhere' }, '422 validation-failed /timeZone'],
    [{ slug: 'p', name: 'P', timeZone: '-03:00' }, '422 validation-failed /timeZone'],
    [{ slug: 'p', name: 'P', timeZone: null }, '422 validation-failed /timeZone'],
    [{ slug: 'p', name: 'P', currency: 'brl' }, '422 validation-failed /currency'],
    [{ slug: 'p', name: 'P', currency: 'ABC' }, '422 validation-failed /currency'],
    [{ slug: 'p', name: 'P', currency: 'XAU' }, '422 validation-failed /currency'],
    [{ slug: 'p', name: 'P', currency: 'CLF' }, '422 validation-failed /currency'],
    [{ slug: 'p', name: 'P', rules: 'some' }, '422 validation-failed /rules'],
    [{ slug: 'p', name: 'P', rules: null }, '422 validation-failed /rules'],
    [{ slug: 'p', name: 'P', chart: 'atlantis' }, '422 validation-failed /chart'],
    [{ slug: 'p', name: 'P', profile: 'Cash' }, '422 validation-failed /profile'],
    [{ slug: 'p', name: 'P', profile: 'atlantis', rules: 'none' }, '422 validation-failed /profile'],
  ])('refuses %j', async (body, refusal) => {
    const [status, code, ...pointers] = refusalOf(await send(service, 'post', '', body)).split(' ');
    expect([status, code, ...pointers.sort()].join(' ')).toBe(refusal);
    expect((await send(service, 'get', '/p')).status).toBe(404);
  });

  it('takes a slug once, however many ask at once', async () => {
    const body = { slug: 'wanted', name: 'Wanted', chart: 'brazil' };
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(service, 'post', '', body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it("is for the operators' key only", async () => {
    const made = await client.send('post', '/keys', { name: 'own', scopes: ['admin'] });
    const { key } = made.body as { key: string };
    expect(refusalOf(await send(service, 'post', '', { slug: 'mine', name: 'Mine' }, key))).toBe(
      '403 scope-missing',
    );
  });
});

describe('PATCH /admin/organizations/{org}', () => {
  it('changes what it brings and leaves the rest', async () => {
    const reply = await client.send('patch', '', { name: 'New name', timeZone: 'UTC', reason: 'they moved' });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      slug: client.slug,
      name: 'New name',
      timeZone: 'UTC',
      currency: 'BRL',
    });
    expect(await client.lastAudit()).toMatchObject({
      action: 'organization.change',
      before: { name: 'An organization' },
      after: { name: 'New name', timeZone: 'UTC' },
      reason: 'they moved',
    });
  });

  it.each([
    [{ slug: 'another' }, '422 validation-failed /slug'],
    [{ name: null }, '422 validation-failed /name'],
    [{ defaultAccountId: '0197a5b0-0000-7000-8000-000000000000' }, '422 validation-failed /defaultAccountId'],
    [{ timeZone: 'Mars' }, '422 validation-failed /timeZone'],
  ])('refuses %j', async (body, refusal) => {
    expect(refusalOf(await client.send('patch', '', body))).toBe(refusal);
  });

  it('takes another currency until something is booked', async () => {
    expect((await client.send('patch', '', { currency: 'USD' })).status).toBe(200);
    expect((await client.finance('post', '/accounts', { name: 'Bank', openBalance: 10 })).status).toBe(200);
    expect(refusalOf(await client.send('patch', '', { currency: 'BRL' }))).toBe('409 conflict');
    expect((await client.send('patch', '', { currency: 'USD' })).status).toBe(200);
  });

  it('takes an account of its own as the default, and none', async () => {
    const account = (await client.finance('post', '/accounts', { name: 'Bank' })).body as string;
    const other = await OperatorsClient.of(service);
    expect(refusalOf(await other.send('patch', '', { defaultAccountId: account }))).toBe(
      '422 validation-failed /defaultAccountId',
    );
    expect((await client.send('patch', '', { defaultAccountId: account })).body).toMatchObject({
      defaultAccountId: account,
    });
    expect((await client.send('patch', '', { defaultAccountId: null })).body).toMatchObject({
      defaultAccountId: null,
    });
  });
});
