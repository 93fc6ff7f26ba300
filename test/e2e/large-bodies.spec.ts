import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { EmbeddedWorkflowEngine } from '../../src/workflows/embedded-workflow-engine';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

const LARGE = 12;
const ORDINARY = 20;
const REFUNDS = 7_500;

describe('twelve bodies of a megabyte with 7,500 refunds each', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  function order(index: number): Record<string, unknown> {
    const id = 4_600_000_000_000 + index;
    const about = { id, number: index, total: '30.00', name: 'Ivo Prado', email: 'ivo@example.com' };
    const body = shopifyOrder({ ...about, document: cpfNumber(index + 1), instalments: 1 }, true);
    return JSON.parse(body.toString()) as Record<string, unknown>;
  }

  function large(index: number): string {
    const refunds = Array.from({ length: REFUNDS }, (_, at) => ({
      id: index * 10_000 + at,
      created_at: `2026-11-20T10:00:${String(at % 60).padStart(2, '0')}-03:00`,
      transactions: [{ amount: '0.01', kind: 'refund', status: 'success' }],
    }));
    return JSON.stringify({ ...order(index), refunds });
  }

  async function sendAll(topic: string, bodies: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const body of bodies) {
      const { status, body: reply } = await service.hook({ source: 'shopify', topic, body });
      expect(status).toBe(200);
      ids.push((reply as { delivery: string }).delivery);
    }
    return ids;
  }

  function waiting(ids: readonly string[]): Promise<number> {
    return service.database.prisma.delivery.count({ where: { id: { in: [...ids] }, state: 'waiting' } });
  }

  /** When the last of them was done. */
  async function lastDone(ids: readonly string[]): Promise<Date> {
    const where = { id: { in: [...ids] } };
    const { _max } = await service.database.prisma.delivery.aggregate({ where, _max: { finishedAt: true } });
    return _max.finishedAt!;
  }

  it('end, and starve no ordinary order that comes after them', async () => {
    // All of it is there before any of it is worked on.
    const { prisma } = service.database;
    await prisma.$executeRaw`
      create function sleep_on() returns trigger language plpgsql as $$
      begin new.ready_at := '2100-01-01'; return new; end $$`;
    await prisma.$executeRaw`
      create trigger sleepers before insert on delivery for each row execute function sleep_on()`;
    const bodies = Array.from({ length: LARGE }, (_, index) => large(index));
    const slow = await sendAll('orders/updated', bodies);
    const ordinary = await sendAll(
      'orders/paid',
      Array.from({ length: ORDINARY }, (_, index) => JSON.stringify(order(1_000 + index))),
    );
    await prisma.$executeRaw`drop trigger sleepers on delivery`;
    await prisma.$executeRaw`update delivery set ready_at = now()`;
    const startedAt = performance.now();
    let longestMs = 0;
    let last = startedAt;
    const beat = setInterval(() => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }, 5);
    while ((await waiting(ordinary)) > 0) await sleep(20);
    const ordinaryMs = performance.now() - startedAt;
    while ((await waiting(slow)) > 0) await sleep(20);
    clearInterval(beat);
    process.stdout.write(
      `ordinary ones after ${Math.round(ordinaryMs)} ms, all after ${Math.round(performance.now() - startedAt)} ms, longest pause of the event loop ${Math.round(longestMs)} ms\n`,
    );
    expect((await lastDone(ordinary)).getTime()).toBeLessThan((await lastDone(slow)).getTime());
    expect(await prisma.delivery.count({ where: { id: { in: ordinary }, state: 'done' } })).toBe(ORDINARY);
  }, 600_000);
});

describe('a body of 100 KB that has waited for long', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  it('goes before the ordinary ones of its batch in every other batch', async () => {
    const worker = service.part(DeliveryWorker);
    worker.pauseWhile(() => true);
    const send = async (index: number, padding: string): Promise<string> => {
      const about = { id: 4_700_000_000_000 + index, number: index, total: '30.00', instalments: 1 };
      const order = shopifyOrder(
        { ...about, name: 'Ivo Prado', email: 'ivo@example.com', document: cpfNumber(index) },
        true,
      );
      const body = JSON.stringify({ ...(JSON.parse(order.toString()) as object), padding });
      const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
      return (reply.body as { delivery: string }).delivery;
    };
    const ordinary = await send(1, '');
    const large = await send(2, 'x'.repeat(100_000));
    const { prisma } = service.database;
    const planned = jest.spyOn(service.part(EmbeddedWorkflowEngine), 'plan');
    const orders: string[][] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      const minuteAgo = new Date(Date.now() - 60_000);
      await prisma.delivery.updateMany({
        data: { state: 'waiting', readyAt: minuteAgo, receivedAt: minuteAgo, finishedAt: null },
      });
      planned.mockClear();
      expect(await worker.workOnce()).toBe(2);
      orders.push(planned.mock.calls.map(([[work]]) => work!.deliveryId));
    }
    const alternating = [
      [large, ordinary],
      [ordinary, large],
    ];
    expect([alternating, alternating.toReversed()]).toContainEqual(orders.slice(0, 2));
    expect(orders.slice(2)).toEqual(orders.slice(0, 2));
  });
});
