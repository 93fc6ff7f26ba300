import type { Transaction } from '../../../database/transaction';
import type { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import { columnOf, dayOf } from '../../api/shapes/wire';
import type { IntervalType } from '../../api/shapes/interval-type';
import type { BookableCredit } from './credit-booking';
import type { NewCreditSchedule, NewRecurrence } from './credit-schedule';
import type { RecurrenceRule } from './recurrence';

/** A recurrence with occurrences still to come. */
export interface StoredRecurrence {
  /** UUID; also that of its first schedule. */
  id: string;
  rule: RecurrenceRule;
  /** How many occurrences exist. */
  made: number;
  schedule: Pick<
    NewCreditSchedule,
    | 'organization'
    | 'stakeholderId'
    | 'description'
    | 'reference'
    | 'value'
    | 'scheduleDate'
    | 'accrualDate'
    | 'isFlagged'
  >;
  categoryId: string | null;
  costCenterId: string | null;
}

/** What a recurrence came to. */
export interface Progress {
  id: string;
  made: number;
  /** Absent: all are made. */
  next?: CalendarDate;
}

/** Which recurrences to take: the next of those after one in order, or one alone. */
export type Choice = { after: string; limit: number } | { only: string };

interface Row {
  id: string;
  organization_id: string;
  slug: string;
  name: string;
  time_zone: string;
  currency: string;
  interval_type: IntervalType;
  interval: number;
  first_due_date: Date;
  occurrences: number | null;
  end_date: Date | null;
  made: number;
  stakeholder_id: string;
  description: string;
  reference: string | null;
  value_minor: bigint;
  schedule_date: Date;
  category_id: string | null;
  cost_center_id: string | null;
  is_flagged: boolean;
  /** Of its first schedule. */
  accrual_date: Date | null;
}

/** Stores the recurrence of each receivable that has one, before its schedules. One statement. */
export async function insertRecurrences(
  tx: Transaction,
  credits: readonly (BookableCredit & { schedule: NewCreditSchedule })[],
): Promise<void> {
  const rows = credits.flatMap((credit) =>
    credit.schedule.recurrence ? [toRow(credit, credit.schedule, credit.schedule.recurrence)] : [],
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    insert into recurrence (id, organization_id, interval_type, interval, first_due_date, occurrences,
      end_date, made, next_due_date, stakeholder_id, description, reference, value_minor, schedule_date,
      category_id, cost_center_id, is_flagged)
    select id, organization_id, interval_type, "interval", first_due_date, occurrences, end_date, made,
      next_due_date, stakeholder_id, description, reference, value_minor, schedule_date, category_id,
      cost_center_id, is_flagged
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      id uuid, organization_id uuid, interval_type interval_type, "interval" int, first_due_date date,
      occurrences int, end_date date, made int, next_due_date date, stakeholder_id uuid, description text,
      reference text, value_minor bigint, schedule_date date, category_id uuid, cost_center_id uuid,
      is_flagged boolean)`;
}

/**
 * Takes recurrences whose next occurrence is due by `latest`, in the order of their identifiers, and locks them
 * until the transaction ends. What another transaction has locked is passed over: it is being extended there.
 */
export async function takeRecurrences(
  tx: Transaction,
  latest: CalendarDate,
  choice: Choice,
): Promise<StoredRecurrence[]> {
  const [after, only, limit] = 'only' in choice ? [null, choice.only, 1] : [choice.after, null, choice.limit];
  const rows = await tx.$queryRaw<Row[]>`
    select r.id, r.organization_id, o.slug, o.name, o.time_zone, o.currency, r.interval_type, r.interval,
      r.first_due_date, r.occurrences, r.end_date, r.made, r.stakeholder_id, r.description, r.reference,
      r.value_minor, r.schedule_date, r.category_id, r.cost_center_id, r.is_flagged, s.accrual_date
    from recurrence r join organization o on o.id = r.organization_id
      left join schedule s on s.id = r.id
    where r.next_due_date <= ${columnOf(latest)}::date
      and (r.id > ${after}::uuid or r.id = ${only}::uuid)
    order by r.id limit ${limit}
    for update of r skip locked`;
  return rows.map(toRecurrence);
}

/** Notes what exists now. One statement. */
export async function noteProgress(tx: Transaction, progress: readonly Progress[]): Promise<void> {
  if (progress.length === 0) return;
  const rows = JSON.stringify(
    progress.map(({ id, made, next }) => ({ id, made, next_due_date: next?.toString() })),
  );
  await tx.$executeRaw`
    update recurrence r set made = p.made, next_due_date = p.next_due_date
    from jsonb_to_recordset(${rows}::jsonb) as p(id uuid, made int, next_due_date date)
    where r.id = p.id`;
}

function toRow(
  { categoryId, costCenterId }: BookableCredit,
  schedule: NewCreditSchedule,
  { rule, dates, next }: NewRecurrence,
): Record<string, unknown> {
  return {
    id: schedule.ids[0],
    organization_id: schedule.organization.id,
    interval_type: rule.intervalType,
    interval: rule.interval,
    first_due_date: rule.firstDueDate.toString(),
    occurrences: rule.occurrences,
    end_date: rule.endDate?.toString(),
    made: dates.length,
    next_due_date: next?.toString(),
    stakeholder_id: schedule.stakeholderId,
    description: schedule.description,
    reference: schedule.reference,
    value_minor: schedule.value.minor.toString(),
    schedule_date: schedule.scheduleDate.toString(),
    category_id: categoryId,
    cost_center_id: costCenterId,
    is_flagged: schedule.isFlagged,
  };
}

function toRecurrence(row: Row): StoredRecurrence {
  return {
    id: row.id,
    rule: {
      intervalType: row.interval_type,
      interval: row.interval,
      firstDueDate: dayOf(row.first_due_date),
      occurrences: row.occurrences ?? undefined,
      endDate: row.end_date ? dayOf(row.end_date) : undefined,
    },
    made: row.made,
    schedule: {
      organization: {
        id: row.organization_id,
        slug: row.slug,
        name: row.name,
        timeZone: row.time_zone,
        currency: row.currency,
      },
      stakeholderId: row.stakeholder_id,
      description: row.description,
      reference: row.reference ?? undefined,
      value: Money.ofMinor(row.value_minor, row.currency),
      scheduleDate: dayOf(row.schedule_date),
      accrualDate: row.accrual_date ? dayOf(row.accrual_date) : undefined,
      isFlagged: row.is_flagged,
    },
    categoryId: row.category_id,
    costCenterId: row.cost_center_id,
  };
}
