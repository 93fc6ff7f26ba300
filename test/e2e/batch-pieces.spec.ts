import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { EmbeddedWorkflowEngine } from '../../src/workflows/embedded-workflow-engine';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

const ORDERS = 100;
const PIECE = 64;
const FIRST = 4_900_000_000_000;

describe('a batch of a hundred orders', () => {
  let service: TestService;
  let worker: DeliveryWorker;
  /** The delivery that the engine cannot plan, if any. */
  let unplannable: string | undefined;
  /** Milliseconds that the engine takes after the database wrote. */
  let endingMs = 0;
  /** Stands still while a batch is worked on: however slow the machine is, no time is used up. */
  let clock: jest.SpyInstance;
  /** What the engine did, in order. */
  const done: string[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    worker = service.part(DeliveryWorker);
    const engine = service.part(EmbeddedWorkflowEngine);
    const plan = engine.plan.bind(engine);
    const execute = engine.execute.bind(engine);
    jest.spyOn(engine, 'plan').mockImplementation((work, share) => {
      done.push('plan');
      if (work.some(({ deliveryId }) => deliveryId === unplannable)) throw new Error('a bug in a rule');
      return plan(work, share);
    });
    jest.spyOn(engine, 'execute').mockImplementation(async (tx, planned, conclude) => {
      done.push(`write ${planned.length}`);
      await execute(tx, planned, conclude);
      await sleep(endingMs);
      done.push(`end ${planned.length}`);
    });
  });

  afterAll(() => service.stop());
  afterEach(() => clock.mockRestore());

  async function sendAll(first: number): Promise<string[]> {
    worker.pauseWhile(() => true);
    const ids: string[] = [];
    for (let index = 0; index < ORDERS; index += 1) {
      const about = { id: first + index, number: index, total: '30.00', name: 'Ivo Prado' };
      const document = cpfNumber(index + 1);
      const body = shopifyOrder(
        { ...about, email: `ivo${index}@example.com`, document, instalments: 3 },
        true,
      );
      const { body: reply } = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
      ids.push((reply as { delivery: string }).delivery);
    }
    done.length = 0;
    clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    return ids;
  }

  async function states(ids: readonly string[]): Promise<Record<string, number>> {
    const rows = await service.database.prisma.delivery.findMany({ where: { id: { in: [...ids] } } });
    const count = (wanted: string): number => rows.filter(({ state }) => state === wanted).length;
    return { done: count('done'), waiting: count('waiting') };
  }

  /** Instalments of the orders from this number on. */
  async function booked(first: number): Promise<{ schedules: number; orders: number }> {
    const rows = await service.database.prisma.schedule.findMany({
      where: { reference: { startsWith: `shopify/order/${String(first).slice(0, 8)}` } },
    });
    const references = rows.map(({ reference }) => reference);
    return { schedules: rows.length, orders: new Set(references).size };
  }

  it('is planned while the database writes, where it works on one batch at a time', async () => {
    const ids = await sendAll(FIRST);
    expect(await worker.workOnce()).toBe(ORDERS);
    const plans = (count: number): string[] => Array<string>(count).fill('plan');
    const inPieces = [
      ...plans(PIECE),
      `write ${PIECE}`,
      ...plans(ORDERS - PIECE),
      `end ${PIECE}`,
      `write ${ORDERS - PIECE}`,
      `end ${ORDERS - PIECE}`,
    ];
    const atOnce = [...plans(ORDERS), `write ${ORDERS}`, `end ${ORDERS}`];
    expect(done).toEqual(service.database.parallel ? atOnce : inPieces);
    expect(await states(ids)).toEqual({ done: ORDERS, waiting: 0 });
    expect(await booked(FIRST)).toEqual({ schedules: 3 * ORDERS, orders: ORDERS });
  });

  it('is written without the one order that the database refuses, in whichever piece that is', async () => {
    const { prisma } = service.database;
    await prisma.$executeRaw`
      create function refuse_some() returns trigger language plpgsql as $$
      begin raise exception 'the disk is full'; end $$`;
    await prisma.$executeRaw`
      create trigger refuse_two before insert on schedule for each row
      when (new.reference like '%0003' or new.reference like '%0090') execute function refuse_some()`;
    const first = 5_100_000_000_000;
    const ids = await sendAll(first);
    expect(await worker.workOnce()).toBe(ORDERS);
    expect(await states(ids)).toEqual({ done: ORDERS - 2, waiting: 2 });
    expect(await booked(first)).toEqual({ schedules: 3 * (ORDERS - 2), orders: ORDERS - 2 });
    await prisma.$executeRaw`drop trigger refuse_two on schedule`;
    await prisma.$executeRaw`update delivery set ready_at = now() where state = 'waiting'`;
    expect(await worker.workOnce()).toBe(2);
    expect(await booked(first)).toEqual({ schedules: 3 * ORDERS, orders: ORDERS });
  });

  it('is written without the one order that cannot be planned, when others are being written', async () => {
    const first = 5_300_000_000_000;
    const ids = await sendAll(first);
    unplannable = ids[80];
    endingMs = 200;
    expect(await worker.workOnce()).toBe(81);
    // What is being written ends before anything is tried again.
    if (!service.database.parallel) expect(done[PIECE + 1 + 17]).toBe(`end ${PIECE}`);
    expect(await worker.workOnce()).toBe(ORDERS - 81);
    unplannable = undefined;
    endingMs = 0;
    expect(await states(ids)).toEqual({ done: ORDERS - 1, waiting: 1 });
    expect(await booked(first)).toEqual({ schedules: 3 * (ORDERS - 1), orders: ORDERS - 1 });
    await service.database.prisma.$executeRaw`update delivery set ready_at = now() where state = 'waiting'`;
    expect(await worker.workOnce()).toBe(1);
    expect(await booked(first)).toEqual({ schedules: 3 * ORDERS, orders: ORDERS });
  });
});
