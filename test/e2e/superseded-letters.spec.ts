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

  /** A payment of 50.00, alone, of an order of 100.00 of the own shop. @returns the delivery's identifier */
  async function pay(id: string, payment: string, document: string, more: object = {}): Promise<string> {
    const [timestamp, createdAt] = ['2026-11-20T12:14:06Z', '2026-11-20T12:10:00Z'];
    const data = {
      ...{ id, total: '100.00', createdAt, customer: { id: `C-${id}`, name: 'Lia Campos', document } },
      payment: { id: payment, gateway: 'mercado_pago', value: '50.00', paidAt: timestamp, ...more },
    };
    const body = JSON.stringify({ type: 'order.paid', timestamp, data });
    const sent = await service.hook({ source: 'standard', topic: 'order.paid', body });
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

  it('stays where the later one tells of another payment of the order alone', async () => {
    const paid = (id: string, document: string): Promise<string> => pay(`two-${orders}`, id, document);
    const letter = await paid('p1', BROKEN_CPF);
    const other = await paid('p2', cpfNumber(80_000 + orders));
    expect(await delivery(other)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
    // Whoever tells of it again does its work, whatever came in between.
    const again = await paid('p1', cpfNumber(80_000 + orders));
    expect(await letters.close()).toBe(1);
    expect(await delivery(letter)).toMatchObject({
      outcome: `closed: delivery ${again} came later and did its work`,
    });
  });

  it('stays where it alone says what the gateway kept', async () => {
    const paid = (document: string, more?: object): Promise<string> =>
      pay(`kept-${orders}`, 'p1', document, more);
    const letter = await paid(BROKEN_CPF, { fee: '2.20' });
    await paid(cpfNumber(80_000 + orders));
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
    const again = await paid(cpfNumber(80_000 + orders), { fee: '2.20' });
    expect(await letters.close()).toBe(1);
    expect(await delivery(letter)).toMatchObject({
      outcome: `closed: delivery ${again} came later and did its work`,
    });
  });

  it('stays where the later one is an older state of the order that a shop sent late', async () => {
    order = { ...order, document: cpfNumber(80_000 + orders) };
    await send('orders/paid');
    const accounts = (await service.admin('tables/gatewayAccount')) as { entries: Record<string, string> };
    const put = (entries: object): Promise<unknown> =>
      service.operate('put', 'tables/gatewayAccount', { entries, reason: 'a test' });
    const refund = (id: number): object => ({
      id,
      created_at: `2026-11-2${id}T10:00:00-03:00`,
      transactions: [
        {
          id: 10 + id,
          kind: 'refund',
          status: 'success',
          amount: '30.00',
          created_at: `2026-11-2${id}T10:00:00-03:00`,
        },
      ],
    });
    await put({ ...accounts.entries, default: 'an account that is not there' });
    const newest = { updated_at: '2026-11-22T10:00:01-03:00', refunds: [refund(1), refund(2)] };
    const letter = await send('orders/updated', newest);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
    await put(accounts.entries);
    const late = await send('orders/updated', {
      updated_at: '2026-11-21T10:00:01-03:00',
      refunds: [refund(1)],
    });
    expect(await delivery(late)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(await letters.close()).toBe(0);
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
  });
});
