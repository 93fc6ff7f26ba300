import { rowsOf } from '../../../database/rows-of';
import { queryInTransaction } from '../../../database/transaction-statements';
import {
  bigintArray,
  booleanArray,
  dateArray,
  intArray,
  textArray,
  uuidArray,
} from '../../../database/binary-array';
import { plainArray } from '../../../database/plain-array';
import type { Transaction } from '../../../database/transaction';
import type { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Problem } from '../../../kernel/problem';
import { type NewEntry, NO_CATEGORY } from './entry';
import { deltasOf, movesOf, sums } from './moves';
import { lockSchedules, type OpenSchedule, type ScheduleName } from './open-schedules';
import { RunningBalances } from './running-balances';

/** A receivable or payable on its way to the books. */
export interface NewSchedule {
  /** UUID, made beforehand. */
  id: string;
  organizationId: string;
  /** `credit`: others owe it; `debit`: it is owed to others. */
  kind: OpenSchedule['kind'];
  /** UUID */
  stakeholderId: string;
  description: string;
  reference: string | undefined;
  /** Minor units, above zero. */
  valueMinor: bigint;
  /** The day on which it was entered. */
  scheduleDate: CalendarDate;
  dueDate: CalendarDate;
  /** The day from which on it counts as owed, and as income or expense. Absent: the due date. */
  accrualDate?: CalendarDate | undefined;
  /** UUID */
  categoryId: string | null;
  /** UUID */
  costCenterId: string | null;
  isFlagged: boolean;
  /** UUID shared by what one creation made. */
  groupId: string;
  /** From 1. */
  instalment: number;
  instalmentCount: number;
  /** UUID; with {@link occurrence} where it is one of a recurrence. */
  recurrenceId?: string | undefined;
  occurrence?: number | undefined;
}

/**
 * What a transaction does to the books: schedules that are opened and entries that are posted are gathered and then
 * written together. What is opened and settled in one transaction, as a paid order is, is written once, with what is
 * left open of it. Nothing else writes entries, balance deltas and what is open of a schedule (a receivable grows by
 * its debits, a payable by its credits).
 */
export class Posting {
  private schedules: NewSchedule[] = [];
  /** UUIDs of the first entries of the schedules, in their order. */
  private openingIds: string[] = [];
  private entries: NewEntry[] = [];
  /** Schedules that this transaction opened or locked, as they will stand. */
  private readonly known = new Map<string, OpenSchedule>();
  /** Of the accounts that were asked for. */
  readonly balances = new RunningBalances();

  constructor(readonly tx: Transaction) {}

  /** Opens schedules, each with its first entry: owed from its accrual date on, as income or expense of its category. */
  open(schedules: readonly NewSchedule[]): void {
    for (const schedule of schedules) {
      this.schedules.push(schedule);
      this.openingIds.push(newId());
      this.known.set(schedule.id, asOpened(schedule));
    }
  }

  /**
   * Adds entries. Whoever settles a schedule has locked it and lowered its `openMinor` already, and whoever moves money
   * on an account has asked {@link balances} whether it bears it.
   */
  post(entries: readonly NewEntry[]): void {
    this.entries.push(...entries);
  }

  /**
   * Adds an entry, unless it would bring the balance of an account beyond what can be shown. Whoever calls it has read
   * {@link balances} of its accounts.
   * @returns why it is not added
   */
  postWithinRange(entry: NewEntry): Problem | undefined {
    const moves = deltasOf(entry);
    for (const [id, minor] of moves) {
      const refused = this.balances.refusal(id, minor);
      if (refused) return refused;
    }
    for (const [id, minor] of moves) this.balances.add(id, minor);
    this.entries.push(entry);
    return undefined;
  }

  /**
   * Schedules as they stand with what this posting does to them, their rows locked until the transaction ends.
   * @returns by identifier; without those that do not exist in the organization that asks
   */
  async lockSchedules(names: readonly ScheduleName[]): Promise<Map<string, OpenSchedule>> {
    const unknown = names.filter(({ scheduleId }) => !this.known.has(scheduleId));
    for (const [id, schedule] of await lockSchedules(this.tx, unknown)) this.known.set(id, schedule);
    const found = new Map<string, OpenSchedule>();
    for (const { organizationId, scheduleId } of names) {
      const schedule = this.known.get(scheduleId);
      if (schedule?.organizationId === organizationId) found.set(scheduleId, schedule);
    }
    return found;
  }

  /**
   * Writes everything that was gathered. Four statements at most, whatever its size.
   * @throws Error when an entry names a schedule that does not exist; a database error when more would be settled
   *   than is open
   */
  async write(): Promise<void> {
    const { schedules, openingIds, entries } = this;
    [this.schedules, this.openingIds, this.entries] = [[], [], []];
    const moved = sums(entries.flatMap(movesOf));
    const opened = insertSchedules(this.tx, schedules, openingIds, moved);
    for (const { id } of schedules) moved.delete(id);
    await Promise.all([
      opened,
      insertEntries(this.tx, entries),
      insertDeltas(this.tx, sums(entries.flatMap(deltasOf))),
      moveSchedules(this.tx, moved),
    ]);
  }
}

/**
 * Posts entries at once: see {@link Posting}.
 * @throws Problem `validation-failed` when an account's balance would be beyond what can be shown exactly
 */
export async function postEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  const posting = new Posting(tx);
  const moves = sums(entries.flatMap(deltasOf));
  await posting.balances.read(tx, moves.keys());
  for (const [id, minor] of moves) {
    const refused = posting.balances.refusal(id, minor);
    if (refused) throw refused;
  }
  posting.post(entries);
  await posting.write();
}

/** Does `work` to the books, and writes it when it has succeeded. */
export async function posting<T>(tx: Transaction, work: (posting: Posting) => Promise<T>): Promise<T> {
  const own = new Posting(tx);
  const result = await work(own);
  await own.write();
  return result;
}

function asOpened(schedule: NewSchedule): OpenSchedule {
  return {
    id: schedule.id,
    organizationId: schedule.organizationId,
    kind: schedule.kind,
    openMinor: schedule.valueMinor,
    dueDate: schedule.dueDate,
    stakeholderId: schedule.stakeholderId,
    categoryId: schedule.categoryId,
    costCenterId: schedule.costCenterId,
    description: schedule.description,
    reference: schedule.reference ?? null,
  };
}

function accrualDateOf({ accrualDate, dueDate }: NewSchedule): CalendarDate {
  return accrualDate ?? dueDate;
}

/** What {@link insertSchedules} sends of each schedule, and the identifier of its first entry. */
const OPENED = rowsOf(`
  id uuid, organization_id uuid, kind schedule_kind, stakeholder_id uuid, description text, reference text,
  value_minor bigint, open_minor bigint, schedule_date date, due_date date, category_id uuid,
  cost_center_id uuid, is_flagged boolean, group_id uuid, instalment int, instalment_count int,
  recurrence_id uuid, occurrence int, accrual_date date, entry_id uuid`);

/**
 * Writes schedules and the first entry of each: what is owed, as income or expense of its category.
 * @param openingIds UUIDs of the entries
 * @param moved what other entries add to what is open
 */
async function insertSchedules(
  tx: Transaction,
  schedules: readonly NewSchedule[],
  openingIds: readonly string[],
  moved: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (schedules.length === 0) return;
  await queryInTransaction(
    tx,
    `with opened as materialized (
      select *, kind = 'credit' as is_credit, coalesce(category_id, '${NO_CATEGORY}') as nominal
      from ${OPENED} s
    ), written as (
      insert into schedule (id, organization_id, kind, stakeholder_id, description, reference, value_minor, open_minor,
        schedule_date, accrual_date, due_date, category_id, cost_center_id, is_flagged, group_id, instalment,
        instalment_count, recurrence_id, occurrence)
      select id, organization_id, kind, stakeholder_id, description, reference, value_minor, open_minor, schedule_date,
        accrual_date, due_date, category_id, cost_center_id, is_flagged, group_id, instalment, instalment_count,
        recurrence_id, occurrence
      from opened
    )
    insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id,
      stakeholder_id, category_id, cost_center_id, description, reference, is_flagged)
    select entry_id, organization_id, (case when is_credit then 'receivable' else 'payable' end)::entry_kind,
      accrual_date, value_minor,
      (case when is_credit then 'receivable' else 'expense' end)::book, case when is_credit then id else nominal end,
      (case when is_credit then 'income' else 'payable' end)::book, case when is_credit then nominal else id end,
      stakeholder_id, category_id, cost_center_id, description, reference, is_flagged
    from opened`,
    [
      uuidArray(schedules.map(({ id }) => id)),
      uuidArray(schedules.map(({ organizationId }) => organizationId)),
      plainArray(schedules.map(({ kind }) => kind)),
      uuidArray(schedules.map(({ stakeholderId }) => stakeholderId)),
      textArray(schedules.map(({ description }) => description)),
      textArray(schedules.map(({ reference }) => reference)),
      bigintArray(schedules.map(({ valueMinor }) => valueMinor)),
      bigintArray(schedules.map(({ id, valueMinor }) => valueMinor + (moved.get(id) ?? 0n))),
      dateArray(schedules.map(({ scheduleDate }) => scheduleDate)),
      dateArray(schedules.map(({ dueDate }) => dueDate)),
      uuidArray(schedules.map(({ categoryId }) => categoryId)),
      uuidArray(schedules.map(({ costCenterId }) => costCenterId)),
      booleanArray(schedules.map(({ isFlagged }) => isFlagged)),
      uuidArray(schedules.map(({ groupId }) => groupId)),
      intArray(schedules.map(({ instalment }) => instalment)),
      intArray(schedules.map(({ instalmentCount }) => instalmentCount)),
      uuidArray(schedules.map(({ recurrenceId }) => recurrenceId)),
      intArray(schedules.map(({ occurrence }) => occurrence)),
      dateArray(schedules.map(accrualDateOf)),
      uuidArray(openingIds),
    ],
  );
}

/** What {@link insertEntries} sends of each entry. */
const POSTED = rowsOf(`
  id uuid, organization_id uuid, kind entry_kind, date date, amount_minor bigint, debit_book book,
  debit_id uuid, credit_book book, credit_id uuid, stakeholder_id uuid, category_id uuid,
  cost_center_id uuid, description text, reference text, identifier text, paying_type text,
  is_flagged boolean, reverses_id uuid`);

async function insertEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await queryInTransaction(
    tx,
    `insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id,
      stakeholder_id, category_id, cost_center_id, description, reference, identifier, paying_type, is_flagged,
      reverses_id)
    select * from ${POSTED} e`,
    [
      uuidArray(entries.map(({ id }) => id)),
      uuidArray(entries.map(({ organizationId }) => organizationId)),
      plainArray(entries.map(({ kind }) => kind)),
      dateArray(entries.map(({ date }) => date)),
      bigintArray(entries.map(({ amountMinor }) => amountMinor)),
      plainArray(entries.map(({ debit }) => debit.book)),
      uuidArray(entries.map(({ debit }) => debit.id)),
      plainArray(entries.map(({ credit }) => credit.book)),
      uuidArray(entries.map(({ credit }) => credit.id)),
      uuidArray(entries.map(({ stakeholderId }) => stakeholderId)),
      uuidArray(entries.map(({ categoryId }) => categoryId)),
      uuidArray(entries.map(({ costCenterId }) => costCenterId)),
      textArray(entries.map(({ description }) => description)),
      textArray(entries.map(({ reference }) => reference)),
      textArray(entries.map(({ identifier }) => identifier)),
      textArray(entries.map(({ payingType }) => payingType)),
      booleanArray(entries.map(({ isFlagged }) => isFlagged ?? false)),
      uuidArray(entries.map(({ reversesId }) => reversesId)),
    ],
  );
}

/** Appended, and rolled up later: no row of an account is fought over. */
async function insertDeltas(tx: Transaction, deltas: ReadonlyMap<string, bigint>): Promise<void> {
  if (deltas.size === 0) return;
  await queryInTransaction(
    tx,
    `insert into account_balance_delta (account_id, delta_minor) select * from unnest($1::uuid[], $2::bigint[])`,
    [[...deltas.keys()], [...deltas.values()]],
  );
}

/** In the order of their identifiers, as they are locked everywhere. */
async function moveSchedules(tx: Transaction, moved: ReadonlyMap<string, bigint>): Promise<void> {
  if (moved.size === 0) return;
  const ids = [...moved.keys()].sort();
  const found = await queryInTransaction(
    tx,
    `with locked as materialized (
      select s.id from schedule s where s.id = any($1::uuid[]) order by s.id for update
    )
    update schedule s set open_minor = s.open_minor + m.minor
    from unnest($1::uuid[], $2::bigint[]) as m(id, minor)
    where s.id = m.id and s.id in (select id from locked)
    returning s.id`,
    [ids, ids.map((id) => moved.get(id))],
  );
  if (found.length !== moved.size) throw new Error('an entry names a schedule that does not exist');
}
