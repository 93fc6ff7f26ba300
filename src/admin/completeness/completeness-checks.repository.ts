import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { DATABASE_NOW, fromNow } from '../../deliveries/database-now.sql';
import type { CalendarDate } from '../../kernel/calendar-date';

/** Longer than a comparison may take. */
const LEASE_MS = 5 * 60_000;
/** Sources that a metric names. */
const MOST_NAMED = 100;

/** The right to check one source. */
export interface CheckLease {
  readonly sourceId: string;
  readonly number: number;
}

/** What a check came to. */
export interface CheckResult {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly compared: number;
  readonly differences: number;
  readonly repairable: number;
  /** When the next one is due. */
  readonly dueAt: Date;
}

/** When sources are compared with the books by themselves, who does it, and what came of it. Times are the database's. */
@Injectable()
export class CompletenessChecks {
  constructor(private readonly database: Database) {}

  /** Has these sources checked from now on. */
  async ensure(sourceIds: readonly string[]): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into completeness_check (source_id, due_at)
      select id, ${DATABASE_NOW} from unnest(${[...sourceIds]}::uuid[]) as s(id)
      where not exists (select from completeness_check c where c.source_id = s.id)
      on conflict do nothing`;
  }

  /** Takes the source of these that has been due for longest; undefined: none is, or others have those that are. */
  async take(sourceIds: readonly string[]): Promise<CheckLease | undefined> {
    const [lease] = await this.database.prisma.$queryRaw<CheckLease[]>`
      update completeness_check c set lease_until = ${fromNow(LEASE_MS)}, lease_number = c.lease_number + 1
      where c.source_id = (
        select source_id from completeness_check
        where source_id = any(${[...sourceIds]}::uuid[]) and due_at <= ${DATABASE_NOW}
          and (lease_until is null or lease_until <= ${DATABASE_NOW})
        order by due_at, source_id limit 1 for update skip locked)
      returning c.source_id::text as "sourceId", c.lease_number as number`;
    return lease;
  }

  /**
   * Writes what came of it and gives the lease back.
   * @returns false when another replica has it now: then nothing is written
   */
  async end(
    tx: Transaction,
    { sourceId, number }: CheckLease,
    { from, to, compared, differences, repairable, dueAt }: CheckResult,
  ): Promise<boolean> {
    const written = await tx.$executeRaw`
      update completeness_check
      set lease_until = null, due_at = ${dueAt}::timestamptz, checked_at = ${DATABASE_NOW}, checked_day = ${to.toString()}::date,
        from_day = ${from.toString()}::date, compared = ${compared}, differences = ${differences}, repairable = ${repairable},
        failure = null
      where source_id = ${sourceId}::uuid and lease_number = ${number}`;
    return written > 0;
  }

  /** Gives the lease back: what came of the check before stands. */
  async fail({ sourceId, number }: CheckLease, failure: string, againMs: number): Promise<void> {
    await this.database.prisma.$executeRaw`
      update completeness_check set lease_until = null, due_at = ${fromNow(againMs)}, failure = ${failure}
      where source_id = ${sourceId}::uuid and lease_number = ${number}`;
  }

  /** How many differences there were, by source (`organization/source`), where there were any. */
  async differing(): Promise<Record<string, number>> {
    const rows = await this.database.prisma.$queryRaw<{ name: string; differences: number }[]>`
      select o.slug || '/' || s.slug as name, c.differences
      from completeness_check c join source s on s.id = c.source_id join organization o on o.id = s.organization_id
      where c.differences > 0 order by c.differences desc, name limit ${MOST_NAMED}`;
    return Object.fromEntries(rows.map(({ name, differences }) => [name, differences]));
  }
}
