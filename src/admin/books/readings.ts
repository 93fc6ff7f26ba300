import type { CustomerView } from '../../finance/api/shapes/customers.dto';
import type { NamedRecordView, ScheduleFullView } from '../../finance/api/shapes/schedules.dto';
import { dayOfWire, minorOfWire } from '../../finance/api/shapes/wire';
import { CalendarDate } from '../../kernel/calendar-date';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { filledText } from '../../kernel/text';
import type { Filter } from '../filter-query';
import type { BooksCustomerView } from './books.dto';
import type { Booked } from './origins.repository';
import type { BookedReceivable } from './statement';

/* How what the finance ports list is read, and what they are asked by. */

const DAY_MS = 86_400_000;
/** A CPF, a CNPJ or most of one, without punctuation. */
const DOCUMENT = /^(?=(?:.*\d){6})[0-9A-Z]{8,14}$/;

/** @throws Problem finance-misbehaved */
export function receivableOf(view: ScheduleFullView, { currency, timeZone }: Organization): BookedReceivable {
  return {
    id: view.scheduleId.toLowerCase(),
    date: dayOfWire(view.scheduleDate, timeZone),
    dueDate: dayOfWire(view.dueDate, timeZone),
    description: filledText(view.description) ?? '',
    reference: view.reference ?? null,
    minor: minorOfWire(view.value, currency),
    openMinor: minorOfWire(view.openValue, currency),
  };
}

/** By what its effect is found. */
export function bookedAs({ reference }: BookedReceivable): Booked {
  return { kind: 'receivable', reference, identifier: null };
}

/** Somebody that a listing names. */
export function personOf({ id, name }: NamedRecordView): { id: string; name: string } | null {
  return id === undefined ? null : { id: id.toLowerCase(), name: name ?? '' };
}

/** As operators see it, without what identifies a person elsewhere. */
export function customerOf({ id, name, document, email }: CustomerView): BooksCustomerView {
  return {
    ...{ id: id.toLowerCase(), name },
    ...{ document: maskedDocument(document.number), email: maskedEmail(email) },
  };
}

/** @returns a `$filter` of customers @param search as a person types it */
export function searchedBy(search: string): string {
  const bare = search.replace(/[\s./-]/g, '').toUpperCase();
  if (DOCUMENT.test(bare)) return `document/number eq '${bare}'`;
  return `contains(tolower(name),'${search.toLowerCase().replaceAll("'", "''")}')`;
}

/** @throws Problem malformed-request when the period ends before it begins */
export function daysOf(filter: Filter): [from: CalendarDate | undefined, to: CalendarDate | undefined] {
  const [from, to] = [filter['from'], filter['to']].map((text) => text && CalendarDate.parse(text));
  if (from && to && from.compare(to) > 0) throw new Problem('malformed-request', 'from must not be after to');
  return [from || undefined, to || undefined];
}

/** Below zero where `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((Date.parse(to.toString()) - Date.parse(from.toString())) / DAY_MS);
}

const SHOWN = 4;

/** A document with its last four characters alone. One that has no more shows none. */
export function maskedDocument(document: string | undefined): string | null {
  const bare = document?.replace(/[\s./-]/g, '') ?? '';
  if (bare === '') return null;
  return bare.length > SHOWN ? `***${bare.slice(-SHOWN)}` : '***';
}

/** An address with its first character and its domain: `l***@example.com`. */
export function maskedEmail(email: string | undefined): string | null {
  if (!email) return null;
  const at = email.lastIndexOf('@');
  if (at < 0) return '***';
  const [first = ''] = email.slice(0, at);
  return `${at > 1 ? first : ''}***${email.slice(at)}`;
}
