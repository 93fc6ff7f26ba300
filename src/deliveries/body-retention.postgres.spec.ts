import { openTestReplicas } from '../../test/support/database';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { DeliveryBodies } from './delivery-bodies.repository';

const NOW = new Date('2026-11-21T12:00:00Z');
const ROWS = 1_000;

describe('bodies of deliveries, between replicas', () => {
  const bodies = new DeliveryBodies();
  const organizationId = newId();
  let replicas: [Database, Database];

  beforeAll(async () => {
    replicas = (await openTestReplicas(2)) as [Database, Database];
    await replicas[0].prisma.$executeRaw`
      insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, body, received_at, ready_at,
        state, finished_at)
      select gen_random_uuid(), ${organizationId}::uuid, gen_random_uuid(), 'orders/paid', g::text, 'lane', '{}', 'a body',
        timestamptz '2026-01-01Z' + g * interval '1 second', now(), 'done', now()
      from generate_series(1, ${ROWS}::int) g`;
  });

  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  it('are taken by one or the other, without waiting for each other', async () => {
    const batch = { organizationId, before: NOW, limit: ROWS / 2 };
    const counts = await replicas[0].transaction(async (tx) => {
      const first = await bodies.purge(tx, batch, NOW);
      // Would wait for ever for the first one's rows: this is within its transaction.
      const second = await replicas[1].transaction((other) => bodies.purge(other, batch, NOW));
      const third = await replicas[1].transaction((other) => bodies.purge(other, batch, NOW));
      return [first, second, third];
    });
    expect(counts).toEqual([ROWS / 2, ROWS / 2, 0]);
    expect(await replicas[0].prisma.delivery.count({ where: { bodyPurgedAt: null } })).toBe(0);
  });
});
