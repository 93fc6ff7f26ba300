import { v7 } from 'uuid';
import { openTestReplicas } from '../../test/support/database';
import { until } from '../../test/support/until';
import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import { BodyMonth } from './body-month';
import { BodyMonths } from './body-months.repository';
import { DeliveryBodies } from './delivery-bodies.repository';
import { DeliveryRequeue } from './delivery-requeue.repository';

const NOW = new Date('2026-11-21T12:00:00Z');
const ROWS = 1_000;

describe('bodies of deliveries, between replicas', () => {
  const bodies = new DeliveryBodies();
  const organizationId = newId();
  let replicas: [Database, Database];

  beforeAll(async () => {
    replicas = (await openTestReplicas(2)) as [Database, Database];
    await replicas[0].prisma.$executeRaw`
      with stored as (
        insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at,
          state, finished_at)
        select ('019b76da-a800-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, ${organizationId}::uuid,
          gen_random_uuid(), 'orders/paid', g::text, 'lane', '{}', '2026-01-01Z', now(), 'done', now()
        from generate_series(1, ${ROWS}::int) g
        returning organization_id, id
      )
      insert into delivery_body select organization_id, id, 'a body' from stored`;
  });

  /** Stores settled deliveries under these identifiers. */
  async function storeOf(...ids: string[]): Promise<string[]> {
    const rows = ids.map((id) => ({
      ...{ id, organizationId, sourceId: newId(), topic: 'orders/paid', dedupeKey: id, lane: id },
      ...{ attributes: {}, body: Buffer.from('a body'), receivedAt: NOW, traceparent: null },
    }));
    await storeDeliveries(replicas[0], rows);
    await replicas[0].prisma.delivery.updateMany({
      where: { id: { in: ids } },
      data: { state: 'done', finishedAt: NOW },
    });
    return ids;
  }

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
    expect(await replicas[0].prisma.deliveryBody.count()).toBe(0);
  });

  it('that are put back to work while their month is dropped stay, whoever comes first', async () => {
    const months = new BodyMonths();
    const returns = new DeliveryRequeue();
    const month = BodyMonth.of(new Date('2025-12-01T00:00:00Z'));
    await replicas[0].transaction((tx) => months.make(tx, month));
    const [early, late] = await storeOf(
      v7({ msecs: month.start.getTime() }),
      v7({ msecs: month.end.getTime() - 1 }),
    );
    const putBack = (tx: Transaction, id: string) =>
      returns.putBack(tx, { id: organizationId }, [id], ['done']);
    let dropped: Promise<unknown> | undefined;
    const returned = await replicas[0].transaction(async (tx) => {
      const standing = await putBack(tx, early!);
      dropped = replicas[1].transaction((other) => months.drop(other, month, NOW));
      await until(async () => {
        const [row] = await tx.$queryRaw<{ waits: boolean }[]>`
          select exists (select from pg_locks where not granted and relation = 'delivery_body'::regclass) as waits`;
        return row?.waits === true;
      });
      return standing.map(({ id }) => id);
    });
    expect(returned).toEqual([early]);
    expect(await dropped).toMatchObject({ carried: 1 });
    expect(await replicas[1].transaction((tx) => putBack(tx, late!))).toEqual([]);
    const left = await replicas[0].prisma.deliveryBody.findMany({ where: { id: { in: [early!, late!] } } });
    expect(left.map(({ id }) => id)).toEqual([early]);
  });

  it('have each month made once and dropped once, by whoever comes first', async () => {
    const months = new BodyMonths();
    const month = BodyMonth.of(new Date('2024-01-01T00:00:00Z'));
    const both = <T>(work: (tx: Transaction) => Promise<T>) =>
      Promise.all(replicas.map((replica) => replica.transaction(work)));
    expect((await both((tx) => months.make(tx, month))).sort()).toEqual([false, true]);
    const dropped = await both((tx) => months.drop(tx, month, NOW));
    expect(dropped.filter((each) => each !== undefined)).toEqual([{ gone: 0, carried: 0 }]);
  });
});
