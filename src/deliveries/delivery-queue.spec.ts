import type { Database } from '../database/database';
import { keepPlans, queryWithin } from '../database/transaction-statements';
import { newId } from '../kernel/identifier';
import { arrive as storeArrivals } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import { DeliveryQueue } from './delivery-queue.repository';

const NOW = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-21T12:10:00Z');

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

  function claim(at = NOW, limit = 100, only?: string[]): Promise<string[]> {
    return database.transaction(async (tx) => (await queue.claim(tx, at, limit, only)).map(({ id }) => id));
  }

  it('gives deliveries in their order of arrival, with bytes and attributes as stored', async () => {
    const [first, second] = await arrive('a', 'b');
    await database.transaction(async (tx) => {
      const claimed = await queue.claim(tx, NOW, 10);
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
      await queue.claim(tx, NOW, 10);
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
      await queue.claim(tx, NOW, 10);
      throw new Error('crash');
    });
    await expect(crash).rejects.toThrow('crash');
    expect(await claim()).toEqual(ids);
  });

  it('lets nothing pass a delivery of the same lane that waits for its next try, and stops no other lane', async () => {
    const [poisoned, behind, other] = await arrive('a', 'a', 'b');
    await database.transaction((tx) => queue.retryLater(tx, poisoned ?? '', LATER, 'failed once'));
    expect(await claim()).toEqual([other]);
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: behind } });
    expect(row.readyAt).toEqual(LATER);
    expect(await claim(LATER)).toEqual([poisoned, behind, other]);
  });

  it('comes to the fronts of lanes whatever stands before them in time', async () => {
    const lanes = Array.from({ length: 6 }, (_, index) => `lane-${index}`);
    const fronts = await arrive(...lanes);
    await arrive(...lanes);
    await database.transaction(async (tx) => {
      for (const id of fronts) await queue.retryLater(tx, id, LATER, 'failed once');
    });
    expect(await claim(LATER, 3)).toEqual(fronts.slice(0, 3));
  });

  it('lets a lane go on without a delivery that was given up', async () => {
    const [dead, behind] = await arrive('a', 'a');
    await database.transaction((tx) => queue.giveUp(tx, dead ?? '', NOW, 'no use'));
    expect(await claim()).toEqual([behind]);
  });

  it('gives no more than asked, and then the rest', async () => {
    const ids = await arrive(...Array.from({ length: 5 }, (_, index) => `lane-${index}`));
    expect(await claim(NOW, 2)).toEqual(ids.slice(0, 2));
  });

  it('gives only what is named, and not even that when something of its lane stands before it', async () => {
    const [first, second, third] = await arrive('a', 'a', 'b');
    expect(await claim(NOW, 10, [third ?? ''])).toEqual([third]);
    expect(await claim(NOW, 10, [second ?? ''])).toEqual([]);
    expect(await claim(NOW, 10, [first ?? '', second ?? ''])).toEqual([first, second]);
  });

  it('has the rest of its transaction join along indexes, and nothing else changed', async () => {
    const planning = `select current_setting('enable_seqscan') || current_setting('enable_sort')
      || current_setting('enable_bitmapscan') || current_setting('enable_hashjoin')
      || current_setting('enable_mergejoin') || current_setting('plan_cache_mode') as settings`;
    const [before] = await database.query<{ settings: string }>({ name: 'planning', text: planning }, []);
    const within = await database.transaction(async (tx) => {
      await queue.claim(tx, NOW, 10);
      return queryWithin<{ settings: string }>(tx, planning, []);
    });
    expect(before?.settings).toBe('onononononauto');
    expect(within).toEqual([{ settings: 'offononoffoffauto' }]);
    expect(await database.query({ name: 'planning', text: planning }, [])).toEqual([before]);
  });

  it('reads no more to complete one when its statements were planned while few had come', async () => {
    const turn = (): Promise<number> =>
      database.transaction(async (tx) => {
        const claimed = await queue.claim(tx, NOW, 1);
        keepPlans(tx);
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
        const [read] = await queryWithin<{ rows: number }>(
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

  it('gives nothing before its time', async () => {
    await arrive('a');
    expect(await claim(new Date(NOW.getTime() - 1))).toEqual([]);
  });

  it('still claims in one look when ten thousand of one lane wait behind each other', async () => {
    const lanes = Array.from({ length: 1000 }, () => 'crowded');
    const first: string[] = [];
    for (let round = 0; round < 10; round += 1) first.push(...(await arrive(...lanes)));
    expect(await claim(NOW, 50)).toEqual(first.slice(0, 50));
  });
});
