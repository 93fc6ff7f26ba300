/** Writes money, days and instants as the organization and the reader are used to. */
export interface Formats {
  /** Decimal text, in the organization's currency unless another is given: never a binary fraction. */
  readonly money: (amount: string, currency?: string) => string;
  readonly count: (count: number) => string;
  /** `YYYY-MM-DD` */
  readonly day: (day: string) => string;
  /** An instant (ISO 8601), in the organization's time zone. */
  readonly instant: (instant: string) => string;
  readonly time: (instant: string) => string;
  /** How long ago, or in how long: in the largest unit that says something. */
  readonly duration: (seconds: number) => string;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export function formatsOf(language: string, timeZone: string, currency: string): Formats {
  const zoned = (options: Intl.DateTimeFormatOptions, instant: string): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone }).format(new Date(instant));
  return {
    // Intl reads decimal text exactly; the type of older definitions does not say so.
    money: (amount, own = currency) =>
      new Intl.NumberFormat(language, { style: 'currency', currency: own }).format(
        amount as unknown as number,
      ),
    count: (count) => new Intl.NumberFormat(language).format(count),
    day: (day) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      ),
    instant: (instant) => zoned({ dateStyle: 'short', timeStyle: 'medium' }, instant),
    time: (instant) => zoned({ timeStyle: 'short' }, instant),
    duration: (seconds) => {
      // As far as the next smaller unit tells: 59 minutes and 40 seconds are an hour.
      const [unit, size] = UNITS.find(
        ([, length], index) => rounded(seconds, UNITS[index + 1]?.[1] ?? 1) >= length,
      ) ?? ['second', 1];
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
        Math.round(seconds / size),
      );
    },
  };
}

function rounded(seconds: number, size: number): number {
  return Math.round(seconds / size) * size;
}
