import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';

/**
 * Whole minor units as the double the interface documents. A double holds 15 digits exactly; an amount with
 * more, which no single value can reach, is an error rather than a rounded number.
 */
export function wireAmount(minor: bigint, currency: string): number {
  if (minor >= TOO_MUCH || minor <= -TOO_MUCH) throw new Error('an amount does not fit a double exactly');
  // Both are whole doubles, so that the quotient is the double nearest to the amount, as its digits read would be.
  return Number(minor) / 10 ** Money.exponentOf(currency);
}

const TOO_MUCH = 10n ** 15n;

const offsetFormatters = new Map<string, Intl.DateTimeFormat>();

function offsetAt(instant: number, timeZone: string): string {
  let formatter = offsetFormatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    offsetFormatters.set(timeZone, formatter);
  }
  const name = formatter.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? '';
  return /[+-]\d{2}:\d{2}/.exec(name)?.[0] ?? '+00:00';
}

/** Zones are slow to ask, and a batch of records names the same few days again and again. */
const knownMidnights = new Map<string, string>();
const MOST_KNOWN = 5_000;

/**
 * A calendar date as ISO 8601 date and time with offset: midnight in the zone, `2026-03-10T00:00:00-03:00`.
 * Read back in the same zone it is the same day. Where the clocks skip midnight, the offset before counts.
 */
export function wireDate(date: CalendarDate, timeZone: string): string {
  return wireDay(date.toString(), timeZone);
}

/** As {@link wireDate}, of a day as the database writes it: `2026-03-10`. */
export function wireDay(day: string, timeZone: string): string {
  const name = `${day} ${timeZone}`;
  const known = knownMidnights.get(name);
  if (known !== undefined) return known;
  if (knownMidnights.size >= MOST_KNOWN) knownMidnights.clear();
  const text = midnightOf(CalendarDate.parse(day), timeZone);
  knownMidnights.set(name, text);
  return text;
}

function midnightOf(date: CalendarDate, timeZone: string): string {
  const midnight = Date.UTC(date.year, date.month - 1, date.day);
  for (const hours of [0, 12, -12, 24, -24]) {
    const text = `${date.toString()}T00:00:00${offsetAt(midnight + hours * 3_600_000, timeZone)}`;
    if (CalendarDate.parseIn(text, timeZone).equals(date)) return text;
  }
  return `${date.toString()}T12:00:00Z`;
}

/** A `date` column's value (midnight UTC) as the day it stands for. */
export function dayOf(column: Date): CalendarDate {
  return CalendarDate.parse(column.toISOString().slice(0, 10));
}

/** The day as a `date` column's value (midnight UTC). */
export function columnOf(date: CalendarDate): Date {
  return new Date(`${date.toString()}T00:00:00Z`);
}
