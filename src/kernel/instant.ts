import { CalendarDate } from './calendar-date';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** How a refusal says what is wanted. */
export const INSTANT_FORM = 'ISO 8601 date and time with its offset, such as 2026-01-31T09:00:00Z';

/**
 * A point in time from ISO 8601 date and time with an offset, to the millisecond.
 * @returns undefined when the text is no such time, or names no real day
 */
export function readInstant(text: string): Date | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  return day !== undefined && CalendarDate.isDay(day) ? new Date(text) : undefined;
}
