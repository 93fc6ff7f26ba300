import type { Plan } from '../../src/rules/plan';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { BooksElsewhere, untilNoneWaits } from '../support/books-elsewhere';
import { cpfNumber } from '../support/documents';
import { type FinanceClient, refusalOf } from '../support/finance-client';
import type { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';

interface Effect {
  operation: string;
  state: string;
  attempts: number;
}

describe('from a signed order webhook to the books of another service', () => {
  let elsewhere: BooksElsewhere;
  let books: TestingApp;
  let client: FinanceClient;
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    elsewhere = await BooksElsewhere.start();
    ({ app: books, client } = elsewhere);
    service = await elsewhere.service();
  });

  afterAll(async () => {
    await service.stop();
    await elsewhere.stop();
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

  it('waits while the finance service is not connected', async () => {
    await pay(newOrder(), 'early');
    const reasonOf = async () => (await service.database.prisma.delivery.findFirstOrThrow()).reason;
    while ((await reasonOf()) === null) await sleep(20);
    expect(await reasonOf()).toContain('connect');
    expect(await books.database.prisma.schedule.count()).toBe(0);
  });

  it('is connected by an operator, who can try the connection and never sees the key again', async () => {
    const put = await service.operate('put', 'finance', elsewhere.connection);
    expect([put.status, put.text.includes(client.key)]).toEqual([200, false]);
    expect((await service.operate('post', 'finance/test')).body).toMatchObject({ ok: true });
    expect(JSON.stringify(await service.admin('finance'))).not.toContain(client.key);
    expect(JSON.stringify(await service.admin('audit'))).not.toContain(client.key);
    await service.database.prisma.delivery.updateMany({ data: { readyAt: new Date() } });
    await untilNoneWaits(service);
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
    await untilNoneWaits(service);
    expect(await elsewhere.openOf(order)).toEqual([0n, 0n, 0n]);
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
    await untilNoneWaits(service);
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
