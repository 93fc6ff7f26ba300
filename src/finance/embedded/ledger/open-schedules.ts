import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import { CalendarDate } from '../../../kernel/calendar-date';

export interface ScheduleName {
  organizationId: string;
  /** UUID */
  scheduleId: string;
}

/** A schedule as its settlement needs it. */
export interface OpenSchedule {
  id: string;
  organizationId: string;
  kind: 'credit' | 'debit';
  /** Minor units not settled yet. */
  openMinor: bigint;
  dueDate: CalendarDate;
  stakeholderId: string;
  categoryId: string | null;
  costCenterId: string | null;
  description: string;
  reference: string | null;
}

/**
 * Reads schedules and locks their rows until the transaction ends, so that what is open cannot change
 * meanwhile. Rows are locked in the order of their identifiers: two settlements never wait for each other.
 * @returns by identifier; without those that do not exist in the organization that asks
 */
export async function lockSchedules(
  tx: Transaction,
  names: readonly ScheduleName[],
): Promise<Map<string, OpenSchedule>> {
  if (names.length === 0) return new Map();
  const found = await queryInTransaction<Omit<OpenSchedule, 'dueDate'> & { dueDate: string }>(
    tx,
    `select s.id, s.organization_id as "organizationId", s.kind::text as kind, s.open_minor as "openMinor",
      s.due_date::text as "dueDate", s.stakeholder_id as "stakeholderId", s.category_id as "categoryId",
      s.cost_center_id as "costCenterId", s.description, s.reference
    from schedule s
    where s.id = any($2::uuid[]) and (s.id, s.organization_id) in (select * from unnest($2::uuid[], $1::uuid[]))
    order by s.id
    for update of s`,
    [names.map(({ organizationId }) => organizationId), names.map(({ scheduleId }) => scheduleId)],
  );
  return new Map(found.map((row) => [row.id, { ...row, dueDate: CalendarDate.parse(row.dueDate) }]));
}
