import { Money } from '../../kernel/money';
import { moneyOr } from '../mapping/sums';
import { ifReadable, type Payload } from '../payload';

const DECIMAL = /^(\d{1,15})\.(\d{1,30})$/;
/** What JavaScript's arithmetic leaves behind the last decimal of an amount: `137.95000000000002`, `89.98999999999999`. */
const LEFT_BEHIND = /^(?:0{5}|9{5})/;

/**
 * An amount that E-Com Plus or an application of the shop may have calculated in floating point: what that leaves behind the
 * last decimal is no part of it. Any other digit there is refused.
 * @throws UnreadablePayload
 */
export function amountOf(place: Payload, key: string, currency: string): Money | undefined {
  const decimals = decimalsOf(place, key, currency);
  if (decimals === undefined || !LEFT_BEHIND.test(decimals.rest)) return place.amount(key, currency);
  return nearest(place, key, currency, decimals);
}

/** An amount that is the nearest to what E-Com Plus calculated, half a cent upwards. @throws UnreadablePayload */
export function nearestAmount(place: Payload, key: string, currency: string): Money | undefined {
  const decimals = decimalsOf(place, key, currency);
  return decimals === undefined ? place.amount(key, currency) : nearest(place, key, currency, decimals);
}

/** One part of a sum in minor units, for comparing only: 0 where it is absent, undefined where it cannot be told. */
export function partOf(place: Payload, key: string, currency: string): bigint | undefined {
  return ifReadable(() => amountOf(place, key, currency)?.minor ?? 0n);
}

interface Decimals {
  /** In minor units, cut off. */
  readonly minor: bigint;
  /** The digits behind the currency's last decimal. */
  readonly rest: string;
}

/** Undefined where there is no digit behind the currency's last decimal. */
function decimalsOf(place: Payload, key: string, currency: string): Decimals | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(place.text(key) ?? '') ?? [];
  const exponent = Money.exponentOf(currency);
  if (whole === undefined || fraction.length <= exponent) return undefined;
  return { minor: BigInt(whole + fraction.slice(0, exponent)), rest: fraction.slice(exponent) };
}

function nearest(place: Payload, key: string, currency: string, { minor, rest }: Decimals): Money {
  const rounded = rest >= '5' ? minor + 1n : minor;
  return moneyOr(rounded, currency, () => place.fail(key, 'is out of range'));
}
