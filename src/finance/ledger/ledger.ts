import type { Transaction } from '../../database/transaction';
import type { CalendarDate } from '../../kernel/calendar-date';

/** What one side of an entry stands for; see the schema for what its identifier names. */
export type Book = 'account' | 'receivable' | 'payable' | 'income' | 'expense' | 'equity';

export type EntryKind =
  'opening' | 'receivable' | 'payable' | 'receipt' | 'payment' | 'transfer' | 'discount' | 'reversal';

export interface Side {
  book: Book;
  /** UUID; {@link NO_CATEGORY} for income or expense without a category. */
  id: string;
}

/** Stands where income or expense has no category. */
export const NO_CATEGORY = '00000000-0000-0000-0000-000000000000';

/** One balanced movement: `amountMinor` leaves the credit side and reaches the debit side. */
export interface NewEntry {
  /** UUID, made beforehand. */
  id: string;
  organizationId: string;
  kind: EntryKind;
  date: CalendarDate;
  /** Minor units, above zero. */
  amountMinor: bigint;
  debit: Side;
  credit: Side;
  stakeholderId?: string;
  categoryId?: string;
  costCenterId?: string;
  description?: string;
  reference?: string;
  identifier?: string;
  payingType?: string;
  isFlagged?: boolean;
  /** The entry this one takes back. */
  reversesId?: string;
}

/**
 * Posts entries and everything that follows from them, in the caller's transaction: a balance delta for each
 * account touched, and what is open of each schedule touched (a receivable grows by its debits, a payable by
 * its credits). Nothing else writes those columns; a schedule starts with nothing open and its first entry
 * opens it. One statement, whatever the number of entries.
 * @throws Error when a schedule does not exist; a database error when more would be settled than is open
 */
export async function postEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const schedules = new Set(
    entries.flatMap(({ debit, credit }) => [debit, credit].filter(isSchedule).map(idOf)),
  );
  const rows = JSON.stringify(entries.map(toRow));
  const moved = await tx.$queryRaw<{ id: string }[]>`
    with input as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as r(
        id uuid, organization_id uuid, kind entry_kind, date date, amount_minor bigint,
        debit_book book, debit_id uuid, credit_book book, credit_id uuid,
        stakeholder_id uuid, category_id uuid, cost_center_id uuid, description text, reference text,
        identifier text, paying_type text, is_flagged boolean, reverses_id uuid)
    ), posted as (
      insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book,
        credit_id, stakeholder_id, category_id, cost_center_id, description, reference, identifier,
        paying_type, is_flagged, reverses_id)
      select id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id,
        stakeholder_id, category_id, cost_center_id, description, reference, identifier, paying_type,
        is_flagged, reverses_id
      from input
    ), deltas as (
      insert into account_balance_delta (account_id, delta_minor)
      select debit_id, amount_minor from input where debit_book = 'account'
      union all
      select credit_id, -amount_minor from input where credit_book = 'account'
    ), movements as (
      select debit_id as id, case debit_book when 'receivable' then amount_minor else -amount_minor end as minor
      from input where debit_book in ('receivable', 'payable')
      union all
      select credit_id, case credit_book when 'payable' then amount_minor else -amount_minor end
      from input where credit_book in ('receivable', 'payable')
    ), sums as (
      select id, sum(minor)::bigint as minor from movements group by id
    ), locked as materialized (
      select s.id from schedule s where s.id in (select id from sums) order by s.id for update
    )
    update schedule s set open_minor = s.open_minor + sums.minor
    from sums join locked on locked.id = sums.id
    where s.id = sums.id
    returning s.id`;
  if (moved.length !== schedules.size) throw new Error('an entry names a schedule that does not exist');
}

function isSchedule(side: Side): boolean {
  return side.book === 'receivable' || side.book === 'payable';
}

function idOf(side: Side): string {
  return side.id;
}

function toRow(entry: NewEntry): Record<string, unknown> {
  return {
    id: entry.id,
    organization_id: entry.organizationId,
    kind: entry.kind,
    date: entry.date.toString(),
    amount_minor: entry.amountMinor.toString(),
    debit_book: entry.debit.book,
    debit_id: entry.debit.id,
    credit_book: entry.credit.book,
    credit_id: entry.credit.id,
    stakeholder_id: entry.stakeholderId,
    category_id: entry.categoryId,
    cost_center_id: entry.costCenterId,
    description: entry.description,
    reference: entry.reference,
    identifier: entry.identifier,
    paying_type: entry.payingType,
    is_flagged: entry.isFlagged ?? false,
    reverses_id: entry.reversesId,
  };
}
