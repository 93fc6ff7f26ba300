import type { Transaction } from '../../database/transaction';
import { newId } from '../../kernel/identifier';
import type { Problem } from '../../kernel/problem';
import { NO_CATEGORY, postEntries, type NewEntry } from '../ledger/ledger';
import { called, isRefused, unacceptable, type Outcome } from '../outcome';
import { recordName } from '../record-name';
import { partsOf, problemOf, type NewCreditSchedule, type SchedulePart } from './credit-schedule';

export interface CreatedSchedules {
  /** UUIDs, one for each instalment in order. */
  ids: string[];
}

interface FoundNames {
  stakeholderId: string | null;
  categoryId: string | null;
  categoryType: string | null;
  costCenterId: string | null;
}

/** A new receivable and the records it names. */
interface Accepted {
  schedule: NewCreditSchedule;
  parts: SchedulePart[];
  categoryId: string | null;
  costCenterId: string | null;
}

/**
 * Registers receivables of any organizations and books them: each schedule is owed from its accrual date (its
 * due date) on, as income of its category. Four statements at most, whatever the number of schedules.
 * @returns in the order given
 */
export async function createCreditSchedules(
  tx: Transaction,
  schedules: readonly NewCreditSchedule[],
): Promise<Outcome<CreatedSchedules>[]> {
  const problems = schedules.map(problemOf);
  const found = await findNames(tx, schedules);
  const outcomes = schedules.map((schedule, index) => problems[index] ?? accept(schedule, found[index]));
  const accepted = outcomes.filter((outcome): outcome is Accepted => !isRefused(outcome));
  await insert(tx, accepted);
  await postEntries(tx, accepted.flatMap(entriesOf));
  return outcomes.map((outcome) =>
    isRefused(outcome) ? outcome : { ids: outcome.parts.map(({ id }) => id) },
  );
}

async function findNames(tx: Transaction, schedules: readonly NewCreditSchedule[]): Promise<FoundNames[]> {
  if (schedules.length === 0) return [];
  const rows = JSON.stringify(
    schedules.map(({ organization, stakeholderId, category, costCenter }, position) => ({
      position,
      organization_id: organization.id,
      stakeholder_id: recordName(stakeholderId).id,
      category_id: recordName(category).id,
      category_code: recordName(category).code,
      cost_center_id: recordName(costCenter).id,
      cost_center_code: recordName(costCenter).code,
    })),
  );
  return tx.$queryRaw<FoundNames[]>`
    select s.id as "stakeholderId", coalesce(c.id, d.id) as "categoryId",
      coalesce(c.type, d.type) as "categoryType", coalesce(e.id, f.id) as "costCenterId"
    from jsonb_to_recordset(${rows}::jsonb) as r(
      position int, organization_id uuid, stakeholder_id uuid, category_id uuid, category_code text,
      cost_center_id uuid, cost_center_code text)
    left join stakeholder s on s.id = r.stakeholder_id and s.organization_id = r.organization_id
      and s.kind in ('customer', 'partner') and s.deleted_at is null
    left join category c on c.id = r.category_id and c.organization_id = r.organization_id
      and c.deleted_at is null
    left join category d on d.reference_code = r.category_code and d.organization_id = r.organization_id
      and d.deleted_at is null
    left join cost_center e on e.id = r.cost_center_id and e.organization_id = r.organization_id
      and e.deleted_at is null
    left join cost_center f on f.external_code = r.cost_center_code and f.organization_id = r.organization_id
      and f.deleted_at is null
    order by r.position`;
}

function accept(schedule: NewCreditSchedule, found: FoundNames | undefined): Accepted | Problem {
  if (!found) throw new Error('a look-up returned fewer rows than were asked for');
  const { category, costCenter } = schedule;
  const { stakeholderId, categoryId, categoryType, costCenterId } = found;
  if (stakeholderId === null) {
    return unacceptable(
      '/stakeholderId',
      'unknown',
      `there is ${called('customer or partner', schedule.stakeholderId)}`,
    );
  }
  if (category !== undefined && categoryId === null) {
    return unacceptable('/categoryId', 'unknown', `there is ${called('category', category)}`);
  }
  if (categoryId !== null && categoryType !== 'in') {
    return unacceptable('/categoryId', 'category-type', 'the category is for money that goes out');
  }
  if (costCenter !== undefined && costCenterId === null) {
    return unacceptable('/costCenterId', 'unknown', `there is ${called('cost center', costCenter)}`);
  }
  return { schedule, parts: partsOf(schedule), categoryId, costCenterId };
}

async function insert(tx: Transaction, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  const rows = JSON.stringify(accepted.flatMap(rowsOf));
  await tx.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, reference, value_minor,
      open_minor, schedule_date, accrual_date, due_date, category_id, cost_center_id, is_flagged, group_id,
      instalment, instalment_count)
    select id, organization_id, 'credit', stakeholder_id, description, reference, value_minor, 0,
      schedule_date, due_date, due_date, category_id, cost_center_id, is_flagged, group_id, instalment,
      instalment_count
    from jsonb_to_recordset(${rows}::jsonb) as r(
      id uuid, organization_id uuid, stakeholder_id uuid, description text, reference text,
      value_minor bigint, schedule_date date, due_date date, category_id uuid, cost_center_id uuid,
      is_flagged boolean, group_id uuid, instalment int, instalment_count int)`;
}

function rowsOf({ schedule, parts, categoryId, costCenterId }: Accepted): Record<string, unknown>[] {
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
    group_id: parts[0]?.id,
    instalment: part.instalment,
    instalment_count: parts.length,
  }));
}

function entriesOf({ schedule, parts, categoryId, costCenterId }: Accepted): NewEntry[] {
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
