import { openTestDatabase } from '../../../test/support/database';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import { UsualGaps } from './usual-gaps.repository';

/** A Tuesday. */
const NOW = new Date('2026-11-24T12:00:00Z');
const HOUR = 3600;

let database: Database;
let gaps: UsualGaps;

beforeAll(async () => {
  database = await openTestDatabase();
  gaps = new UsualGaps(database);
});
afterAll(() => database.close());

/** Deliveries of a new source, every so many seconds of the days before now where the condition holds. */
async function sourceWith(days: number, everySeconds: number, condition = 'true'): Promise<string> {
  const sourceId = newId();
  await database.prisma.$executeRawUnsafe(
    `insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at, state)
     select gen_random_uuid(), gen_random_uuid(), $1::uuid, 't', extract(epoch from at)::text, 'l', '{}', at, at, 'waiting'
     from generate_series($2::timestamptz - make_interval(days => $3::int), $2::timestamptz, make_interval(secs => $4::int)) at
     where ${condition}`,
    sourceId,
    NOW,
    days,
    everySeconds,
  );
  return sourceId;
}

const expectedOf = async (sourceId: string): Promise<number | null> => gaps.expectedWithin(sourceId, NOW);

const HOUR_OF_DAY = `extract(hour from at at time zone 'UTC')`;
const DAY_OF_WEEK = `extract(isodow from at at time zone 'UTC')`;

describe('what is usual for a source', () => {
  it('that never rests is the shortest there is', async () => {
    expect(await expectedOf(await sourceWith(30, 600))).toBe(4 * HOUR);
  });

  it('that rests at night is its night', async () => {
    const sourceId = await sourceWith(30, 900, `${HOUR_OF_DAY} between 8 and 21`);
    // From 21:45 to 8:00, twice.
    expect(await expectedOf(sourceId)).toBe(2 * 10.25 * HOUR);
  });

  it('that rests on weekends is its weekend', async () => {
    const sourceId = await sourceWith(30, HOUR, `${DAY_OF_WEEK} < 6`);
    expect(await expectedOf(sourceId)).toBe(2 * 49 * HOUR);
  });

  it('is not what happened once', async () => {
    const outage = `not (at > timestamptz '2026-11-15Z' and at < timestamptz '2026-11-18Z')`;
    expect(await expectedOf(await sourceWith(30, 600, outage))).toBe(4 * HOUR);
  });

  it('is not the present silence', async () => {
    const quiet = `at < timestamptz '2026-11-20Z'`;
    expect(await expectedOf(await sourceWith(30, 600, quiet))).toBe(4 * HOUR);
  });

  it.each([
    ['has sent nothing', 30, 600, 'false'],
    ['has sent nineteen', 9, 11 * HOUR + 2000, 'true'],
    ['has sent nothing for three weeks', 60, 600, `at < timestamptz '2026-11-01Z'`],
    ['was connected within a week', 6, 600, 'true'],
  ])('that %s is not known', async (_what, days, every, condition) => {
    expect(await expectedOf(await sourceWith(days, every, condition))).toBeNull();
  });

  it('that has sent twenty is known', async () => {
    expect(await expectedOf(await sourceWith(9, 11 * HOUR))).toBe(22 * HOUR);
  });

  it('costs no more for a busy source', async () => {
    const sourceId = await sourceWith(22, 60);
    const touched = await database.transaction(async (tx) => {
      // What this connection did before may still be among them.
      const count = async (): Promise<{ read: number; scans: number }> => {
        const [rows] = await tx.$queryRaw<{ read: number; scans: number }[]>`
          select idx_tup_fetch::int + seq_tup_read::int as read, seq_scan::int as scans
          from pg_stat_xact_user_tables where relname = 'delivery'`;
        return rows ?? { read: 0, scans: 0 };
      };
      const inner = { transaction: <T>(run: (of: typeof tx) => Promise<T>) => run(tx) };
      const before = await count();
      await new UsualGaps(inner as unknown as Database).expectedWithin(sourceId, NOW);
      const after = await count();
      return { read: after.read - before.read, scans: after.scans - before.scans };
    });
    expect(touched.scans).toBe(0);
    expect(touched.read).toBeGreaterThan(500);
    expect(touched.read).toBeLessThan(2_500);
  });
});
