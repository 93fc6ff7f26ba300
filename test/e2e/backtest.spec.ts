import { type DemoOrder, wooOrder } from '../../scripts/demo/shop-orders';
import type { RepairView } from '../../src/admin/backtest/backtest.dto';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { BacktestClient, totalsIn } from '../support/backtests';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { settledTables, storedTables } from '../support/stored-tables';

const LATER_RULES = ['order-refunded', 'payment-fee'];

function refund(id: number, amount: string) {
  return {
    id,
    created_at: '2026-11-21T10:00:00-03:00',
    transactions: [
      {
        ...{ kind: 'refund', status: 'success', gateway: 'mercado_pago', amount },
        processed_at: '2026-11-21T23:30:00-03:00',
      },
    ],
  };
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('orders that were booked before rules were switched on, %s', (_where, open) => {
  let harness: OrderHarness;
  let client: BacktestClient;
  let orders = 0;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  beforeEach(async () => {
    await switchRules('enable', ['order-paid']);
    await switchRules('disable');
    client = new BacktestClient(harness.service);
  });
  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  async function switchRules(verb: 'enable' | 'disable', names = LATER_RULES): Promise<void> {
    for (const name of names)
      expect((await harness.service.operate('post', `rules/${name}/${verb}`)).status).toBe(200);
  }

  function newOrder(): DemoOrder {
    orders += 1;
    return {
      ...{ id: 8_600_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(86_000 + orders), email: `lia${orders}@example.com`, instalments: 2 },
    };
  }

  /** A WooCommerce order whose gateway keeps a fee. */
  async function paidWithFee(order: DemoOrder, fee: string): Promise<void> {
    const own = JSON.parse(wooOrder(order, 'processing').toString()) as object;
    const meta = [
      { key: '_billing_cpf', value: order.document },
      { key: '_stripe_fee', value: fee },
    ];
    const body = JSON.stringify({ ...own, meta_data: meta });
    const hook = { source: 'woocommerce', topic: 'order.updated', body } as const;
    expect((await harness.service.hook(hook)).status).toBe(200);
    await harness.settled();
  }

  /** A Shopify order that is paid, and then refunded in two parts that several webhooks tell of. */
  async function refundedTwice(order: DemoOrder): Promise<void> {
    await harness.shopify(order);
    const [one, two] = [refund(9_001, '30.00'), refund(9_002, '12.34')];
    const partly = { financial_status: 'partially_refunded', refunds: [one] };
    await harness.shopify(order, partly, 'orders/updated');
    await harness.shopify(order, { ...partly, refunds: [one, two] }, 'orders/updated');
    await harness.shopify(order, { ...partly, refunds: [one, two], note: 'again' }, 'orders/updated');
  }

  /** Minor units on the account that everything goes to. */
  async function balance(): Promise<bigint> {
    const where = { name: 'Conta principal' };
    const { id } = await harness.books.prisma.account.findFirstOrThrow({ where });
    return (await readBalances(harness.books.prisma, [id])).get(id) ?? 0n;
  }

  it('refunds and fees are named to the cent, and a repair books each once', async () => {
    const before = await balance();
    const order = newOrder();
    await refundedTwice(order);
    await paidWithFee(newOrder(), '4.39');
    await harness.shopify(newOrder());
    expect((await balance()) - before).toBe(30_000n);
    expect(totalsIn(await client.backtest())).toEqual([]);

    expect(totalsIn(await client.backtest({}, 'order-refunded'))).toEqual([
      'missing payment.register 2 42.34',
    ]);
    await switchRules('enable');
    const found = await client.backtest();
    expect(found).toMatchObject({
      currency: 'BRL',
      deliveries: { read: 6, compared: 6, waiting: 0, dead: 0, discarded: 0, bodiesGone: 0 },
      orders: { compared: 3, differing: 2 },
      totals: [{ kind: 'missing', operation: 'payment.register', count: 3, value: '46.73' }],
      refusals: 0,
      notListed: 0,
    });
    expect(found.items[0]).toEqual({
      businessKey: `shopify/order/${order.id}`,
      refused: [],
      effects: [
        expect.objectContaining({
          ...{ kind: 'missing', rule: 'order-refunded', step: 'refund', state: 'absent' },
          ...{ key: `payment/shopify/order/${order.id}/refund/9001`, value: '30.00', date: '2026-11-21' },
        }),
        expect.objectContaining({ key: `payment/shopify/order/${order.id}/refund/9002`, value: '12.34' }),
      ],
    });

    const repaired = await client.repair();
    // Of the four webhooks of the refunded order, the two that first tell of a refund.
    expect(repaired).toMatchObject({ deliveries: 3, queued: 3, backtest: { totals: found.totals } });
    expect((await balance()) - before).toBe(30_000n - 4_673n);
    expect(totalsIn(await client.backtest())).toEqual([]);
    expect(await harness.service.admin('audit?action=delivery.repair')).toMatchObject({
      items: [1, 2, 3].map(() => ({ reason: 'old orders', after: { repair: repaired.repair } })),
    });
    expect(await client.done(repaired.repair!)).toMatchObject({ queued: 3, done: 3, dead: 0 });
  });

  it('a backtest and a plan write nothing at all', async () => {
    await refundedTwice(newOrder());
    await switchRules('enable');
    const before = [await settledTables(harness.service.database), await settledTables(harness.books)];
    await client.backtest();
    await client.backtest({ rule: { name: 'order-paid', version: 1 } });
    await client.backtest({}, 'payment-fee');
    await client.plan();
    expect([await storedTables(harness.service.database), await storedTables(harness.books)]).toEqual(before);
  });

  it('what was applied with another amount or content, or is planned no more, is left to a person', async () => {
    const order = newOrder();
    await harness.shopify(order);
    const { document } = (await harness.service.admin('rules/order-paid')) as { document: string };
    const dearer = document
      .replace('value: ${order.payment.value}', 'value: ${order.payment.value - money("1.50")}')
      .replace(
        'do: creditSchedule.ensure\n    key: ${order.key}',
        'do: creditSchedule.ensure\n    key: ${order.key}/sale',
      )
      .replace('description: ${order.source} order', 'description: Sale of ${order.source} order');
    const changed = await client.backtest({ document: dearer }, 'order-paid');
    expect(totalsIn(changed)).toEqual([
      'missing credit-schedule.create 1 100.00',
      'changed receipt.allocate 1 -1.50',
      'unplanned credit-schedule.create 1 100.00',
    ]);
    const [item] = changed.items;
    expect(item?.effects.find(({ kind }) => kind === 'changed')).toMatchObject({
      ...{ value: '98.50', applied: '100.00', advice: expect.stringContaining('by hand') },
    });
    expect(item?.effects.find(({ kind }) => kind === 'unplanned')).toMatchObject({
      ...{
        key: `credit-schedule/shopify/order/${order.id}`,
        advice: expect.stringContaining('cannot take it back'),
      },
    });
    const renamed = document.replace('order ${order.number}', 'sale ${order.number}');
    const content = await client.backtest({ rule: { name: 'order-paid', document: renamed } });
    expect(content.items[0]?.effects).toMatchObject([
      { kind: 'changed', content: ['description'], applied: null },
    ]);
    await switchRules('disable', ['order-paid']);
    expect(totalsIn(await client.backtest())).toEqual([
      'unplanned credit-schedule.create 1 100.00',
      'unplanned customer.ensure 1 0.00',
      'unplanned receipt.allocate 1 100.00',
    ]);
  });

  it('a refusal is told with its sentence, and what waits or is dead apart', async () => {
    await harness.shopify(newOrder());
    const { document } = (await harness.service.admin('rules/order-paid')) as { document: string };
    const unknown = document.replace('"online-sales"', '"no-such-entry"');
    const found = await client.backtest({ document: unknown }, 'order-paid');
    expect(found).toMatchObject({ refusals: 1, totals: [], orders: { compared: 1, differing: 1 } });
    expect(found.items[0]?.refused).toEqual([
      { rule: 'order-paid', step: 'schedule', reason: expect.stringContaining('no-such-entry') },
    ]);
    const { id } = await harness.lastDelivery();
    await harness.service.database.prisma.delivery.update({
      where: { id },
      data: { state: 'dead', reason: 'a reason' },
    });
    expect(await client.backtest({ document: unknown }, 'order-paid')).toMatchObject({
      ...{ refusals: 0, deliveries: { read: 1, compared: 0, dead: 1 }, dead: [{ reason: 'a reason' }] },
    });
  });

  it('a delivery whose body is gone is named, and the others are repaired', async () => {
    await refundedTwice(newOrder());
    const gone = await harness.lastDelivery();
    await paidWithFee(newOrder(), '4.39');
    await harness.service.database.prisma.deliveryBody.deleteMany({ where: { id: gone.id } });
    await switchRules('enable');
    const { backtest } = await client.repair();
    expect(backtest).toMatchObject({ deliveries: { bodiesGone: 1 }, bodiesGone: [{ id: gone.id }] });
    expect(totalsIn(await client.backtest())).toEqual([]);
  });

  it('a plan that is another one meanwhile is refused with the one of now, and nothing is queued', async () => {
    await refundedTwice(newOrder());
    await switchRules('enable', ['order-refunded']);
    const { plan } = await client.plan();
    await paidWithFee(newOrder(), '4.39');
    await switchRules('enable', ['payment-fee']);
    const now = await client.plan();
    const refused = await client.carryOut(plan);
    expect(refused).toMatchObject({
      status: 409,
      body: { type: expect.stringContaining('conflict'), plan: now.plan },
    });
    expect(totalsIn(await client.backtest())).toEqual(totalsIn(now.backtest));
    const done = await client.carryOut(now.plan);
    expect(done.status).toBe(200);
    await client.done((done.body as RepairView).repair!);
    const again = await client.carryOut(now.plan);
    expect(again).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('nothing is missing') },
    });
    expect(totalsIn(await client.backtest())).toEqual([]);
  });

  it('two operators who repair at once, while webhooks arrive, book everything once', async () => {
    const before = await balance();
    await refundedTwice(newOrder());
    await paidWithFee(newOrder(), '4.39');
    await switchRules('enable');
    const { plan } = await client.plan();
    const [one, two] = await Promise.all([
      client.carryOut(plan),
      client.carryOut(plan),
      harness.shopify(newOrder()),
      harness.shopify(newOrder()),
    ]);
    expect([one.status, two.status].filter((status) => status === 200).length).toBeGreaterThan(0);
    await harness.settled();
    expect((await balance()) - before).toBe(40_000n - 4_234n - 439n);
    expect(totalsIn(await client.backtest())).toEqual([]);
  });
});
