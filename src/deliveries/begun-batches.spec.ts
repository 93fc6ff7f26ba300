import { arrive } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { BegunBatches } from './begun-batches.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { Interruptions } from './interruptions';

const NOW = new Date('2026-11-23T12:00:00Z');

describe('batches that were begun', () => {
  let database: Database;
  let batches: BegunBatches;
  let interruptions: Interruptions;

  beforeAll(async () => {
    database = await openTestDatabase();
    batches = new BegunBatches(seenAs({ parallel: false }));
    interruptions = interruptionsOf(batches);
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.begunBatch.deleteMany();
    await database.prisma.delivery.deleteMany();
  });

  /** The same database, as one that others share or not. */
  function seenAs({ parallel }: { parallel: boolean }): Database {
    return Object.create(database, { parallel: { value: parallel } }) as Database;
  }

  function interruptionsOf(begun: BegunBatches): Interruptions {
    return new Interruptions(database, begun, new DeliveryQueue(), { now: () => NOW });
  }

  const arriveIn = (...lanes: string[]) => arrive(database, lanes, { receivedAt: NOW });
  const row = (id: string | undefined) =>
    database.prisma.delivery.findUniqueOrThrow({ where: { id: id ?? '' } });

  function count(unended: string[], ids: readonly string[]): Promise<number> {
    return database.transaction((tx) => interruptions.count(tx, unended, ids, newId()));
  }

  it('are found by whoever begins the same again, and by nobody else', async () => {
    const [one = '', two = '', three = ''] = await arriveIn('a', 'b', 'c');
    const id = newId();
    expect(await batches.begin(id, [one, two])).toEqual([]);
    expect(await batches.begin(newId(), [three])).toEqual([]);
    expect(await batches.begin(newId(), [two, three])).toContain(id);
  });

  it('count for those alone that are taken, and go when all were', async () => {
    const [one = '', two = ''] = await arriveIn('a', 'b');
    const id = newId();
    await batches.begin(id, [one, two]);
    expect(await count([id], [one])).toBe(1);
    expect([(await row(one)).interrupted, (await row(two)).interrupted]).toEqual([1, 0]);
    expect(await count([id], [one, two])).toBe(1);
    expect([(await row(one)).interrupted, (await row(two)).interrupted]).toEqual([1, 1]);
    expect(await database.prisma.begunBatch.count()).toBe(0);
  });

  describe('where several processes share the database', () => {
    let now: number;
    let shared: BegunBatches;
    beforeEach(() => {
      now = 1_000;
      shared = new BegunBatches(seenAs({ parallel: true }));
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });
    afterEach(() => void jest.restoreAllMocks());

    const find = (batchId: string, ids: readonly string[]): Promise<number> =>
      database.transaction((tx) => interruptionsOf(shared).count(tx, [batchId], ids, newId()));

    it('count nothing that a process may only be about to say has failed, however old they are', async () => {
      const [one = '', two = ''] = await arriveIn('a', 'b');
      const id = newId();
      await shared.begin(id, [one, two]);
      await database.prisma.$executeRaw`update begun_batch set begun_at = begun_at - interval '1 minute'`;
      expect(await find(id, [one])).toBe(1);
      now += 4_999;
      await find(id, [one]);
      const waiting = await row(one);
      expect([waiting.state, waiting.attempts, waiting.interrupted]).toEqual(['waiting', 0, 0]);
      expect(waiting.readyAt.getTime()).toBeGreaterThan((await row(two)).readyAt.getTime());
      // The process says it: nothing is left to be counted.
      await shared.forget(id);
      expect(await shared.begin(newId(), [one, two])).toEqual([]);
    });

    it('count when nothing was said of them for five seconds, once', async () => {
      const [one = '', two = ''] = await arriveIn('a', 'b');
      const [first, second] = [newId(), newId()];
      await shared.begin(first, [one, two]);
      await find(first, [one, two]);
      now += 5_000;
      await shared.begin(second, [two]);
      await database.transaction((tx) =>
        interruptionsOf(shared).count(tx, [first, second], [one, two], newId()),
      );
      // The other stands in one of which it is not known yet.
      expect([(await row(one)).interrupted, (await row(two)).interrupted]).toEqual([1, 0]);
      now += 5_000;
      await database.transaction((tx) =>
        interruptionsOf(shared).count(tx, [first, second], [one, two], newId()),
      );
      expect([(await row(one)).interrupted, (await row(two)).interrupted]).toEqual([1, 1]);
      expect(await database.prisma.begunBatch.count()).toBe(0);
    });
  });

  it('make a dead letter of what did not end three times, and let it wait before the third', async () => {
    const [only = ''] = await arriveIn('a');
    const ready = async (): Promise<boolean> => (await row(only)).readyAt <= new Date();
    await interruptions.record(only, new Error('of the test'));
    expect([await ready(), (await row(only)).attempts]).toEqual([true, 1]);
    await interruptions.record(only, new Error('of the test'));
    expect(await ready()).toBe(false);
    await interruptions.record(only, new Error('of the test'));
    expect(await row(only)).toMatchObject({ state: 'dead', attempts: 3, finishedAt: NOW });
  });

  it('are removed later where the database is away when they fail', async () => {
    const [one = ''] = await arriveIn('a');
    const id = newId();
    await batches.begin(id, [one]);
    const query = jest.spyOn(database, 'query').mockRejectedValueOnce(new Error('away'));
    await batches.forget(id);
    query.mockRestore();
    expect(await database.prisma.begunBatch.count()).toBe(1);
    await batches.forgetFailed();
    expect(await database.prisma.begunBatch.count()).toBe(0);
  });

  it('are removed later where a transaction has the row locked when they fail', async () => {
    const [one = ''] = await arriveIn('a');
    const id = newId();
    await batches.begin(id, [one]);
    const query = jest.spyOn(database, 'query').mockResolvedValueOnce([{ id }]);
    await batches.forget(id);
    query.mockRestore();
    await batches.forgetFailed();
    expect(await database.prisma.begunBatch.count()).toBe(0);
  });

  it('are tidied up an hour later, unless something of them waits', async () => {
    const [waiting = '', done = ''] = await arriveIn('a', 'b');
    await database.prisma.delivery.update({ where: { id: done }, data: { state: 'done', finishedAt: NOW } });
    for (const id of [waiting, done]) await batches.begin(newId(), [id]);
    await batches.tidy();
    expect(await database.prisma.begunBatch.count()).toBe(2);
    await database.prisma.$executeRaw`update begun_batch set begun_at = begun_at - interval '2 hours'`;
    await batches.tidy();
    const left = await database.prisma.begunBatch.findMany();
    expect(left.map(({ deliveryIds }) => deliveryIds)).toEqual([[waiting]]);
  });
});
