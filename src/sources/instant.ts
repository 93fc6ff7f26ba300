import { CalendarDate, CalendarDateError } from '../kernel/calendar-date';
import { offsetAt } from '../kernel/time-zone';
import type { DateZones } from './source';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

const DAY_MS = 86_400_000;

/**
 * The instant at which clocks of the zone show this wall time. A time that occurs twice (clocks set back) is
 * its first occurrence; one that is skipped (clocks set forward) is as long after the change as it was written.
 */
function instantOfWallTime(wallMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return wallMs;
  const before = offsetAt(wallMs - DAY_MS, timeZone);
  const after = offsetAt(wallMs + DAY_MS, timeZone);
  const candidates = [...new Set([before, after])].filter(
    (offset) => offsetAt(wallMs - offset, timeZone) === offset,
  );
  return wallMs - (candidates.length > 0 ? Math.max(...candidates) : before);
}

function offsetMs(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = text.length > 3 ? Number(text.slice(-2)) : 0;
  if (hours > 15 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/**
 * A point in time from ISO 8601 date and time, to the millisecond. Without an offset it is wall time in
 * `timeZone`. Undefined when the text is no such time, names no real day, or lies before 1970.
 */
export function parseInstant(text: string, timeZone: string): Date | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone] = match;
  if (!CalendarDate.isReal(Number(year), Number(month), Number(day))) return undefined;
  const milliseconds = fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const offset = zone === undefined ? wall - instantOfWallTime(wall, timeZone) : offsetMs(zone);
  if (offset === undefined || wall - offset < 0) return undefined;
  return new Date(wall - offset);
}

/** The day that a text names, or that its time falls on in the zone; undefined when it is no such text. */
export function parseDay(text: string, timeZone: string): CalendarDate | undefined {
  try {
    return CalendarDate.parseIn(text, timeZone);
  } catch (error) {
    if (error instanceof CalendarDateError) return undefined;
    throw error;
  }
}

/** The beginning of a day where the books are kept, for what has a day alone; undefined before 1970. */
export function beginningOf(
  day: CalendarDate,
  { timeZone, dayZone = timeZone }: DateZones,
): Date | undefined {
  return parseInstant(`${day.toString()}T00:00:00`, dayZone);
}
