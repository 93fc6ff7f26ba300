import { type DemoOrder, shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

interface Books {
  customers: number;
  schedules: bigint[];
  open: bigint;
  receipts: bigint[];
}

describe('from a signed order webhook to the books', () => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  afterEach(async () => {
    expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
  });

  function newOrder(fields: Partial<DemoOrder> = {}): DemoOrder {
    orders += 1;
    return {
      id: 6_100_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: 'Lia Campos',
      document: cpfNumber(50_000 + orders),
      email: `lia${orders}@example.com`,
      instalments: 1,
      ...fields,
    };
  }

  /** What the books hold of one order and its customer. */
  async function booksOf(order: DemoOrder, source = 'shopify'): Promise<Books> {
    await service.settle();
    const { prisma } = service.database;
    const schedules = await prisma.schedule.findMany({
      where: { reference: `${source}/order/${order.id}` },
      orderBy: { instalment: 'asc' },
    });
    const receipts = await prisma.entry.findMany({
      where: { kind: 'receipt', creditId: { in: schedules.map(({ id }) => id) } },
      orderBy: { amountMinor: 'desc' },
    });
    return {
      customers: await prisma.stakeholder.count({ where: { document: order.document.replace(/\D/g, '') } }),
      schedules: schedules.map(({ valueMinor }) => valueMinor),
      open: schedules.reduce((sum, { openMinor }) => sum + openMinor, 0n),
      receipts: receipts.map(({ amountMinor }) => amountMinor),
    };
  }

  const THREE: Omit<Books, 'open'> = {
    customers: 1,
    schedules: [3334n, 3333n, 3333n],
    receipts: [3334n, 3333n, 3333n],
  };

  it('a paid order in three instalments becomes a customer, three schedules and three receipts', async () => {
    const order = newOrder({ instalments: 3 });
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ delivery: expect.stringMatching(/^[0-9a-f-]{36}$/), duplicate: false });
    expect(await booksOf(order)).toEqual({ ...THREE, open: 0n });
  });

  it('the same delivery again is answered with the first one and changes nothing', async () => {
    const order = newOrder({ instalments: 3 });
    const hook = {
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
      id: `same-${order.id}`,
    } as const;
    const first = await service.hook(hook);
    const second = await service.hook(hook);
    expect(second.body).toEqual({ delivery: (first.body as { delivery: string }).delivery, duplicate: true });
    expect(await booksOf(order)).toEqual({ ...THREE, open: 0n });
  });

  it('the same order under fifty delivery ids at once is done once', async () => {
    const order = newOrder({ instalments: 3 });
    const body = shopifyOrder(order, true);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.hook({ source: 'shopify', topic: 'orders/paid', body, id: `${order.id}-${index}` }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await booksOf(order)).toEqual({ ...THREE, open: 0n });
  });

  it('an order that is paid before it is created ends the same', async () => {
    const order = newOrder({ instalments: 3 });
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(order, true) });
    await service.hook({ source: 'shopify', topic: 'orders/create', body: shopifyOrder(order, false) });
    expect(await booksOf(order)).toEqual({ ...THREE, open: 0n });
  });

  it('an order that is only created posts nothing', async () => {
    const order = newOrder();
    await service.hook({ source: 'shopify', topic: 'orders/create', body: shopifyOrder(order, false) });
    expect(await booksOf(order)).toEqual({ customers: 0, schedules: [], open: 0n, receipts: [] });
  });

  it('a WooCommerce order posts when it becomes paid', async () => {
    const order = newOrder({ total: '1349.99' });
    await service.hook({ source: 'woocommerce', topic: 'order.created', body: wooOrder(order, 'pending') });
    expect((await booksOf(order, 'woocommerce')).schedules).toEqual([]);
    await service.hook({
      source: 'woocommerce',
      topic: 'order.updated',
      body: wooOrder(order, 'processing'),
    });
    expect(await booksOf(order, 'woocommerce')).toEqual({
      customers: 1,
      schedules: [134999n],
      open: 0n,
      receipts: [134999n],
    });
  });

  it('two orders of one customer share the customer', async () => {
    const first = newOrder();
    const second = newOrder({ document: first.document });
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(first, true) });
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(second, true) });
    expect((await booksOf(first)).customers).toBe(1);
    expect((await booksOf(second)).schedules).toEqual([10000n]);
  });

  it('an invalid CPF makes a dead letter that says why and does not show it, and nothing else', async () => {
    const order = newOrder({ document: '123.456.789-00' });
    const { body } = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
    });
    expect(await booksOf(order)).toEqual({ customers: 0, schedules: [], open: 0n, receipts: [] });
    const letters = (await service.admin('dead-letters')) as { items: { id: string; reason: string }[] };
    const letter = letters.items.find(({ id }) => id === (body as { delivery: string }).delivery);
    expect(letter?.reason).toMatch(/CPF/);
    expect(letter?.reason).not.toMatch(/123/);
  });

  it('an order corrected after a dead letter is booked when the shop sends it again', async () => {
    const wrong = newOrder({ document: '123.456.789-00' });
    const right = { ...wrong, document: cpfNumber(60_000) };
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(wrong, true) });
    await service.settle();
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(right, true) });
    expect(await booksOf(right)).toMatchObject({ customers: 1, schedules: [10000n], receipts: [10000n] });
  });

  it('a test order is stored and posts nothing', async () => {
    const order = newOrder();
    const body = shopifyOrder(order, true).toString().replace('"test":false', '"test":true');
    const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
    expect(reply.status).toBe(200);
    expect((await booksOf(order)).schedules).toEqual([]);
  });

  it('an order whose total changed after it was booked is not booked again, and a person is told', async () => {
    const order = newOrder({ total: '100.00' });
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(order, true) });
    await service.settle();
    await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder({ ...order, total: '120.00' }, true),
    });
    expect(await booksOf(order)).toEqual({ customers: 1, schedules: [10000n], open: 0n, receipts: [10000n] });
    const attention = (await service.admin('attention')) as {
      items: { businessKey: string; code: string; detail: string }[];
    };
    const own = attention.items.filter(({ businessKey }) => businessKey === `shopify/order/${order.id}`);
    expect(own.map(({ code }) => code)).toContain('amount-differs');
    expect(own.map(({ detail }) => detail).join()).toMatch(/100\.00.*120\.00/);
  });

  it('an operator sees what a delivery came to, step by step', async () => {
    const order = newOrder({ instalments: 2 });
    const { body } = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
    });
    await service.settle();
    const detail = await service.admin(`deliveries/${(body as { delivery: string }).delivery}`);
    expect(detail).toMatchObject({
      state: 'done',
      outcome: 'applied',
      businessKey: `shopify/order/${order.id}`,
      runs: [
        {
          rule: 'order-paid',
          state: 'done',
          steps: [
            { action: 'customer.ensure', state: 'applied' },
            { action: 'creditSchedule.ensure', state: 'applied' },
            { action: 'receipt.register', state: 'applied' },
          ],
        },
      ],
    });
  });
});
