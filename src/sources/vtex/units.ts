import type { Money } from '../../kernel/money';
import { amountOfUnits } from '../mapping/minor-units';
import type { Payload } from '../payload';

/** VTEX counts every currency in hundredths, those too that have none. */
const DECIMALS = 2;
const WHOLE_NUMBER = /^-?\d{1,16}$/;

/** An amount of hundredths. @throws UnreadablePayload */
export function amountOf(place: Payload, key: string, currency: string): Money | undefined {
  return amountOfUnits(place, key, currency, DECIMALS);
}

/** Hundredths for comparing only: 0 when absent, undefined when it is no whole number. */
export function unitsOf(place: Payload, key: string): bigint | undefined {
  const text = place.textIfAny(key) ?? '0';
  return WHOLE_NUMBER.test(text) ? BigInt(text) : undefined;
}
