import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { openTestReplicas } from '../support/database';
import { TestService } from '../support/service';

describe('two replicas on one PostgreSQL', () => {
  let replicas: TestService[];

  beforeAll(async () => {
    const databases = await openTestReplicas(2);
    replicas = await Promise.all(databases.map((database) => TestService.start(database)));
  });

  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  function replica(index: number): TestService {
    const found = replicas[index % replicas.length];
    if (!found) throw new Error('no replica runs');
    return found;
  }

  const ORDER = {
    id: 8_800_000_000_001,
    number: 77,
    total: '100.00',
    name: 'Nina Alves',
    document: cpfNumber(88_001),
    email: 'nina@example.com',
    instalments: 3,
  };

  it('provision themselves at the same time and make one of each', async () => {
    const { prisma } = replica(0).database;
    expect(await prisma.organization.count()).toBe(1);
    expect(await prisma.source.count()).toBe(3);
    expect(await prisma.ruleVersion.count()).toBe(10);
    expect(await prisma.account.count()).toBe(1);
  });

  it('do the same order once, delivered fifty times at once through both', async () => {
    const body = shopifyOrder(ORDER, true);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        // Every delivery id comes twice, once through each replica.
        replica(index).hook({
          source: 'shopify',
          topic: 'orders/paid',
          body,
          id: `same-order-${index >> 1}`,
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(replies.filter(({ body: reply }) => (reply as { duplicate: boolean }).duplicate)).toHaveLength(25);
    await replica(0).settle();
    const { prisma } = replica(1).database;
    expect(await prisma.stakeholder.count({ where: { document: ORDER.document } })).toBe(1);
    const schedules = await prisma.schedule.findMany({
      where: { reference: `shopify/order/${ORDER.id}` },
      orderBy: { instalment: 'asc' },
    });
    expect(schedules.map(({ valueMinor, openMinor }) => [valueMinor, openMinor])).toEqual([
      [3334n, 0n],
      [3333n, 0n],
      [3333n, 0n],
    ]);
    const receipts = await prisma.entry.findMany({ where: { kind: 'receipt' } });
    expect(receipts.map(({ amountMinor }) => amountMinor).sort()).toEqual([3333n, 3333n, 3334n]);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });

  it('make one customer of a newcomer whose many orders arrive at once through both', async () => {
    const document = cpfNumber(88_002);
    const orders = Array.from({ length: 40 }, (_, index) => ({
      ...ORDER,
      id: 8_800_000_001_000 + index,
      document,
      total: '10.01',
      instalments: 2,
    }));
    await Promise.all(
      orders.map((order, index) =>
        replica(index).hook({
          source: 'shopify',
          topic: 'orders/paid',
          body: shopifyOrder(order, true),
          id: `o-${order.id}`,
        }),
      ),
    );
    await replica(0).settle();
    const { prisma } = replica(0).database;
    const customers = await prisma.stakeholder.findMany({ where: { document }, select: { id: true } });
    expect(customers).toHaveLength(1);
    expect(await prisma.schedule.count({ where: { stakeholderId: customers[0]!.id } })).toBe(80);
    expect(await prisma.delivery.count({ where: { state: { not: 'done' } } })).toBe(0);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });
});
