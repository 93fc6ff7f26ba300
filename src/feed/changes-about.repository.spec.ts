import { openTestDatabase } from '../../test/support/database';
import { planOf, rowsTouched, tablesScanned } from '../../test/support/plans';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import {
  batchesIn,
  ChangesAbout,
  changesIn,
  type Interval,
  placesOf,
  searched,
  type Subjects,
} from './changes-about.repository';
import { checkOf, readCursor } from './cursor';

/** Of the two organizations together: one a second; a tenth is the quiet one's. */
const BATCHES = 20_000;
const START = Date.UTC(2026, 10, 1);
const [busy, quiet, empty] = [newId(), newId(), newId()];
const deliveryOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** Every seventh was committed 34 s late. */
const appendedAt = (n: number): Date => new Date(START + n * 1_000 - (n % 7 === 0 ? 34_000 : 0));
const when = (n: number): Interval => ({ from: appendedAt(n), to: appendedAt(n) });

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.$executeRaw`
    insert into feed_batch (organization_id, position, id, key, changes, at)
    select case when n % 10 = 0 then ${quiet}::uuid else ${busy}::uuid end, n, 3 * n, gen_random_uuid(), 2,
      ${new Date(START)}::timestamptz + make_interval(secs => n - case when n % 7 = 0 then 34 else 0 end)
    from generate_series(1, ${BATCHES}::int) n`;
  await database.prisma.$executeRaw`
    insert into feed_stored_change (batch_id, number, type, subject, business_key, delivery_id, data)
    select 3 * n, m, 'receipt.registered', 'receipt/record-' || n || '-' || m, 'key-' || n || '-' || m,
      ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '{}'
    from generate_series(1, ${BATCHES}::int) n, generate_series(1, 2) m`;
});
afterAll(() => database.close());

function find(organizationId: string, intervals: readonly Interval[], about: Partial<Subjects>) {
  const subjects = { deliveryIds: [], businessKeys: [], recordIds: [], ...about };
  return database.transaction((tx) => new ChangesAbout().find(tx, organizationId, intervals, subjects));
}

describe('changes about something', () => {
  it.each([1, 2, 7, 777, 9_999, 14_007, BATCHES - 1])(
    'are found by when they were appended, whatever stands late: batch %i',
    async (n) => {
      const { changes, cut } = await find(busy, [when(n)], { deliveryIds: [deliveryOf(n)] });
      expect([changes.map(({ subject }) => subject), cut]).toEqual([
        [`receipt/record-${n}-1`, `receipt/record-${n}-2`],
        false,
      ]);
      expect(changes[0]).toMatchObject({ at: appendedAt(n), businessKey: `key-${n}-1` });
    },
  );

  it('are found by delivery, business key or record, each once and in the order of the feed', async () => {
    const { changes } = await find(busy, [when(5_001), when(33), when(34)], {
      deliveryIds: [deliveryOf(33), deliveryOf(5_001)],
      businessKeys: ['key-33-1', 'key-34-2'],
      recordIds: ['record-5001-2'],
    });
    expect(changes.map(({ businessKey }) => businessKey)).toEqual([
      ...['key-33-1', 'key-33-2', 'key-34-2', 'key-5001-1', 'key-5001-2'],
    ]);
  });

  it('have the cursor of whoever has read up to them', async () => {
    const { changes } = await find(busy, [when(501)], { businessKeys: ['key-501-2'] });
    const { key } = await database.prisma.feedBatch.findFirstOrThrow({ where: { position: 501 } });
    expect(changes.map(({ id }) => id)).toEqual([`${key}-2`]);
    expect(readCursor(changes[0]!.cursor)).toEqual({ position: 501n, number: 2, check: checkOf(busy, key) });
  });

  it('are those of the organization and the times alone', async () => {
    const about = { deliveryIds: [deliveryOf(7_010), deliveryOf(7_011)] };
    const subjectsOf = async (organizationId: string, n: number): Promise<string[]> =>
      (await find(organizationId, [when(n)], about)).changes.map(({ subject }) => subject);
    expect(await subjectsOf(quiet, 7_010)).toEqual(['receipt/record-7010-1', 'receipt/record-7010-2']);
    expect(await subjectsOf(busy, 7_010)).toEqual([]);
    expect(await subjectsOf(busy, 7_012)).toEqual([]);
    expect(await subjectsOf(empty, 7_010)).toEqual([]);
    expect((await find(busy, [], about)).changes).toEqual([]);
  });

  it('are said to be incomplete where there is too much to look through, and the newest are there', async () => {
    const whole = { from: appendedAt(1), to: appendedAt(BATCHES) };
    const about = { deliveryIds: [deliveryOf(3), deliveryOf(19_999)] };
    const { changes, cut } = await find(busy, [whole], about);
    expect([changes.map(({ deliveryId }) => deliveryId), cut]).toEqual([
      [deliveryOf(19_999), deliveryOf(19_999)],
      true,
    ]);
    const apart = Array.from({ length: 60 }, (_, index) => when(300 * index + 1));
    expect(await find(busy, apart, { deliveryIds: [deliveryOf(1), deliveryOf(17_701)] })).toMatchObject({
      ...{ changes: [{ deliveryId: deliveryOf(17_701) }, { deliveryId: deliveryOf(17_701) }], cut: true },
    });
  });

  it('are said to be incomplete where many batches stand near their times, and few were appended at them', async () => {
    const intervals = Array.from({ length: 40 }, (_, index) => ({
      from: appendedAt(480 * index + 1),
      to: appendedAt(480 * index + 201),
    }));
    const about = { deliveryIds: [deliveryOf(101), deliveryOf(18_821)] };
    const { changes, cut } = await find(busy, intervals, about);
    expect([[...new Set(changes.map(({ deliveryId }) => deliveryId))], cut]).toEqual([
      [deliveryOf(18_821)],
      true,
    ]);
  });

  it('are searched for along keys alone, near their time', async () => {
    const intervals = [when(12_345)];
    await database.transaction(async (tx) => {
      await tx.$executeRaw`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
        set_config('enable_bitmapscan', 'off', true)`;
      const bisecting = await planOf(tx, placesOf(busy, searched(intervals)));
      expect(tablesScanned(bisecting)).toEqual([]);
      expect(rowsTouched(bisecting)).toBeLessThan(700);
      const range = { first: 12_200n, end: 12_500n };
      const batches = await tx.$queryRaw<{ id: bigint; seen: number }[]>(batchesIn(busy, [range], intervals));
      const looking = await planOf(tx, batchesIn(busy, [range], intervals));
      expect(tablesScanned(looking)).toEqual([]);
      expect(rowsTouched(looking)).toBeLessThan(10 * 270);
      expect(batches).toMatchObject([{ id: 37_035n, seen: 270 }]);
      const subjects = { deliveryIds: [deliveryOf(12_345)], businessKeys: [], recordIds: [] };
      const reading = await planOf(tx, changesIn(batches, subjects));
      expect(tablesScanned(reading)).toEqual([]);
      expect(rowsTouched(reading)).toBeLessThan(30);
    });
  });
});
