import type { CalendarDate } from '../../../kernel/calendar-date';

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
