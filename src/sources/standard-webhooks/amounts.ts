import type { Money } from '../../kernel/money';
import { type Payload, UnreadablePayload } from '../payload';

/** Money must be written as text: a JSON number may have been a float on its way, and `10.1` was meant as `10.10`. */
export function amountOf(place: Payload, key: string, currency: string): Money | undefined {
  return place.isNumber(key)
    ? place.fail(key, 'must be text, for example "12.34"')
    : place.amount(key, currency);
}

/** Like {@link amountOf}; needed, and more than zero. */
export function positiveOf(place: Payload, key: string, currency: string): Money {
  const value = amountOf(place, key, currency) ?? place.missing(key);
  return value.isPositive ? value : place.fail(key, 'must be more than zero');
}

/** Like {@link amountOf}, and nothing where it is zero: a fee of nothing is none. */
export function anyOf(place: Payload, key: string, currency: string): Money | undefined {
  const value = amountOf(place, key, currency);
  return value?.isPositive ? value : undefined;
}

/**
 * Like {@link anyOf}, for amounts from which nothing has to be booked: one that cannot be read is left out.
 * @param differences gets a sentence about it
 */
export function partOf(
  place: Payload,
  key: string,
  currency: string,
  differences: string[],
): Money | undefined {
  try {
    return anyOf(place, key, currency);
  } catch (error) {
    if (!(error instanceof UnreadablePayload)) throw error;
    differences.push(`An amount is left out: ${error.message}.`);
    return undefined;
  }
}

/** What something changed by: needed, with a sign where it is less, and not zero. */
export function changeOf(place: Payload, key: string, currency: string): Money {
  if (place.isNumber(key)) place.fail(key, 'must be text, for example "-12.34"');
  const value = place.money(key, currency) ?? place.missing(key);
  return value.isZero ? place.fail(key, 'is zero') : value;
}

const COUNT = /^[1-9]\d{0,2}$/;

/** A whole number from 1 to 999, needed. */
export function countOf(place: Payload, key: string): number {
  const text = place.text(key) ?? place.missing(key);
  return COUNT.test(text) ? Number(text) : place.fail(key, 'is not a whole number from 1');
}
