import { Prisma } from '../../../database/client/client';
import type { CountedRecord } from '../../../database/client/enums';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Queries } from '../ledger/balances';

/*
 * How many suppliers, payables and open schedules an organization has is kept while they change, by triggers (see the
 * migration `record_counts`): counting them would take the longer the more there are.
 */

/**
 * SQL for how many records of an organization count as something: what is rolled up plus the changes since, read in
 * one snapshot.
 * @param before counts only those of earlier days; of what is counted by days
 */
export function keptCount(organizationId: string, counted: CountedRecord, before?: CalendarDate): Prisma.Sql {
  const which = Prisma.sql`organization_id = ${organizationId}::uuid and counted = ${counted}::counted_record
    and day < ${before?.toString() ?? 'infinity'}::date`;
  return Prisma.sql`coalesce((
    select sum(n) from (
      select count as n from record_count where ${which}
      union all
      select change from record_count_delta where ${which}
    ) as kept
  ), 0)::bigint`;
}

/** Rolls up changes that no other replica has taken. @returns how many, `most` at most */
export async function foldCounts(queries: Queries, most: number): Promise<number> {
  const [row] = await queries.$queryRaw<{ folded: number }[]>`
    with taken as materialized (
      select seq from record_count_delta order by seq limit ${most} for update skip locked
    ), gone as (
      delete from record_count_delta d using taken t where d.seq = t.seq
      returning d.organization_id, d.counted, d.day, d.change
    ), sums as (
      select organization_id, counted, day, sum(change)::bigint as change from gone
      group by organization_id, counted, day order by organization_id, counted, day
    ), kept as (
      insert into record_count (organization_id, counted, day, count)
      select organization_id, counted, day, change from sums
      on conflict (organization_id, counted, day) do update set count = record_count.count + excluded.count
    )
    select count(*)::int as folded from gone`;
  return row?.folded ?? 0;
}

/** A count that is not what there is. */
export interface CountDifference {
  /** UUID */
  organizationId: string;
  counted: CountedRecord;
  /** YYYY-MM-DD, or -infinity. */
  day: string;
  expected: bigint;
  actual: bigint;
}

/**
 * Counts everything anew and compares it with what is kept. One statement, hence one snapshot: it may run while others
 * write. It reads every schedule and supplier.
 * @returns the first difference
 */
export async function verifyCounts(queries: Queries): Promise<CountDifference | undefined> {
  const [difference] = await queries.$queryRaw<CountDifference[]>`
    select organization_id as "organizationId", counted, day::text as day,
      coalesce(found.count, 0)::bigint as expected, coalesce(kept.count, 0)::bigint as actual
    from recounted_records() as found
    full join (
      select organization_id, counted, day, sum(n) as count from (
        select organization_id, counted, day, count as n from record_count
        union all
        select organization_id, counted, day, change from record_count_delta
      ) as every group by organization_id, counted, day
    ) as kept using (organization_id, counted, day)
    where coalesce(found.count, 0) <> coalesce(kept.count, 0)
    order by organization_id, counted, day limit 1`;
  return difference;
}
