import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import type { DeliveryDetailView, DeliveryPage } from '../../src/admin/deliveries/deliveries.dto';
import { SupersededLetters } from '../../src/deliveries/superseded-letters';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

const BROKEN_CPF = '11111111112';

describe('a dead letter whose work a later delivery does', () => {
  let service: TestService;
  let letters: SupersededLetters;
  let orders = 0;
  let order: DemoOrder;

  beforeAll(async () => {
    service = await TestService.start();
    letters = service.part(SupersededLetters);
  });
  afterAll(() => service.stop());

  beforeEach(() => {
    orders += 1;
    order = {
      id: 7_200_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: 'Lia Campos',
      document: BROKEN_CPF,
      email: `lia${orders}@example.com`,
      instalments: 1,
    };
  });

  /** Sends the order as Shopify has it. @returns the delivery's identifier */
  async function send(topic: string, fields: object = {}): Promise<string> {
    const own = JSON.parse(shopifyOrder(order, true).toString()) as object;
    const sent = await service.hook({
      source: 'shopify',
      topic,
      body: JSON.stringify({ ...own, ...fields }),
    });
    await service.settle();
    return (sent.body as { delivery: string }).delivery;
  }

  async function delivery(id: string): Promise<DeliveryDetailView> {
    return (await service.admin(`deliveries/${id}`)) as DeliveryDetailView;
  }

  it('is closed, and names that delivery', async () => {
    const letter = await send('orders/paid');
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
    expect(await letters.close()).toBe(0);
    order = { ...order, document: cpfNumber(80_000 + orders) };
    const corrected = await send('orders/updated');
    expect(await delivery(corrected)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(await letters.close()).toBe(1);
    expect(await delivery(letter)).toMatchObject({
      state: 'discarded',
      outcome: `closed: delivery ${corrected} came later and did its work`,
    });
    const { items } = (await service.admin('dead-letters')) as DeliveryPage;
    expect(items).toEqual([]);
    expect(await letters.close()).toBe(0);
  });

  it('stays while the later one is a dead letter itself', async () => {
    const letter = await send('orders/paid');
    const again = await send('orders/updated');
    expect(await delivery(again)).toMatchObject({ state: 'dead' });
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });

  it('stays where the order was applied before it, not after', async () => {
    const [broken, good] = [order, { ...order, document: cpfNumber(80_000 + orders) }];
    order = good;
    await send('orders/paid');
    order = broken;
    const letter = await send('orders/updated', { total_price: '250.00' });
    // Whether or not it is a dead letter, what came before it did not do its work.
    await service.database.prisma.delivery.update({
      where: { id: letter },
      data: { state: 'dead', reason: 'a test' },
    });
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });

  it('stays where it has an event that the later one has not', async () => {
    const letter = await send('orders/paid');
    await service.database.prisma.delivery.update({
      where: { id: letter },
      data: { events: ['order.paid', 'order.refunded'] },
    });
    order = { ...order, document: cpfNumber(80_000 + orders) };
    await send('orders/updated');
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });

  it('stays where the later one is about another order', async () => {
    const letter = await send('orders/paid');
    order = { ...order, id: order.id + 500, document: cpfNumber(80_000 + orders) };
    await send('orders/paid');
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });

  it('stays where what the later one did was about another order', async () => {
    const letter = await send('orders/paid');
    order = { ...order, document: cpfNumber(80_000 + orders) };
    const later = await send('orders/updated');
    await service.database.prisma.run.updateMany({
      where: { deliveryId: later },
      data: { businessKey: 'shopify/order/another' },
    });
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });
});
