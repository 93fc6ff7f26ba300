import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';

const PAID_ON_20 = '2026-11-20T09:14:00-03:00';
const PAID_ON_22 = '2026-11-22T09:14:00-03:00';

describe.each([
  ['embedded', () => OrderHarness.embedded()],
  ['remote', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order that comes again with other content, %s', (_backend, start) => {
  let harness: OrderHarness;
  let orders = 0;

  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());

  function newOrder(): DemoOrder {
    orders += 1;
    return {
      ...{ id: 8_600_000_000_000 + orders, number: orders, total: '100.00', name: `Lia ${orders}` },
      ...{ document: cpfNumber(86_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
  }

  const paidAt = (processed_at: string) => ({
    transactions: [{ kind: 'sale', status: 'success', amount: '100.00', processed_at, gateway: 'pix' }],
  });

  it('is silent where nothing differs', async () => {
    const order = newOrder();
    await harness.shopify(order, paidAt(PAID_ON_20));
    await harness.shopify(order, { ...paidAt(PAID_ON_20), note: 'packed' }, 'orders/updated');
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    expect(await harness.attention(order)).toEqual([]);
  });

  it('is silent where an inferred date got better, in either order', async () => {
    const order = newOrder();
    await harness.shopify(order, { processed_at: PAID_ON_22 }, 'orders/updated');
    await harness.shopify(order, paidAt(PAID_ON_20), 'orders/updated');
    expect(await harness.attention(order)).toEqual([]);
    const other = newOrder();
    await harness.shopify(other, paidAt(PAID_ON_20), 'orders/updated');
    await harness.shopify(other, { processed_at: PAID_ON_22 }, 'orders/updated');
    expect(await harness.attention(other)).toEqual([]);
  });

  it('names the fields: dates that are facts, and the number of instalments', async () => {
    const order = newOrder();
    await harness.shopify(order, paidAt(PAID_ON_20));
    await harness.shopify({ ...order, instalments: 2 }, paidAt(PAID_ON_22), 'orders/updated');
    expect((await harness.lastDelivery()).outcome).toBe('applied; needs a person: content-differs');
    const left = await harness.attention(order);
    expect(left).toHaveLength(2);
    expect(left.map(({ code, value, currency }) => [code, value, currency])).toEqual([
      ['content-differs', '100.00', 'BRL'],
      ['content-differs', '100.00', 'BRL'],
    ]);
    const said = left.map(({ detail }) => detail).join('\n');
    expect(said).toContain('number of instalments 3, now 2');
    expect(said).toContain('date 2026-11-20, now 2026-11-22');
    await harness.shopify({ ...order, instalments: 2 }, paidAt(PAID_ON_22), 'orders/updated');
    expect(await harness.attention(order)).toHaveLength(2);
  });
});
