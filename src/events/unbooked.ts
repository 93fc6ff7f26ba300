import type { Money } from '../kernel/money';
import type { CanonicalEvent, EventType, OrderFacts, RefundFacts } from './event';

/** What an event says of money that nothing has been done about. A person must look at it. */
export interface Unbooked {
  /** The entity's business key. */
  readonly businessKey: string;
  /** The event that a rule would have to listen to; absent: whatever rules do, a person must look. */
  readonly event?: EventType;
  readonly code: 'refund-not-booked' | 'cancellation-not-booked' | 'order-differs';
  /** A sentence for a person, with amounts and without personal data. The same for every webhook that says the same. */
  readonly detail: string;
  /** The amount in question. */
  readonly value: Money;
}

/**
 * What a person must look at, unless a rule deals with the event: money that went back, a paid order that was cancelled,
 * and numbers of an order with money in it that disagree. A test order asks for nothing.
 */
export function unbookedOf(event: CanonicalEvent): Unbooked[] {
  if (event.type === 'customer.updated' || event.order.test) return [];
  const { order } = event;
  switch (event.type) {
    case 'order.created':
      return [];
    case 'order.paid':
      return differences(order);
    case 'order.cancelled':
      return [...cancellation(order), ...differences(order)];
    case 'order.refunded':
      return [...order.refunds.map((refund) => unbookedRefund(order.key, refund)), ...differences(order)];
  }
}

/** @param orderKey the business key of the order that the money was paid for */
export function unbookedRefund(
  orderKey: string,
  { key, value }: Pick<RefundFacts, 'key' | 'value'>,
): Unbooked {
  const detail = `${shown(value)} went back to the customer by refund ${key.split('/').at(-1)}; no rule books refunds`;
  return { businessKey: orderKey, event: 'order.refunded', code: 'refund-not-booked', detail, value };
}

/** What was paid and did not go back by a refund, which is told for itself. */
function cancellation({ key, total, paidAt, refunds }: OrderFacts): Unbooked[] {
  if (paidAt === undefined) return [];
  const kept = refunds.reduce((left, { value }) => left.minus(value), total);
  if (!kept.isPositive) return [];
  const detail = `the order was cancelled after ${shown(kept)} of it were paid and not refunded; no rule books cancellations`;
  return [
    { businessKey: key, event: 'order.cancelled', code: 'cancellation-not-booked', detail, value: kept },
  ];
}

function differences({ key, total, differences: sentences }: OrderFacts): Unbooked[] {
  return sentences.map((detail) => ({ businessKey: key, code: 'order-differs', detail, value: total }));
}

function shown(value: Money): string {
  return `${value.toString()} ${value.currency}`;
}
