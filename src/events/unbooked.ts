import type { Money } from '../kernel/money';
import type { CanonicalEvent, DisputeFacts, EventType, OrderFacts, PayoutFacts, RefundFacts } from './event';

/** What an event says of money that nothing has been done about. A person must look at it. */
export interface Unbooked {
  /** The entity's business key. */
  readonly businessKey: string;
  /** The event that a rule would have to listen to; absent: whatever rules do, a person must look. */
  readonly event?: EventType;
  readonly code:
    | 'refund-not-booked'
    | 'cancellation-not-booked'
    | 'payout-not-booked'
    | 'dispute-not-booked'
    | 'store-credit-not-booked'
    | 'order-differs';
  /** Whether a rule deals with it as soon as it listens, although its conditions may be false. */
  readonly byListening?: true;
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
  if (event.type === 'customer.updated') return [];
  if (event.type === 'payout.paid') return unbookedPayout(event.payout);
  if (event.type === 'payment.disputed') return unbookedDispute(event.dispute);
  const { order } = event;
  if (order.test) return [];
  switch (event.type) {
    case 'order.created':
      return [];
    case 'order.paid':
      return [...paidByCredit(order), ...differences(order)];
    case 'order.cancelled':
      return [...cancellation(order), ...differences(order)];
    case 'order.refunded':
      return [...refunds(order), ...refundedAsCredit(order), ...differences(order)];
  }
}

function refunds({ key, refunds: all }: OrderFacts): Unbooked[] {
  return all.filter(({ storeCredit }) => !storeCredit).map((refund) => unbookedRefund(key, refund));
}

/** @param orderKey the business key of the order that the money was paid for */
export function unbookedRefund(
  orderKey: string,
  { key, value }: Pick<RefundFacts, 'key' | 'value'>,
): Unbooked {
  const detail = `${shown(value)} went back to the customer by refund ${key.split('/').at(-1)}; no rule books refunds`;
  return { businessKey: orderKey, event: 'order.refunded', code: 'refund-not-booked', detail, value };
}

/** What a rule cannot book as money, whatever it does with the event. */
function paidByCredit({ key, payment }: OrderFacts): Unbooked[] {
  if (!payment?.storeCredit) return [];
  const { value } = payment;
  const detail = `${shown(value)} were paid with a gift card, store credit or points, which no account received: settle what is open by hand`;
  return [{ businessKey: key, code: 'store-credit-not-booked', detail, value }];
}

function refundedAsCredit({ key, refunds }: OrderFacts): Unbooked[] {
  return refunds
    .filter(({ storeCredit }) => storeCredit)
    .map(({ key: refundKey, value }) => {
      const detail = `${shown(value)} were given back as a gift card or store credit by refund ${refundKey.split('/').at(-1)}: no money left an account`;
      return { businessKey: key, code: 'store-credit-not-booked', detail, value };
    });
}

function unbookedDispute({ key, orderKey = key, value, state, test }: DisputeFacts): Unbooked[] {
  if (test) return [];
  const id = key.split('/').at(-1);
  const detail = `${shown(value)} were taken back by dispute ${id}, which is ${state}; no rule books disputes`;
  return [{ businessKey: orderKey, event: 'payment.disputed', code: 'dispute-not-booked', detail, value }];
}

function unbookedPayout({ key, gateway, value, test }: PayoutFacts): Unbooked[] {
  if (test) return [];
  const detail = `${shown(value)} were paid out by ${gateway || 'a gateway'}; no rule listens to payouts`;
  return [
    { businessKey: key, event: 'payout.paid', code: 'payout-not-booked', detail, value, byListening: true },
  ];
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
