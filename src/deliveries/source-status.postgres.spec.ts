import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { SourceProviders } from '../sources/source-providers';
import { MOST_COUNTED, MAX_SCANNED, SourceStatuses } from './source-status.repository';
import { SourceFailuresRepository } from './switch-off/source-failures.repository';

const ROWS = 100_000;
const clock = new SettableClock('2026-01-02T12:00:00Z');

let database: Database;
const [busy, stuck, idle] = [newId(), newId(), newId()];

beforeAll(async () => {
  database = await openTestDatabase();
  const { prisma } = database;
  // The planner has no statistics of them before `analyze`.
  await prisma.$executeRaw`alter table delivery set (autovacuum_enabled = false)`;
  await prisma.$executeRaw`
    insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at,
                          state, finished_at, outcome, events)
    select gen_random_uuid(), ${newId()}::uuid, (array[${busy}, ${stuck}])[1 + n % 2]::uuid, 't', n::text, n::text, '{}',
           timestamptz '2026-01-01Z' + n * interval '1 second', '2026-01-01Z',
           (case when n % 2 = 0 then 'done' else 'waiting' end)::delivery_state, '2026-01-01Z',
           case when n % 2 = 0 then (case when n > ${ROWS - 6}::int then 'no rule for order.created' else 'applied' end) end,
           '{order.created}'
    from generate_series(1, ${ROWS}::int) n`;
}, 120_000);
afterAll(() => database.close());

interface Touched {
  scans: number;
  rows: number;
}

/** What one listing of the sources reads of the deliveries. */
async function measure(): Promise<{ statuses: unknown[]; touched: Touched }> {
  return database.transaction(async (tx) => {
    const statusOf = await new SourceStatuses(
      database,
      clock,
      new SourceProviders(),
      new SourceFailuresRepository(database),
    ).of([busy, stuck, idle], tx);
    const [touched] = await tx.$queryRaw<Touched[]>`
      select seq_scan::int as scans, (seq_tup_read + idx_tup_fetch)::int as rows
      from pg_stat_xact_user_tables where relname = 'delivery'`;
    return { statuses: [busy, stuck, idle].map(statusOf), touched: touched! };
  });
}

const NEVER_REFUSED = { lastRefusedAt: null, lastRefusal: null };
/** What was never learned of; ROWS seconds after the first of January. */
const well = (quietFor: number | null) => ({
  ...{ quietFor, expectedWithin: null, silent: false, failing: false, switchOff: null },
});
const ALL_TAKEN = { unhandled: 0, lastUnhandledAt: null, lastUnhandledEvents: [] };
const NEVER_ASKED = {
  ...{ hooks: null, comparedAt: null, comparedUntil: null, missed: 0, comparisonFailure: null },
  completeness: null,
};

describe.each(['without statistics', 'with statistics'])('how sources are doing, %s', (statistics) => {
  it('is read by indexes, and never more than is counted', async () => {
    if (statistics === 'with statistics') await database.prisma.$executeRaw`vacuum analyze delivery`;
    const { statuses, touched } = await measure();
    const at = (seconds: number): Date => new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000);
    expect(statuses).toEqual([
      {
        ...{
          lastReceivedAt: at(ROWS),
          waiting: 0,
          dead: 0,
          ...NEVER_REFUSED,
          ...NEVER_ASKED,
          ...well(129_600 - ROWS),
        },
        ...{ unhandled: 3, lastUnhandledAt: at(ROWS), lastUnhandledEvents: ['order.created'] },
      },
      {
        ...{
          lastReceivedAt: at(ROWS - 1),
          waiting: MOST_COUNTED,
          dead: 0,
          ...NEVER_REFUSED,
          ...NEVER_ASKED,
          ...ALL_TAKEN,
        },
        ...well(129_601 - ROWS),
      },
      {
        lastReceivedAt: null,
        waiting: 0,
        dead: 0,
        ...NEVER_REFUSED,
        ...NEVER_ASKED,
        ...ALL_TAKEN,
        ...well(null),
      },
    ]);
    expect(touched.scans).toBe(0);
    expect(touched.rows).toBeLessThanOrEqual(MOST_COUNTED + 2 * MAX_SCANNED + 10);
  });
});
