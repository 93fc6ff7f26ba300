import { Prisma } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import { CalendarDate } from '../../../kernel/calendar-date';
import type { Organization } from '../../../kernel/organization';
import type { OpenSchedule } from '../ledger/open-schedules';
import type { Queries } from '../ledger/balances';

/** Before every identifier. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Where a page of the due-date index ends. */
export interface DuePlace {
  /** UUID */
  readonly id: string;
  readonly dueDate: CalendarDate;
}

/** Organizations in whose zone a day has begun whose overdue schedules are not announced. */
export function organizationsOfNewDay(queries: Queries, now: Date): Promise<Organization[]> {
  return queries.$queryRaw<Organization[]>`
    select o.id::text as id, o.slug, o.name, o.time_zone as "timeZone", o.currency
    from organization o left join overdue_run r on r.organization_id = o.id
    where r.day is null or r.day < (${now}::timestamptz at time zone o.time_zone)::date
    order by o.id`;
}

/**
 * Locks an organization's day: nobody else does it until the transaction ends.
 * @returns false when another does it or has done it
 */
export async function takeDay(tx: Transaction, { id }: Organization, today: CalendarDate): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from overdue_run
    where organization_id = ${id}::uuid and day < ${today.toString()}::date
    for update skip locked`;
  return rows.length > 0;
}

/** Ends an organization's day: what is overdue on it is announced. */
export async function endDay(tx: Transaction, { id }: Organization, today: CalendarDate): Promise<void> {
  await tx.$executeRaw`
    update overdue_run set day = ${today.toString()}::date where organization_id = ${id}::uuid`;
}

/**
 * Begins with an organization: what is overdue by now is noted and not announced.
 * @returns false when another did so before
 */
export async function beginDays(
  tx: Transaction,
  { id }: Organization,
  today: CalendarDate,
): Promise<boolean> {
  const begun = await tx.$executeRaw`
    insert into overdue_run (organization_id, day) values (${id}::uuid, ${today.toString()}::date)
    on conflict do nothing`;
  if (begun === 0) return false;
  await tx.$executeRaw`
    insert into overdue_announcement (schedule_id, organization_id, due_date)
    select s.id, s.organization_id, s.due_date from schedule s
    where s.organization_id = ${id}::uuid and s.open_minor > 0 and s.due_date < ${today.toString()}::date
    on conflict (schedule_id) do update set due_date = excluded.due_date`;
  return true;
}

/**
 * The next schedules that are open, were due before today and were not announced to be so.
 * @param after where the page before ended; absent: from the first
 */
export async function overdueAfter(
  tx: Transaction,
  ...page: Parameters<typeof overdueStatement>
): Promise<DuePlace[]> {
  const rows = await tx.$queryRaw<{ id: string; dueDate: string }[]>(overdueStatement(...page));
  return rows.map(({ id, dueDate }) => ({ id, dueDate: CalendarDate.parse(dueDate) }));
}

/** As {@link overdueAfter} asks it: along the due-date index of what is open. */
export function overdueStatement(
  { id }: Organization,
  kind: OpenSchedule['kind'],
  today: CalendarDate,
  after: DuePlace | undefined,
  most: number,
): Prisma.Sql {
  const [day, last] = [after?.dueDate.toString() ?? '-infinity', after?.id ?? NIL_ID];
  return Prisma.sql`
    select s.id::text as id, s.due_date::text as "dueDate" from schedule s
    where s.organization_id = ${id}::uuid and s.kind = ${kind}::schedule_kind and s.open_minor > 0
      and s.due_date < ${today.toString()}::date and (s.due_date, s.id) > (${day}::date, ${last}::uuid)
      and not exists (select from overdue_announcement a where a.schedule_id = s.id and a.due_date = s.due_date)
    order by s.due_date, s.id limit ${most}::bigint`;
}

/** Notes that schedules are announced to be overdue, each for its due date. One statement. */
export async function noteOverdue(tx: Transaction, schedules: readonly OpenSchedule[]): Promise<void> {
  await tx.$executeRaw`
    insert into overdue_announcement (schedule_id, organization_id, due_date)
    select * from unnest(${schedules.map(({ id }) => id)}::uuid[],
      ${schedules.map(({ organizationId }) => organizationId)}::uuid[],
      ${schedules.map(({ dueDate }) => dueDate.toString())}::date[])
    on conflict (schedule_id) do update set due_date = excluded.due_date`;
}
