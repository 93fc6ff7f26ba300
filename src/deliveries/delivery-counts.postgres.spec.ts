import { Settings } from '../config/settings';
import { openTestDatabase } from '../../test/support/database';
import { timePasses } from '../../test/support/time-passes';
import type { Database } from '../database/database';
import { storeDeliveries } from '../database/statements/store-deliveries';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import { DeliveryCounts } from './delivery-counts.repository';

/** So many that no plan reads all of them because that is quick. */
const BATCHES = 10;
const BATCH = 500;
const HOUR_MS = 3_600_000;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  // The planner has no statistics of them before `analyze`.
  await database.prisma.$executeRaw`alter table delivery set (autovacuum_enabled = false)`;
  for (let batch = 0; batch < BATCHES; batch += 1) await store(BATCH, new Date('2026-01-01T00:00:00Z'));
  await database.prisma.$executeRaw`update delivery set state = 'done', finished_at = received_at`;
}, 120_000);
afterAll(() => database.close());

async function store(count: number, receivedAt: Date): Promise<void> {
  const deliveries = Array.from({ length: count }, () => {
    const id = newId();
    const source = { organizationId: newId(), sourceId: newId(), topic: 't', dedupeKey: id, lane: id };
    return { id, ...source, attributes: {}, body: Buffer.from('{}'), receivedAt, traceparent: null };
  });
  await storeDeliveries(database, deliveries);
}

/** How long the oldest waits, and how often all deliveries were read for that. */
async function measure(): Promise<{ waitingMs: number; scans: number }> {
  return database.transaction(async (tx) => {
    const before = await scansOf(tx);
    const waitingMs = await new DeliveryCounts(database, new Settings({})).oldestReadyMs(tx);
    return { waitingMs, scans: (await scansOf(tx)) - before };
  });
}

/** Of this connection; it also reports what its last transactions have not reported yet. */
async function scansOf(tx: Transaction): Promise<number> {
  const [touched] = await tx.$queryRaw<{ scans: number }[]>`
    select seq_scan::int as scans from pg_stat_xact_user_tables where relname = 'delivery'`;
  return touched?.scans ?? NaN;
}

describe.each(['without statistics', 'with statistics'])(
  'the wait of the oldest delivery, %s',
  (statistics) => {
    it('is found by the index of what waits', async () => {
      if (statistics === 'with statistics') await database.prisma.$executeRaw`vacuum analyze delivery`;
      const before = await measure();
      await store(1, new Date());
      await timePasses(database, HOUR_MS);
      const after = await measure();
      await database.prisma.$executeRaw`delete from delivery where state = 'waiting'`;
      expect(before).toEqual({ waitingMs: 0, scans: 0 });
      expect(after.scans).toBe(0);
      expect([after.waitingMs >= HOUR_MS, after.waitingMs < 2 * HOUR_MS]).toEqual([true, true]);
    });
  },
);
