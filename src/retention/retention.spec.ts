import { Logger } from '@nestjs/common';
import { organizationsOn } from '../../test/support/organizations';
import { v7 } from 'uuid';
import { Company } from '../../test/support/company';
import { CountedMetrics } from '../../test/support/counted-metrics';
import { openTestDatabase } from '../../test/support/database';
import { retentionOn } from '../../test/support/retained';
import { SettableClock } from '../../test/support/settable-clock';
import type { Prisma } from '../database/client/client';
import type { Database } from '../database/database';
import { appendChanges } from '../feed/changes/changes.repository';
import { writeCursor, type Cursor } from '../feed/cursor';
import { FeedOrder } from '../feed/feed-order.repository';
import { FeedRepository } from '../feed/feed.repository';
import { newId } from '../kernel/identifier';
import type { RetentionChange } from '../kernel/retention';
import type { OrganizationsRepository } from '../organizations/organizations.repository';
import { AttentionRetention } from './attention.repository';
import { PlanRetention } from './plans.repository';
import { DAY_MS, type RemovalBatch, type RemovedBatch } from './retained-kind';
import { type Retention, ROWS_A_BATCH } from './retention';
import { RetentionProgress } from './retention-progress.repository';

const NOW = '2026-11-21T12:00:00Z';

function daysAgo(days: number): Date {
  return new Date(Date.parse(NOW) - days * DAY_MS);
}

function idAt(instant: Date): string {
  return v7({ msecs: instant.getTime() });
}

beforeAll(() => Logger.overrideLogger(false));

describe('what organizations keep for a time', () => {
  let database: Database;
  let organizations: OrganizationsRepository;
  let company: Company;
  let organizationId: string;
  let clock: SettableClock;
  let counted: CountedMetrics;
  let progress: RetentionProgress;
  let retention: Retention;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    for (const table of [
      'idempotency_record',
      'attention',
      'deferred_effect',
      'retention_progress',
      'feed_removal',
    ])
      await database.prisma.$executeRawUnsafe(`delete from ${table}`);
    for (const table of [
      'feed_stored_change',
      'feed_batch',
      'feed_waiting',
      'feed_cursor',
      'run',
      'delivery',
    ])
      await database.prisma.$executeRawUnsafe(`delete from ${table}`);
    await database.prisma.$executeRaw`update organization set retention = '{}'`;
    organizations = organizationsOn(database);
    company = await Company.found(database);
    organizationId = company.organization.id;
    clock = new SettableClock(NOW);
    counted = new CountedMetrics();
    ({ retention, progress } = retentionOn(database, clock, { metrics: counted }));
  });

  async function keep(change: RetentionChange, id = organizationId): Promise<void> {
    await database.transaction((tx) => organizations.update(tx, id, { retention: change }));
  }

  /** So many days later than the last time. */
  function later(days: number): void {
    clock.set(new Date(clock.now().getTime() + days * DAY_MS).toISOString());
  }

  describe('answers to requests with a key', () => {
    async function answered(count: number, at: Date, owner = organizationId): Promise<void> {
      await database.prisma.idempotencyRecord.createMany({
        data: Array.from({ length: count }, () => ({
          ...{ organizationId: owner, key: newId(), request: Buffer.alloc(32), createdAt: at },
        })),
      });
    }
    const left = () => database.prisma.idempotencyRecord.count({ where: { organizationId } });

    it('stay for ever where nothing is said of them', async () => {
      await answered(3, daysAgo(30_000));
      expect(await retention.run()).toBe(0);
      expect(await left()).toBe(3);
    });

    it('go after their days and not before, and those of others stay', async () => {
      const other = (await Company.found(database)).organization.id;
      await keep({ idempotency: 30 });
      await answered(2, new Date(daysAgo(30).getTime() - 1));
      await answered(3, daysAgo(30));
      await answered(4, daysAgo(1_000), other);
      expect(await retention.run()).toBe(2);
      expect([await left(), await database.prisma.idempotencyRecord.count()]).toEqual([3, 7]);
      expect(counted.totals).toMatchObject({ idempotency: 2 });
      later(1);
      expect(await retention.run()).toBe(3);
    });

    it('are looked through once a day, not with every run', async () => {
      await keep({ idempotency: 30 });
      await retention.run();
      await answered(1, daysAgo(60));
      expect(await retention.run()).toBe(0);
      later(1);
      expect(await retention.run()).toBe(1);
    });

    it('go in batches; after an end in the middle the next run goes on, and nothing is counted twice', async () => {
      await keep({ idempotency: 30 });
      await answered(ROWS_A_BATCH * 2 + 7, daysAgo(60));
      const broken = jest.spyOn(progress, 'keep');
      const keepProgress = RetentionProgress.prototype.keep;
      broken.mockImplementationOnce((...args) => keepProgress.apply(progress, args));
      broken.mockRejectedValueOnce(new Error('the machine stops here'));
      expect(await retention.run()).toBe(0);
      broken.mockRestore();
      expect(await left()).toBe(ROWS_A_BATCH + 7);
      expect(await progress.of(organizationId)).toMatchObject([
        { kind: 'idempotency', removed: ROWS_A_BATCH, ended: false },
      ]);
      later(0.001);
      expect(await retention.run()).toBe(ROWS_A_BATCH + 7);
      expect(await left()).toBe(0);
      expect(await progress.of(organizationId)).toMatchObject([
        { removed: ROWS_A_BATCH + 7, removedEver: BigInt(ROWS_A_BATCH * 2 + 7), ended: true },
      ]);
    });

    it('are left alone by a process that only receives', async () => {
      await keep({ idempotency: 30 });
      await answered(1, daysAgo(60));
      await retentionOn(database, clock, { role: 'api' }).retention.tick();
      expect(await left()).toBe(1);
      await retentionOn(database, clock, { role: 'worker' }).retention.tick();
      expect(await left()).toBe(0);
    });
  });

  describe('attention items', () => {
    async function raised(key: string, detail: string, resolvedAt: Date | null): Promise<void> {
      const item = { organizationId, businessKey: key, code: 'amount-differs', detail, amountMinor: 100n };
      await database.prisma.attention.create({
        data: { id: newId(), ...item, createdAt: daysAgo(900), resolvedAt },
      });
    }

    it('go once they were settled for so long; what nobody settled stays, however old', async () => {
      await keep({ attention: 90 });
      await raised('a', 'settled long ago', daysAgo(91));
      await raised('a', 'open', null);
      await raised('b', 'settled lately', daysAgo(89));
      await raised('c', 'settled long ago', daysAgo(91));
      expect(await retention.run()).toBe(2);
      const left = await database.prisma.attention.findMany({ orderBy: { detail: 'asc' } });
      expect(left.map(({ detail }) => detail)).toEqual(['open', 'settled lately']);
    });

    it('all go where one key has more than a batch', async () => {
      await keep({ attention: 90 });
      for (let index = 0; index < ROWS_A_BATCH + 3; index += 1)
        await raised('a', `no. ${index}`, daysAgo(91));
      await raised('b', 'of another', daysAgo(91));
      expect(await retention.run()).toBe(ROWS_A_BATCH + 4);
    });
  });

  describe('deferred effects', () => {
    async function deferred(
      state: 'waiting' | 'applied' | 'refused' | 'cancelled',
      finished: Date,
    ): Promise<string> {
      const id = idAt(daysAgo(500));
      const effect = { key: id, operation: 'notification.send', amount: '5.00', input: { text: 'for Lia' } };
      await database.prisma.deferredEffect.create({
        data: {
          ...{ id, organizationId, key: id, operation: effect.operation, effect, state },
          ...{ dueAt: daysAgo(499), readyAt: daysAgo(499), rule: 'r', ruleVersion: 1, datesKnown: true },
          ...{ runId: newId(), step: 's', deliveryId: newId(), businessKey: 'k', createdAt: daysAgo(500) },
          finishedAt: state === 'waiting' ? null : finished,
          reason: state === 'waiting' ? null : 'why',
        },
      });
      return id;
    }
    const effectOf = async (id: string) =>
      (await database.prisma.deferredEffect.findUniqueOrThrow({ where: { id } })).effect;

    it('lose their contents once they are over for so long; those to be decided on keep them', async () => {
      await keep({ deferred: 90 });
      const ids = [
        await deferred('applied', daysAgo(91)),
        await deferred('cancelled', daysAgo(91)),
        await deferred('refused', daysAgo(91)),
        await deferred('waiting', daysAgo(91)),
        await deferred('applied', daysAgo(89)),
      ];
      expect(await retention.run()).toBe(2);
      const effects = await Promise.all(ids.map(effectOf));
      const gone = {
        operation: 'notification.send',
        amount: '5.00',
        input: {},
        removedAt: expect.any(String),
      };
      expect(effects.slice(0, 2)).toEqual(ids.slice(0, 2).map((key) => ({ key, ...gone })));
      for (const effect of effects.slice(2)) expect(effect).toMatchObject({ input: { text: 'for Lia' } });
    });

    it('that were passed over because they were not over yet go within a month of their time', async () => {
      await keep({ deferred: 90 });
      const id = await deferred('applied', daysAgo(60));
      expect(await retention.run()).toBe(0);
      later(31);
      expect(await retention.run()).toBe(1);
      expect(await effectOf(id)).toMatchObject({ input: {} });
    });
  });

  describe('plans', () => {
    const plan = {
      ...{ rule: 'r', version: 1, datesKnown: true },
      steps: [
        {
          ...{ id: 's', action: 'a', elements: [1], unplanned: ['of Lia'] },
          effects: [
            { key: 'k1', operation: 'customer.ensure', input: { name: 'Lia' } },
            {
              key: 'k2',
              operation: 'receipt.register',
              amount: '5.00',
              notBefore: '2026-01-01',
              input: { value: '5.00', note: 'Lia' },
            },
          ],
        },
      ],
    };
    let sourceId: string;

    beforeEach(async () => {
      sourceId = newId();
      const source = { id: sourceId, organizationId, slug: 'shop', provider: 'shopify', settings: {} };
      await database.prisma.source.create({ data: source });
    });

    interface Received {
      at: Date;
      state?: 'done' | 'dead' | 'discarded' | 'waiting';
      run?: 'done' | 'running';
      body?: boolean;
    }

    async function received({ at, state = 'done', run = 'done', body = false }: Received): Promise<string> {
      const id = idAt(at);
      await database.prisma.delivery.create({
        data: {
          ...{ id, organizationId, sourceId, topic: 't', dedupeKey: id, lane: id, attributes: {}, state },
          ...{ receivedAt: at, readyAt: at, finishedAt: at, reason: 'why' },
        },
      });
      if (body)
        await database.prisma.deliveryBody.create({ data: { id, organizationId, body: Buffer.from('b') } });
      await database.prisma.run.create({
        data: {
          ...{ id: newId(), organizationId, deliveryId: id, eventIndex: 0, eventType: 'e', businessKey: 'k' },
          ...{ rule: 'r', ruleVersion: 1, state: run, plan, steps: [] },
          finishedAt: run === 'running' ? null : at,
        },
      });
      return id;
    }
    const planOf = async (id: string) =>
      (await database.prisma.run.findFirstOrThrow({ where: { deliveryId: id } })).plan;

    it('keep what was done and lose what it was done with', async () => {
      await keep({ plans: 90 });
      const id = await received({ at: daysAgo(91) });
      expect(await retention.run()).toBe(1);
      expect(await planOf(id)).toEqual({
        ...{ rule: 'r', version: 1, datesKnown: true, removedAt: new Date(NOW).toISOString() },
        steps: [
          {
            ...{ id: 's', action: 'a', elements: [1] },
            effects: [
              { key: 'k1', operation: 'customer.ensure', input: {} },
              {
                key: 'k2',
                operation: 'receipt.register',
                amount: '5.00',
                notBefore: '2026-01-01',
                input: { value: '5.00' },
              },
            ],
          },
        ],
      });
      expect(await retention.run()).toBe(0);
    });

    it('stay whole while their deliveries can be worked on, and while they are young', async () => {
      await keep({ plans: 90 });
      const ids = [
        await received({ at: daysAgo(89) }),
        await received({ at: daysAgo(200), body: true }),
        await received({ at: daysAgo(200), state: 'dead' }),
        await received({ at: daysAgo(200), state: 'waiting' }),
        await received({ at: daysAgo(200), run: 'running' }),
      ];
      expect(await retention.run()).toBe(0);
      for (const id of ids) expect(await planOf(id)).toEqual(plan);
      await database.prisma.deliveryBody.deleteMany();
      await database.prisma.delivery.updateMany({ data: { state: 'discarded' } });
      later(2);
      // What is young gets old; what was passed over comes with the next month.
      expect(await retention.run()).toBe(1);
      later(29);
      expect(await retention.run()).toBe(3);
      expect(await planOf(ids[4]!)).toEqual(plan);
    });

    it('go source by source, in as many batches as it takes', async () => {
      await keep({ plans: 90 });
      const other = newId();
      const source = { id: other, organizationId, slug: 'other', provider: 'shopify', settings: {} };
      await database.prisma.source.create({ data: source });
      for (let index = 0; index < 4; index += 1)
        await received({ at: new Date(daysAgo(91).getTime() + index) });
      await database.prisma.$executeRaw`
        update delivery set source_id = ${other}::uuid where id in (select id from delivery order by id limit 2)`;
      const kind = new PlanRetention();
      let place: object | null = null;
      const sizes: number[] = [];
      for (let ended = false; !ended;) {
        const days = (await organizations.record(organizationId)).retention;
        const batch: RemovalBatch = {
          organizationId,
          before: daysAgo(90),
          days,
          place,
          now: new Date(NOW),
          limit: 3,
        };
        const done: RemovedBatch = await database.transaction((tx) => kind.remove(tx, batch));
        sizes.push(done.removed);
        ({ place, ended } = done);
      }
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4);
      expect(sizes[0]).toBe(3);
    });
  });

  describe('the feed', () => {
    let order: FeedOrder;
    let feed: FeedRepository;

    beforeEach(() => {
      order = new FeedOrder(database);
      feed = new FeedRepository(database, clock);
    });

    async function appended(at: Date, count = 1): Promise<void> {
      await database.transaction((tx) =>
        appendChanges(
          tx,
          Array.from({ length: count }, (_, index) => ({
            ...{ organizationId, type: 'attention.required' as const, recordId: newId(), data: { index } },
          })),
          at,
        ),
      );
      await order.assignPositions();
    }

    async function read(after?: Cursor, limit = 500): Promise<{ count: number; cursor: Cursor }> {
      const from = after ?? (await feed.start(organizationId));
      const { changes, cursor } = await feed.read({ organizationId, after: from, limit });
      return { count: changes.length, cursor };
    }

    async function acknowledged(cursor: Cursor, name = 'erp'): Promise<void> {
      const where = { organizationId_name: { organizationId, name } };
      const row = { cursor: writeCursor(cursor), updatedAt: new Date(NOW) };
      await database.prisma.feedCursor.upsert({
        where,
        create: { organizationId, name, ...row },
        update: row,
      });
    }

    it('loses its oldest batches whole, and begins with the oldest that is kept', async () => {
      await keep({ feed: 30 });
      const empty = (await read()).cursor;
      await appended(daysAgo(40), 3);
      const first = (await read(undefined, 1)).cursor;
      await appended(daysAgo(31), 2);
      const second = (await read()).cursor;
      await appended(daysAgo(29), 4);
      expect(await retention.run()).toBe(5);
      expect((await read()).count).toBe(4);
      // Whoever has read all that went goes on and loses nothing; whoever has not is told so.
      expect((await read(second)).count).toBe(4);
      for (const cursor of [empty, first, { ...second, number: 1 }])
        await expect(read(cursor)).rejects.toMatchObject({ code: 'cursor-expired' });
      await expect(read({ ...second, check: first.check })).rejects.toMatchObject({ code: 'cursor-unknown' });
    });

    it('that is empty by now goes on where it was, for old readers and new ones', async () => {
      await keep({ feed: 30 });
      await appended(daysAgo(40), 3);
      const all = (await read()).cursor;
      const position = (await database.prisma.feedHead.findFirstOrThrow()).position;
      expect(await retention.run()).toBe(3);
      const begun = await read();
      expect(begun).toEqual({ count: 0, cursor: all });
      await appended(daysAgo(1));
      expect((await read(begun.cursor)).count).toBe(1);
      expect((await read()).cursor.position).toBe(position + 1n);
    });

    it('keeps what a connector has not read, up to the hard limit', async () => {
      await keep({ feed: 30 });
      await appended(daysAgo(60));
      await appended(daysAgo(50));
      const half = (await read(undefined, 1)).cursor;
      await appended(daysAgo(40));
      await acknowledged(half);
      await acknowledged((await read()).cursor, 'ahead');
      // The batch that a cursor stands in stays too: the cursor is recognised by it.
      expect(await retention.run()).toBe(0);
      expect((await read(half)).count).toBe(2);
      await acknowledged((await read(half, 1)).cursor);
      expect(await retention.run()).toBe(1);
      await keep({ feedUnread: 45 });
      expect(await retention.run()).toBe(1);
      expect(await database.prisma.feedBatch.count({ where: { organizationId } })).toBe(1);
      await database.prisma.feedCursor.deleteMany();
      expect(await retention.run()).toBe(1);
      expect(await database.prisma.feedChange.count()).toBe(0);
    });

    it('keeps what change detection has still to compare with', async () => {
      await keep({ feed: 30 });
      await appended(daysAgo(40));
      const [first] = await database.prisma.feedBatch.findMany({ where: { organizationId } });
      await appended(daysAgo(40));
      await database.prisma.pollLease.create({
        data: {
          ...{ organizationId, kind: 'accounts', feedPosition: first!.position },
          ...{ dueAt: new Date(NOW), createdAt: new Date(NOW) },
        },
      });
      expect(await retention.run()).toBe(1);
      expect((await read()).count).toBe(1);
      await database.prisma.pollLease.deleteMany();
    });

    it('removed between the two statements of a page is not passed over in silence', async () => {
      await keep({ feed: 30 });
      await appended(daysAgo(40));
      const from = await feed.start(organizationId);
      let statements = 0;
      const prisma = {
        feedRemoval: database.prisma.feedRemoval,
        $queryRaw: async (sql: Prisma.Sql) => {
          statements += 1;
          if (statements === 2) expect(await retention.run()).toBe(1);
          return database.prisma.$queryRaw(sql);
        },
      };
      const slow = new FeedRepository({ prisma } as unknown as Database, clock);
      await expect(slow.read({ organizationId, after: from, limit: 10 })).rejects.toMatchObject({
        code: 'cursor-expired',
      });
    });
  });

  it('one kind that cannot be removed keeps no other from it', async () => {
    await keep({ idempotency: 30, attention: 90 });
    await database.prisma.idempotencyRecord.create({
      data: { organizationId, key: 'k', request: Buffer.alloc(32), createdAt: daysAgo(60) },
    });
    jest.spyOn(AttentionRetention.prototype, 'remove').mockRejectedValueOnce(new Error('broken'));
    expect(await retention.run()).toBe(1);
    jest.restoreAllMocks();
  });

  it('what is stored in a form that nobody wrote counts as kept for ever', async () => {
    await database.prisma.organization.update({
      where: { id: organizationId },
      data: { retention: { plans: 0, feed: 'soon', calls: 3.5, idempotency: 1 } },
    });
    const { retention: days } = await organizations.record(organizationId);
    expect(days).toMatchObject({ plans: null, feed: null, calls: null, idempotency: null });
  });
});
