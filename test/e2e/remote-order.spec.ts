import type { Plan } from '../../src/rules/plan';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { ConfigFolder } from '../support/config-folder';
import { cpfNumber } from '../support/documents';
import { FinanceClient, refusalOf } from '../support/finance-client';
import { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';

interface Effect {
  operation: string;
  state: string;
  attempts: number;
}

describe('from a signed order webhook to the books of another service', () => {
  let folder: ConfigFolder;
  let books: TestingApp;
  let client: FinanceClient;
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    books = await FinanceClient.serve();
    client = await FinanceClient.of(books);
    const category = await client.idByCode('category', '1.1.01');
    const account = await client.idByCode('account', 'main');
    folder = new ConfigFolder({
      category: { 'online-sales': category },
      gatewayAccount: { default: account },
    });
    service = await TestService.start(undefined, {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: `${await books.app.getUrl()}/v1`,
    });
  });

  afterAll(async () => {
    await service.stop();
    await books.close();
    folder.remove();
  });

  function newOrder(): DemoOrder {
    orders += 1;
    return {
      id: 8_100_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: 'Lia Campos',
      document: cpfNumber(70_000 + orders),
      email: `lia${orders}@example.com`,
      instalments: 3,
    };
  }

  function pay(order: DemoOrder, id: string) {
    return service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(order, true), id });
  }

  async function untilSettled(): Promise<void> {
    const waiting = () => service.database.prisma.delivery.count({ where: { state: 'waiting' } });
    while ((await waiting()) > 0) await sleep(20);
  }

  async function openOf({ id }: DemoOrder): Promise<bigint[]> {
    const rows = await books.database.prisma.schedule.findMany({
      where: { reference: `shopify/order/${id}` },
      orderBy: { instalment: 'asc' },
    });
    return rows.map(({ openMinor }) => openMinor);
  }

  it('waits while the finance service is not connected', async () => {
    await pay(newOrder(), 'early');
    const reasonOf = async () => (await service.database.prisma.delivery.findFirstOrThrow()).reason;
    while ((await reasonOf()) === null) await sleep(20);
    expect(await reasonOf()).toContain('connect');
    expect(await books.database.prisma.schedule.count()).toBe(0);
  });

  it('is connected by an operator, who can try the connection and never sees the key again', async () => {
    const connection = {
      organization: client.company.organization.slug,
      apiKey: client.key,
      uniqueDocuments: true,
      limits: { perSecond: 1_000, atOnce: 8 },
    };
    const put = await service.operate('put', 'finance', connection);
    expect([put.status, put.text.includes(client.key)]).toEqual([200, false]);
    expect((await service.operate('post', 'finance/test')).body).toMatchObject({ ok: true });
    expect(JSON.stringify(await service.admin('finance'))).not.toContain(client.key);
    expect(JSON.stringify(await service.admin('audit'))).not.toContain(client.key);
    await service.database.prisma.delivery.updateMany({ data: { readyAt: new Date() } });
    await untilSettled();
    expect(await service.admin('dead-letters')).toEqual({ items: [], after: null });
  });

  it('may be allowed to answer reads again for a minute at most', async () => {
    const before = (await service.admin('finance')) as object;
    const tooLong = await service.operate('put', 'finance', { ...before, cacheMs: 60_001 });
    expect(refusalOf(tooLong)).toBe('422 validation-failed /cacheMs');
    expect((await service.operate('put', 'finance', { ...before, cacheMs: 60_000 })).status).toBe(200);
    expect(await service.admin('finance')).toEqual({ ...before, cacheMs: 60_000 });
  });

  it('books an order once, in instalments that are paid, however often it is sent', async () => {
    const order = newOrder();
    await Promise.all(['a', 'b', 'c'].map((name) => pay(order, `${name}-${order.id}`)));
    await untilSettled();
    expect(await openOf(order)).toEqual([0n, 0n, 0n]);
    const document = order.document.replace(/\D/g, '');
    expect(await books.database.prisma.stakeholder.count({ where: { document } })).toBe(1);
    const effects = (await service.admin('effects?state=applied')) as { items: Effect[] };
    expect(effects.items.map(({ operation, attempts }) => [operation, attempts])).toContainEqual([
      'receipts.registerForSchedule',
      1,
    ]);
    await client.company.verify();
  });

  it('shows beforehand and without a call what it then does', async () => {
    const order = newOrder();
    const { body } = await pay(order, `shown-${order.id}`);
    const { delivery: deliveryId } = body as { delivery: string };
    await untilSettled();
    const { prisma } = service.database;
    const calls = await prisma.financeCall.findMany({ orderBy: { id: 'asc' } });
    const tries = await prisma.financeAttempt.count();
    const shown = await service.operate('post', 'rules/order-paid/preview', { deliveryId });
    const { plan } = await prisma.run.findFirstOrThrow({ where: { deliveryId } });
    const { steps } = plan as unknown as Plan;
    expect(steps[0]?.effects[0]?.leftOut).toContain('name');
    // What is kept says nothing of the person any more.
    const kept = steps.map((step) => ({
      ...step,
      effects: step.effects.map(({ leftOut: _leftOut, ...effect }) => effect),
    }));
    expect(shown.body).toMatchObject({ events: [{ plan: { steps: kept } }] });
    expect(await prisma.financeCall.findMany({ orderBy: { id: 'asc' } })).toEqual(calls);
    expect(await prisma.financeAttempt.count()).toBe(tries);
  });

  it('leaves records to the finance service that keeps them', async () => {
    const reply = await service.operate('post', 'banks', { code: '001', name: 'A bank' });
    expect([reply.status, (reply.body as { error: string }).error]).toEqual([409, 'conflict']);
  });
});
