import type { Entry } from '../../../database/client/client';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { NewEntry } from './entry';

/** The entry that takes another one back: the same amount on the same day, with the sides swapped. */
export function reversalOf(entry: Entry): NewEntry {
  return {
    id: newId(),
    organizationId: entry.organizationId,
    kind: 'reversal',
    date: CalendarDate.parse(entry.date.toISOString().slice(0, 10)),
    amountMinor: entry.amountMinor,
    debit: { book: entry.creditBook, id: entry.creditId },
    credit: { book: entry.debitBook, id: entry.debitId },
    stakeholderId: entry.stakeholderId ?? undefined,
    categoryId: entry.categoryId ?? undefined,
    costCenterId: entry.costCenterId ?? undefined,
    description: entry.description ?? undefined,
    reference: entry.reference ?? undefined,
    reversesId: entry.id,
  };
}
