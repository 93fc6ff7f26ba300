import type { OverviewView, PaymentsOfDayPage } from '../../src/admin/overview/overview.dto';
import type { DeliveryState } from '../../src/database/client/client';
import { lowestIdAt, newId } from '../../src/kernel/identifier';
import { cpfNumber } from '../support/documents';
import { OperatorsClient } from '../support/operators-client';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';

const CANCELLED = `rule: order-cancelled
when: { event: order.cancelled }
then:
  - id: schedule
    do: creditSchedule.find
    key: \${order.key}
  - id: account
    do: account.ensure
    with: { name: Baixas }
  - id: writeOff
    do: creditSchedule.writeOff
    key: \${order.key}/cancelled
    with:
      schedules: \${steps.schedule.all}
      account: \${steps.account.id}
      category: \${tables.category["cancelled-sales"]}
      date: \${order.cancelledAt.dateIn(org.timeZone)}
      description: Order \${order.number} was cancelled
`;

/** Books what a gateway settled as it is told, whether its order is known or not. */
const SETTLED = `rule: settled
when: { event: payment.settled }
then:
  - id: receipt
    do: receipt.registerDirectly
    key: \${settlement.key}
    with:
      account: \${tables.gatewayAccount[settlement.gateway]}
      value: \${settlement.value}
      date: \${settlement.settledAt.dateIn(org.timeZone)}
      description: Settlement \${settlement.id}
      category: \${tables.category["online-sales"]}
`;

type Payment = PaymentsOfDayPage['items'][number];

/** What somebody who follows the link of a sum asks for. */
const filterBy = (name: string, value: string | null): string =>
  value === null ? `without${name}=true` : `${name.toLowerCase()}=${encodeURIComponent(value)}`;

const total = (items: readonly { value: string }[]): number =>
  items.reduce((sum, { value }) => sum + Number(value), 0);
const count = (items: readonly { payments: number }[]): number =>
  items.reduce((sum, { payments }) => sum + payments, 0);

describe.each([
  ["on Ponte's own books", 'ledger', () => OrderHarness.embedded()],
  ['before a remote finance service', 'applied', () => OrderHarness.remote()],
] as const)('the money of an overview %s', (_where, books, open) => {
  let harness: OrderHarness;
  /** On which the orders are paid; before a remote service what was asked for counts, whatever its date. */
  let day: string;

  beforeAll(async () => {
    harness = await open();
    const today = (await show()).date;
    day = books === 'ledger' ? '2026-03-10' : today;
    await rule('order-cancelled', CANCELLED);
    await rule('settled', SETTLED);
  });
  afterAll(() => harness.stop());

  async function show(date?: string): Promise<OverviewView> {
    const query = date === undefined ? '' : `?date=${date}`;
    return (await harness.service.admin(`overview${query}`)) as OverviewView;
  }

  /** All payments of the day that the filter is for, from pages of two. */
  async function list(filter: string): Promise<Payment[]> {
    const found: Payment[] = [];
    for (let after = ''; ;) {
      const page = `overview/payments?date=${day}&limit=2&${filter}${after}`;
      const reply = (await harness.service.admin(page)) as PaymentsOfDayPage;
      expect([reply.complete, reply.items.length <= 2]).toEqual([true, true]);
      found.push(...reply.items);
      if (reply.after === null) return found;
      after = `&after=${encodeURIComponent(reply.after)}`;
    }
  }

  /** Each sum is that of its list. */
  async function expectLists({ money }: OverviewView): Promise<void> {
    const sums = [
      ...money.bySource.map((sum) => ({ ...sum, filter: filterBy('Source', sum.source) })),
      ...money.byAccount.map((sum) => ({ ...sum, filter: filterBy('Account', sum.account.id) })),
      ...money.byGateway.map((sum) => ({ ...sum, filter: filterBy('Gateway', sum.gateway) })),
    ];
    for (const { filter, value, payments } of sums) {
      const listed = await list(filter);
      expect([filter, total(listed).toFixed(2), listed.length]).toEqual([filter, value, payments]);
    }
    const all = await list('');
    expect(total(all).toFixed(2)).toBe(total(money.bySource).toFixed(2));
    expect(new Set(all.map(({ payment }) => payment)).size).toBe(all.length);
  }

  const rule = (name: string, document: string) =>
    harness.service.http
      .put(`/admin/organizations/main/rules/${name}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(document)
      .expect(200);

  const pay = (id: string, paid: string, more: object = {}, gateway = 'pagarme') =>
    harness.standard('order.paid', {
      ...{ id, total: '100.00', createdAt: '2026-03-09T09:00:00-03:00', instalments: 3 },
      customer: { id: `c${id}`, name: 'Lia Campos', document: cpfNumber(30_000 + Number(id)) },
      payment: {
        id: `p${id}`,
        gateway,
        method: 'pix',
        value: paid,
        paidAt: '2026-03-10T23:30:00-03:00',
      },
      ...more,
    });

  it('counts payments once, by the source that they came from, and on the day of the organization', async () => {
    await pay('1001', '100.00');
    await pay('1002', '40.50');
    const { money, currency } = await show(day);
    expect(currency).toBe('BRL');
    expect(money).toMatchObject({
      books,
      bySource: [{ source: 'standard', value: '140.50', payments: 2 }],
      byAccount: [{ value: '140.50', payments: 2 }],
      byGateway: [{ gateway: 'pagarme', value: '140.50', payments: 2 }],
      complete: true,
    });
    const name = money.byAccount[0]?.account.name;
    expect(name).toBe(books === 'ledger' ? 'Conta principal' : null);
    expect((await show('2026-03-11')).money.bySource).toEqual([]);
    const listed = await list('');
    expect(listed).toMatchObject([
      { payment: 'standard/order/1001/payment/p1001', value: '100.00', receipts: 3 },
      { payment: 'standard/order/1002/payment/p1002', value: '40.50', receipts: 2 },
    ]);
    for (const { businessKey, delivery, account, source, gateway } of listed)
      expect([businessKey, delivery, account.name, source, gateway]).toEqual([
        expect.stringMatching('^standard/order/100[12]$'),
        expect.any(String),
        ...[name, 'standard', 'pagarme'],
      ]);
  });

  it('is of the organization alone that is asked for', async () => {
    const other = await OperatorsClient.of(harness.service);
    const before = await show(day);
    expect(
      (await other.send('post', '/sources', { slug: 'standard', provider: 'standard-webhooks' })).status,
    ).toBe(201);
    expect((await show(day)).money).toEqual(before.money);
    const { body } = await other.send('get', `/overview?date=${day}`);
    expect((body as OverviewView).money).toMatchObject({ bySource: [], byAccount: [], byGateway: [] });
    expect((await other.send('get', `/overview/payments?date=${day}`)).body).toMatchObject({ items: [] });
  });

  it('lists no payments where the question makes no sense', async () => {
    for (const query of [
      'date=yesterday',
      'gateway=pagarme&withoutGateway=true',
      'source=a&withoutSource=true',
      'after=nothing',
      'after=WzFd',
      'limit=0',
      'gatway=pagarme',
      'source=nowhere',
      'account=nope',
      ...(books === 'ledger' ? [`account=${newId()}`] : []),
    ])
      await harness.service.http
        .get(`/admin/organizations/main/overview/payments?${query}`)
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .expect(400);
    expect(await list('gateway=nobodys')).toEqual([]);
  });

  it('leaves out what is written off', async () => {
    const before = await show(day);
    await pay('1003', '30.00');
    await harness.standard('order.cancelled', {
      ...{ id: '1003', total: '100.00', createdAt: '2026-03-09T09:00:00-03:00' },
      ...{ updatedAt: '2026-03-10T23:50:00-03:00', cancelledAt: '2026-03-10T23:50:00-03:00' },
    });
    const { money } = await show(day);
    expect(
      await harness.service.database.prisma.effect.count({
        where: { operation: 'credit-schedule.write-off', state: 'applied' },
      }),
    ).toBe(1);
    expect(total(money.bySource) - total(before.money.bySource)).toBe(30);
    expect(money.byAccount).toHaveLength(1);
    expect(total(money.byGateway)).toBe(total(money.bySource));
    await expectLists(await show(day));
  });

  const settle = (id: string, value: string, order?: { orderId: string; paymentId: string }) =>
    harness.standard('payment.settled', {
      ...{ id, gateway: 'pagarme', number: 1, of: 1, value, settledAt: '2026-03-10T23:40:00-03:00' },
      ...order,
    });
  const sumOf = async (gateway: string | null) =>
    (await show(day)).money.byGateway.find((sum) => sum.gateway === gateway);

  it('names the gateway of each payment as the shop spells it, and null where none is known', async () => {
    // Another organization has a source of the same name, with an order of the same number.
    await harness.service.database.prisma.moneyFacts.create({
      data: {
        ...{
          sourceId: lowestIdAt(new Date(0)),
          organizationId: newId(),
          key: 'standard/order/1004',
          kind: 'order',
        },
        ...{ madeAt: new Date(), asOf: new Date(), currency: 'BRL', totalMinor: 100n, instalments: 1 },
        ...{ payments: {}, refunds: {}, fees: {}, test: false, cancelled: false },
        gateways: { 'standard/order/1004/payment/p1004': 'of others' },
      },
    });
    await pay('1004', '20.00', {}, ' Mercado Pago ');
    await pay('1005', '5.00', {}, 'mercado_pago');
    await pay('1006', '7.00', {}, '');
    const before = await sumOf('pagarme');
    await settle('s1', '1.50', { orderId: '1001', paymentId: 'p1001' });
    await settle('s2', '0.25');
    const { money } = await show(day);
    expect(money.byGateway).toEqual([
      { gateway: 'pagarme', value: (Number(before?.value) + 1.5).toFixed(2), payments: 4 },
      { gateway: 'Mercado Pago', value: '20.00', payments: 1 },
      { gateway: null, value: '7.25', payments: 2 },
      { gateway: 'mercado_pago', value: '5.00', payments: 1 },
    ]);
    for (const sums of [money.byAccount, money.byGateway])
      expect([total(sums), count(sums)]).toEqual([total(money.bySource), count(money.bySource)]);
    await expectLists(await show(day));
  });

  it('has no gateway of what an earlier version worked on, until the order is told of again', async () => {
    await pay('1007', '11.00', {}, 'stripe');
    await harness.service.database.prisma.$executeRaw`
      update money_facts set gateways = null where key = 'standard/order/1007'`;
    expect(await sumOf('stripe')).toBeUndefined();
    expect(await sumOf(null)).toMatchObject({ value: '18.25', payments: 3 });
    await pay('1007', '11.00', {}, 'stripe');
    expect(await sumOf('stripe')).toMatchObject({ value: '11.00', payments: 1 });
    expect(await sumOf(null)).toMatchObject({ value: '7.25', payments: 2 });
  });
});

describe('receipts in own books', () => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await OrderHarness.embedded();
  });
  afterAll(() => harness.stop());

  it('are left out when they were taken back, and have no source where a person or another system booked them', async () => {
    const { service } = harness;
    const made = await service.operate('post', 'keys', {
      name: 'till',
      scopes: ['finance:read', 'finance:write'],
    });
    const { key } = made.body as { key: string };
    const { id: accountId } = await service.database.prisma.account.findFirstOrThrow({
      where: { code: 'main' },
    });
    const book = async (value: number) =>
      (
        await service.http
          .post('/v1/receipts')
          .set('apitoken', key)
          .send({
            accountId,
            value,
            date: '2026-05-04',
            description: 'over the counter',
            reference: 'till/7',
          })
          .expect(200)
      ).body as string;
    await book(12.34);
    await book(1);
    const money = async () => ((await service.admin('overview?date=2026-05-04')) as OverviewView).money;
    expect((await money()).bySource).toEqual([{ source: null, value: '13.34', payments: 1 }]);
    expect((await money()).byGateway).toEqual([{ gateway: null, value: '13.34', payments: 1 }]);
    const { prisma } = service.database;
    const entry = await prisma.entry.findFirstOrThrow({ where: { amountMinor: 100n, kind: 'receipt' } });
    await prisma.entry.create({
      data: {
        ...{ id: newId(), organizationId: entry.organizationId, kind: 'reversal', date: entry.date },
        ...{ amountMinor: 100n, debitBook: entry.creditBook, debitId: entry.creditId },
        ...{ creditBook: entry.debitBook, creditId: entry.debitId, reversesId: entry.id },
      },
    });
    expect((await money()).bySource).toEqual([{ source: null, value: '12.34', payments: 1 }]);
    const page = await service.admin('overview/payments?date=2026-05-04&withoutSource=true');
    expect(page).toMatchObject({ items: [{ payment: 'till/7', value: '12.34', businessKey: null }] });
  });
});

describe('the deliveries of an overview', () => {
  let harness: OrderHarness;
  let client: OperatorsClient;
  let sourceId: string;
  let otherSourceId: string;

  beforeAll(async () => {
    harness = await OrderHarness.embedded();
    client = await OperatorsClient.of(harness.service);
    expect((await client.send('patch', '', { timeZone: 'Europe/Lisbon' })).status).toBe(200);
    [sourceId, otherSourceId] = [await source('loja'), await source('outra')];
  });
  afterAll(() => harness.stop());

  async function source(slug: string): Promise<string> {
    await client.send('post', '/sources', { slug, provider: 'standard-webhooks' });
    const { id } = await harness.service.database.prisma.source.findFirstOrThrow({
      where: { slug, organizationId: client.id },
    });
    return id;
  }

  interface Stored {
    state: DeliveryState;
    outcome?: string;
    waitsOnly?: boolean;
    of?: string;
  }

  let stored = 0;
  async function store(
    at: string,
    { state, outcome, waitsOnly = false, of = sourceId }: Stored,
  ): Promise<void> {
    stored += 1;
    const receivedAt = new Date(at);
    const id = lowestIdAt(receivedAt).slice(0, -12) + String(stored).padStart(12, '0');
    await harness.service.database.prisma.delivery.create({
      data: {
        ...{ id, organizationId: client.id, sourceId: of, topic: 'a topic', dedupeKey: `${stored}` },
        ...{
          lane: `${of}/${stored}`,
          attributes: {},
          receivedAt,
          state,
          outcome: outcome ?? null,
          waitsOnly,
        },
        // Nobody works on it meanwhile.
        readyAt: new Date('2099-01-01T00:00:00Z'),
        ...(state === 'dead' && { reason: 'a test' }),
        finishedAt: state === 'waiting' ? null : receivedAt,
        ...(waitsOnly && { waitsFor: ['a record'] }),
      },
    });
  }

  async function show(date?: string): Promise<OverviewView> {
    const reply = await client.send('get', `/overview${date === undefined ? '' : `?date=${date}`}`);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.body as OverviewView;
  }

  it('are counted by what they are now, those of the day in the time zone alone', async () => {
    const applied = { state: 'done', outcome: 'applied' } as const;
    await store('2026-06-09T22:59:59.999Z', applied);
    await store('2026-06-09T23:00:00Z', applied);
    await store('2026-06-10T12:00:00Z', { ...applied, outcome: 'applied; needs a person: amount-differs' });
    await store('2026-06-10T12:20:00Z', {
      state: 'done',
      outcome: 'existing, not changed',
      of: otherSourceId,
    });
    await store('2026-06-10T12:40:00Z', { state: 'done', outcome: 'no rule applied to order.created' });
    await store('2026-06-10T12:59:59.999Z', { state: 'done', outcome: 'a test' });
    await store('2026-06-10T13:00:00Z', { state: 'dead' });
    await store('2026-06-10T13:10:00Z', { state: 'dead', waitsOnly: true, of: otherSourceId });
    await store('2026-06-10T14:00:00Z', { state: 'waiting' });
    await store('2026-06-10T22:59:59.999Z', { state: 'discarded', outcome: 'discarded' });
    await store('2026-06-10T23:00:00Z', applied);
    const { received, flow, lagSeconds, open } = await show('2026-06-10');
    expect(received).toEqual({
      ...{ accepted: 9, applied: 3, waiting: 1, waitingForRecord: 1, dead: 1, ignored: 2, discarded: 1 },
      complete: true,
    });
    expect(flow).toHaveLength(24);
    expect(flow.filter(({ accepted }) => accepted > 0)).toEqual([
      { hour: 0, from: '2026-06-09T23:00:00.000Z', accepted: 1, applied: 1, dead: 0 },
      { hour: 13, from: '2026-06-10T12:00:00.000Z', accepted: 4, applied: 2, dead: 0 },
      { hour: 14, from: '2026-06-10T13:00:00.000Z', accepted: 2, applied: 0, dead: 1 },
      { hour: 15, from: '2026-06-10T14:00:00.000Z', accepted: 1, applied: 0, dead: 0 },
      { hour: 23, from: '2026-06-10T22:00:00.000Z', accepted: 1, applied: 0, dead: 0 },
    ]);
    expect(open).toEqual({
      ...{ deadLetters: 1, unknownEffects: 0, attention: 0, approvals: 0, deferred: 0, complete: true },
    });
    const age = (Date.now() - Date.parse('2026-06-10T14:00:00Z')) / 1000;
    expect(Math.abs((lagSeconds ?? 0) - age)).toBeLessThan(60);
    // Another organization received nothing.
    const other = await OperatorsClient.of(harness.service);
    const reply = await other.send('get', '/overview?date=2026-06-10');
    expect(reply.body).toMatchObject({
      received: { accepted: 0 },
      lagSeconds: null,
      open: { deadLetters: 0 },
    });
  });

  it('are in the hours that clocks show on days on which they are changed', async () => {
    for (const at of [
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T01:40:00Z',
      '2026-10-25T23:59:00Z',
    ])
      await store(at, { state: 'done', outcome: 'applied' });
    const { flow, received } = await show('2026-10-25');
    expect(received.accepted).toBe(4);
    expect(flow.map(({ hour }) => hour)).toEqual([
      0,
      1,
      1,
      ...Array.from({ length: 22 }, (_, hour) => hour + 2),
    ]);
    expect(flow.slice(0, 4).map(({ accepted, from }) => [accepted, from])).toEqual([
      [0, '2026-10-24T23:00:00.000Z'],
      [1, '2026-10-25T00:00:00.000Z'],
      [2, '2026-10-25T01:00:00.000Z'],
      [0, '2026-10-25T02:00:00.000Z'],
    ]);
    expect(flow.at(-1)?.accepted).toBe(1);
    expect((await show('2026-03-29')).flow).toHaveLength(23);
  });

  it('are those of today in the time zone where no day is asked for', async () => {
    const before = (await show()).received.accepted;
    await store(new Date().toISOString(), { state: 'discarded' });
    const { date, timeZone, received } = await show();
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(new Date());
    expect([date, timeZone, received.accepted - before]).toEqual([today, 'Europe/Lisbon', 1]);
  });

  it('stand beside what is open now, each counted up to ten thousand', async () => {
    const { prisma } = harness.service.database;
    const organizationId = client.id;
    const now = new Date();
    const plan = { rule: 'a-rule', ruleVersion: 1, step: 'a step' };
    for (const key of ['one', 'two', 'three'])
      await prisma.approval.create({
        data: {
          ...{ id: newId(), organizationId, effectKey: key, plan: {}, ...plan, deliveryId: newId() },
          ...{ requestedAt: now },
        },
      });
    for (const key of ['one', 'two'])
      await prisma.deferredEffect.create({
        data: {
          ...{ id: newId(), organizationId, key, operation: 'http.notify', effect: {}, ...plan },
          ...{ datesKnown: true, runId: newId(), businessKey: key, createdAt: now },
          ...{ dueAt: new Date('2099-01-01T00:00:00Z'), readyAt: new Date('2099-01-01T00:00:00Z') },
        },
      });
    for (const [key, abandonedAt] of [...'abcd'].map((each) => [each, each === 'd' ? now : null] as const))
      await prisma.financeCall.create({
        data: {
          ...{ id: newId(), organizationId, effectKey: key, part: 1, operation: 'receipts.register' },
          ...{
            request: {},
            state: 'unknown',
            needsReviewAt: now,
            abandonedAt,
            createdAt: now,
            updatedAt: now,
          },
        },
      });
    const attention = (count: number) => prisma.$executeRaw`
      insert into attention (id, organization_id, business_key, code, detail, amount_minor, created_at, resolved_at)
      select gen_random_uuid(), ${organizationId}::uuid, 'a key', 'a-code', gen_random_uuid()::text, 0, now(),
        case when n = 0 then now() end
      from generate_series(0, ${count}::int) n`;
    await attention(5);
    const { open } = await show();
    expect(open).toMatchObject({
      unknownEffects: 3,
      attention: 5,
      approvals: 3,
      deferred: 2,
      complete: true,
    });
    await attention(9_995);
    expect((await show()).open).toMatchObject({ attention: 10_000, complete: true });
    await attention(1);
    expect((await show()).open).toMatchObject({ attention: 10_000, approvals: 3, complete: false });
  });

  it.each(['2026-02-30', '10/03/2026', '1999-12-31', '9999-12-31', 'today', '2026-03-10T00:00:00Z'])(
    'are refused for %s, which is no day',
    async (date) => {
      const reply = await client.send('get', `/overview?date=${date}`);
      expect([reply.status, (reply.body as { error: string }).error]).toEqual([400, 'malformed-request']);
    },
  );

  it('are refused with a query that nobody knows', async () => {
    expect((await client.send('get', '/overview?day=2026-03-10')).status).toBe(400);
  });
});
