import { BoundedMap } from './bounded-map';
import { CalendarDate } from './calendar-date';

/**
 * The days on which banks in Brazil are open: Monday to Friday without the national bank holidays of Resolução CMN 4.880
 * of 2020, with 20 November from 2024 on (Lei 14.759 of 2023). Holidays of a state or city are not among them, nor days on
 * which banks only open late. Valid for years from 2001 on; the holidays of earlier years were others.
 */

/** Month and day of the holidays that are every year on the same date. */
const FIXED: readonly (readonly [month: number, day: number])[] = [
  [1, 1],
  [4, 21],
  [5, 1],
  [9, 7],
  [10, 12],
  [11, 2],
  [11, 15],
  [12, 25],
];
/** Days from Easter Sunday: Monday and Tuesday of carnival, Good Friday, Corpus Christi. */
const FROM_EASTER = [-48, -47, -2, 60];
const BLACK_AWARENESS_SINCE = 2024;

/** Most business days that a date is moved by: more than a year and a half. */
export const MOST_BANK_DAYS = 400;

/** By year. */
const holidays = new BoundedMap<number, ReadonlySet<string>>(100);

/** Whether banks are open. */
export function isBankDay(date: CalendarDate): boolean {
  const weekday = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidaysOf(date.year).has(date.toString());
}

/** The date itself where banks are open then, else the next day on which they are. */
export function nextBankDay(date: CalendarDate): CalendarDate {
  let day = date;
  while (!isBankDay(day)) day = day.addDays(1);
  return day;
}

/**
 * The day so many bank days later, or earlier where the number is negative. Zero gives {@link nextBankDay}.
 * @throws RangeError beyond {@link MOST_BANK_DAYS}
 */
export function addBankDays(date: CalendarDate, count: number): CalendarDate {
  if (!Number.isInteger(count) || Math.abs(count) > MOST_BANK_DAYS)
    throw new RangeError(`a date is moved by at most ${MOST_BANK_DAYS} business days`);
  const step = Math.sign(count);
  let day = count === 0 ? nextBankDay(date) : date;
  for (let left = Math.abs(count); left > 0;) {
    day = day.addDays(step);
    if (isBankDay(day)) left -= 1;
  }
  return day;
}

function holidaysOf(year: number): ReadonlySet<string> {
  const known = holidays.get(year);
  if (known) return known;
  const easter = easterSunday(year);
  const days = [
    ...FIXED.map(([month, day]) => CalendarDate.of(year, month, day)),
    ...FROM_EASTER.map((days) => easter.addDays(days)),
    ...(year >= BLACK_AWARENESS_SINCE ? [CalendarDate.of(year, 11, 20)] : []),
  ];
  const found = new Set(days.map(String));
  holidays.set(year, found);
  return found;
}

/** Easter Sunday of the Gregorian calendar, by the algorithm that Nature published in 1876. */
function easterSunday(year: number): CalendarDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const leap = Math.floor(century / 4);
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leap - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return CalendarDate.of(year, Math.floor(days / 31), (days % 31) + 1);
}
