import { formatMinor, Money, MoneyError } from '../../kernel/money';
import type { Payload } from '../payload';

const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * Exact money from a whole number of minor units; undefined when the field is absent.
 * @param decimals that the provider counts the currency's minor units by, where they are not those of ISO 4217
 * @throws UnreadablePayload when it is no whole number, or no amount of the currency
 */
export function moneyOfUnits(
  place: Payload,
  key: string,
  currency: string,
  decimals = Money.exponentOf(currency),
): Money | undefined {
  const text = place.text(key);
  if (text === undefined) return undefined;
  if (!WHOLE_NUMBER.test(text)) return place.fail(key, 'is not a whole number of minor units');
  try {
    return Money.parse(formatMinor(BigInt(text), decimals), currency);
  } catch (error) {
    if (error instanceof MoneyError)
      return place.fail(key, `is not an amount of ${currency}: ${error.message}`);
    throw error;
  }
}

/** Like {@link moneyOfUnits}, and refuses less than nothing. */
export function amountOfUnits(
  place: Payload,
  key: string,
  currency: string,
  decimals?: number,
): Money | undefined {
  const money = moneyOfUnits(place, key, currency, decimals);
  return money?.isNegative ? place.fail(key, 'is negative') : money;
}
