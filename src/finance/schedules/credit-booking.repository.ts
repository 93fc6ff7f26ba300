import type { Transaction } from '../../database/transaction';
import { newId } from '../../kernel/identifier';
import { NO_CATEGORY, postEntries, type NewEntry } from '../ledger/ledger';
import type { NewCreditSchedule, SchedulePart } from './credit-schedule';

/** Schedules of one receivable, and what they have in common. */
export interface BookableCredit {
  schedule: Pick<
    NewCreditSchedule,
    'organization' | 'stakeholderId' | 'reference' | 'scheduleDate' | 'isFlagged'
  >;
  parts: readonly SchedulePart[];
  /** UUID */
  categoryId: string | null;
  /** UUID */
  costCenterId: string | null;
}

/** Stores schedules that were found acceptable and opens each with its entry. Two statements, whatever their number. */
export async function bookCredit(tx: Transaction, credits: readonly BookableCredit[]): Promise<void> {
  if (credits.length === 0) return;
  await insert(tx, credits);
  await postEntries(tx, credits.flatMap(entriesOf));
}

async function insert(tx: Transaction, credits: readonly BookableCredit[]): Promise<void> {
  const rows = JSON.stringify(credits.flatMap(rowsOf));
  await tx.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, reference, value_minor,
      open_minor, schedule_date, accrual_date, due_date, category_id, cost_center_id, is_flagged, group_id,
      instalment, instalment_count, recurrence_id, occurrence)
    select id, organization_id, 'credit', stakeholder_id, description, reference, value_minor, 0,
      schedule_date, due_date, due_date, category_id, cost_center_id, is_flagged, group_id, instalment,
      instalment_count, recurrence_id, occurrence
    from jsonb_to_recordset(${rows}::jsonb) as r(
      id uuid, organization_id uuid, stakeholder_id uuid, description text, reference text,
      value_minor bigint, schedule_date date, due_date date, category_id uuid, cost_center_id uuid,
      is_flagged boolean, group_id uuid, instalment int, instalment_count int,
      recurrence_id uuid, occurrence int)`;
}

function rowsOf({ schedule, parts, categoryId, costCenterId }: BookableCredit): Record<string, unknown>[] {
  return parts.map((part) => ({
    id: part.id,
    organization_id: schedule.organization.id,
    stakeholder_id: schedule.stakeholderId,
    description: part.description,
    reference: schedule.reference,
    value_minor: part.value.minor.toString(),
    schedule_date: schedule.scheduleDate.toString(),
    due_date: part.dueDate.toString(),
    category_id: categoryId,
    cost_center_id: costCenterId,
    is_flagged: schedule.isFlagged,
    group_id: part.groupId,
    instalment: part.instalment,
    instalment_count: part.instalmentCount,
    recurrence_id: part.occurrence?.recurrenceId,
    occurrence: part.occurrence?.number,
  }));
}

function entriesOf({ schedule, parts, categoryId, costCenterId }: BookableCredit): NewEntry[] {
  return parts.map((part) => ({
    id: newId(),
    organizationId: schedule.organization.id,
    kind: 'receivable',
    date: part.dueDate,
    amountMinor: part.value.minor,
    debit: { book: 'receivable', id: part.id },
    credit: { book: 'income', id: categoryId ?? NO_CATEGORY },
    stakeholderId: schedule.stakeholderId,
    categoryId: categoryId ?? undefined,
    costCenterId: costCenterId ?? undefined,
    description: part.description,
    reference: schedule.reference,
    isFlagged: schedule.isFlagged,
  }));
}
