import { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import { midnightOf } from '../../../kernel/time-zone';

/**
 * Whole minor units as the double the interface documents, which prints as the very decimal that was kept. No single
 * value and no balance reaches where doubles become too coarse for that; there it is an error rather than a rounded
 * number.
 */
export function wireAmount(minor: bigint, currency: string): number {
  if (minor >= TOO_COARSE || minor <= -TOO_COARSE) throw new Error('an amount does not fit a double exactly');
  // Both are whole doubles, so that the quotient is the double nearest to the amount, as its digits read would be.
  return Number(minor) / 10 ** Money.exponentOf(currency);
}

/**
 * Below it two neighbouring doubles are less than the smallest unit apart, whether that is a whole, a hundredth or a
 * thousandth. Balances are kept below a quarter of it, so that what several book at once is shown all the same.
 */
const TOO_COARSE = 4n * 10n ** 15n;

/**
 * A calendar date as ISO 8601 date and time with offset: midnight in the zone, `2026-03-10T00:00:00-03:00`.
 * Read back in the same zone it is the same day. Where the clocks skip midnight, the offset before counts.
 */
export function wireDate(date: CalendarDate, timeZone: string): string {
  return date.toWire(timeZone);
}

/** As {@link wireDate}, of a day as the database writes it: `2026-03-10`. */
export function wireDay(day: string, timeZone: string): string {
  return midnightOf(day, timeZone);
}

/** A `date` column's value (midnight UTC) as the day it stands for. */
export function dayOf(column: Date): CalendarDate {
  return CalendarDate.parse(column.toISOString().slice(0, 10));
}

/** The day as a `date` column's value (midnight UTC). */
export function columnOf(date: CalendarDate): Date {
  return new Date(`${date.toString()}T00:00:00Z`);
}
