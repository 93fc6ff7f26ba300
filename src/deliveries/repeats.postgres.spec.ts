import { openTestReplicas } from '../../test/support/database';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { DeliveryQueue } from './delivery-queue.repository';
import { type Arrival, Inbox } from './inbox';

describe('webhooks that come again, between replicas', () => {
  let replicas: Database[];
  let inboxes: Inbox[];
  const sourceId = newId();
  const organizationId = newId();

  beforeAll(async () => {
    replicas = await openTestReplicas(2);
    inboxes = replicas.map((replica) => new Inbox(replica));
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  const arrival = (dedupeKey: string): Arrival => ({
    ...{ organizationId, sourceId, body: Buffer.from('{}'), receivedAt: new Date() },
    identity: { topic: 'orders/paid', dedupeKey, orderingKey: `order/${dedupeKey}`, attributes: {} },
  });
  const countOf = async (deliveryId: string): Promise<number> =>
    (await replicas[0]!.prisma.deliveryRepeat.findUnique({ where: { deliveryId } }))?.count ?? 0;

  it('are each counted once, whoever receives them at once and in whatever order', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const rounds = Array.from({ length: 12 }, (_, round) => (round % 2 ? [...keys].reverse() : keys));
    const receipts = await Promise.all(
      rounds.flatMap((order, round) => order.map((key) => inboxes[round % 2]!.accept(arrival(key)))),
    );
    const ids = [...new Set(receipts.map(({ id }) => id))];
    expect(ids).toHaveLength(keys.length);
    expect(await Promise.all(ids.map(countOf))).toEqual(keys.map(() => rounds.length - 1));
  });

  it('are stored in one order by all, so that no two wait for each other', async () => {
    const { prisma } = replicas[0]!;
    // Both have stored the first of theirs before they come to the second.
    await prisma.$executeRaw`
      create function take_long() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`;
    await prisma.$executeRaw`
      create trigger takes_long before insert on delivery for each row execute function take_long()`;
    try {
      const orders = [
        ['one', 'other'],
        ['other', 'one'],
      ];
      const receipts = await Promise.all(
        orders.map((order, which) => Promise.all(order.map((key) => inboxes[which]!.accept(arrival(key))))),
      );
      expect(receipts.flat().filter(({ duplicate }) => duplicate)).toHaveLength(2);
      expect(new Set(receipts.flat().map(({ id }) => id)).size).toBe(2);
    } finally {
      await prisma.$executeRaw`drop trigger takes_long on delivery`;
    }
  });

  it('are answered and counted while their delivery is being worked on', async () => {
    const { id } = await inboxes[0]!.accept(arrival('slow'));
    const queue = new DeliveryQueue();
    await replicas[0]!.transaction(async (tx) => {
      expect((await queue.claim(tx, 100)).map((claimed) => claimed.id)).toContain(id);
      expect(await inboxes[1]!.accept(arrival('slow'))).toEqual({ id, duplicate: true });
    });
    expect(await countOf(id)).toBe(1);
  });
});
