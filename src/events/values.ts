import { CalendarDate } from '../kernel/calendar-date';
import { isLosslessNumber } from '../kernel/lossless-json';
import { Money, MoneyError } from '../kernel/money';
import { objectOf, needed, type Reader } from './shape';
import { hasUnprintable } from '../kernel/text';

const INSTANT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:[0-5]\d)$/;
const CURRENCY = /^[A-Z]{3}$/;
const MAX_QUANTITY = 1_000_000_000;

/** Text, which may be empty. */
export const text: Reader<string> = (json, pointer, faults) => {
  if (typeof json !== 'string') return faults.add(pointer, 'text', 'must be text');
  return hasUnprintable(json) ? faults.add(pointer, 'text', 'must not hold control characters') : json;
};

/** Text that names something. */
export const name: Reader<string> = (json, pointer, faults) => {
  const value = text(json, pointer, faults);
  return value?.trim() === '' ? faults.add(pointer, 'text', 'must not be empty') : value;
};

/** One of a few words. */
export function oneOf<const W extends string>(words: readonly W[]): Reader<W> {
  return (json, pointer, faults) =>
    words.find((word) => word === json) ?? faults.add(pointer, 'one-of', `must be ${words.join(' or ')}`);
}

export const flag: Reader<boolean> = (json, pointer, faults) =>
  typeof json === 'boolean' ? json : faults.add(pointer, 'boolean', 'must be true or false');

/** A whole number from 1. */
export const count: Reader<number> = (json, pointer, faults) => {
  const digits = isLosslessNumber(json) ? json.toString() : '';
  return /^[1-9]\d{0,8}$/.test(digits)
    ? Number(digits)
    : faults.add(pointer, 'integer', 'must be a whole number from 1');
};

/** A number above zero, which need not be whole. */
export const quantity: Reader<number> = (json, pointer, faults) => {
  const number = isLosslessNumber(json) ? Number(json.toString()) : NaN;
  return number > 0 && number <= MAX_QUANTITY
    ? number
    : faults.add(pointer, 'number', 'must be a number above zero');
};

/** A point in time: ISO 8601 with `Z` or an offset, from 1970 on, to the millisecond. */
export const instant: Reader<Date> = (json, pointer, faults) => {
  const read = typeof json === 'string' && INSTANT.test(json) && isDay(json) ? new Date(json) : undefined;
  return read !== undefined && read.getTime() >= 0
    ? read
    : faults.add(pointer, 'instant', 'must be a time such as 2026-01-31T12:00:00Z, with Z or an offset');
};

/** A day, `2026-01-31`. */
export const day: Reader<CalendarDate> = (json, pointer, faults) =>
  typeof json === 'string' && CalendarDate.isDay(json)
    ? CalendarDate.parse(json)
    : faults.add(pointer, 'date', 'must be a day such as 2026-01-31');

const moneyParts = objectOf<{ value: string; currency: string }>({
  value: needed((json, pointer, faults) =>
    typeof json === 'string' ? json : faults.add(pointer, 'money', 'must be decimal text such as "12.34"'),
  ),
  currency: needed((json, pointer, faults) =>
    typeof json === 'string' && CURRENCY.test(json)
      ? json
      : faults.add(pointer, 'currency', 'must be three capital letters (ISO 4217)'),
  ),
});

/** An amount, `{"value": "-12.34", "currency": "BRL"}`, which may be negative. */
export const signedMoney: Reader<Money> = (json, pointer, faults) => {
  const parts = moneyParts(json, pointer, faults);
  if (parts === undefined) return undefined;
  try {
    return Money.parse(parts.value, parts.currency);
  } catch (error) {
    if (error instanceof MoneyError) return faults.add(`${pointer}/value`, 'money', error.message);
    throw error;
  }
};

/** Like {@link signedMoney}, and not zero. */
export const change: Reader<Money> = (json, pointer, faults) => {
  const amount = signedMoney(json, pointer, faults);
  return amount?.isZero ? faults.add(`${pointer}/value`, 'money', 'must not be 0') : amount;
};

/** An amount of zero or more, `{"value": "12.34", "currency": "BRL"}`. */
export const money: Reader<Money> = (json, pointer, faults) => {
  const amount = signedMoney(json, pointer, faults);
  return amount?.isNegative ? faults.add(`${pointer}/value`, 'money', 'must not be negative') : amount;
};

/** Like {@link money}, and more than nothing. */
export const positiveMoney: Reader<Money> = (json, pointer, faults) => {
  const amount = money(json, pointer, faults);
  return amount?.isZero ? faults.add(`${pointer}/value`, 'money', 'must be more than 0') : amount;
};

function isDay(time: string): boolean {
  try {
    CalendarDate.parse(time.slice(0, 10));
    return true;
  } catch {
    return false;
  }
}
