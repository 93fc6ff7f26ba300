import type { DemoOrder } from '../../scripts/demo/shop-orders';
import type { ReplayView } from '../../src/admin/deliveries/deliveries.dto';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';

describe.each([
  ['embedded', () => OrderHarness.embedded()],
  ['remote', () => OrderHarness.remote({ uniqueDocuments: true })],
])('one order has one customer, %s', (backend, start) => {
  let harness: OrderHarness;
  let orders = 0;

  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());

  function newOrder(document = ''): DemoOrder {
    orders += 1;
    return {
      ...{ id: 8_200_000_000_000 + orders, number: orders, total: '100.00' },
      ...{ name: `Lia Campos ${orders}`, document, email: `lia${orders}@example.com`, instalments: 1 },
    };
  }

  async function schedulesOf({ id }: DemoOrder) {
    return harness.books.prisma.schedule.findMany({ where: { reference: `shopify/order/${id}` } });
  }

  it('although its document comes after it was booked', async () => {
    const order = newOrder();
    await harness.shopify(order);
    const document = cpfNumber(82_001);
    await harness.shopify({ ...order, document }, {}, 'orders/updated');
    const [customer, ...others] = await harness.customers(order.name);
    expect(others).toEqual([]);
    expect(await schedulesOf(order)).toMatchObject([{ stakeholderId: customer?.id, openMinor: 0n }]);
    if (backend === 'embedded') {
      expect(customer?.document).toBe(document.replace(/\D/g, ''));
      expect(await harness.attention(order)).toEqual([]);
      const told = await harness.books.prisma.feedChange.findMany({
        where: { type: 'customer.updated', subject: `customer/${customer?.id}` },
      });
      expect(told).toHaveLength(1);
    } else {
      expect(customer?.document).toBeNull();
      expect(await harness.attention(order)).toMatchObject([
        { code: 'customer-differs', detail: expect.stringContaining('enter it') as string },
      ]);
    }
    const { id, outcome } = await harness.lastDelivery();
    expect(outcome).toContain('applied');
    const plan = await harness.service.operate('post', `deliveries/${id}/replay`, {});
    expect((plan.body as ReplayView).missing).toEqual([]);
    await harness.shopify({ ...order, document }, { note: 'again' }, 'orders/updated');
    expect(await harness.customers(order.name)).toHaveLength(1);
    expect(await harness.attention(order)).toHaveLength(backend === 'embedded' ? 0 : 1);
  });

  it('although its document is left out later, without a word', async () => {
    const order = newOrder(cpfNumber(82_002));
    await harness.shopify(order);
    await harness.shopify({ ...order, document: '' }, {}, 'orders/updated');
    expect(await harness.customers(order.name)).toHaveLength(1);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('although a document that is not valid is typed after it was booked, which is said and is no dead letter', async () => {
    const order = newOrder(cpfNumber(82_003));
    await harness.shopify(order);
    await harness.shopify({ ...order, document: '123.456.789-00' }, {}, 'orders/updated');
    expect(await harness.lastDelivery()).toMatchObject({
      ...{ state: 'done', outcome: 'applied; needs a person: customer-differs' },
    });
    expect(await harness.attention(order)).toMatchObject([{ code: 'customer-differs', value: '0.00' }]);
    expect(JSON.stringify(await harness.attention(order))).not.toMatch(/123\D?456/);
    expect(await harness.customers(order.name)).toHaveLength(1);
  });

  it('and a document that is not valid refuses an order that is not booked, with nothing done', async () => {
    const order = newOrder('123.456.789-00');
    await harness.shopify(order);
    expect(await harness.lastDelivery()).toMatchObject({
      state: 'dead',
      reason: expect.stringMatching(/^rule order-paid, step customer: the customer's document is /) as string,
    });
    expect(await harness.customers(order.name)).toEqual([]);
    const { id } = await harness.lastDelivery();
    const plan = await harness.service.operate('post', `deliveries/${id}/replay`, {});
    expect(plan.body).toMatchObject({
      ...{ applied: [], missing: [] },
      refused: [{ rule: 'order-paid', step: 'customer' }],
    });
  });

  it('although another document is named later, which is said', async () => {
    const order = newOrder(cpfNumber(82_004));
    await harness.shopify(order);
    await harness.shopify({ ...order, document: cpfNumber(82_005) }, {}, 'orders/updated');
    const customers = await harness.customers(order.name);
    expect(customers.map(({ document }) => document)).toEqual([cpfNumber(82_004).replace(/\D/g, '')]);
    expect(await harness.attention(order)).toMatchObject([{ code: 'customer-differs' }]);
  });

  it('although another customer has the document that comes later, which is said', async () => {
    const document = cpfNumber(82_006);
    const other = newOrder(document);
    const order = newOrder();
    await harness.shopify(other);
    await harness.shopify(order);
    await harness.shopify({ ...order, document }, {}, 'orders/updated');
    const [customer, ...others] = await harness.customers(order.name);
    expect([customer?.document, others]).toEqual([null, []]);
    expect(await schedulesOf(order)).toMatchObject([{ stakeholderId: customer?.id }]);
    expect(await harness.attention(order)).toMatchObject([{ code: 'customer-differs' }]);
  });
});
