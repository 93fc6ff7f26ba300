/** A day of the Gregorian calendar, without time or zone. Ordered and printed as `YYYY-MM-DD`. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = '[T ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?';
const LOCAL_DATE_TIME = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})${TIME}$`, 'i');
const OFFSET_DATE_TIME = new RegExp(`^\\d{4}-\\d{2}-\\d{2}${TIME}(?:Z|[+-]\\d{2}:?\\d{2})$`, 'i');
/** Instants before this are in no year of ours; the formatter would show those before year 1 as if they were after it. */
const FIRST_INSTANT = Date.UTC(1899, 11, 30);

/** The text is no date, or names a day that does not exist. */
export class CalendarDateError extends Error {
  override readonly name = 'CalendarDateError';
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

export class CalendarDate {
  private constructor(
    readonly year: number,
    /** 1 to 12 */
    readonly month: number,
    /** 1 to 31 */
    readonly day: number,
  ) {}

  /** @throws CalendarDateError when there is no such day between the years 1900 and 9999. */
  static of(year: number, month: number, day: number): CalendarDate {
    const real =
      [year, month, day].every(Number.isInteger) &&
      year >= 1900 &&
      year <= 9999 &&
      month >= 1 &&
      month <= 12 &&
      day >= 1 &&
      day <= daysIn(year, month);
    if (!real) throw new CalendarDateError('no such day');
    return new CalendarDate(year, month, day);
  }

  /** From `YYYY-MM-DD` alone. @throws CalendarDateError */
  static parse(text: string): CalendarDate {
    const match = DATE.exec(text);
    if (!match) throw new CalendarDateError('not a date of the form YYYY-MM-DD');
    return CalendarDate.of(Number(match[1]), Number(match[2]), Number(match[3]));
  }

  /**
   * From what clients send: `YYYY-MM-DD`, or ISO 8601 date and time. A time without offset is local to
   * `timeZone` (so its date stands as written); one with an offset is the day it falls on in `timeZone`.
   * @throws CalendarDateError
   */
  static parseIn(text: string, timeZone: string): CalendarDate {
    const local = LOCAL_DATE_TIME.exec(text);
    if (local?.[1]) return CalendarDate.parse(local[1]);
    if (OFFSET_DATE_TIME.test(text)) {
      CalendarDate.parse(text.slice(0, 10));
      return CalendarDate.fromInstant(new Date(text.replace(' ', 'T')), timeZone);
    }
    return CalendarDate.parse(text);
  }

  /** The day that `instant` falls on in an IANA time zone. @throws CalendarDateError when the instant is invalid */
  static fromInstant(instant: Date, timeZone: string): CalendarDate {
    if (Number.isNaN(instant.getTime())) throw new CalendarDateError('not a point in time');
    if (instant.getTime() < FIRST_INSTANT) throw new CalendarDateError('no such day');
    const parts = formatterFor(timeZone).formatToParts(instant);
    const part = (type: 'year' | 'month' | 'day'): number =>
      Number(parts.find((candidate) => candidate.type === type)?.value);
    return CalendarDate.of(part('year'), part('month'), part('day'));
  }

  addDays(days: number): CalendarDate {
    const moved = new Date(Date.UTC(this.year, this.month - 1, this.day + days));
    return CalendarDate.of(moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate());
  }

  /**
   * The same day `months` later, or the last day of a shorter month. For a series, always add to the first
   * date: 31 January gives 28 February and then 31 March.
   */
  addMonths(months: number): CalendarDate {
    const index = this.year * 12 + (this.month - 1) + months;
    const year = Math.floor(index / 12);
    const month = index - year * 12 + 1;
    return CalendarDate.of(year, month, Math.min(this.day, daysIn(year, month)));
  }

  compare(other: CalendarDate): number {
    const [left, right] = [this.toString(), other.toString()];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: CalendarDate): boolean {
    return this.compare(other) === 0;
  }

  toString(): string {
    return `${pad(this.year, 4)}-${pad(this.month, 2)}-${pad(this.day, 2)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}
