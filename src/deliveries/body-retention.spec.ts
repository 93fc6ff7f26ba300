import { Logger } from '@nestjs/common';
import { v7 } from 'uuid';
import { CountedMetrics } from '../../test/support/counted-metrics';
import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import type { DeliveryState } from '../database/client/client';
import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { BodyMonth } from './body-month';
import { BodyMonths, MOST_CARRIED } from './body-months.repository';
import { BodyRetention, PURGE_BATCH } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';

const NOW = '2026-11-21T12:00:00Z';
const ALL_STATES = ['done', 'discarded', 'dead', 'waiting'] as const;

interface ArrivalOptions {
  count?: number;
  state?: DeliveryState;
  owner?: string;
}

beforeAll(() => Logger.overrideLogger(false));

describe('bodies of deliveries', () => {
  let database: Database;
  let organizationId: string;
  let sourceId: string;
  let counted: CountedMetrics;
  let retention: BodyRetention;
  let clock: SettableClock;
  const months = new BodyMonths();

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
    await database.prisma.deliveryBody.deleteMany();
    await database.prisma.droppedBodyMonth.deleteMany();
    await database.prisma.organization.deleteMany();
    for (const { table } of await months.existing(database.prisma))
      await database.prisma.$executeRawUnsafe(`drop table ${table}`);
    organizationId = await organization(30);
    sourceId = newId();
    counted = new CountedMetrics();
    clock = new SettableClock(NOW);
    retention = new BodyRetention(database, new DeliveryBodies(), months, clock, counted);
    retention.onModuleInit();
  });

  async function organization(rawBodyDays: number): Promise<string> {
    const id = newId();
    const names = { slug: `org-${id}`, name: 'An organization', timeZone: 'UTC', currency: 'BRL' };
    await database.prisma.organization.create({ data: { id, ...names, rawBodyDays } });
    return id;
  }

  /** Deliveries of this instant, which were settled at once. @returns their identifiers, oldest first */
  async function arrived(
    at: string,
    { count = 1, state = 'done', owner = organizationId }: ArrivalOptions = {},
  ): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ organizationId: owner, sourceId, topic: 'orders/paid', dedupeKey: newId(), lane: newId() },
      ...{ attributes: {}, body: Buffer.from('a body'), traceparent: null },
      ...{ id: v7({ msecs: Date.parse(at) + index }), receivedAt: new Date(Date.parse(at) + index) },
    }));
    const ids = (await storeDeliveries(database, rows)).map(({ id }) => id);
    await settle(ids, state);
    return ids;
  }

  async function settle(ids: string[], state: DeliveryState): Promise<void> {
    await database.prisma.delivery.updateMany({
      where: { id: { in: ids } },
      data: { state, finishedAt: new Date(NOW), reason: 'a reason' },
    });
  }

  async function makeMonths(...instants: string[]): Promise<void> {
    for (const instant of instants)
      await database.transaction((tx) => months.make(tx, BodyMonth.of(new Date(instant))));
  }

  async function tables(): Promise<string[]> {
    return (await months.existing(database.prisma)).map(({ name }) => name);
  }

  /** Whether each still has its body; and that what is shown of it says the same. */
  async function kept(ids: readonly string[]): Promise<boolean[]> {
    const rows = await database.prisma.deliveryBody.findMany({ where: { id: { in: [...ids] } } });
    for (const id of ids) {
      const { organizationId: owner } = await database.prisma.delivery.findUniqueOrThrow({ where: { id } });
      const found = await database.transaction((tx) =>
        new DeliveryBodies().find(tx, { id: owner } as Organization, id),
      );
      expect(found?.bodyPurgedAt === null).toBe(rows.some((row) => row.id === id));
      expect((found?.body.length ?? 0) > 0).toBe(found?.bodyPurgedAt === null);
    }
    return ids.map((id) => rows.some((row) => row.id === id));
  }

  it('have the months of now and of the two to come made ahead', async () => {
    await retention.onApplicationBootstrap();
    expect(await tables()).toEqual(['2026-11', '2026-12', '2027-01']);
    clock.set('2026-12-01T00:00:00Z');
    await retention.tick();
    expect(await tables()).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
  });

  it('are stored where their month is, and without one all the same; they move in when it is made', async () => {
    const [first] = await arrived('2026-10-31T23:59:59.999Z');
    const [second] = await arrived('2026-11-01T00:00:00.000Z');
    const where = () =>
      database.prisma.$queryRaw`
        select id::text as id, tableoid::regclass::text as "table" from delivery_body order by id`;
    const none = 'delivery_body_default';
    expect(await where()).toEqual([
      { id: first, table: none },
      { id: second, table: none },
    ]);
    await makeMonths('2026-11-15T00:00:00Z');
    const [third] = await arrived('2026-11-30T23:59:59.999Z');
    const [fourth] = await arrived('2026-12-01T00:00:00.000Z');
    expect(await where()).toEqual([
      { id: first, table: none },
      { id: second, table: 'delivery_body_2026_11' },
      { id: third, table: 'delivery_body_2026_11' },
      { id: fourth, table: none },
    ]);
  });

  it('go with their month when all of it is older than every organization keeps them', async () => {
    await makeMonths(NOW, '2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z');
    const september = await arrived('2026-09-30T23:59:59.999Z', { count: 1 });
    const october = await arrived('2026-10-01T00:00:00Z', { count: 3 });
    await retention.purge();
    expect(await tables()).toEqual(['2026-10', '2026-11']);
    expect(await kept([...september, ...october])).toEqual([false, true, true, true]);
    clock.set('2026-11-30T23:59:59Z');
    await retention.purge();
    expect(await kept(october)).toEqual([true, true, true]);
    await database.prisma.$executeRaw`analyze delivery_body_2026_10`;
    clock.set('2026-12-01T00:00:00Z');
    expect(await retention.purge()).toBe(3);
    expect(await tables()).toEqual(['2026-11']);
    expect(await kept(october)).toEqual([false, false, false]);
    expect(counted.total).toBe(3);
    expect(await database.prisma.droppedBodyMonth.findMany()).toEqual([
      { month: '2026-09', droppedAt: new Date(NOW) },
      { month: '2026-10', droppedAt: new Date('2026-12-01T00:00:00Z') },
    ]);
  });

  it('of what is not settled outlive their month, and go once it is', async () => {
    await makeMonths('2026-09-01T00:00:00Z');
    const ids: string[] = [];
    for (const state of ALL_STATES) ids.push(...(await arrived('2026-09-15T00:00:00Z', { state })));
    await retention.purge();
    expect(await tables()).toEqual([]);
    expect(await kept(ids)).toEqual([false, false, true, true]);
    await settle(ids.slice(2), 'discarded');
    expect(await retention.purge()).toBe(2);
    expect(await kept(ids)).toEqual([false, false, false, false]);
    expect(await retention.purge()).toBe(0);
  });

  it('go one by one where another organization keeps its own longer', async () => {
    const other = await organization(90);
    await makeMonths('2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z', NOW);
    const ours = await arrived('2026-09-15T00:00:00Z');
    const dead = await arrived('2026-09-15T00:00:00Z', { state: 'dead' });
    const theirs = await arrived('2026-09-15T00:00:00Z', { owner: other });
    const young = await arrived('2026-10-01T00:00:00Z');
    expect(await retention.purge()).toBe(1);
    expect(await tables()).toEqual(['2026-09', '2026-10', '2026-11']);
    expect(await kept([...ours, ...dead, ...theirs, ...young])).toEqual([false, true, true, true]);
    expect(counted.total).toBe(1);
    expect(await retention.purge()).toBe(0);
  });

  it('stay in a month that holds more unsettled deliveries than can be carried over', async () => {
    await makeMonths('2026-09-01T00:00:00Z');
    const [waiting] = await arrived('2026-09-15T00:00:00Z', { state: 'waiting' });
    await database.prisma.$executeRaw`
      insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at)
      select (left(${waiting}, 23) || '-' || lpad(to_hex(n), 12, '0'))::uuid, organization_id, source_id, topic,
        n::text, lane, attributes, received_at, ready_at
      from delivery, generate_series(1, ${MOST_CARRIED}::int) n where id = ${waiting}::uuid`;
    await retention.purge();
    expect(await tables()).toEqual(['2026-09']);
  });

  it('leave behind everything but themselves, so that the same webhook is known for ever', async () => {
    const [id] = await arrived('2026-01-01T00:00:00Z');
    const where = { id: id! };
    const before = await database.prisma.delivery.findUniqueOrThrow({ where });
    await retention.purge();
    const after = await database.prisma.delivery.findUniqueOrThrow({ where });
    expect(after).toEqual({ ...before, bodyPurgedAt: new Date(NOW) });
    const fields = { id: newId(), attributes: {}, body: Buffer.from('a body'), receivedAt: new Date(NOW) };
    const { seq: _seq, ...row } = before;
    expect(await storeDeliveries(database, [{ ...row, ...fields }])).toEqual([{ id, duplicate: true }]);
    expect(await database.prisma.deliveryBody.count()).toBe(0);
  });

  it('go in batches, oldest first; whoever comes next goes on where the last one ended', async () => {
    const ids = await arrived('2026-09-15T00:00:00Z', { count: PURGE_BATCH * 2 + 7 });
    const batch = { organizationId, before: new Date(NOW), limit: PURGE_BATCH };
    const first = await database.transaction((tx) => new DeliveryBodies().purge(tx, batch, new Date(NOW)));
    expect(first).toBe(PURGE_BATCH);
    const bodies = await database.prisma.deliveryBody.findMany({ orderBy: { id: 'asc' } });
    expect(bodies.map(({ id }) => id)).toEqual(ids.slice(PURGE_BATCH));
    expect(await retention.purge()).toBe(PURGE_BATCH + 7);
    expect(await database.prisma.deliveryBody.count()).toBe(0);
  });

  it('go again after a batch that failed', async () => {
    const ids = await arrived('2026-09-15T00:00:00Z', { count: 3 });
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

  it('that nobody knows to have been removed are said to be gone since they came', async () => {
    const [id] = await arrived('2026-09-15T00:00:00Z');
    await database.prisma.deliveryBody.deleteMany();
    expect(await kept([id!])).toEqual([false]);
  });
});
