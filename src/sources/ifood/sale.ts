import { MOST_LINES } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { partOf, sumDifference } from '../mapping/lines';
import { shown } from '../mapping/sums';
import type { Payload } from '../payload';

/** Who delivers. */
const MERCHANT = 'MERCHANT';
export const IFOOD = 'IFOOD';
/** Who pays for discounts that reach the restaurant with iFood's payout: iFood, and a brand whose products are sold. */
const PAID_OUT = [IFOOD, 'EXTERNAL'];

/** What of an order is the restaurant's, in minor units, and what in it disagrees. */
export interface Sale {
  /** What the restaurant sold: goods and its own delivery, less the discounts that it pays itself. Never below zero. */
  readonly value: bigint;
  /** Discounts that the restaurant pays. */
  readonly discount: bigint;
  /** The fee for a delivery of its own. */
  readonly delivery: bigint;
  /** What the buyer pays: with the fees that are iFood's, less all discounts. */
  readonly orderAmount: Money;
  readonly differences: readonly string[];
}

/**
 * Reads an order's `total` and who pays for its discounts. What iFood or a brand pays of them reaches the restaurant with
 * iFood's payout, so it is part of the sale; a discount that nobody is named for is the restaurant's, so that no money is made up.
 * @throws UnreadablePayload
 */
export function saleOf(order: Payload, currency: string): Sale {
  const total = order.at('total');
  const amount = (key: string): bigint => total.amount(key, currency)?.minor ?? 0n;
  const orderAmount = total.amount('orderAmount', currency) ?? total.missing('orderAmount');
  const goods = total.amount('subTotal', currency) ?? total.missing('subTotal');
  const [deliveryFee, benefits, fees] = [amount('deliveryFee'), amount('benefits'), amount('additionalFees')];
  const paidOut = paidOutOf(order, currency);
  const discount = benefits > paidOut.minor ? benefits - paidOut.minor : 0n;
  const delivery = deliveredBy(order) === MERCHANT ? deliveryFee : 0n;
  const value = goods.minor + delivery - discount;
  if (value < 0n) return total.fail('benefits', 'is more than what was sold');
  return {
    ...{ value, discount, delivery, orderAmount },
    differences: [
      ...sumDifference(
        'Goods, delivery and fees less discounts come to',
        [goods.minor, deliveryFee, fees, -benefits],
        orderAmount,
      ),
      ...paidOut.differences,
      ...sponsorDifference(paidOut.minor, benefits, currency),
      ...deliveryDifference(order, deliveryFee, currency),
      ...feeDifferences(order),
    ],
  };
}

/** `IFOOD` or `MERCHANT`; undefined where nobody delivers, or it is not said who. */
export function deliveredBy(order: Payload): string | undefined {
  return order.at('delivery').word('deliveredBy');
}

/** What comes of the discounts with iFood's payout, and a sentence for each part of which nobody can say that. */
function paidOutOf(order: Payload, currency: string): { minor: bigint; differences: string[] } {
  let minor = 0n;
  const differences: string[] = [];
  for (const benefit of order.items('benefits', MOST_LINES)) {
    const parts = benefit.items('sponsorshipValues', MOST_LINES).map((part) => ({
      name: part.word('name') ?? part.missing('name'),
      value: part.amount('value', currency)?.minor ?? 0n,
    }));
    const sum = parts.reduce((all, { value }) => all + value, 0n);
    const whole = partOf(benefit, 'value', currency);
    if (whole !== undefined && whole !== sum)
      differences.push(
        `A discount of ${shown(whole, currency)} is paid with ${shown(sum, currency)} by those who are named: the rest is taken for the restaurant's.`,
      );
    for (const { name, value } of parts) {
      if (PAID_OUT.includes(name)) minor += value;
      else if (name !== MERCHANT && value > 0n)
        differences.push(
          `${shown(value, currency)} of a discount are paid by ${name}: they are taken for the restaurant's discount, because it is not known whether they come with iFood's payout.`,
        );
    }
  }
  return { minor, differences };
}

function sponsorDifference(paidOut: bigint, benefits: bigint, currency: string): string[] {
  if (paidOut <= benefits) return [];
  return [
    `iFood pays ${shown(paidOut, currency)} of discounts, but all discounts of the order come to ${shown(benefits, currency)}.`,
  ];
}

/** A fee for a delivery of which it is not said whose it is. */
function deliveryDifference(order: Payload, deliveryFee: bigint, currency: string): string[] {
  if (deliveryFee === 0n || [IFOOD, MERCHANT].includes(deliveredBy(order) ?? '')) return [];
  return [
    `It is not said who delivered: the delivery fee of ${shown(deliveryFee, currency)} is taken for iFood's.`,
  ];
}

/** Additional fees are iFood's; one that names the restaurant may be its own. */
function feeDifferences(order: Payload): string[] {
  const isOwn = (fee: Payload): boolean =>
    fee.firstItems('liabilities', MOST_LINES).some((one) => one.textIfAny('name') === MERCHANT);
  return order.items('additionalFees', MOST_LINES).some(isOwn)
    ? [
        'An additional fee names the restaurant: it is taken for iFood’s, and a part of it may be the restaurant’s.',
      ]
    : [];
}
