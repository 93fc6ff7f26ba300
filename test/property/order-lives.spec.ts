import fc from 'fast-check';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { slowPropertyRuns } from '../support/property-runs';
import { removeAfter } from '../support/retained';
import { OPERATORS_KEY, TestService } from '../support/service';

const SALE = {
  ...{ id: 1, kind: 'sale', status: 'success', gateway: 'mercado_pago', amount: '100.00' },
  processed_at: '2026-11-20T10:05:00-03:00',
};

function refund(id: number, amount: string, day: string, gateway = 'mercado_pago') {
  const processed_at = `${day}T23:30:00-03:00`;
  const transactions = [{ kind: 'refund', status: 'success', gateway, amount, processed_at }];
  return { id, created_at: processed_at, transactions };
}

const FIRST = refund(1, '30.00', '2026-11-21');
const SECOND = refund(2, '10.50', '2026-11-25');
const CREDIT = refund(3, '9.50', '2026-11-26', 'gift_card');

const TAKEN = {
  type: 'chargeback',
  amount: '20.00',
  currency: 'BRL',
  initiated_at: '2026-11-23T23:30:00-03:00',
};

/** The life of an order, as its shop says it in turn: each a topic and what differs from the order as it was paid. */
const LIFE: readonly (readonly [topic: string, fields: object])[] = [
  ['orders/create', { financial_status: 'pending', transactions: [] }],
  ['orders/paid', {}],
  ['orders/updated', {}],
  ['orders/updated', { financial_status: 'partially_refunded', refunds: [FIRST] }],
  ['orders/updated', { financial_status: 'partially_refunded', refunds: [FIRST, SECOND] }],
  ['orders/updated', { financial_status: 'partially_refunded', refunds: [FIRST, SECOND, CREDIT] }],
  ['disputes/create', { ...TAKEN, status: 'needs_response', finalized_on: null }],
  ['disputes/update', { ...TAKEN, status: 'won', finalized_on: '2026-12-02T10:00:00-03:00' }],
  [
    'orders/cancelled',
    {
      ...{ financial_status: 'partially_refunded', refunds: [FIRST, SECOND, CREDIT] },
      cancelled_at: '2026-11-27T10:00:00-03:00',
    },
  ],
];

/** What was said last of the order, and of its dispute. */
const LASTING = [LIFE.length - 1, LIFE.length - 2];

const IN_PARTS = {
  payment_gateway_names: ['gift_card', 'mercado_pago'],
  transactions: [
    { ...SALE, id: 11, gateway: 'gift_card', amount: '40.00' },
    { ...SALE, id: 12, amount: '60.00', processed_at: '2026-11-21T10:05:00-03:00' },
  ],
};
const BOTH_BACK = {
  ...FIRST,
  transactions: [
    { ...CREDIT.transactions[0], id: 21, parent_id: 11, amount: '15.00' },
    { ...FIRST.transactions[0], id: 22, parent_id: 12, amount: '25.00' },
  ],
};

/** The life of an order that a gift card and a Pix paid; one of its webhooks does not tell them apart. */
const LIFE_IN_PARTS: typeof LIFE = [
  ['orders/create', { ...IN_PARTS, financial_status: 'pending', transactions: [] }],
  ['orders/paid', IN_PARTS],
  ['orders/updated', { ...IN_PARTS, transactions: [] }],
  ['orders/updated', { ...IN_PARTS, financial_status: 'partially_refunded', refunds: [BOTH_BACK] }],
  [
    'orders/cancelled',
    {
      ...{ ...IN_PARTS, financial_status: 'partially_refunded', refunds: [BOTH_BACK] },
      cancelled_at: '2026-11-27T10:00:00-03:00',
    },
  ],
];
/** What was said last, and what a person is asked about. */
const LASTING_IN_PARTS = [2, 4];

/**
 * Webhooks of a life in any order, any number of times. The shop's last words arrive some time, as they do when a shop
 * sends again what was not answered.
 */
function arrivalsOf(life: typeof LIFE, lasting: readonly number[]): fc.Arbitrary<number[]> {
  return fc
    .shuffledSubarray([...life.keys(), ...life.keys()], { minLength: 1 })
    .map((indexes) => [...indexes, ...lasting.filter((index) => !indexes.includes(index))]);
}

describe('the life of an order', () => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  /**
   * What the books and the list for people have of an order whose webhooks came in this order.
   * @param removedBefore which arrivals come more than a year after those before, whose bodies and plans are removed by then
   */
  async function told(arrivals: readonly number[], life = LIFE, removedBefore: readonly number[] = []) {
    orders += 1;
    const order: DemoOrder = {
      ...{ id: 8_900_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(89_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
    const own = JSON.parse(shopifyOrder(order, true).toString()) as object;
    for (const [position, index] of arrivals.entries()) {
      if (removedBefore.includes(position)) {
        await service.settle();
        await removeAfter(service, 400);
      }
      const [topic, fields] = life[index]!;
      const about = topic.startsWith('disputes/')
        ? { id: order.id, order_id: order.id }
        : { ...own, transactions: [SALE] };
      const body = JSON.stringify({ ...about, ...fields, note: String(position) });
      const reply = await service.hook({ source: 'shopify', topic, body, id: `${order.id}-${position}` });
      expect(reply.status).toBe(200);
    }
    await service.settle();
    const key = `shopify/order/${order.id}`;
    const { prisma } = service.database;
    const schedules = await prisma.schedule.findMany({
      where: { reference: key },
      orderBy: { instalment: 'asc' },
    });
    const ids = schedules.map(({ id }) => id);
    const dispute = `shopify/dispute/${order.id}`;
    const receipts = await prisma.entry.findMany({
      where: { kind: 'receipt', OR: [{ creditId: { in: ids } }, { reference: `${dispute}/won` }] },
    });
    const payments = await prisma.entry.findMany({
      where: { kind: 'payment', OR: [{ reference: { startsWith: `${key}/` } }, { reference: dispute }] },
    });
    const left = await prisma.attention.findMany({ where: { businessKey: key } });
    const dead = await prisma.delivery.count({ where: { businessKey: key, state: 'dead' } });
    const shown = (date: Date) => date.toISOString().slice(0, 10);
    return {
      dead,
      schedules: schedules.map((one) => [one.valueMinor, one.openMinor, shown(one.dueDate)]),
      receipts: receipts.map((one) => `${one.amountMinor} ${shown(one.date)}`).sort(),
      payments: payments
        .map(({ reference, amountMinor, date }) => {
          const what = reference === dispute ? 'dispute' : reference?.slice(key.length);
          return `${what} ${amountMinor} ${shown(date)}`;
        })
        .sort(),
      left: left.map(({ code, amountMinor }) => `${code} ${amountMinor}`).sort(),
    };
  }

  it('leaves the same records in whatever order, and how often, its webhooks arrive', async () => {
    const expected = await told(LIFE.map((_, index) => index));
    expect(expected).toEqual({
      dead: 0,
      schedules: [
        [3_334n, 0n, '2026-11-20'],
        [3_333n, 0n, '2026-12-20'],
        [3_333n, 0n, '2027-01-20'],
      ],
      receipts: ['2000 2026-12-02', '3333 2026-11-20', '3333 2026-11-20', '3334 2026-11-20'],
      payments: ['/refund/1 3000 2026-11-21', '/refund/2 1050 2026-11-25', 'dispute 2000 2026-11-23'],
      left: ['cancellation-not-booked 5000', 'store-credit-not-booked 950'],
    });
    await fc.assert(
      fc.asyncProperty(arrivalsOf(LIFE, LASTING), async (order) => {
        expect(await told(order)).toEqual(expected);
      }),
      { numRuns: slowPropertyRuns(15) },
    );
    expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
  });

  it('leaves the same records where what came before is no longer kept', async () => {
    const retention = { bodies: 30, plans: 90, calls: 90, deferred: 90, idempotency: 7, feed: 7 };
    const set = await service.http
      .patch('/admin/organizations/main')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .send({ retention });
    expect(set.status).toBe(200);
    const expected = await told(LIFE.map((_, index) => index));
    const gone = fc.array(fc.nat({ max: 2 * LIFE.length }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(arrivalsOf(LIFE, LASTING), gone, async (order, removedBefore) => {
        expect(await told(order, LIFE, removedBefore)).toEqual(expected);
      }),
      { numRuns: slowPropertyRuns(15) },
    );
    const { prisma } = service.database;
    const [row] = await prisma.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from run where plan ? 'removedAt'`;
    expect(row?.count).toBeGreaterThan(0);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });

  it('leaves the same records where a gift card and a Pix paid it, and a webhook does not tell them apart', async () => {
    const expected = await told([...LIFE_IN_PARTS.keys()], LIFE_IN_PARTS);
    expect(expected).toEqual({
      dead: 0,
      schedules: [
        [3_334n, 0n, '2026-11-20'],
        [3_333n, 667n, '2026-12-20'],
        [3_333n, 3_333n, '2027-01-20'],
      ],
      receipts: ['2666 2026-11-21', '3334 2026-11-21'],
      payments: ['/refund/1 2500 2026-11-21'],
      left: [
        'cancellation-not-booked 6000',
        'order-differs 10000',
        'store-credit-not-booked 1500',
        'store-credit-not-booked 4000',
      ],
    });
    await fc.assert(
      fc.asyncProperty(arrivalsOf(LIFE_IN_PARTS, LASTING_IN_PARTS), async (order) => {
        expect(await told(order, LIFE_IN_PARTS)).toEqual(expected);
      }),
      { numRuns: slowPropertyRuns(15) },
    );
    expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
  });
});
