import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { Reconciler } from '../../src/finance/remote/reconciliation/reconciler';
import { ConfigFolder } from '../support/config-folder';
import { cpfNumber } from '../support/documents';
import { FinanceClient } from '../support/finance-client';
import { OrderRule } from '../support/order-rule';
import { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';

/** Short, so that a listing need not be waited for after each receipt. */
const SETTLE_MS = 1_000;

describe('a database that was put back, with the books elsewhere', () => {
  let folder: ConfigFolder;
  let books: TestingApp;
  let client: FinanceClient;
  /** The state that is lost, and the one that knows nothing of it. */
  let lost: TestService;
  let service: TestService;
  let rule: OrderRule;
  let orders = 0;

  beforeAll(async () => {
    books = await FinanceClient.serve();
    client = await FinanceClient.of(books);
    folder = new ConfigFolder({
      category: { 'online-sales': await client.idByCode('category', '1.1.01') },
      gatewayAccount: { default: await client.idByCode('account', 'main') },
    });
    lost = await connected();
    rule = await OrderRule.of(lost);
    service = await connected();
    const begun = await service.operate('put', 'finance/recovery', { reason: 'the disk is gone' });
    expect(begun.status).toBe(200);
  });

  afterAll(async () => {
    await lost.stop();
    await service.stop();
    await books.close();
    folder.remove();
  });

  afterEach(() => client.company.verify());

  async function connected(): Promise<TestService> {
    const made = await TestService.start(undefined, {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: `${await books.app.getUrl()}/v1`,
    });
    const put = await made.operate('put', 'finance', {
      organization: client.company.organization.slug,
      apiKey: client.key,
      uniqueDocuments: true,
      settleMs: SETTLE_MS,
      limits: { perSecond: 1_000, atOnce: 8 },
    });
    expect(put.status).toBe(200);
    return made;
  }

  function newOrder(changes: Partial<DemoOrder> = {}): DemoOrder {
    orders += 1;
    return {
      ...{ id: 8_900_000_000_000 + orders, number: orders, total: '100.00', instalments: 3 },
      ...{ name: 'Lia Campos', document: cpfNumber(95_000 + orders), email: 'lia@example.com' },
      ...changes,
    };
  }

  /** Has the order's webhook worked on. @returns its delivery, as operators see it */
  async function pay(to: TestService, order: DemoOrder): Promise<Record<string, unknown>> {
    const body = shopifyOrder(order, true);
    const reply = await to.hook({ source: 'shopify', topic: 'orders/paid', body });
    const { delivery } = reply.body as { delivery: string };
    while ((await to.database.prisma.delivery.count({ where: { state: 'waiting' } })) > 0) {
      // At once, and not when it next looks by itself.
      await to.part(Reconciler).reconcile();
      await sleep(20);
    }
    return (await to.admin(`deliveries/${delivery}`)) as Record<string, unknown>;
  }

  const schedulesOf = ({ id }: DemoOrder) =>
    books.database.prisma.schedule.findMany({
      where: { reference: `shopify/order/${id}` },
      orderBy: { instalment: 'asc' },
    });

  async function openOf(order: DemoOrder): Promise<bigint[]> {
    return (await schedulesOf(order)).map(({ openMinor }) => openMinor);
  }

  /** What a lost state received of a schedule. */
  async function receive(scheduleId: string, value: number): Promise<void> {
    const accountId = await client.idByCode('account', 'main');
    const body = { scheduleId, accountId, date: '2026-11-28', value };
    const path = `/schedules/credit/${scheduleId}/receipts`;
    expect((await client.send('post', path, JSON.stringify(body))).status).toBe(204);
  }

  const everything = async () => ({
    stakeholders: await books.database.prisma.stakeholder.count(),
    schedules: await books.database.prisma.schedule.count(),
    entries: await books.database.prisma.entry.count(),
  });

  it('takes over what a lost state booked, and books nothing of it again', async () => {
    rule.whole();
    const order = newOrder();
    expect(await pay(lost, order)).toMatchObject({ state: 'done' });
    const before = await everything();
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await everything()).toEqual(before);
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
    const { items } = (await service.admin('attention')) as { items: unknown[] };
    expect(items).toEqual([]);
    // What a webhook says again is known by now.
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await everything()).toEqual(before);
    const taken = await service.database.prisma.effect.findMany({
      where: { key: { contains: String(order.id) } },
    });
    expect(taken.map(({ state }) => state)).not.toContain('unknown');
  });

  it('books the rest of what a lost state had begun', async () => {
    rule.withoutReceipt();
    const order = newOrder();
    await pay(lost, order);
    rule.whole();
    await receive((await schedulesOf(order))[0]?.id ?? '', 33.34);
    expect(await openOf(order)).toEqual([0n, 3333n, 3333n]);
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
    expect(await schedulesOf(order)).toHaveLength(3);
  });

  it('leaves to a person what others received a part of', async () => {
    rule.withoutReceipt();
    const order = newOrder({ instalments: 1 });
    await pay(lost, order);
    await receive((await schedulesOf(order))[0]?.id ?? '', 10);
    rule.whole();
    expect(await pay(service, order)).toMatchObject({
      state: 'dead',
      reason: expect.stringContaining('90.00 is open on the schedule, where 100.00 was open without it'),
    });
    expect(await openOf(order)).toEqual([9000n]);
  });

  it('books what no state has booked, once', async () => {
    const order = newOrder();
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
  });
});
