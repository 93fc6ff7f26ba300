import { Money } from '../../kernel/money';
import { amountOfUnits, moneyOfUnits } from '../mapping/minor-units';
import type { Payload } from '../payload';

/**
 * Currencies whose minor units Stripe counts otherwise than ISO 4217 does: it keeps two decimals for two that have none,
 * and takes ariary whole.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? Money.exponentOf(currency);
}

/** Money, which may be negative, as Stripe writes it. @throws UnreadablePayload */
export function signedOf(place: Payload, key: string, currency: string): Money | undefined {
  return moneyOfUnits(place, key, currency, decimalsOf(currency));
}

/** Money of zero or more, as Stripe writes it. @throws UnreadablePayload */
export function amountOf(place: Payload, key: string, currency: string): Money | undefined {
  return amountOfUnits(place, key, currency, decimalsOf(currency));
}

/** The currency that an object is in; Stripe writes it in lower case. @throws UnreadablePayload when it is missing */
export function currencyOf(object: Payload): string {
  return object.currency('currency') ?? object.missing('currency');
}

const SECONDS = /^\d{1,11}$/;

/** A point in time from seconds since 1970; undefined when the field is absent. @throws UnreadablePayload */
export function timeOf(place: Payload, key: string): Date | undefined {
  const text = place.text(key);
  if (text === undefined) return undefined;
  return SECONDS.test(text) ? new Date(Number(text) * 1000) : place.fail(key, 'is not in seconds since 1970');
}
