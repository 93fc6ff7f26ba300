import { CalendarDate, CalendarDateError } from '../../../kernel/calendar-date';
import { reckonedDecimal } from '../../../kernel/exact-decimal';
import { Money } from '../../../kernel/money';
import { Problem } from '../../../kernel/problem';
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

/**
 * Whole minor units of an amount as a view has it: of Ponte's own books or of a remote service.
 * @throws Problem `finance-misbehaved` where it is none in the currency
 */
export function minorOfWire(value: unknown, currency: string): bigint {
  const exponent = Money.exponentOf(currency);
  const text = reckonedDecimal(value, exponent);
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? [];
  if (whole === '' || fraction.length > exponent) throw unusable('an amount');
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return sign === '-' ? -minor : minor;
}

/**
 * The day of a date and time as a view has it.
 * @throws Problem `finance-misbehaved` where it is none
 */
export function dayOfWire(value: unknown, timeZone: string): CalendarDate {
  if (typeof value !== 'string') throw unusable('a date');
  try {
    return CalendarDate.parseSerialised(value, timeZone);
  } catch (error) {
    if (error instanceof CalendarDateError) throw unusable('a date');
    throw error;
  }
}

function unusable(what: string): Problem {
  return new Problem(
    'finance-misbehaved',
    `the finance service listed a record with ${what} that cannot be read`,
  );
}
