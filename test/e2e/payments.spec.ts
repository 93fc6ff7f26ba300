import { TestService } from '../support/service';

interface Payment {
  id: string;
  value: string;
}

describe('payments that are not the order', () => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  async function pay(order: string, total: string, { id, value }: Payment): Promise<void> {
    const data = {
      id: order,
      total,
      createdAt: '2026-11-01T10:00:00-03:00',
      instalments: 3,
      customer: { id: 'c1', name: 'Teo Lins' },
      payment: { id, value, gateway: 'pagarme', method: 'pix', paidAt: '2026-11-02T10:00:00-03:00' },
    };
    const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-02T10:00:00-03:00', data });
    const reply = await service.hook({
      source: 'standard',
      topic: '',
      body,
      id: `m-${order}-${id}-${value}`,
    });
    expect(reply.status).toBe(200);
    await service.settle();
  }

  async function openOf(order: string): Promise<bigint[]> {
    const schedules = await service.database.prisma.schedule.findMany({
      where: { reference: `standard/order/${order}` },
      orderBy: { dueDate: 'asc' },
    });
    return schedules.map(({ openMinor }) => openMinor);
  }

  async function attentionOf(order: string): Promise<{ code: string; value: string }[]> {
    const { items } = (await service.admin('attention')) as {
      items: { businessKey: string; code: string; value: string }[];
    };
    return items
      .filter(({ businessKey }) => businessKey === `standard/order/${order}`)
      .map(({ code, value }) => ({ code, value }));
  }

  function newOrder(): string {
    orders += 1;
    return `part-${orders}`;
  }

  it('settle the oldest instalments first and leave the rest open', async () => {
    const order = newOrder();
    await pay(order, '100.00', { id: 'first', value: '50.00' });
    expect(await openOf(order)).toEqual([0n, 1667n, 3333n]);
    expect(await attentionOf(order)).toEqual([]);
  });

  it('add up, each counted once however often it is told', async () => {
    const order = newOrder();
    await pay(order, '100.00', { id: 'first', value: '50.00' });
    await pay(order, '100.00', { id: 'second', value: '30.00' });
    await pay(order, '100.00', { id: 'first', value: '50.00' });
    expect(await openOf(order)).toEqual([0n, 0n, 2000n]);
  });

  it('never settle more than is open: what is left over is shown to a person', async () => {
    const order = newOrder();
    await pay(order, '100.00', { id: 'first', value: '70.00' });
    await pay(order, '100.00', { id: 'second', value: '45.50' });
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
    expect(await attentionOf(order)).toEqual([{ code: 'payment-left-over', value: '15.50' }]);
  });
});
