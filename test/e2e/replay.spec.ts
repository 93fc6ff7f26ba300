import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { OrderRule } from '../support/order-rule';
import { TestService } from '../support/service';
import { untilServed } from '../support/until-served';

interface Effect {
  step: string;
  state: string;
}

interface Replay {
  applied: Effect[];
  missing: Effect[];
  queued: boolean;
}

describe('a delivery that is worked on again', () => {
  let service: TestService;
  let rule: OrderRule;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
    rule = await OrderRule.of(service);
  });

  afterAll(() => service.stop());

  afterEach(async () => {
    expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
  });

  async function pay(): Promise<{ order: DemoOrder; id: string }> {
    orders += 1;
    const order = {
      ...{ id: 6_700_000_000_000 + orders, number: orders, total: '100.00', instalments: 3 },
      ...{ name: 'Lia Campos', document: cpfNumber(93_000 + orders), email: 'lia@example.com' },
    };
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true),
    });
    await service.settle();
    return { order, id: (reply.body as { delivery: string }).delivery };
  }

  async function replay(id: string, dryRun: boolean): Promise<Replay> {
    const reply = await untilServed(() => service.operate('post', `deliveries/${id}/replay`, { dryRun }));
    expect(reply.status).toBe(200);
    await service.settle();
    return reply.body as Replay;
  }

  /** Every record of the books, of what was applied and of what was told, but for runs. */
  async function everything() {
    const { prisma } = service.database;
    return {
      schedules: await prisma.schedule.findMany({ orderBy: { id: 'asc' } }),
      stakeholders: await prisma.stakeholder.findMany({ orderBy: { id: 'asc' } }),
      effects: await prisma.effect.findMany({ orderBy: { key: 'asc' } }),
      entries: await prisma.entry.findMany({ orderBy: { id: 'asc' } }),
      // A balance is announced by a timer, for what was done before.
      changes: await prisma.feedChange.count({ where: { type: { not: 'balance.changed' } } }),
      attention: await prisma.attention.findMany({ orderBy: { id: 'asc' } }),
    };
  }

  function shown(effects: readonly Effect[]): string[] {
    return effects.map(({ step, state }) => `${step} ${state}`);
  }

  async function receipts({ id }: DemoOrder): Promise<bigint[]> {
    const { prisma } = service.database;
    const schedules = await prisma.schedule.findMany({ where: { reference: `shopify/order/${id}` } });
    const entries = await prisma.entry.findMany({
      where: { kind: 'receipt', creditId: { in: schedules.map((schedule) => schedule.id) } },
      orderBy: { amountMinor: 'desc' },
    });
    return entries.map(({ amountMinor }) => amountMinor);
  }

  it('is given the step that its rule did not have then, and nothing else', async () => {
    rule.withoutReceipt();
    const { order, id } = await pay();
    expect(await receipts(order)).toEqual([]);
    rule.whole();
    const before = await everything();
    const plan = await replay(id, true);
    expect([shown(plan.applied), shown(plan.missing), plan.queued]).toEqual([
      ['customer applied', 'schedule applied'],
      ['receipt absent'],
      false,
    ]);
    expect(await everything()).toEqual(before);
    expect(shown((await replay(id, false)).missing)).toEqual(['receipt absent']);
    expect(await receipts(order)).toEqual([3334n, 3333n, 3333n]);
    const after = await everything();
    const known = new Set(before.effects.map(({ key }) => key));
    expect(after.effects.filter(({ key }) => known.has(key))).toEqual(before.effects);
    expect(after.effects).toHaveLength(before.effects.length + 1);
    expect(after.stakeholders).toEqual(before.stakeholders);
    expect(after.schedules.map((each) => each.id)).toEqual(before.schedules.map((each) => each.id));
    expect(shown((await replay(id, true)).missing)).toEqual([]);
  });

  it('leaves in the audit log what the older version of the rule did', async () => {
    rule.withoutReceipt();
    const { id } = await pay();
    rule.whole();
    await replay(id, false);
    const run = await service.database.prisma.run.findFirstOrThrow({ where: { deliveryId: id } });
    expect([run.ruleVersion, run.state]).toEqual([2, 'done']);
    expect(await service.admin(`audit?subject=${id}`)).toMatchObject({
      items: [{ before: { runs: [{ version: 1, steps: [{ id: 'customer' }, { id: 'schedule' }] }] } }],
    });
  });

  it('goes on where a step was refused, once what was wrong is mended', async () => {
    rule.receivedBy('no-such-account');
    const { order, id } = await pay();
    const stuck = await replay(id, true);
    expect([shown(stuck.applied), shown(stuck.missing)]).toEqual([
      ['customer applied', 'schedule applied'],
      ['receipt refused'],
    ]);
    await replay(id, false);
    expect(await receipts(order)).toEqual([]);
    rule.whole();
    await replay(id, false);
    expect(await receipts(order)).toEqual([3334n, 3333n, 3333n]);
    expect(await service.admin(`deliveries/${id}`)).toMatchObject({ state: 'done', outcome: 'applied' });
  });

  it('comes to the same whether it is asked for once or fifty times at once', async () => {
    rule.withoutReceipt();
    const { order, id } = await pay();
    rule.whole();
    await Promise.all(Array.from({ length: 50 }, () => replay(id, false)));
    expect(await receipts(order)).toEqual([3334n, 3333n, 3333n]);
    const once = await everything();
    await Promise.all(Array.from({ length: 50 }, () => replay(id, false)));
    expect(await everything()).toEqual(once);
  });

  it('tells a person once of what differs, however often it is worked on', async () => {
    rule.whole();
    const { order, id } = await pay();
    const dearer = shopifyOrder({ ...order, total: '120.00' }, true);
    const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body: dearer });
    await service.settle();
    const before = await everything();
    const own = before.attention.filter(({ businessKey }) => businessKey === `shopify/order/${order.id}`);
    expect(own.map(({ code }) => code)).toContain('amount-differs');
    const both = [id, (reply.body as { delivery: string }).delivery];
    await Promise.all(Array.from({ length: 25 }, () => both.map((each) => replay(each, false))).flat());
    expect(await everything()).toEqual(before);
  });

  it('is worked on even when it was discarded', async () => {
    rule.receivedBy('no-such-account');
    const { order, id } = await pay();
    expect((await service.operate('post', `dead-letters/${id}/discard`, { reason: 'a slip' })).status).toBe(
      204,
    );
    rule.whole();
    await replay(id, false);
    expect(await receipts(order)).toHaveLength(3);
  });
});
