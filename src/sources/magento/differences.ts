import type { PaymentFacts } from '../../events/event';
import { Money } from '../../kernel/money';
import { partOf, sumDifference } from '../mapping/lines';
import { refundDifferences, shown, sumOfValues } from '../mapping/sums';
import { amountOf, currencyDifference, type Reading } from './amounts';
import type { Refunds } from './refunds';

/** What the total of an order is made of. A discount is below zero. */
const PARTS = [
  'subtotal',
  'discount_amount',
  'shipping_amount',
  'tax_amount',
  'discount_tax_compensation_amount',
] as const;
/** What Magento calls a sixth part, in the order's currency and in the shop's. */
const LAST_PART = {
  '': 'shipping_discount_tax_compensation_amount',
  base_: 'base_shipping_discount_tax_compensation_amnt',
} as const;

/** Sentences about what an order, its invoices and its credit memos say otherwise of the same money. */
export function differencesOf(reading: Reading, payments: readonly PaymentFacts[], back: Refunds): string[] {
  const { order, denomination, total, paid } = reading;
  const money = sumOfValues(payments.filter(({ storeCredit }) => !storeCredit));
  return [
    ...currencyDifference(order, denomination),
    ...totalDifference(reading),
    ...sumDifference('The paid invoices come to', [money], paid ?? Money.zero(total.currency)),
    ...paymentsDifference(reading, payments),
    ...refundedDifference(reading, back),
    ...back.differences,
    ...refundDifferences(back.refunds, payments.length > 0),
  ];
}

function totalDifference({ order, total, denomination: { prefix } }: Reading): string[] {
  if (!order.has(`${prefix}subtotal`)) return [];
  const names = [...PARTS.map((name) => `${prefix}${name}`), LAST_PART[prefix]];
  const parts = names.map((name) => partOf(order, name, total.currency));
  return sumDifference('Goods, discounts, shipping and taxes come to', parts, total);
}

/** A part of an order can be cancelled; its total stays what it was. */
function paymentsDifference(
  { order, state, total, denomination }: Reading,
  payments: readonly PaymentFacts[],
) {
  if (payments.length === 0 || state === 'canceled') return [];
  const cancelled = amountOf(order, 'total_canceled', denomination);
  if (cancelled?.isPositive) return [`${cancelled.withCurrency()} of the order were cancelled.`];
  const isMore = sumOfValues(payments) > total.minor;
  return isMore || state === 'complete'
    ? sumDifference('The payments come to', [sumOfValues(payments)], total)
    : [];
}

function refundedDifference({ order, state, total, denomination }: Reading, { money, refunds }: Refunds) {
  const stated = amountOf(order, 'total_refunded', denomination)?.minor ?? 0n;
  if (stated !== money)
    return [
      `The credit memos come to ${shown(money, total.currency)}, but the order says that ${shown(stated, total.currency)} went back.`,
    ];
  return state === 'closed' && money === 0n && refunds.length === 0
    ? ['The order is closed, but no credit memo says what went back.']
    : [];
}
