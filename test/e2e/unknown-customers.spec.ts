import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import type { Fault } from '../faulty-finance/fault';
import { cpfNumber } from '../support/documents';
import { Reconciler } from '../../src/finance/remote/reconciliation/reconciler';
import { CONNECTION, RemoteService } from '../support/remote-service';
import { until } from '../support/until';

const IN_EFFECT: Fault = { kind: 'cut-before-headers' };
const WITHOUT_EFFECT: Fault = { kind: 'error-500', applied: false };

describe('a customer of an order of whom nobody knows whether the service created them', () => {
  let service: RemoteService;
  let orders = 0;

  beforeAll(async () => {
    service = await RemoteService.start();
  });
  afterAll(() => service.stop());

  async function connect(more: object): Promise<void> {
    const put = await service.ponte.operate('put', 'finance', { ...CONNECTION, settleMs: 1_000, ...more });
    expect([put.status, put.text]).toEqual([200, expect.any(String)]);
  }

  /** Sends a paid order whose customer's creation goes wrong. @returns its delivery's identifier */
  async function loseCustomer(fault: Fault, document = cpfNumber(83_000 + orders)): Promise<string> {
    orders += 1;
    const order: DemoOrder = {
      ...{ id: 8_300_000_000_000 + orders, number: orders, total: '100.00', name: `Lia ${orders}` },
      ...{ document, email: `lia${orders}@example.com`, instalments: 1 },
    };
    service.books.forecast.add([{ request: 'POST /customers', fault }]);
    const reply = await service.ponte.hook({
      ...{ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(order, true) },
    });
    return (reply.body as { delivery: string }).delivery;
  }

  function delivery(id: string) {
    return service.ponte.database.prisma.delivery.findUniqueOrThrow({ where: { id } });
  }

  const untilEnded = (id: string) =>
    until(async () => {
      await hasSettled();
      return (await delivery(id)).state !== 'waiting';
    });

  /** The service has had its time: what waits until it has settled goes on. */
  async function hasSettled(): Promise<void> {
    const { prisma } = service.ponte.database;
    await prisma.$executeRaw`
      update finance_call set next_at = now() where state = 'unknown' and next_at > now()`;
    await service.ponte.part(Reconciler).reconcile();
    await prisma.$executeRaw`
      update delivery set ready_at = now() where state = 'waiting' and lease_id is null and ready_at > now()`;
    service.ponte.wakeWorker();
  }

  /** What took effect in the service since a moment. */
  function made(since: number): string[] {
    return service.books.judge.effects
      .slice(since)
      .map(({ operation }) => operation.split('/').slice(0, 3).join('/'));
  }

  const MONEY = ['POST /schedules/credit', 'POST /schedules/credit'];

  it.each([
    ['in effect', IN_EFFECT, ['POST /customers', 'POST /customers']],
    ['not in effect', WITHOUT_EFFECT, ['POST /customers']],
  ])('is created again with "repeat", and the order is booked once: %s', async (_how, fault, customers) => {
    await connect({ unknownCustomers: 'repeat' });
    const since = service.books.judge.effects.length;
    const id = await loseCustomer(fault);
    await untilEnded(id);
    expect(await delivery(id)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(made(since)).toEqual([...customers, ...MONEY]);
  });

  it('is created again with "repeat" without a document, too', async () => {
    await connect({ unknownCustomers: 'repeat', uniqueDocuments: true });
    const since = service.books.judge.effects.length;
    const id = await loseCustomer(IN_EFFECT, '');
    await untilEnded(id);
    expect(await delivery(id)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(made(since)).toEqual(['POST /customers', 'POST /customers', ...MONEY]);
  });

  it('is left to a person unless set otherwise, and after one decision the order is booked by itself', async () => {
    await connect({});
    const since = service.books.judge.effects.length;
    const id = await loseCustomer(IN_EFFECT);
    await untilEnded(id);
    expect(await delivery(id)).toMatchObject({ state: 'dead' });
    expect(made(since)).toEqual(['POST /customers']);
    const { items } = (await service.ponte.admin('effects')) as { items: { id: string }[] };
    expect(items).toHaveLength(1);
    const [customer] = service.books.judge.effects.slice(since);
    const decided = await service.ponte.operate('post', `effects/${items[0]!.id}/adopt`, {
      ...{ recordId: customer!.id, reason: 'it is there' },
    });
    expect(decided.status).toBe(204);
    await until(async () => {
      await hasSettled();
      return (await delivery(id)).state === 'done';
    });
    expect(made(since)).toEqual(['POST /customers', ...MONEY]);
  });
});
