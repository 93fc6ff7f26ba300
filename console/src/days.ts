import { CalendarDate } from '../../src/kernel/calendar-date';
import { midnightOf } from '../../src/kernel/time-zone';

/** The day that it is now in a time zone, as `YYYY-MM-DD`. */
export function today(timeZone: string): string {
  return CalendarDate.fromInstant(new Date(), timeZone).toString();
}

/** @param day as `YYYY-MM-DD` @returns undefined when the text is no day */
export function dayAfter(day: string, days: number): string | undefined {
  return isDay(day) ? CalendarDate.parse(day).addDays(days).toString() : undefined;
}

/** Whether a text of an address is a day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return CalendarDate.isDay(text);
}

/**
 * The days from one to another as the instants that lists are filtered by: from the first moment of the first day, before
 * the first moment after the last. What is no day is left out.
 */
export function spanOf(
  from: string,
  to: string,
  timeZone: string,
): { from: string | undefined; to: string | undefined } {
  const after = dayAfter(to, 1);
  return {
    from: isDay(from) ? midnightOf(from, timeZone) : undefined,
    to: after === undefined ? undefined : midnightOf(after, timeZone),
  };
}

/** The first and the last day of a month, `YYYY-MM`; undefined: it is none. */
export function monthSpan(month: string): { from: string; to: string } | undefined {
  const from = `${month}-01`;
  if (!isDay(from)) return undefined;
  return { from, to: CalendarDate.parse(from).addMonths(1).addDays(-1).toString() };
}

/** The month in which a number of months after that of a day lies, `YYYY-MM`. */
export function monthAfter(day: string, months: number): string {
  return CalendarDate.parse(`${day.slice(0, 7)}-01`)
    .addMonths(months)
    .toString()
    .slice(0, 7);
}
