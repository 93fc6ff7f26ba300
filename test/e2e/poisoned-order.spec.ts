import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { MAX_ATTEMPTS } from '../../src/workflows/retry-policy';
import { cpfNumber } from '../support/documents';
import { OPERATORS_KEY, TestService } from '../support/service';

const POISONED = 4_400_000_000_666;

describe('an order that Ponte itself fails on', () => {
  let service: TestService;
  let delivery: string;

  beforeAll(async () => {
    service = await TestService.start();
    const { prisma } = service.database;
    // The database refuses this one order's schedules, as a bug or a full disk might.
    await prisma.$executeRaw`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin raise exception 'the disk is full'; end $$`;
    await prisma.$executeRaw`
      create trigger poison before insert on schedule for each row
      when (new.reference like '%666') execute function refuse_poison()`;
  });

  afterAll(() => service.stop());

  function order(id: number): Buffer {
    const fields = {
      id,
      number: id % 1000,
      total: '30.00',
      name: 'Ivo Prado',
      document: cpfNumber(id % 100_000),
    };
    return shopifyOrder({ ...fields, email: 'ivo@example.com', instalments: 2 }, true);
  }

  async function row(id = delivery) {
    return service.database.prisma.delivery.findUniqueOrThrow({ where: { id } });
  }

  async function until(reached: () => Promise<boolean>): Promise<void> {
    while (!(await reached())) await sleep(20);
  }

  async function count(reference: number): Promise<number> {
    return service.database.prisma.schedule.count({ where: { reference: `shopify/order/${reference}` } });
  }

  it('stops itself alone: the orders around it are booked', async () => {
    const ids = Array.from({ length: 21 }, (_, index) =>
      index === 10 ? POISONED : 4_400_000_000_100 + index,
    );
    const replies = await Promise.all(
      ids.map((id) =>
        service.hook({ source: 'shopify', topic: 'orders/paid', body: order(id), id: `paid-${id}` }),
      ),
    );
    delivery = (replies[10]?.body as { delivery: string }).delivery;
    await until(async () => (await row()).attempts > 0);
    await service.settle();
    for (const id of ids) expect(await count(id)).toBe(id === POISONED ? 0 : 2);
  });

  it('is tried again later, and leaves nothing of itself behind meanwhile', async () => {
    const { state, readyAt, reason } = await row();
    expect(state).toBe('waiting');
    expect(readyAt.getTime()).toBeGreaterThan(Date.now() - 30_000);
    expect(reason).toMatch(/trying again/);
    const { prisma } = service.database;
    expect(await prisma.effect.count({ where: { key: { contains: String(POISONED) } } })).toBe(0);
  });

  it('makes its own later webhooks wait, and nobody else', async () => {
    await service.database.prisma.delivery.update({
      where: { id: delivery },
      data: { readyAt: new Date(Date.now() + 3_600_000) },
    });
    const behind = await service.hook({
      source: 'shopify',
      topic: 'orders/create',
      body: order(POISONED),
      id: 'behind',
    });
    const beside = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: order(4_400_000_000_500),
      id: 'beside',
    });
    await until(async () => (await row((beside.body as { delivery: string }).delivery)).state === 'done');
    expect((await row((behind.body as { delivery: string }).delivery)).state).toBe('waiting');
  });

  it('becomes a dead letter in the end, without showing what the database said', async () => {
    await service.database.prisma.delivery.update({
      where: { id: delivery },
      data: { attempts: MAX_ATTEMPTS - 1, readyAt: new Date() },
    });
    await until(async () => (await row()).state === 'dead');
    const { reason } = await row();
    expect(reason).toMatch(/failed 12 times/);
    expect(reason).not.toMatch(/disk/);
  });

  it('is booked once it is mended and retried, and the audit log knows who did it', async () => {
    await service.database.prisma.$executeRaw`drop trigger poison on schedule`;
    await service.http
      .post(`/admin/organizations/main/dead-letters/${delivery}/retry`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .expect(204);
    await until(async () => (await row()).state === 'done');
    expect(await count(POISONED)).toBe(2);
    expect(await service.admin('audit')).toMatchObject({
      items: [{ action: 'dead-letter.retry', subject: delivery }],
    });
  });

  it('cannot be retried twice', async () => {
    await service.http
      .post(`/admin/organizations/main/dead-letters/${delivery}/retry`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .expect(404);
  });
});
