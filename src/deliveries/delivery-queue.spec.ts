import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import { usePreparedStatements, queryInTransaction } from '../database/transaction-statements';
import { newId } from '../kernel/identifier';
import { arrive as storeArrivals } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import { timePasses } from '../../test/support/time-passes';
import { type ClaimLimits, DeliveryQueue } from './delivery-queue.repository';

const NOW = new Date('2026-11-21T12:00:00Z');
const LATER_MS = 600_000;

describe('the delivery queue', () => {
  const queue = new DeliveryQueue();
  let database: Database;
  let sourceId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
    sourceId = newId();
  });

  function arrive(...lanes: string[]): Promise<string[]> {
    return storeArrivals(database, lanes, { sourceId, receivedAt: NOW });
  }

  function claim(limit = 100, only?: string[]): Promise<string[]> {
    return database.transaction(async (tx) => (await queue.claim(tx, limit, { only })).map(({ id }) => id));
  }

  /** Stores a delivery for each body. @returns their identifiers */
  async function storeBodies(rows: readonly { lane: string; body: Buffer }[]): Promise<string[]> {
    const ids: string[] = [];
    for (const { lane, body } of rows) {
      const about = { id: newId(), organizationId: newId(), sourceId, topic: 't', dedupeKey: newId(), lane };
      const delivery = { ...about, attributes: {}, body, receivedAt: NOW, traceparent: null };
      ids.push(...(await storeDeliveries(database, [delivery])).map(({ id }) => id));
    }
    return ids;
  }

  async function finish(ids: readonly (string | undefined)[]): Promise<void> {
    const where = { id: { in: ids.map((id) => id ?? '') } };
    await database.prisma.delivery.updateMany({ where, data: { state: 'done', finishedAt: NOW } });
  }

  it('gives deliveries in their order of arrival, with bytes and attributes as stored', async () => {
    const [first, second] = await arrive('a', 'b');
    await database.transaction(async (tx) => {
      const claimed = await queue.claim(tx, 10);
      expect(claimed.map(({ id }) => id)).toEqual([first, second]);
      expect(Buffer.from(claimed[1]?.body ?? []).toString()).toBe('body 1');
      expect(claimed[0]?.attributes).toEqual({ at: 'now' });
      expect(claimed[0]?.receivedAt).toEqual(NOW);
    });
  });

  it('gives a whole lane in order', async () => {
    const ids = await arrive('a', 'a', 'b', 'a');
    expect(await claim()).toEqual(ids);
  });

  it('gives nothing twice once it is completed', async () => {
    const [only] = await arrive('a');
    await database.transaction(async (tx) => {
      await queue.claim(tx, 10);
      await queue.complete(tx, NOW, [
        {
          id: only ?? '',
          state: 'done',
          outcome: 'applied',
          reason: null,
          businessKey: 'shop/order/1',
          events: ['order.paid'],
        },
      ]);
    });
    expect(await claim()).toEqual([]);
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: only } });
    expect(row).toMatchObject({
      state: 'done',
      outcome: 'applied',
      businessKey: 'shop/order/1',
      events: ['order.paid'],
    });
    expect(row.finishedAt).toEqual(NOW);
  });

  it('gives back what a failed transaction had claimed', async () => {
    const ids = await arrive('a');
    const crash = database.transaction(async (tx) => {
      await queue.claim(tx, 10);
      throw new Error('crash');
    });
    await expect(crash).rejects.toThrow('crash');
    expect(await claim()).toEqual(ids);
  });

  it('lets nothing pass a delivery of the same lane that waits for its next try, and stops no other lane', async () => {
    const [poisoned, behind, other] = await arrive('a', 'a', 'b');
    await database.transaction((tx) => queue.retryLater(tx, poisoned ?? '', LATER_MS, 'failed once'));
    expect(await claim()).toEqual([other]);
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: behind } });
    const front = await database.prisma.delivery.findUniqueOrThrow({ where: { id: poisoned } });
    expect(row.readyAt).toEqual(front.readyAt);
    await timePasses(database, LATER_MS);
    expect(await claim()).toEqual([poisoned, behind, other]);
  });

  it('comes to the fronts of lanes whatever stands before them in time', async () => {
    const lanes = Array.from({ length: 6 }, (_, index) => `lane-${index}`);
    const fronts = await arrive(...lanes);
    await arrive(...lanes);
    await database.transaction(async (tx) => {
      for (const id of fronts) await queue.retryLater(tx, id, LATER_MS, 'failed once');
    });
    const readyAt = new Date(Date.now() - 1_000);
    await database.prisma.delivery.updateMany({ where: { id: { in: fronts } }, data: { readyAt } });
    expect(await claim(3)).toEqual(fronts.slice(0, 3));
  });

  it('lets a lane go on without a delivery that was given up', async () => {
    const [dead, behind] = await arrive('a', 'a');
    await database.transaction((tx) => queue.giveUp(tx, dead ?? '', NOW, 'no use'));
    expect(await claim()).toEqual([behind]);
  });

  it('gives no more than asked, and then the rest', async () => {
    const ids = await arrive(...Array.from({ length: 5 }, (_, index) => `lane-${index}`));
    expect(await claim(2)).toEqual(ids.slice(0, 2));
  });

  it('gives only what is named, and not even that when something of its lane stands before it', async () => {
    const [first, second, third] = await arrive('a', 'a', 'b');
    expect(await claim(10, [third ?? ''])).toEqual([third]);
    expect(await claim(10, [second ?? ''])).toEqual([]);
    expect(await claim(10, [first ?? '', second ?? ''])).toEqual([first, second]);
  });

  it('has the rest of its transaction join along indexes, by plans that are kept, and nothing else changed', async () => {
    const planning = `select current_setting('enable_seqscan') || current_setting('enable_sort')
      || current_setting('enable_bitmapscan') || current_setting('enable_hashjoin')
      || current_setting('enable_mergejoin') || current_setting('plan_cache_mode') as settings`;
    const [before] = await database.query<{ settings: string }>({ name: 'planning', text: planning }, []);
    const within = await database.transaction(async (tx) => {
      await queue.claim(tx, 10);
      return queryInTransaction<{ settings: string }>(tx, planning, []);
    });
    expect(before?.settings).toBe('onononononauto');
    expect(within).toEqual([{ settings: 'offononoffoffforce_generic_plan' }]);
    expect(await database.query({ name: 'planning', text: planning }, [])).toEqual([before]);
  });

  it('reads no more to complete one when its statements were planned while few had come', async () => {
    const turn = (): Promise<number> =>
      database.transaction(async (tx) => {
        const claimed = await queue.claim(tx, 1);
        usePreparedStatements(tx);
        await queue.complete(
          tx,
          NOW,
          claimed.map(({ id }) => ({
            id,
            state: 'done',
            outcome: null,
            reason: null,
            businessKey: null,
            events: [],
          })),
        );
        const [read] = await queryInTransaction<{ rows: number }>(
          tx,
          `select idx_tup_fetch::int as rows from pg_stat_xact_user_tables where relname = 'delivery'`,
          [],
        );
        return read?.rows ?? NaN;
      });
    await arrive(...Array.from({ length: 10 }, (_, index) => `early-${index}`));
    let few = NaN;
    for (let turns = 0; turns < 10; turns += 1) few = await turn();
    await arrive(...Array.from({ length: 900 }, (_, index) => `late-${index}`));
    expect(await turn()).toBeLessThan(few + 10);
  });

  it('gives bodies of 8 MiB together at most, the small ones first, and nothing past its lane', async () => {
    const mebibyte = 1024 * 1024;
    const sizes = { a: [4], b: [5], c: [1, 4, 0], d: [0] };
    const rows = Object.entries(sizes).flatMap(([lane, bodies]) =>
      bodies.map((size) => ({ lane, body: Buffer.alloc(size * mebibyte + 1) })),
    );
    const ids = await storeBodies(rows);
    const [a, b, c1, c2, c3, d] = ids;
    expect(await claim()).toEqual([a, d]);
    await finish([a, d]);
    expect(await claim()).toEqual([b, c1]);
    await finish([b, c1]);
    expect(await claim()).toEqual([c2, c3]);
  });

  it('comes to an end with a lane whose large front has many smaller ones behind it', async () => {
    const rows = [1024, ...Array<number>(127).fill(60)].map((size) => ({
      lane: 'crowded',
      body: Buffer.alloc(size * 1024),
    }));
    const ids = await storeBodies([...rows, { lane: 'another', body: Buffer.alloc(1) }]);
    const done: string[] = [];
    while (done.length < ids.length) {
      const claimed = await claim(128);
      expect(claimed.length).toBeGreaterThan(0);
      await finish(claimed);
      done.push(...claimed);
    }
    expect(done.filter((id) => id !== ids.at(-1))).toEqual(ids.slice(0, -1));
  });

  it('gives one whose body alone is larger, by itself', async () => {
    const ids = await storeBodies(
      [12, 1].map((size) => ({ lane: `${size}`, body: Buffer.alloc(size * 1024 * 1024) })),
    );
    expect(await claim()).toEqual(ids.slice(0, 1));
    await finish(ids.slice(0, 1));
    expect(await claim()).toEqual(ids.slice(1));
  });

  it('gives at once what a receiver took in whose clock is ahead', async () => {
    const receivedAt = new Date(Date.now() + LATER_MS);
    const ids = await storeArrivals(database, ['a'], { sourceId, receivedAt });
    expect(await claim()).toEqual(ids);
  });

  it('leaves out the organizations and sources that its limits name', async () => {
    const others = { organizationId: newId(), sourceId: newId(), receivedAt: NOW };
    await storeArrivals(database, ['a'], others);
    const own = await arrive('b');
    const without = (limits: ClaimLimits): Promise<string[]> =>
      database.transaction(async (tx) => (await queue.claim(tx, 10, limits)).map(({ id }) => id));
    expect(await without({ except: [others.organizationId] })).toEqual(own);
    expect(await without({ exceptSources: [others.sourceId] })).toEqual(own);
  });

  it('gives nothing before its time', async () => {
    const ids = await arrive('a');
    await timePasses(database, -LATER_MS);
    expect(await claim()).toEqual([]);
    await timePasses(database, LATER_MS);
    expect(await claim()).toEqual(ids);
  });

  it('still claims in one scan when ten thousand of one lane wait behind each other', async () => {
    const lanes = Array.from({ length: 1000 }, () => 'crowded');
    const first: string[] = [];
    for (let round = 0; round < 10; round += 1) first.push(...(await arrive(...lanes)));
    expect(await claim(50)).toEqual(first.slice(0, 50));
  });
});
