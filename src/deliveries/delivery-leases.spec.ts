import { arrive } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import { timePasses } from '../../test/support/time-passes';
import type { Database } from '../database/database';
import { CallStore } from '../finance/remote/calls/call-store.repository';
import { newId } from '../kernel/identifier';
import { DeliveryLeases, LEASE_MS, type LeasedDelivery } from './delivery-leases.repository';
import { type Completion, DeliveryQueue } from './delivery-queue.repository';
import { DeliveryRequeue } from './delivery-requeue.repository';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('leases on deliveries', () => {
  const leases = new DeliveryLeases(new DeliveryQueue());
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
  });

  function take(limit = 100, room = new Map<string, number>()): Promise<LeasedDelivery[]> {
    return database.transaction((tx) => leases.take(tx, limit, room));
  }

  async function takeIds(...args: Parameters<typeof take>): Promise<string[]> {
    return (await take(...args)).map(({ id }) => id);
  }

  function holds(delivery: LeasedDelivery): Promise<boolean> {
    return database.transaction((tx) => leases.lock(tx, delivery));
  }

  function completed({ id }: { id: string }): Completion {
    return { id, state: 'done', outcome: 'applied', reason: null, businessKey: null, events: [] };
  }

  it('are given on the first of each lane alone, and on nothing twice', async () => {
    const [first, , other] = await arrive(database, ['a', 'a', 'b'], { receivedAt: NOW });
    expect(await takeIds()).toEqual([first, other]);
    expect(await takeIds()).toEqual([]);
  });

  it('keep the lane waiting until the delivery is completed, which makes the next ready at once', async () => {
    const [, second] = await arrive(database, ['a', 'a'], { receivedAt: NOW });
    const [leased] = await take();
    expect(await takeIds()).toEqual([]);
    await database.transaction((tx) => leases.complete(tx, NOW, leased!, completed(leased!)));
    expect(await takeIds()).toEqual([second]);
  });

  it('end by themselves: another takes over, and the first can write no more', async () => {
    const [only] = await arrive(database, ['a'], { receivedAt: NOW });
    const [lost] = await take();
    await timePasses(database, LEASE_MS);
    const [taken] = await take();
    expect(taken?.id).toBe(only);
    expect(await holds(lost!)).toBe(false);
    expect(await holds(taken!)).toBe(true);
  });

  it('last longer when they are renewed', async () => {
    await arrive(database, ['a'], { receivedAt: NOW });
    const [leased] = await take();
    await timePasses(database, LEASE_MS / 2);
    await database.transaction((tx) => leases.renew(tx, [leased!.leaseId]));
    await timePasses(database, LEASE_MS / 2);
    expect(await takeIds()).toEqual([]);
    await timePasses(database, LEASE_MS / 2);
    expect(await takeIds()).toEqual([leased!.id]);
  });

  it('leave a delivery that is put off, and its lane, alone until its time', async () => {
    const [first, second] = await arrive(database, ['a', 'a'], { receivedAt: NOW });
    const [leased] = await take();
    const delayMs = 600_000;
    await database.transaction((tx) =>
      leases.putOff(tx, leased!, { delayMs, reason: 'the service is down', failed: false }),
    );
    await timePasses(database, delayMs / 2);
    expect(await takeIds()).toEqual([]);
    await timePasses(database, delayMs / 2);
    expect(await takeIds()).toEqual([first]);
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: first } });
    expect(row).toMatchObject({ reason: 'the service is down', attempts: 0 });
    expect(second).toBeDefined();
  });

  it('make a delivery ready at once when what it waits for was settled while somebody was at it', async () => {
    const [only] = await arrive(database, ['a'], { receivedAt: NOW });
    const calls = new CallStore(database);
    const later = { delayMs: LEASE_MS, reason: 'it is being looked for', failed: false };
    const [seenTooEarly] = await take();
    await database.transaction((tx) => calls.wake(tx, only!));
    expect(await takeIds()).toEqual([]);
    await database.transaction((tx) => leases.putOff(tx, seenTooEarly!, later));
    const [again] = await take();
    expect(again?.id).toBe(only);
    await database.transaction((tx) => leases.putOff(tx, again!, later));
    expect(await takeIds()).toEqual([]);
    await database.transaction((tx) => calls.wake(tx, only!));
    expect(await takeIds()).toEqual([only]);
  });

  it('count a failure when a delivery is put off for one', async () => {
    const [only] = await arrive(database, ['a'], { receivedAt: NOW });
    const [leased] = await take();
    await database.transaction((tx) =>
      leases.putOff(tx, leased!, { delayMs: 0, reason: 'failed', failed: true }),
    );
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: only } });
    expect(row).toMatchObject({ attempts: 1, leaseId: null });
  });

  it('let a delivery that comes back to its lane wait until what is leased there is given back', async () => {
    const [first, second] = await arrive(database, ['a', 'a'], { receivedAt: NOW });
    await database.prisma.delivery.update({
      where: { id: first! },
      data: { state: 'dead', reason: 'a reason' },
    });
    const [leased] = await take();
    expect(leased?.id).toBe(second);
    const { organizationId: own } = await database.prisma.delivery.findUniqueOrThrow({
      where: { id: first! },
    });
    const organization = { id: own, slug: 'o', name: 'O', timeZone: 'UTC', currency: 'BRL' };
    const back = await database.transaction((tx) =>
      new DeliveryRequeue().putBack(tx, organization, [first!], ['dead']),
    );
    expect(back).toHaveLength(1);
    expect(await takeIds()).toEqual([]);
    await timePasses(database, LEASE_MS / 2);
    await database.transaction((tx) => leases.renew(tx, [leased!.leaseId]));
    await timePasses(database, LEASE_MS * 0.75);
    expect(await takeIds()).toEqual([]);
    await database.transaction((tx) => leases.complete(tx, NOW, leased!, completed(leased!)));
    expect(await takeIds()).toEqual([first]);
  });

  it('let a lane go on without a delivery that was given up', async () => {
    const [, second] = await arrive(database, ['a', 'a'], { receivedAt: NOW });
    const [leased] = await take();
    await database.transaction((tx) => leases.giveUp(tx, NOW, leased!, 'no use'));
    expect(await takeIds()).toEqual([second]);
  });

  it('are as many of an organization as its capacity says, and none delays another organization', async () => {
    const [busy, idle] = [newId(), newId()];
    const crowd = await arrive(database, ['a', 'b', 'c', 'd'], { organizationId: busy, receivedAt: NOW });
    const [other] = await arrive(database, ['e'], { organizationId: idle, receivedAt: NOW });
    expect(await takeIds(100, new Map([[busy, 2]]))).toEqual([...crowd.slice(0, 2), other]);
    expect(await takeIds(1, new Map([[busy, 0]]))).toEqual([]);
    expect(await takeIds(100, new Map([[busy, 1]]))).toEqual([crowd[2]]);
  });

  it('pass over ten thousand lanes of an organization that rests', async () => {
    const [resting, idle] = [newId(), newId()];
    const lanes = Array.from({ length: 1_000 }, (_, index) => `lane ${index}`);
    for (let round = 0; round < 10; round += 1)
      await arrive(
        database,
        lanes.map((lane) => `${round}/${lane}`),
        { organizationId: resting, receivedAt: NOW },
      );
    const [other] = await arrive(database, ['other'], { organizationId: idle, receivedAt: NOW });
    expect(await takeIds(5, new Map([[resting, 0]]))).toEqual([other]);
  });
});
