import { midnightOf, offsetAt } from './time-zone';

/** A day of the Gregorian calendar, without time or zone. Ordered and printed as `YYYY-MM-DD`. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = '[T ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?';
const LOCAL_DATE_TIME = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})${TIME}$`, 'i');
const OFFSET_DATE_TIME = new RegExp(`^\\d{4}-\\d{2}-\\d{2}${TIME}(?:Z|[+-]\\d{2}:?\\d{2})$`, 'i');
const BRAZILIAN_DATE = /^(\d{2})\/(\d{2})\/(\d{4})$/;
const MIDNIGHT_UTC = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:?00)$/i;
/** Instants before this are in no year of ours; a formatter shows those before year 1 as if they were after it. */
const FIRST_INSTANT = Date.UTC(1899, 11, 30);
/** The text is no date, or names a day that does not exist. */
export class CalendarDateError extends Error {
  override readonly name = 'CalendarDateError';
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

export class CalendarDate {
  private constructor(
    readonly year: number,
    /** 1 to 12 */
    readonly month: number,
    /** 1 to 31 */
    readonly day: number,
  ) {}

  /** Whether there is such a day between the years 1900 and 9999. */
  static isReal(year: number, month: number, day: number): boolean {
    return (
      Number.isInteger(year) &&
      Number.isInteger(month) &&
      Number.isInteger(day) &&
      year >= 1900 &&
      year <= 9999 &&
      month >= 1 &&
      month <= 12 &&
      day >= 1 &&
      day <= daysIn(year, month)
    );
  }

  /** @throws CalendarDateError when there is no such day between the years 1900 and 9999. */
  static of(year: number, month: number, day: number): CalendarDate {
    if (!CalendarDate.isReal(year, month, day)) throw new CalendarDateError('no such day');
    return new CalendarDate(year, month, day);
  }

  /** From `YYYY-MM-DD` alone. @throws CalendarDateError */
  static parse(text: string): CalendarDate {
    const match = DATE.exec(text);
    if (!match) throw new CalendarDateError('not a date of the form YYYY-MM-DD');
    return CalendarDate.of(Number(match[1]), Number(match[2]), Number(match[3]));
  }

  /** Whether the text is `YYYY-MM-DD` and names a day between the years 1900 and 9999. */
  static isDay(text: string): boolean {
    const [, year, month, day] = DATE.exec(text) ?? [];
    return CalendarDate.isReal(Number(year), Number(month), Number(day));
  }

  /**
   * From what clients send: `YYYY-MM-DD`, or ISO 8601 date and time. A time without offset is local to
   * `timeZone` (so its date stands as written); one with an offset is the day it falls on in `timeZone`. The text that
   * {@link CalendarDate.toWire} gives is the day it was made of, also where no instant falls on that day.
   * @throws CalendarDateError; RangeError when there is no such zone
   */
  static parseIn(text: string, timeZone: string): CalendarDate {
    const local = LOCAL_DATE_TIME.exec(text);
    if (local?.[1]) return CalendarDate.parse(local[1]);
    if (OFFSET_DATE_TIME.test(text)) {
      const written = CalendarDate.parse(text.slice(0, 10));
      if (text === written.toWire(timeZone)) return written;
      return CalendarDate.fromInstant(new Date(text.replace(' ', 'T')), timeZone);
    }
    return CalendarDate.parse(text);
  }

  /**
   * As {@link CalendarDate.parseIn}, from programs that know of days only what their language has for them: midnight in
   * UTC is the day that it names, whatever the zone, because whoever writes it serialised a day and not an instant.
   * @throws CalendarDateError; RangeError when there is no such zone
   */
  static parseSerialised(text: string, timeZone: string): CalendarDate {
    const midnight = MIDNIGHT_UTC.exec(text);
    return midnight?.[1] ? CalendarDate.parse(midnight[1]) : CalendarDate.parseIn(text, timeZone);
  }

  /**
   * As {@link CalendarDate.parseSerialised}, from clients: `DD/MM/YYYY` is taken as well.
   * @throws CalendarDateError; RangeError when there is no such zone
   */
  static parseSent(text: string, timeZone: string): CalendarDate {
    const [, day, month, year] = BRAZILIAN_DATE.exec(text) ?? [];
    if (year !== undefined) return CalendarDate.of(Number(year), Number(month), Number(day));
    return CalendarDate.parseSerialised(text, timeZone);
  }

  /**
   * The day that `instant` falls on in an IANA time zone.
   * @throws CalendarDateError when the instant is invalid or its day is none of ours; RangeError when there is no such zone
   */
  static fromInstant(instant: Date, timeZone: string): CalendarDate {
    if (Number.isNaN(instant.getTime())) throw new CalendarDateError('not a point in time');
    if (instant.getTime() < FIRST_INSTANT) throw new CalendarDateError('no such day');
    const local = new Date(instant.getTime() + offsetAt(instant.getTime(), timeZone));
    return CalendarDate.of(local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate());
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
    return Math.sign(this.year - other.year || this.month - other.month || this.day - other.day);
  }

  equals(other: CalendarDate): boolean {
    return this.compare(other) === 0;
  }

  /**
   * ISO 8601 date and time with offset: midnight in the zone, `2026-03-10T00:00:00-03:00`. Read back in the same zone
   * it is the same day. Where the clocks skip midnight, the offset before counts.
   * @throws RangeError when there is no such zone
   */
  toWire(timeZone: string): string {
    return midnightOf(this.toString(), timeZone);
  }

  toString(): string {
    return `${this.year}-${twoDigits(this.month)}-${twoDigits(this.day)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}
