import type { CalendarDate } from '../../kernel/calendar-date';
import { instantAt, offsetAt } from '../../kernel/time-zone';

const HOUR_MS = 3_600_000;

/** An hour of a day as clocks of a time zone show it. */
export interface DayHour {
  /** 0 to 23. An hour that clocks show twice is there twice. */
  readonly hour: number;
  /** When it begins. */
  readonly from: Date;
}

/** A day of a time zone: from an instant on, and before another one. */
export interface DaySpan {
  readonly from: Date;
  readonly to: Date;
  /** In order: 24, or 23 or 25 where clocks are changed; none of a day that the zone left out. */
  readonly hours: readonly DayHour[];
}

/** @throws CalendarDateError for the last day that there is; RangeError when there is no such zone */
export function daySpan(day: CalendarDate, timeZone: string): DaySpan {
  const [from = 0, to = 0] = [day, day.addDays(1)].map((each) => instantAt(each.toString(), 0, timeZone));
  const hours: DayHour[] = [];
  for (let at = from; at < to;) {
    const clock = at + offsetAt(at, timeZone);
    hours.push({ hour: new Date(clock).getUTCHours(), from: new Date(at) });
    at += HOUR_MS - (clock % HOUR_MS);
  }
  return { from: new Date(from), to: new Date(to), hours };
}
