import type { RefundFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { refundKey } from '../mapping/keys';
import { sumDifference } from '../mapping/lines';
import type { Refunds } from '../mapping/order-events';
import { amountIn, type Capture, succeeded } from './transactions';

/**
 * What went back of a capture: one refund for each event that succeeded, else the sum that the transaction says. A refund of
 * all of it is named as its payment, and so is that of an order whose transactions nobody may read.
 * @param orderKey the order's business key
 * @param changedAt when the order last changed, which dates a refund that has no time
 */
export function refundsOfCapture(
  { transaction, key, name, value }: Capture,
  gateway: string,
  orderKey: string,
  changedAt: Date,
  zone: string,
): Refunds {
  const { currency } = value;
  const facts = defined({ paymentKey: key, gateway: gateway || undefined });
  const stated = amountIn(transaction, 'refunded_amount', currency);
  const events = succeeded(transaction, ['refund'], zone);
  if (events.length === 0) {
    if (!stated?.isPositive) return { refunds: [], differences: [] };
    const refund = { key: refundKey(orderKey, name), value: stated, ...facts, refundedAt: changedAt };
    return { refunds: [refund], differences: [] };
  }
  const refunds = events.flatMap((event, index): RefundFacts[] => {
    const back = amountIn(event, 'amount', currency) ?? value;
    if (!back.isPositive) return [];
    const isWhole = index === 0 && back.equals(value);
    const id = isWhole ? name : `${name}.${event.identifier('id') ?? index + 1}`;
    const refundedAt = event.instant('happened_at', zone) ?? event.instant('created_at', zone) ?? changedAt;
    return [{ key: refundKey(orderKey, id), value: back, ...facts, refundedAt }];
  });
  const parts = refunds.map((refund) => refund.value.minor);
  return { refunds, differences: sumDifference('The refunds of a transaction come to', parts, stated) };
}
