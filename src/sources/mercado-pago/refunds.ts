import type { RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { refundKey } from '../mapping/keys';
import { byTime, type Refunds } from '../mapping/order-events';
import { shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { GATEWAY } from './payment';

/** Statuses of a refund whose money did not leave, or not yet. */
const NOT_MADE = ['in_process', 'pending', 'authorized', 'rejected', 'cancelled'];

/** Refunds whose money left. @throws UnreadablePayload */
export function madeRefunds(payment: Payload): readonly Payload[] {
  return payment
    .items('refunds', MOST_REFUNDS)
    .filter((refund) => !NOT_MADE.includes(refund.word('status') ?? 'approved'));
}

/**
 * What went back of a payment, each refund by its own number.
 * @param order the order's business key
 * @throws UnreadablePayload
 */
export function refundsOf(
  payment: Payload,
  order: string,
  paymentKey: string,
  value: Money,
  zone: string,
): Refunds {
  const { currency } = value;
  const made = madeRefunds(payment);
  const keys = new Set<string>();
  const refunds = made.map((refund): RefundFacts => {
    const id = refund.identifier('id') ?? refund.missing('id');
    const amount = refund.amount('amount', currency) ?? refund.missing('amount');
    if (!amount.isPositive) refund.fail('amount', 'must be more than zero');
    const refundedAt = refund.instant('date_created', zone) ?? refund.missing('date_created');
    const key = refundKey(order, id);
    if (keys.has(key)) refund.fail('id', 'is that of another refund');
    keys.add(key);
    return { key, value: amount, paymentKey, gateway: GATEWAY, refundedAt };
  });
  return {
    refunds: byTime(refunds, ({ refundedAt }) => refundedAt),
    differences: differencesOf(payment, refunds, value),
  };
}

function differencesOf(payment: Payload, refunds: readonly RefundFacts[], value: Money): string[] {
  const { currency } = value;
  const minor = sumOfValues(refunds);
  const back = shown(minor, currency);
  const stated = payment.amount('transaction_amount_refunded', currency);
  const isRefunded = payment.word('status') === 'refunded';
  return [
    ...(stated !== undefined && stated.minor !== minor
      ? [`The refunds come to ${back}, but the payment says that ${stated.withCurrency()} went back.`]
      : []),
    ...(minor > value.minor ? [`${back} went back of a payment of ${value.withCurrency()}.`] : []),
    ...(isRefunded && minor < value.minor
      ? [`The payment of ${value.withCurrency()} is refunded, but its refunds come to ${back}.`]
      : []),
  ];
}
