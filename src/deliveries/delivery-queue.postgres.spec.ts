import { openTestReplicas } from '../../test/support/database';
import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import { newId } from '../kernel/identifier';
import { DeliveryQueue } from './delivery-queue.repository';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('the delivery queue, between replicas', () => {
  const queue = new DeliveryQueue();
  let replicas: Database[];

  beforeAll(async () => {
    replicas = await openTestReplicas(2);
  });

  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  function replica(index: number): Database {
    const found = replicas[index];
    if (!found) throw new Error('no such replica');
    return found;
  }

  async function arrive(lane: string): Promise<string> {
    const delivery = {
      id: newId(),
      organizationId: newId(),
      sourceId: newId(),
      topic: 'orders/paid',
      dedupeKey: 'key',
      lane,
      attributes: {},
      body: Buffer.from('{}'),
      traceparent: null,
      receivedAt: NOW,
    };
    await storeDeliveries(replica(1), [delivery]);
    return delivery.id;
  }

  /** Claims with one replica and, while that claim is locked, with the other. */
  async function claimBoth(meanwhile: () => Promise<unknown>): Promise<string[][]> {
    return replica(0).transaction(async (tx) => {
      const first = await queue.claim(tx, 10);
      await meanwhile();
      const second = await replica(1).transaction((other) => queue.claim(other, 10));
      return [first, second].map((claimed) => claimed.map(({ id }) => id));
    });
  }

  beforeEach(() => replica(0).prisma.delivery.deleteMany());

  it('gives what one works on to no other, and the other lanes to both', async () => {
    const first = await arrive('a');
    let second = '';
    const claims = await claimBoth(async () => {
      await arrive('a');
      second = await arrive('b');
    });
    expect(claims).toEqual([[first], [second]]);
  });

  it('keeps a lane to the one that works in it, even from what was numbered before and committed after', async () => {
    const first = await arrive('a');
    const claims = await claimBoth(async () => {
      const late = await arrive('a');
      await replica(1).prisma.delivery.update({ where: { id: late }, data: { seq: 0n } });
    });
    expect(claims).toEqual([[first], []]);
  });
});
