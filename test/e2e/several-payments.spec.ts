import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';

function sale(id: number, gateway: string, amount: string, day: string) {
  return { id, kind: 'sale', status: 'success', gateway, amount, processed_at: `${day}T10:00:00-03:00` };
}

const TOLD_APART = {
  payment_gateway_names: ['gift_card', 'mercado_pago'],
  transactions: [sale(1, 'gift_card', '60.00', '2026-11-20'), sale(2, 'mercado_pago', '40.00', '2026-11-21')],
};
const NOT_TOLD_APART = { ...TOLD_APART, transactions: [] };
const ONE = { transactions: [sale(1, 'mercado_pago', '100.00', '2026-11-20')] };
const NOT_LISTED = { transactions: [] };

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order with several payments, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let order: DemoOrder;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  beforeEach(() => {
    orders += 1;
    order = {
      ...{ id: 9_100_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(91_000 + orders), email: `lia${orders}@example.com`, instalments: 2 },
    };
  });

  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  async function balance(): Promise<bigint> {
    const where = { name: 'Conta principal' };
    const { id } = await harness.books.prisma.account.findFirstOrThrow({ where });
    return (await readBalances(harness.books.prisma, [id])).get(id) ?? 0n;
  }

  /** What is open of each receivable of the order and when it is due, and what was received when. */
  async function booked(key = `shopify/order/${order.id}`) {
    const { prisma } = harness.books;
    const schedules = await prisma.schedule.findMany({
      where: { reference: key },
      orderBy: { dueDate: 'asc' },
    });
    const receipts = await prisma.entry.findMany({
      where: { kind: 'receipt', creditId: { in: schedules.map(({ id }) => id) } },
    });
    const day = (date: Date): string => date.toISOString().slice(0, 10);
    return {
      open: schedules.map(({ openMinor, dueDate }) => `${openMinor} ${day(dueDate)}`),
      received: receipts.map(({ amountMinor, date }) => `${amountMinor} ${day(date)}`).sort(),
    };
  }

  const PARTLY = { open: ['1000 2026-11-20', '5000 2026-12-20'], received: ['4000 2026-11-21'] };

  it('has the receipt of what a Pix paid and none of what a gift card paid, once', async () => {
    const before = await balance();
    await harness.shopify(order, TOLD_APART);
    await harness.shopify(order, { ...TOLD_APART, note: 'again' }, 'orders/updated');
    expect(await booked()).toEqual(PARTLY);
    expect((await balance()) - before).toBe(4_000n);
    expect(await harness.attention(order)).toMatchObject([
      { code: 'store-credit-not-booked', value: '60.00' },
    ]);
  });

  it.each([
    ['before', [NOT_TOLD_APART, TOLD_APART]],
    ['after', [TOLD_APART, NOT_TOLD_APART]],
  ])('has the same books where a webhook comes %s that does not tell its payments apart', async (_, sent) => {
    const before = await balance();
    for (const fields of sent) await harness.shopify(order, fields);
    expect(await booked()).toEqual(PARTLY);
    expect((await balance()) - before).toBe(4_000n);
    const codes = (await harness.attention(order)).map(({ code }) => code).sort();
    expect(codes).toEqual(['order-differs', 'store-credit-not-booked']);
  });

  it.each([
    ['first', [NOT_LISTED, ONE]],
    ['last', [ONE, NOT_LISTED]],
  ])('that has one payment has it once where the webhook without transactions comes %s', async (_, sent) => {
    const before = await balance();
    // Under this topic the day of a payment without transactions is that of the order.
    for (const fields of sent) await harness.shopify(order, fields, 'orders/updated');
    expect((await booked()).open.map((text) => text.split(' ')[0])).toEqual(['0', '0']);
    expect((await balance()) - before).toBe(10_000n);
    expect(await harness.attention(order)).toEqual([]);
  });

  it.each([
    ['in their order', [0, 1]],
    ['the other way round', [1, 0]],
  ])('is due from the day of its first payment, when messages come %s', async (_, sequence) => {
    const pay = (id: string, value: string, day: string) => ({
      ...{ id, gateway: 'pagarme', method: 'pix', value, paidAt: `${day}T12:00:00-03:00` },
    });
    const payments = [pay('p1', '30.00', '2026-11-18'), pay('p2', '70.00', '2026-11-25')];
    const data = {
      ...{ id: `std-${order.id}`, total: '100.00', createdAt: '2026-11-18T11:00:00-03:00' },
      customer: { id: `c-${order.id}`, name: order.name, document: order.document },
    };
    const before = await balance();
    for (const last of sequence) {
      // Each payment's message lists the payments so far; the second says of the first, too.
      const about = { ...data, payments: payments.slice(0, last + 1) };
      const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-25T15:00:01Z', data: about });
      const id = `${data.id}-${last}`;
      const hook = { source: 'standard', topic: 'order.paid', body, id } as const;
      expect((await harness.service.hook(hook)).status).toBe(200);
      await harness.settled();
    }
    expect(await booked(`standard/order/${data.id}`)).toEqual({
      open: ['0 2026-11-18'],
      received: ['3000 2026-11-18', '7000 2026-11-25'],
    });
    expect((await balance()) - before).toBe(10_000n);
  });
});
