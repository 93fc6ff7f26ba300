import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { newId } from '../../src/kernel/identifier';
import { ConfigFolder } from '../support/config-folder';
import { cpfNumber } from '../support/documents';
import { FinanceClient } from '../support/finance-client';
import { OrderRule } from '../support/order-rule';
import { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';
import { untilServed } from '../support/until-served';

interface Replay {
  applied: { step: string; state: string }[];
  missing: { step: string; state: string }[];
}

describe('a delivery that is worked on again, with the books elsewhere', () => {
  let folder: ConfigFolder;
  let books: TestingApp;
  let client: FinanceClient;
  let service: TestService;
  let rule: OrderRule;
  let account: string;
  let orders = 0;

  beforeAll(async () => {
    books = await FinanceClient.serve();
    client = await FinanceClient.of(books);
    const category = await client.idByCode('category', '1.1.01');
    account = await client.idByCode('account', 'main');
    folder = new ConfigFolder({
      category: { 'online-sales': category },
      gatewayAccount: { default: account },
    });
    service = await TestService.start(undefined, {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: `${await books.app.getUrl()}/v1`,
    });
    const put = await service.operate('put', 'finance', {
      organization: client.company.organization.slug,
      apiKey: client.key,
      uniqueDocuments: true,
      limits: { perSecond: 1_000, atOnce: 8 },
    });
    expect(put.status).toBe(200);
    rule = await OrderRule.of(service);
  });

  afterAll(async () => {
    await service.stop();
    await books.close();
    folder.remove();
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
    await untilSettled();
    return { order, id: (reply.body as { delivery: string }).delivery };
  }

  async function untilSettled(): Promise<void> {
    while ((await service.database.prisma.delivery.count({ where: { state: 'waiting' } })) > 0)
      await sleep(20);
  }

  async function replay(id: string, dryRun: boolean): Promise<[string[], string[]]> {
    const reply = await untilServed(() => service.operate('post', `deliveries/${id}/replay`, { dryRun }));
    expect(reply.status).toBe(200);
    await untilSettled();
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

  async function openOf({ id }: DemoOrder): Promise<bigint[]> {
    const rows = await books.database.prisma.schedule.findMany({
      where: { reference: `shopify/order/${id}` },
      orderBy: { instalment: 'asc' },
    });
    return rows.map(({ openMinor }) => openMinor);
  }

  it('is given the step that its rule did not have then, and nothing else', async () => {
    rule.withoutReceipt();
    const { order, id } = await pay();
    expect(await openOf(order)).toEqual([3334n, 3333n, 3333n]);
    rule.whole();
    const before = await everything();
    expect(await replay(id, true)).toEqual([['customer applied', 'schedule applied'], ['receipt absent']]);
    expect(await everything()).toEqual(before);
    await replay(id, false);
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
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
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
  });

  it('asks nothing of the finance service again, though fifty ask for it at once', async () => {
    rule.whole();
    const { id } = await pay();
    const before = await everything();
    await Promise.all(Array.from({ length: 50 }, () => replay(id, false)));
    expect(await everything()).toEqual(before);
  });
});
