import { MAX_MINOR, Money } from '../../kernel/money';
import type { Payload } from '../payload';
import { amountOfUnits } from '../mapping/minor-units';

/** More people than ever share one sale. */
const MOST_STORES = 200;
const PRODUCER = 'producer';

/** How a sale's money is divided between the shop, those who sell with it, and Kiwify. */
export interface Shares {
  /** What the buyer was charged. */
  readonly charged: Money;
  /** What the product costs, in the same currency; absent: Kiwify does not say. */
  readonly price?: Money;
  /** What is credited to the shop; absent: Kiwify does not say. */
  readonly own?: Money;
  /** What co-producers and affiliates get of it. */
  readonly others: Money;
  /** What Kiwify keeps, the interest of instalments included; absent: Kiwify does not say. */
  readonly fee?: Money;
  /** Sentences where these amounts disagree. */
  readonly differences: string[];
}

/**
 * Reads the sale's `Commissions`. Kiwify keeps what neither the shop nor anybody else is credited with, so that the rest is what
 * it pays out; where that is more than the fee that it names, the buyer's interest has to explain it.
 * @throws UnreadablePayload
 */
export function sharesOf(order: Payload, currencyElse: string): Shares {
  const place = order.at('Commissions');
  const currency = place.currency('currency') ?? currencyElse;
  const charged = amountOfUnits(place, 'charge_amount', currency) ?? place.missing('charge_amount');
  const priceCurrency = place.currency('product_base_price_currency') ?? currency;
  const price = priceCurrency === currency ? amountOfUnits(place, 'product_base_price', currency) : undefined;
  const own = amountOfUnits(place, 'my_commission', currency);
  const others = othersOf(place, currency);
  const named = namedFee(place, currency);
  const kept = own && charged.minor - own.minor - others.minor;
  const parts = {
    charged,
    others,
    ...(price && { price }),
    ...(own && { own }),
    ...(named && { fee: named }),
  };
  if (kept === undefined) return { ...parts, differences: [] };
  if (kept < 0n)
    return {
      ...parts,
      others: Money.zero(currency),
      differences: [
        `The commissions come to more than the buyer paid, ${shown(charged)}: those of others are left out.`,
      ],
    };
  const fee = Money.ofMinor(kept, currency);
  return { ...parts, fee, differences: feeDifference(fee, named, charged, price) };
}

/** What co-producers and affiliates get. */
function othersOf(place: Payload, currency: string): Money {
  const minor = place
    .items('commissioned_stores', MOST_STORES)
    .filter((store) => store.text('type') !== PRODUCER)
    .map((store) => (amountOfUnits(store, 'value', currency) ?? store.missing('value')).minor)
    .reduce((sum, value) => sum + value, 0n);
  return minor <= MAX_MINOR
    ? Money.ofMinor(minor, currency)
    : place.fail('commissioned_stores', 'is too much');
}

/** The fee that Kiwify names; undefined where it names none, or one in another currency. */
function namedFee(place: Payload, currency: string): Money | undefined {
  const feeCurrency = place.currency('kiwify_fee_currency') ?? currency;
  return feeCurrency === currency ? amountOfUnits(place, 'kiwify_fee', currency) : undefined;
}

function feeDifference(
  fee: Money,
  named: Money | undefined,
  charged: Money,
  price: Money | undefined,
): string[] {
  if (!named || named.equals(fee)) return [];
  const interest = price === undefined ? 0n : charged.minor - price.minor;
  if (fee.minor - named.minor === interest) return [];
  return [`Kiwify names a fee of ${shown(named)}, but keeps ${shown(fee)} of what the buyer paid.`];
}

function shown(value: Money): string {
  return `${value.toString()} ${value.currency}`;
}
