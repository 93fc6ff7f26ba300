import type { DemoOrder } from '../../scripts/demo/shop-orders';
import type { CompletenessView } from '../../src/admin/completeness/completeness.dto';
import type { DeliveryDetailView } from '../../src/admin/deliveries/deliveries.dto';
import type { CallView } from '../../src/admin/finance/effects-admin.dto';
import type { RetentionStatusView } from '../../src/admin/organizations.dto';
import type { RetentionChange } from '../../src/kernel/retention';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { BacktestClient } from '../support/backtests';
import { cpfNumber } from '../support/documents';
import { refusalOf } from '../support/finance-client';
import { OrderHarness } from '../support/order-harness';
import { removeAfter } from '../support/retained';
import { OPERATORS_KEY } from '../support/service';

const ALL: RetentionChange = { bodies: 30, plans: 90, calls: 90, deferred: 90, attention: 90, feed: 90 };

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order whose plan is no longer kept, %s', (where, open) => {
  let harness: OrderHarness;
  const isRemote = where.includes('remote');
  let orders = 0;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());
  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  function newOrder(): DemoOrder {
    orders += 1;
    return {
      ...{ id: 9_300_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(93_000 + orders), email: `lia${orders}@example.com`, instalments: 2 },
    };
  }

  async function keep(retention: RetentionChange): Promise<void> {
    const reply = await harness.service.http
      .patch('/admin/organizations/main')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .send({ retention });
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({ retention: expect.objectContaining(retention) }),
    ]);
  }

  async function delivery(id: string): Promise<DeliveryDetailView> {
    return (await harness.service.admin(`deliveries/${id}`)) as DeliveryDetailView;
  }

  async function plansOf(id: string): Promise<string> {
    const runs = await harness.service.database.prisma.run.findMany({ where: { deliveryId: id } });
    return JSON.stringify(runs.map(({ plan }) => plan));
  }

  /** How much is booked: whatever is booked a second time shows here. */
  async function booked(): Promise<number[]> {
    const { prisma } = harness.books;
    return [
      await prisma.stakeholder.count(),
      await prisma.schedule.count(),
      await prisma.entry.count(),
      await harness.service.database.prisma.effect.count(),
      await harness.service.database.prisma.financeCall.count(),
    ];
  }

  /** How the shop's orders compare with the books. */
  async function completeness(): Promise<Omit<CompletenessView, 'asOf'>> {
    const [from, to] = ['2026-11-01', '2026-11-30'];
    const { asOf: _asOf, ...report } = (await harness.service.admin(
      `completeness?from=${from}&to=${to}&source=shopify`,
    )) as CompletenessView;
    return report;
  }

  it('keeps all but its body where nothing is said of it, however old it is', async () => {
    const order = newOrder();
    await harness.shopify(order);
    const { id } = await harness.lastDelivery();
    const { prisma } = harness.service.database;
    const kept = () => Promise.all([plansOf(id), prisma.financeCall.findMany()]);
    const before = await kept();
    const changes = await prisma.feedChange.findMany({ select: { batchId: true, number: true } });
    expect(await removeAfter(harness.service, 36_000)).toBe(0);
    expect(await prisma.deliveryBody.count()).toBe(0);
    expect(await kept()).toEqual(before);
    // A timer appends changed balances meanwhile.
    const after = await prisma.feedChange.findMany({ select: { batchId: true, number: true } });
    expect(after).toEqual(expect.arrayContaining(changes));
    expect((await delivery(id)).runs).toMatchObject([{ planRemovedAt: null }]);
  });

  it('loses what it was asked for with after its days, and not before', async () => {
    const order = newOrder();
    await harness.shopify(order);
    const { id } = await harness.lastDelivery();
    await keep(ALL);
    const before = await delivery(id);
    await removeAfter(harness.service, 89);
    expect(await plansOf(id)).toContain(`shopify order #${order.number}`);
    await removeAfter(harness.service, 91);
    // The body goes with its month only: until then the delivery can be worked on, and keeps its plan.
    await removeAfter(harness.service, 200);
    expect(await plansOf(id)).not.toContain(`shopify order #${order.number}`);
    expect(await plansOf(id)).not.toContain(order.email);
    const after = await delivery(id);
    expect(after.runs).toEqual(
      before.runs.map((run) => ({ ...run, planRemovedAt: expect.stringMatching(/Z$/) as string })),
    );
    expect(after.effects).toEqual(before.effects);
    expect(after.body).toMatchObject({ text: null, purgedAt: expect.any(String) as string });
    const status = (await harness.service.admin('retention')) as RetentionStatusView;
    expect(status.kinds.find(({ kind }) => kind === 'plans')).toMatchObject({ days: 90, complete: true });
  });

  it('is not worked on again, and books nothing twice, whatever is sent or asked', async () => {
    const order = newOrder();
    await harness.shopify(order);
    const { id } = await harness.lastDelivery();
    const complete = await completeness();
    expect(complete.entities.orders).toBeGreaterThan(0);
    await keep(ALL);
    await removeAfter(harness.service, 200);
    expect(await completeness()).toEqual(complete);
    const before = await booked();
    for (const dryRun of [true, false]) {
      const reply = await harness.service.operate('post', `deliveries/${id}/replay`, { dryRun });
      expect(refusalOf(reply)).toBe('410 body-purged');
    }
    const client = new BacktestClient(harness.service);
    const period = { from: new Date(Date.now() - 86_400_000).toISOString() };
    expect(await client.backtest(period)).toMatchObject({
      items: [],
      bodiesGone: expect.arrayContaining([expect.objectContaining({ id })]) as unknown,
    });
    // The shop sends the order again, as it does after a change: under another identifier of the delivery.
    await harness.shopify(order, { note: 'again' });
    await harness.shopify(order, {}, 'orders/updated');
    expect(await harness.lastDelivery()).toMatchObject({ state: 'done', needsPerson: false });
    expect(await harness.attention(order)).toEqual([]);
    expect(await booked()).toEqual(before);
    expect(await completeness()).toEqual(complete);
  });

  it('still shows a person an amount that differs', async () => {
    const order = newOrder();
    await harness.shopify(order);
    await keep(ALL);
    await removeAfter(harness.service, 200);
    await harness.shopify({ ...order, total: '130.00' });
    expect((await harness.attention(order)).map(({ code }) => code)).toContain('amount-differs');
  });

  if (isRemote)
    it('keeps what a call was sent with for its days after it was settled, however long ago it was asked for', async () => {
      await harness.shopify(newOrder());
      await keep(ALL);
      const { prisma } = harness.service.database;
      const last = { where: { operation: 'schedules.createCredit' }, orderBy: { id: 'desc' } } as const;
      const { id, request } = await prisma.financeCall.findFirstOrThrow(last);
      await prisma.$executeRaw`
        update finance_call set updated_at = now() + interval '250 days' where id = ${id}::uuid`;
      await removeAfter(harness.service, 300);
      expect(await prisma.financeCall.findUniqueOrThrow({ where: { id } })).toMatchObject({ request });
      await removeAfter(harness.service, 400);
      const later = await prisma.financeCall.findUniqueOrThrow({ where: { id } });
      expect(later.request).toHaveProperty('removedAt');
    });

  if (isRemote)
    it('has calls that tell what was booked, and of no person', async () => {
      const order = newOrder();
      await harness.shopify(order);
      await keep(ALL);
      const calls = await harness.service.database.prisma.financeCall.findMany({
        where: { state: 'applied' },
        orderBy: { id: 'desc' },
        take: 3,
      });
      const shown = (id: string) => harness.service.admin(`effects/${id}`) as Promise<CallView>;
      const before = await Promise.all(calls.map(({ id }) => shown(id)));
      await removeAfter(harness.service, 200);
      const after = await Promise.all(calls.map(({ id }) => shown(id)));
      expect(after).toEqual(
        before.map((call) => ({
          ...call,
          sent: expect.any(Object) as object,
          tries: [],
          contentRemovedAt: expect.any(String) as string,
        })),
      );
      const rows = await harness.service.database.prisma.financeCall.findMany();
      expect(JSON.stringify(rows)).not.toContain('Lia Campos');
      expect(JSON.stringify(rows)).not.toContain(order.email);
    });
});
