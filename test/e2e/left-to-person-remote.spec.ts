import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';

const REFUND = {
  id: 9_001,
  created_at: '2026-11-21T10:00:00-03:00',
  transactions: [
    { kind: 'refund', status: 'success', amount: '30.00', processed_at: '2026-11-21T10:00:01-03:00' },
  ],
};
const ORDER: DemoOrder = {
  ...{ id: 8_500_000_000_001, number: 1, total: '100.00', name: 'Lia Campos' },
  ...{ document: cpfNumber(85_001), email: 'lia@example.com', instalments: 1 },
};

describe('money that no rule deals with, before a remote service', () => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await OrderHarness.remote({ uniqueDocuments: true });
    const disabled = await harness.service.operate('post', 'rules/order-refunded/disable', {});
    expect(disabled.status).toBe(200);
  });
  afterAll(() => harness.stop());

  it('is a refund that comes alone, told once although the order tells it again later', async () => {
    await harness.shopify(ORDER);
    expect(await harness.attention(ORDER)).toEqual([]);
    const body = JSON.stringify({ ...REFUND, order_id: ORDER.id });
    const reply = await harness.service.hook({ source: 'shopify', topic: 'refunds/create', body });
    expect(reply.status).toBe(200);
    await harness.settled();
    expect(await harness.lastDelivery()).toMatchObject({
      state: 'done',
      outcome: expect.stringMatching(
        /^refund of 30\.00 BRL .*; needs a person: refund-not-booked$/,
      ) as string,
    });
    const left = { code: 'refund-not-booked', value: '30.00', currency: 'BRL' };
    expect(await harness.attention(ORDER)).toMatchObject([left]);
    const refunded = { financial_status: 'partially_refunded', refunds: [REFUND] };
    await harness.shopify(ORDER, refunded, 'orders/updated');
    expect(await harness.attention(ORDER)).toMatchObject([left]);
    const told = await harness.service.database.prisma.feedChange.findMany({
      where: { type: 'attention.required' },
    });
    expect(told).toMatchObject([{ data: left }]);
    await harness.service.operate('post', 'rules/order-refunded/enable', {});
    await harness.shopify(ORDER, { ...refunded, note: 'again' }, 'orders/updated');
    expect(await harness.attention(ORDER)).toEqual([]);
    await harness.service.operate('post', 'rules/order-refunded/disable', {});
  });

  it('is a paid order that is cancelled', async () => {
    const order = { ...ORDER, id: ORDER.id + 100, number: 2, document: cpfNumber(85_002) };
    await harness.shopify(order, { cancelled_at: '2026-11-21T10:00:00-03:00' }, 'orders/cancelled');
    expect((await harness.lastDelivery()).outcome).toBe('applied; needs a person: cancellation-not-booked');
    expect(await harness.attention(order)).toMatchObject([
      { code: 'cancellation-not-booked', value: '100.00', currency: 'BRL' },
    ]);
  });
});
