import { Logger } from '@nestjs/common';
import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import type { DeliveryState } from '../database/client/client';
import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import { newId } from '../kernel/identifier';
import { type Counter, Metrics } from '../kernel/metrics';
import { BodyRetention, PURGE_BATCH } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';

const NOW = '2026-11-21T12:00:00Z';
const DAY_MS = 86_400_000;

interface ArrivalOptions {
  count?: number;
  state?: DeliveryState;
  owner?: string;
}

/** Adds up what is counted. */
class Counted extends Metrics {
  total = 0;

  override counter(): Counter {
    return { add: (_labels, by = 1) => void (this.total += by) };
  }

  override histogram(): never {
    throw new Error('nothing is spread here');
  }

  override gauges(): void {
    throw new Error('nothing is read here');
  }

  override gauge(): void {
    throw new Error('nothing is read here');
  }
}

beforeAll(() => Logger.overrideLogger(false));

describe('bodies of deliveries', () => {
  let database: Database;
  let organizationId: string;
  let sourceId: string;
  let counted: Counted;
  let retention: BodyRetention;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
    await database.prisma.organization.deleteMany();
    organizationId = await organization(30);
    sourceId = newId();
    counted = new Counted();
    retention = new BodyRetention(database, new DeliveryBodies(), new SettableClock(NOW), counted);
    retention.onModuleInit();
  });

  async function organization(rawBodyDays: number): Promise<string> {
    const id = newId();
    const names = { slug: `org-${id}`, name: 'An organization', timeZone: 'UTC', currency: 'BRL' };
    await database.prisma.organization.create({ data: { id, ...names, rawBodyDays } });
    return id;
  }

  /** Deliveries of this age, which were settled at once. @returns their identifiers, oldest first */
  async function arrived(
    days: number,
    { count = 1, state = 'done', owner = organizationId }: ArrivalOptions = {},
  ): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{
        id: newId(),
        organizationId: owner,
        sourceId,
        topic: 'orders/paid',
        dedupeKey: newId(),
        lane: newId(),
      },
      ...{ attributes: {}, body: Buffer.from('a body'), traceparent: null },
      receivedAt: new Date(new Date(NOW).getTime() - days * DAY_MS - (count - index)),
    }));
    const ids = (await storeDeliveries(database, rows)).map(({ id }) => id);
    await database.prisma.delivery.updateMany({
      where: { id: { in: ids } },
      data: { state, finishedAt: new Date(NOW), reason: 'a reason' },
    });
    return ids;
  }

  async function kept(ids: readonly string[]): Promise<boolean[]> {
    const rows = await database.prisma.delivery.findMany({ where: { id: { in: [...ids] } } });
    return ids.map((id) => {
      const row = rows.find((each) => each.id === id);
      expect((row?.body.length ?? 0) > 0).toBe(row?.bodyPurgedAt === null);
      return row?.bodyPurgedAt === null;
    });
  }

  it('go when they are older than their organization keeps them, and are counted', async () => {
    const other = await organization(10);
    const [old] = await arrived(31);
    const [young] = await arrived(29);
    const [theirs] = await arrived(11, { owner: other });
    const [youngOfTheirs] = await arrived(9, { owner: other });
    expect(await retention.purge()).toBe(2);
    expect(await kept([old!, young!, theirs!, youngOfTheirs!])).toEqual([false, true, false, true]);
    expect(counted.total).toBe(2);
    expect(await retention.purge()).toBe(0);
  });

  it.each([
    ['done', false],
    ['discarded', false],
    ['dead', true],
    ['waiting', true],
  ] as const)('of deliveries that are %s stay: %s', async (state, stays) => {
    const ids = await arrived(400, { state });
    await retention.purge();
    expect(await kept(ids)).toEqual([stays]);
  });

  it('leave behind everything but themselves, so that the same webhook is known for ever', async () => {
    const [id] = await arrived(400);
    const before = await database.prisma.delivery.findUniqueOrThrow({
      where: { id: id! },
      omit: { body: true },
    });
    await retention.purge();
    const after = await database.prisma.delivery.findUniqueOrThrow({
      where: { id: id! },
      omit: { body: true },
    });
    expect(after).toEqual({ ...before, bodyPurgedAt: new Date(NOW) });
    const again = {
      ...before,
      id: newId(),
      attributes: {},
      body: Buffer.from('a body'),
      receivedAt: new Date(NOW),
    };
    expect(await storeDeliveries(database, [again])).toEqual([{ id, duplicate: true }]);
  });

  it('go in batches, oldest first; whoever comes next goes on where the last one ended', async () => {
    const ids = await arrived(31, { count: PURGE_BATCH * 2 + 7 });
    const before = new Date(NOW);
    const batch = { organizationId, before, limit: PURGE_BATCH };
    const first = await database.transaction((tx) => new DeliveryBodies().purge(tx, batch, before));
    expect(first).toBe(PURGE_BATCH);
    expect((await kept(ids)).lastIndexOf(false)).toBe(PURGE_BATCH - 1);
    expect(await retention.purge()).toBe(PURGE_BATCH + 7);
    expect(new Set(await kept(ids))).toEqual(new Set([false]));
  });

  it('go again after a batch that failed', async () => {
    const ids = await arrived(31, { count: 3 });
    await database.prisma
      .$executeRaw`alter table delivery add constraint broken check (body_purged_at is null) not valid`;
    await retention.tick();
    expect(await kept(ids)).toEqual([true, true, true]);
    expect(counted.total).toBe(0);
    await database.prisma.$executeRaw`alter table delivery drop constraint broken`;
    await retention.tick();
    expect(await kept(ids)).toEqual([false, false, false]);
    expect(counted.total).toBe(3);
  });
});
