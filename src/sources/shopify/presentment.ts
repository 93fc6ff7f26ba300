import type { Money } from '../../kernel/money';
import { moneyOf, partOf } from '../mapping/lines';
import type { Payload } from '../payload';
import { sumOf } from './refund';

/** One of the two currencies that Shopify has amounts in. */
type Side = 'shop_money' | 'presentment_money';

/**
 * What transactions of a refund gave back, in the currency of the order. Shopify has them in the currency that the buyer
 * paid in; where that is another one, what went back is the sum of the refund's parts, which are in both: goods with their
 * taxes and shipping, less the adjustments. It is taken where the parts come to the transactions to the cent in the buyer's currency.
 * @throws UnreadablePayload where they are in another currency and do not
 */
export function refundedIn(currency: string, refund: Payload, transactions: readonly Payload[]): Money {
  const paidIn = transactions[0]?.currency('currency') ?? currency;
  if (paidIn === currency) return sumOf(transactions, currency);
  const paid = sumOf(transactions, paidIn);
  for (const parts of POSSIBLE) {
    const presented = partsOf(refund, 'presentment_money', paidIn, parts);
    const value = partsOf(refund, 'shop_money', currency, parts);
    if (value && presented?.equals(paid)) return value;
  }
  return sumOf(transactions, currency);
}

/** Which parts of a refund are added up besides goods. */
interface Parts {
  readonly taxes: boolean;
  readonly shipping: boolean;
  readonly adjustments: boolean;
}

/**
 * Prices that include taxes have them in the subtotal. Shipping was an adjustment before the version 2024-10 of Shopify's API, which
 * may list it as shipping too; since then it is no adjustment.
 */
const POSSIBLE: readonly Parts[] = [true, false].flatMap((shipping) =>
  [true, false].map((taxes) => ({ taxes, shipping, adjustments: true })),
);

/** The parts of a refund together; undefined where one has no amount in this currency, or they come to nothing. */
export function partsOf(
  refund: Payload,
  side: Side,
  currency: string,
  { taxes, shipping, adjustments }: Parts,
): Money | undefined {
  const amount = (place: Payload, key: string): bigint | undefined => {
    const money = place.loosely(key).loosely(side);
    if (money.textIfAny('amount') === undefined) return place.has(key) ? undefined : 0n;
    return money.textIfAny('currency_code') === currency ? partOf(money, 'amount', currency) : undefined;
  };
  const goods = refund
    .items('refund_line_items')
    .flatMap((item) => [amount(item, 'subtotal_set'), ...(taxes ? [amount(item, 'total_tax_set')] : [])]);
  const shipped = (shipping ? refund.items('refund_shipping_lines') : []).map((line) =>
    amount(line, 'subtotal_amount_set'),
  );
  const adjusted = (adjustments ? refund.items('order_adjustments') : [])
    .flatMap((one) => [amount(one, 'amount_set'), ...(taxes ? [amount(one, 'tax_amount_set')] : [])])
    .map((minor) => (minor === undefined ? undefined : -minor));
  return moneyOf([...goods, ...shipped, ...adjusted], currency);
}
