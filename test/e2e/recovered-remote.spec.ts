import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { Reconciler } from '../../src/finance/remote/reconciliation/reconciler';
import { BooksElsewhere, untilNoneWaits } from '../support/books-elsewhere';
import { cpfNumber } from '../support/documents';
import type { FinanceClient } from '../support/finance-client';
import { OrderRule } from '../support/order-rule';
import type { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';

/** Short, so that a listing need not be waited for after each receipt. */
const SETTLE_MS = 1_000;

describe('a database that was put back, with the books elsewhere', () => {
  let elsewhere: BooksElsewhere;
  let books: TestingApp;
  let client: FinanceClient;
  /** The state that is lost, and the one that knows nothing of it. */
  let lost: TestService;
  let service: TestService;
  let rule: OrderRule;
  let orders = 0;

  beforeAll(async () => {
    elsewhere = await BooksElsewhere.start();
    ({ app: books, client } = elsewhere);
    lost = await elsewhere.connected({ settleMs: SETTLE_MS });
    rule = await OrderRule.of(lost);
    service = await elsewhere.connected({ settleMs: SETTLE_MS });
    const begun = await service.operate('put', 'finance/recovery', { reason: 'the disk is gone' });
    expect(begun.status).toBe(200);
  });

  afterAll(async () => {
    await lost.stop();
    await service.stop();
    await elsewhere.stop();
  });

  afterEach(() => client.company.verify());

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
    // At once, and not when it next looks by itself.
    await untilNoneWaits(to, () => to.part(Reconciler).reconcile());
    return (await to.admin(`deliveries/${delivery}`)) as Record<string, unknown>;
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
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
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
    await receive((await elsewhere.schedulesOf(order))[0]?.id ?? '', 33.34);
    expect(await elsewhere.openOf(order)).toEqual([0n, 3333n, 3333n]);
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
    expect(await elsewhere.schedulesOf(order)).toHaveLength(3);
  });

  it('leaves to a person what others received a part of', async () => {
    rule.withoutReceipt();
    const order = newOrder({ instalments: 1 });
    await pay(lost, order);
    await receive((await elsewhere.schedulesOf(order))[0]?.id ?? '', 10);
    rule.whole();
    expect(await pay(service, order)).toMatchObject({
      state: 'dead',
      reason: expect.stringContaining('90.00 is open on the schedule, where 100.00 was open without it'),
    });
    expect(await elsewhere.openOf(order)).toEqual([9000n]);
  });

  it('books what no state has booked, once', async () => {
    const order = newOrder();
    expect(await pay(service, order)).toMatchObject({ state: 'done' });
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
  });
});
