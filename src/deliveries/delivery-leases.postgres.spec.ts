import { AsyncLocalStorage } from 'node:async_hooks';
import { arrive } from '../../test/support/arrivals';
import { openTestReplicas } from '../../test/support/database';
import { until } from '../../test/support/until';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { ORGANIZATION } from '../rules/fixtures';
import { DeliveryRequeue } from './delivery-requeue.repository';
import { DeliveryLeases, type LeasedDelivery } from './delivery-leases.repository';
import { type Completion, DeliveryQueue } from './delivery-queue.repository';

const DONE: Omit<Completion, 'id'> = {
  ...{ state: 'done', outcome: 'applied', reason: null, businessKey: null, events: [] },
};
const WAITING = {
  name: 'waiting-for-a-lock',
  text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
};
const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-22T12:00:00Z');

describe('two replicas that lease at the same time', () => {
  const leases = new DeliveryLeases(new DeliveryQueue());
  let databases: Database[];

  beforeAll(async () => {
    databases = await openTestReplicas(2);
  });
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const take = (database: Database, room: number, organizationId: string): Promise<LeasedDelivery[]> =>
    database.transaction((tx) => leases.take(tx, 100, new Map([[organizationId, room]])));

  it('never have one delivery both, nor two of one lane, and take all of them between them', async () => {
    const organizationId = newId();
    const lanes = Array.from({ length: 60 }, (_, index) => `lane ${index % 30}`);
    const ids = await arrive(databases[0]!, lanes, { organizationId, receivedAt: NOW });
    const taken: LeasedDelivery[] = [];
    const untilNothing = async (database: Database): Promise<void> => {
      for (let empty = 0; empty < 3;) {
        const some = await take(database, 4, organizationId);
        taken.push(...some);
        empty = some.length === 0 ? empty + 1 : 0;
      }
    };
    await Promise.all(databases.map(untilNothing));
    const inHand = taken.map(({ id }) => id);
    expect(new Set(inHand).size).toBe(inHand.length);
    expect(inHand.toSorted()).toEqual(ids.slice(0, 30).toSorted());
    expect(new Set(taken.map(({ lane }) => lane)).size).toBe(30);
  });

  it('leave the second of a lane to whoever comes when the first is done, on either of them', async () => {
    const organizationId = newId();
    const [first, second] = await arrive(databases[0]!, ['one', 'one'], { organizationId, receivedAt: NOW });
    const [leased] = await take(databases[0]!, 4, organizationId);
    expect([leased?.id, await take(databases[1]!, 4, organizationId)]).toEqual([first, []]);
    await databases[0]!.transaction((tx) => leases.complete(tx, NOW, leased!, { id: leased!.id, ...DONE }));
    expect((await take(databases[1]!, 4, organizationId)).map(({ id }) => id)).toEqual([second]);
    expect(await databases[0]!.transaction((tx) => leases.lock(tx, leased!))).toBe(false);
  });

  describe('while another puts off what stands behind in the lane', () => {
    /** One replica has claimed the second of a lane and put it off, when the other begins to take the first away. */
    async function meanwhile(
      organizationId: string,
      takeAway: (other: Database) => Promise<unknown>,
    ): Promise<void> {
      const [one, other] = databases as [Database, Database];
      let ended = false;
      let takenAway: Promise<unknown> | undefined;
      const outside = AsyncLocalStorage.snapshot();
      await one.transaction(async (tx) => {
        expect(await leases.take(tx, 100, new Map([[organizationId, 4]]))).toEqual([]);
        takenAway = outside(() => takeAway(other)).finally(() => (ended = true));
        await outside(() => until(async () => ended || (await one.query(WAITING, [])).length > 0));
      });
      await takenAway;
    }

    beforeEach(() => databases[0]!.prisma.delivery.deleteMany());

    const isReady = async (id: string): Promise<boolean> => {
      const { readyAt } = await databases[0]!.prisma.delivery.findUniqueOrThrow({ where: { id } });
      return readyAt.getTime() < Date.now() + 10_000;
    };

    it('it is woken all the same when the first is done', async () => {
      const organizationId = newId();
      const fields = { organizationId, receivedAt: NOW };
      await arrive(databases[0]!, ['done'], fields);
      const [leased] = await take(databases[0]!, 4, organizationId);
      const [second = ''] = await arrive(databases[0]!, ['done'], fields);
      await meanwhile(organizationId, (other) =>
        other.transaction((tx) => leases.complete(tx, NOW, leased!, { id: leased!.id, ...DONE })),
      );
      expect(await isReady(second)).toBe(true);
    });

    it('it is woken all the same when the first is discarded', async () => {
      const { id: organizationId } = ORGANIZATION;
      const fields = { organizationId, receivedAt: NOW };
      const [first = ''] = await arrive(databases[0]!, ['discarded'], fields);
      const readyAt = new Date(Date.now() + HOUR_MS);
      await databases[0]!.prisma.delivery.update({ where: { id: first }, data: { readyAt } });
      const [second = ''] = await arrive(databases[0]!, ['discarded'], fields);
      const how = { states: ['waiting'], reason: 'a test', now: NOW } as const;
      await meanwhile(organizationId, (other) =>
        other.transaction((tx) => new DeliveryRequeue().discard(tx, ORGANIZATION, first, how)),
      );
      expect(await isReady(second)).toBe(true);
    });
  });
});
