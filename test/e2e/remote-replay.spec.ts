import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { newId } from '../../src/kernel/identifier';
import { BooksElsewhere, untilNoneWaits } from '../support/books-elsewhere';
import { cpfNumber } from '../support/documents';
import type { FinanceClient } from '../support/finance-client';
import { OrderRule } from '../support/order-rule';
import type { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';
import { untilServed } from '../support/until-served';

interface Replay {
  applied: { step: string; state: string }[];
  missing: { step: string; state: string }[];
}

describe('a delivery that is worked on again, with the books elsewhere', () => {
  let elsewhere: BooksElsewhere;
  let books: TestingApp;
  let client: FinanceClient;
  let service: TestService;
  let rule: OrderRule;
  let orders = 0;

  beforeAll(async () => {
    elsewhere = await BooksElsewhere.start();
    ({ app: books, client } = elsewhere);
    service = await elsewhere.connected();
    rule = await OrderRule.of(service);
  });

  afterAll(async () => {
    await service.stop();
    await elsewhere.stop();
  });

  afterEach(() => client.company.verify());

  async function pay(): Promise<{ order: DemoOrder; id: string }> {
    orders += 1;
    const order = {
      ...{ id: 8_700_000_000_000 + orders, number: orders, total: '100.00', instalments: 3 },
      ...{ name: 'Lia Campos', document: cpfNumber(94_000 + orders), email: 'lia@example.com' },
    };
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
    });
    await untilNoneWaits(service);
    return { order, id: (reply.body as { delivery: string }).delivery };
  }

  async function replay(id: string, dryRun: boolean): Promise<[string[], string[]]> {
    const reply = await untilServed(() => service.operate('post', `deliveries/${id}/replay`, { dryRun }));
    expect(reply.status).toBe(200);
    await untilNoneWaits(service);
    const { applied, missing } = reply.body as Replay;
    const shown = (effects: Replay['applied']) => effects.map(({ step, state }) => `${step} ${state}`);
    return [shown(applied), shown(missing)];
  }

  /** What the other service booked, what Ponte asked of it, and what it told of that. */
  async function everything() {
    const { prisma } = service.database;
    return {
      schedules: await books.database.prisma.schedule.findMany({ orderBy: { id: 'asc' } }),
      stakeholders: await books.database.prisma.stakeholder.count(),
      entries: await books.database.prisma.entry.count(),
      calls: await prisma.financeCall.findMany({ orderBy: { id: 'asc' } }),
      tries: await prisma.financeAttempt.count(),
      effects: await prisma.effect.findMany({ orderBy: { key: 'asc' } }),
      changes: await prisma.feedChange.count(),
      attention: await prisma.attention.count(),
    };
  }

  it('is given the step that its rule did not have then, and nothing else', async () => {
    rule.withoutReceipt();
    const { order, id } = await pay();
    expect(await elsewhere.openOf(order)).toEqual([3334n, 3333n, 3333n]);
    rule.whole();
    const before = await everything();
    expect(await replay(id, true)).toEqual([['customer applied', 'schedule applied'], ['receipt absent']]);
    expect(await everything()).toEqual(before);
    await replay(id, false);
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
    const after = await everything();
    expect(after.tries - before.tries).toBe(3);
    expect(after.calls.slice(0, before.calls.length)).toEqual(before.calls);
    expect(after.stakeholders).toBe(before.stakeholders);
    expect(await replay(id, true)).toEqual([['customer applied', 'schedule applied', 'receipt applied'], []]);
  });

  it('goes on where the finance service refused a step', async () => {
    rule.receivedBy(newId());
    const { order, id } = await pay();
    expect((await service.admin(`deliveries/${id}`)) as object).toMatchObject({ state: 'dead' });
    expect(await replay(id, true)).toEqual([['customer applied', 'schedule applied'], ['receipt refused']]);
    rule.whole();
    await replay(id, false);
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
  });

  it('asks nothing of the finance service again, though fifty ask for it at once', async () => {
    rule.whole();
    const { id } = await pay();
    const before = await everything();
    await Promise.all(Array.from({ length: 50 }, () => replay(id, false)));
    expect(await everything()).toEqual(before);
  });
});
