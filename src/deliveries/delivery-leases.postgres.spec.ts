import { arrive } from '../../test/support/arrivals';
import { openTestReplicas } from '../../test/support/database';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { DeliveryLeases, type LeasedDelivery } from './delivery-leases.repository';
import { DeliveryQueue } from './delivery-queue.repository';

const NOW = new Date('2026-11-22T12:00:00Z');

describe('two replicas that lease at the same time', () => {
  const leases = new DeliveryLeases(new DeliveryQueue());
  let databases: Database[];

  beforeAll(async () => {
    databases = await openTestReplicas(2);
  });
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const take = (database: Database, room: number, organizationId: string): Promise<LeasedDelivery[]> =>
    database.transaction((tx) => leases.take(tx, NOW, 100, new Map([[organizationId, room]])));

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
    await databases[0]!.transaction((tx) =>
      leases.complete(tx, NOW, leased!, {
        id: leased!.id,
        state: 'done',
        outcome: 'applied',
        reason: null,
        businessKey: null,
        events: [],
      }),
    );
    expect((await take(databases[1]!, 4, organizationId)).map(({ id }) => id)).toEqual([second]);
    expect(await databases[0]!.transaction((tx) => leases.hold(tx, leased!))).toBe(false);
  });
});
