import { openTestDatabase } from '../../../test/support/database';
import type { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { newId } from '../../kernel/identifier';
import { ObservedRecords, WHOLE_ORGANIZATION } from './observed-records.repository';

const CUSTOMERS = 1_000;
const SCHEDULES = 5;
/** Customers of a poll, and what it may read, of 5,000 records: theirs, some times. */
const SOME = 4;
const FEW = 10 * SOME * SCHEDULES;

const organizationId = newId();
const kind = 'customer-schedules';
const records = new ObservedRecords();
let database: Database;

/** UUIDs that end in their number. */
const customer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const schedule = (n: number, m: number): string =>
  `00000000-0000-4000-9000-${String(n * SCHEDULES + m).padStart(12, '0')}`;

const scopeIds = Array.from({ length: SOME }, (_, n) => customer(500 + n));
const scope = { organizationId, kind, scopeIds } as const;
/** All but the last schedule of each, the first one other than it was. */
const observations = scopeIds.flatMap((scopeId, n) =>
  Array.from({ length: SCHEDULES - 1 }, (_, m) => {
    const digest = m === 0 ? 'other' : 'as it was';
    return { id: schedule(500 + n, m), scopeId, digest, data: { m } };
  }),
);

beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.$executeRaw`
    insert into watch_record (organization_id, kind, record_id, scope_id, digest, data)
    select ${organizationId}::uuid, ${kind},
      ('00000000-0000-4000-9000-' || lpad((n * ${SCHEDULES}::int + m)::text, 12, '0'))::uuid,
      ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'as it was', '{}'
    from generate_series(0, ${CUSTOMERS}::int - 1) n, generate_series(0, ${SCHEDULES}::int - 1) m`;
});
afterAll(() => database.close());

/** @returns rows of the table that were read meanwhile */
async function rowsRead(tx: Transaction, work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    const [row] = await tx.$queryRaw<{ rows: number }[]>`
      select (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname = 'watch_record'`;
    return row?.rows ?? NaN;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

describe.each([
  ['no statistics', () => Promise.resolve(0)],
  ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
])('records as they were last observed, with %s,', (_name, prepare) => {
  beforeAll(prepare);

  it('are found by their identifiers and their customers, however many others there are', async () => {
    await database.transaction(async (tx) => {
      await records.clearStaged(tx, scope);
      const found = async (work: () => Promise<unknown>): Promise<void> =>
        expect(await rowsRead(tx, work)).toBeLessThan(FEW);
      await found(async () => expect(await records.stage(tx, scope, observations)).toBe(observations.length));
      await found(async () => {
        const found = await records.diff(tx, scope, WHOLE_ORGANIZATION, []);
        expect(found.map(({ id }) => id)).toEqual(scopeIds.map((_id, n) => schedule(500 + n, 0)));
      });
      await found(async () => {
        await records.countMissed(tx, scope);
        await records.countMissed(tx, scope);
      });
      const missing = scopeIds.map((_id, n) => schedule(500 + n, SCHEDULES - 1));
      await found(async () => {
        const removed = await records.takeRemoved(tx, scope);
        expect(removed.map(({ id }) => id).toSorted()).toEqual(missing);
      });
      expect(await records.takeRemoved(tx, scope)).toEqual([]);
      await tx.observedRecord.updateMany({
        where: { recordId: { in: missing } },
        data: { gone: false, missed: 0 },
      });
    });
  });

  it('are missing from the last poll that found them, and only those of the customers who were polled', async () => {
    const missed = (tx: Transaction) =>
      tx.observedRecord.groupBy({ by: ['missed'], _count: true, orderBy: { missed: 'asc' } });
    await database.transaction(async (tx) => {
      await records.clearStaged(tx, scope);
      await records.countMissed(tx, scope);
      const others = CUSTOMERS * SCHEDULES - SOME * SCHEDULES;
      expect(await missed(tx)).toEqual([
        { missed: 0, _count: others },
        { missed: 1, _count: SOME * SCHEDULES },
      ]);
      await records.stage(tx, scope, observations);
      await records.countMissed(tx, scope);
      expect(await missed(tx)).toEqual([
        { missed: 0, _count: others + observations.length },
        { missed: 2, _count: SOME },
      ]);
      await tx.observedRecord.updateMany({ data: { missed: 0 } });
    });
  });
});
