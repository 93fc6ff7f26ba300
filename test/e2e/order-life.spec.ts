import { type DemoOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { newId } from '../../src/kernel/identifier';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';

function refund(id: number, amount: string, gateway = 'mercado_pago') {
  return {
    id,
    created_at: '2026-11-21T10:00:00-03:00',
    transactions: [
      { kind: 'refund', status: 'success', gateway, amount, processed_at: '2026-11-21T23:30:00-03:00' },
    ],
  };
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('what happens after an order is paid, %s', (_where, open) => {
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
      ...{ id: 8_700_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(87_000 + orders), email: `lia${orders}@example.com`, instalments: 2 },
    };
  });

  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  /** Decimal minor units of what the account named so holds. */
  async function balance(name = 'Conta principal'): Promise<bigint> {
    const { id } = await harness.books.prisma.account.findFirstOrThrow({ where: { name } });
    return (await readBalances(harness.books.prisma, [id])).get(id) ?? 0n;
  }

  /** What left an account for the order. */
  async function payments(source = 'shopify') {
    const found = await harness.books.prisma.entry.findMany({
      where: { kind: 'payment', reference: { startsWith: `${source}/order/${order.id}/` } },
      orderBy: { reference: 'asc' },
    });
    const codes = new Map(
      (await harness.books.prisma.category.findMany()).map(({ id, referenceCode }) => [id, referenceCode]),
    );
    return found.map(({ reference, amountMinor, date, categoryId, description }) => ({
      ...{ reference, amountMinor, description },
      day: date.toISOString().slice(0, 10),
      category: codes.get(categoryId ?? ''),
    }));
  }

  it('a refund leaves the account that was paid, once, on its day', async () => {
    const before = await balance();
    await harness.shopify(order);
    const refunded = { financial_status: 'partially_refunded', refunds: [refund(9_001, '30.00')] };
    await harness.shopify(order, refunded, 'orders/updated');
    await harness.shopify(order, { ...refunded, note: 'again' }, 'orders/updated');
    expect(await payments()).toEqual([
      {
        reference: `shopify/order/${order.id}/refund/9001`,
        amountMinor: 3_000n,
        day: '2026-11-21',
        category: '2.1.06',
        description: `Refund of shopify order #${order.number}`,
      },
    ]);
    expect((await balance()) - before).toBe(7_000n);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('refunds that come in parts are each booked, whatever came before', async () => {
    const before = await balance();
    const [one, two] = [refund(9_001, '30.00'), refund(9_002, '70.00')];
    await harness.shopify(order, { financial_status: 'refunded', refunds: [one, two] }, 'orders/updated');
    await harness.shopify(
      order,
      { financial_status: 'partially_refunded', refunds: [one] },
      'orders/updated',
    );
    await harness.shopify(order);
    expect((await payments()).map(({ amountMinor }) => amountMinor)).toEqual([3_000n, 7_000n]);
    expect(await balance()).toBe(before);
  });

  it('what was taken off it before it was paid is written off, and what was paid is what is left', async () => {
    const before = await balance();
    const set = (amount: string) => ({ shop_money: { amount, currency_code: 'BRL' } });
    const goods = { quantity: 1, subtotal_set: set('30.00'), total_tax_set: set('0.00') };
    const removal = { id: 9_003, created_at: '2026-11-20T08:00:00-03:00', refund_line_items: [goods] };
    const edited = { current_total_price: '70.00', total_outstanding: '0.00', transactions: [] };
    await harness.shopify(order, { ...edited, refunds: [{ ...removal, transactions: [] }] });
    expect((await balance()) - before).toBe(7_000n);
    const open = await harness.books.prisma.schedule.findMany({
      where: { reference: `shopify/order/${order.id}` },
    });
    expect(open.map(({ valueMinor, openMinor }) => [valueMinor, openMinor])).toEqual([
      [5_000n, 0n],
      [5_000n, 0n],
    ]);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('a refund as store credit leaves no account, and a person hears of it', async () => {
    await harness.shopify(order);
    const before = await balance();
    const refunds = [refund(9_001, '30.00', 'gift_card')];
    await harness.shopify(order, { financial_status: 'partially_refunded', refunds }, 'orders/updated');
    expect(await payments()).toEqual([]);
    expect(await balance()).toBe(before);
    expect(await harness.attention(order)).toMatchObject([
      { code: 'store-credit-not-booked', value: '30.00' },
    ]);
  });

  it('what a gift card paid reaches no account, stays open, and a person hears of it', async () => {
    const before = await balance();
    await harness.shopify(order, {
      payment_gateway_names: ['gift_card'],
      gateway: 'gift_card',
      transactions: [],
    });
    expect(await balance()).toBe(before);
    const open = await harness.books.prisma.schedule.findMany({
      where: { reference: `shopify/order/${order.id}` },
    });
    expect(open.map(({ openMinor }) => openMinor)).toEqual([5_000n, 5_000n]);
    expect(await harness.attention(order)).toMatchObject([
      { code: 'store-credit-not-booked', value: '100.00' },
    ]);
  });

  it("a gateway's fee leaves its account with the payment, and is booked later where it is known later", async () => {
    const before = await balance();
    const body = (fields: object) =>
      JSON.stringify({ ...(JSON.parse(wooOrder(order, 'processing').toString()) as object), ...fields });
    const meta = [{ key: '_billing_cpf', value: order.document }];
    const send = async (fields: object): Promise<void> => {
      const hook = { source: 'woocommerce', topic: 'order.updated', body: body(fields) } as const;
      expect((await harness.service.hook(hook)).status).toBe(200);
      await harness.settled();
    };
    await send({ meta_data: meta });
    expect((await balance()) - before).toBe(10_000n);
    const fee = { key: '_stripe_fee', value: '4.39' };
    await send({ meta_data: [...meta, fee] });
    await send({ meta_data: [...meta, fee], note: 'again' });
    expect(await payments('woocommerce')).toMatchObject([
      { reference: `woocommerce/order/${order.id}/payment/paid/fee`, amountMinor: 439n, category: '2.1.04' },
    ]);
    expect((await balance()) - before).toBe(9_561n);
  });

  it('a payout moves money to the bank, once', async () => {
    const where = { name: 'Conta principal' };
    const { organizationId } = await harness.books.prisma.account.findFirstOrThrow({ where });
    const bank = newId();
    await harness.books.prisma.account.create({
      data: {
        ...{ id: bank, organizationId, name: `Banco ${bank}`, openBalanceMinor: 0n },
        openedOn: new Date('2026-01-01'),
      },
    });
    await harness.books.prisma.accountBalance.create({
      data: { accountId: bank, balanceMinor: 0n, announcedMinor: 0n },
    });
    const put = await harness.service.operate('put', 'tables/payoutAccount', { entries: { default: bank } });
    expect(put.status).toBe(200);
    const before = await balance();
    const data = { id: newId(), gateway: 'stone', value: '77.07', paidAt: '2026-11-22T08:00:00-03:00' };
    const body = JSON.stringify({ type: 'payout.paid', timestamp: '2026-11-22T11:00:01Z', data });
    for (const id of ['a', 'b']) {
      const hook = { source: 'standard', topic: 'payout.paid', body, id: `${id}-${data.id}` } as const;
      expect((await harness.service.hook(hook)).status).toBe(200);
      await harness.settled();
    }
    expect([before - (await balance()), await balance(`Banco ${bank}`)]).toEqual([7_707n, 7_707n]);
  });

  it('a chargeback leaves the account when it is opened and comes back when it is won, in whatever order that arrives', async () => {
    await harness.shopify(order);
    const before = await balance();
    const id = order.id + 500;
    const dispute = (fields: object) =>
      JSON.stringify({
        ...{ id, order_id: order.id, type: 'chargeback', amount: '100.00', currency: 'BRL' },
        ...{
          status: 'needs_response',
          finalized_on: null,
          initiated_at: '2026-11-22T23:30:00-03:00',
          ...fields,
        },
      });
    const send = async (topic: string, fields: object = {}): Promise<void> => {
      const reply = await harness.service.hook({ source: 'shopify', topic, body: dispute(fields) });
      expect(reply.status).toBe(200);
      await harness.settled();
    };
    await send('disputes/create');
    expect((await balance()) - before).toBe(-10_000n);
    const won = { status: 'won', finalized_on: '2026-12-02T10:00:00-03:00' };
    await send('disputes/update', won);
    await send('disputes/update', { status: 'under_review' });
    await send('disputes/update', { ...won, reason: 'fraudulent' });
    expect(await balance()).toBe(before);
    const entries = await harness.books.prisma.entry.findMany({
      where: { reference: { startsWith: `shopify/dispute/${id}` } },
      orderBy: { date: 'asc' },
    });
    expect(
      entries.map(({ kind, amountMinor, date }) => [kind, amountMinor, date.toISOString().slice(0, 10)]),
    ).toEqual([
      ['payment', 10_000n, '2026-11-22'],
      ['receipt', 10_000n, '2026-12-02'],
    ]);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
  });
});
