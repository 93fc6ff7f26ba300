import { amountText, Money } from '../kernel/money';
import type { BillFacts } from './bill';
import type {
  CanonicalEvent,
  DisputeFacts,
  EventType,
  OrderEvent,
  OrderFacts,
  PayoutFacts,
  RefundFacts,
} from './event';
import type { FeeFacts } from './fee';
import { payoutDifference } from './payout-difference';
import type { SettlementFacts } from './settlement';

/** What an event says of money that nothing has been done about. A person must look at it. */
export interface Unbooked {
  /** The entity's business key. */
  readonly businessKey: string;
  /** The event that a rule would have to listen to; absent: whatever rules do, a person must look. */
  readonly event?: EventType;
  readonly code:
    | 'refund-not-booked'
    | 'cancellation-not-booked'
    | 'edit-not-booked'
    | 'settlement-not-booked'
    | 'payout-not-booked'
    | 'payout-differs'
    | 'dispute-not-booked'
    | 'fee-not-booked'
    | 'movement-not-booked'
    | 'bill-not-booked'
    | 'store-credit-not-booked'
    | 'order-differs'
    | 'dated-ahead'
    | 'privacy-export-asked'
    | 'privacy-erase-asked'
    | 'privacy-shop-erase-asked';
  /** The event by which a rule has booked the same money already, where one listens to it. */
  readonly bookedWith?: EventType;
  /** Whether a rule deals with it as soon as it listens, although its conditions may be false. */
  readonly byListening?: true;
  /** Whether it is what is left of a sum that only becomes less: the least that was said is what counts. */
  readonly isRest?: true;
  /** A sentence for a person, with amounts and without personal data. The same for every webhook that says the same. */
  readonly detail: string;
  /** The beginning of `detail` that says what it is about; after it comes why nothing was done. Absent: it says no such thing. */
  readonly about?: string;
  /** The amount in question, never below zero: which way it goes is said in `detail`. */
  readonly value: Money;
}

/**
 * What a person must look at, unless a rule deals with the event: money that went back, a paid order that was cancelled
 * or edited, a settlement or a bill, and numbers that disagree where there is money. An order that waits for a payment, or
 * waited in vain, asks for nothing, and neither does a test.
 */
export function unbookedOf(event: CanonicalEvent): Unbooked[] {
  switch (event.type) {
    case 'customer.updated':
      return [];
    case 'payment.settled':
      return unbookedSettlement(event.settlement);
    case 'payout.paid':
      return unbookedPayout(event.payout);
    case 'payment.disputed':
      return unbookedDispute(event.dispute);
    case 'fee.charged':
      return unbookedFee(event.fee);
    case 'bill.paid':
      return unbookedBill(event.bill);
    default:
      return event.order.test ? [] : unbookedOrder(event);
  }
}

/** @param what the sentence before its reason */
function noRule(what: string, books: string): Pick<Unbooked, 'detail' | 'about'> {
  return { detail: `${what}; no rule books ${books}`, about: `${what}; ` };
}

function unbookedOrder({ type, order }: Pick<OrderEvent, 'type' | 'order'>): Unbooked[] {
  switch (type) {
    case 'order.created':
    case 'order.pending':
    case 'order.expired':
      return [];
    case 'order.paid':
      return [...paidByCredit(order), ...differences(order)];
    case 'order.edited':
      return [...edits(order), ...(order.paidAt ? differences(order) : [])];
    case 'order.cancelled':
      return [...cancellation(order), ...differences(order)];
    case 'order.refunded':
      return [...refunds(order), ...refundedAsCredit(order), ...differences(order)];
  }
}

/** What an order changed by after money came; before that, nothing is booked that it could change. */
function edits({ key, paidAt, payments: [first], edits: all = [] }: OrderFacts): Unbooked[] {
  const since = first?.paidAt ?? paidAt;
  return all
    .filter(({ editedAt }) => since !== undefined && editedAt > since)
    .map(({ key: editKey, value }) => {
      const what = `the order's total changed by ${value.withCurrency()} with edit ${editKey.split('/').at(-1)}`;
      const amount = value.isNegative ? value.negated() : value;
      return {
        businessKey: key,
        event: 'order.edited',
        code: 'edit-not-booked',
        ...noRule(what, 'edits'),
        value: amount,
      };
    });
}

function refunds({ key, refunds: all }: OrderFacts): Unbooked[] {
  return all.filter(({ storeCredit }) => !storeCredit).map((refund) => unbookedRefund(key, refund));
}

/** @param orderKey the business key of the order that the money was paid for */
export function unbookedRefund(
  orderKey: string,
  { key, value }: Pick<RefundFacts, 'key' | 'value'>,
): Unbooked {
  const what = `${value.withCurrency()} went back to the customer by refund ${key.split('/').at(-1)}`;
  return {
    ...{ businessKey: orderKey, event: 'order.refunded', code: 'refund-not-booked', value },
    ...noRule(what, 'refunds'),
  };
}

/** What a rule cannot book as money, whatever it does with the event. */
function paidByCredit({ key, payment }: OrderFacts): Unbooked[] {
  if (!payment?.storeCredit) return [];
  const { key: paymentKey, value } = payment;
  // Two cards may pay the same amount.
  const detail = `${value.withCurrency()} were paid with a gift card, store credit or points by payment ${paymentKey.split('/').at(-1)}, which no account received: settle what is open by hand`;
  return [{ businessKey: key, code: 'store-credit-not-booked', detail, value }];
}

function refundedAsCredit({ key, refunds }: OrderFacts): Unbooked[] {
  return refunds
    .filter(({ storeCredit }) => storeCredit)
    .map(({ key: refundKey, value }) => {
      const detail = `${value.withCurrency()} were given back as a gift card or store credit by refund ${refundKey.split('/').at(-1)}: no money left an account`;
      return { businessKey: key, code: 'store-credit-not-booked', detail, value };
    });
}

function unbookedDispute({ key, orderKey = key, value, state, test }: DisputeFacts): Unbooked[] {
  if (test) return [];
  const id = key.split('/').at(-1);
  const said = noRule(
    `${value.withCurrency()} were taken back by dispute ${id}, which is ${state}`,
    'disputes',
  );
  return [{ businessKey: orderKey, event: 'payment.disputed', code: 'dispute-not-booked', ...said, value }];
}

function unbookedPayout(payout: PayoutFacts): Unbooked[] {
  const { key, gateway, value, test } = payout;
  if (test) return [];
  const detail = `${value.withCurrency()} were paid out by ${gateway || 'a gateway'}; no rule listens to payouts`;
  const differs = payoutDifference(payout);
  return [
    { businessKey: key, event: 'payout.paid', code: 'payout-not-booked', detail, value, byListening: true },
    ...(differs ? [{ businessKey: key, code: 'payout-differs', detail: differs, value } as const] : []),
  ];
}

/** What the acquirer keeps may be said here for the first time; the rest was paid before. */
function unbookedSettlement(settlement: SettlementFacts): Unbooked[] {
  const { key, orderKey = key, number, of, value, fee, feeAnnounced = false, test } = settlement;
  if (test) return [];
  const kept = fee ? `, of which ${fee.withCurrency()} were kept` : '';
  const said = noRule(
    `${value.withCurrency()} were settled, instalment ${number} of ${of}${kept}`,
    'settlements',
  );
  return [
    {
      ...{ businessKey: orderKey, event: 'payment.settled', code: 'settlement-not-booked', ...said, value },
      ...((!fee || feeAnnounced) && { bookedWith: 'order.paid' }),
    },
  ];
}

function unbookedFee({ key, id, value, returned = false, test }: FeeFacts): Unbooked[] {
  if (test) return [];
  const way = returned ? 'were given back of' : 'were kept with';
  const said = noRule(`${value.withCurrency()} ${way} fee ${id}`, 'fees');
  return [{ businessKey: key, event: 'fee.charged', code: 'fee-not-booked', ...said, value }];
}

function unbookedBill({ key, value, test }: BillFacts): Unbooked[] {
  if (test) return [];
  const said = noRule(`${value.withCurrency()} were paid for bill ${key.split('/').at(-1)}`, 'bills');
  return [{ businessKey: key, event: 'bill.paid', code: 'bill-not-booked', ...said, value }];
}

/** Whether all of an order went back, so that nothing has to be asked about its cancellation any more. */
export function isRefundedWhole(order: OrderFacts): boolean {
  return order.refunds.length > 0 && notRefunded(order) <= 0n;
}

/** What a message says is left of a cancelled order since a part of it went back, whatever the message is about. */
export function leftOfCancelled(order: OrderFacts): Unbooked[] {
  return order.cancelledAt === undefined || order.refunds.length === 0 ? [] : cancellation(order);
}

/** In cents. */
function notRefunded({ total, refunds, edits = [] }: OrderFacts): bigint {
  return sumOf([{ value: total }, ...edits]) - sumOf(refunds);
}

/** What was paid and did not go back by a refund, which is told for itself. */
function cancellation(order: OrderFacts): Unbooked[] {
  const { key, total, paidAt } = order;
  const left = notRefunded(order);
  if (paidAt === undefined || left <= 0n) return [];
  const kept = Money.ofMinor(left, total.currency);
  const what = `${kept.withCurrency()} of the cancelled order were paid and not refunded`;
  return [
    {
      ...{ businessKey: key, event: 'order.cancelled', code: 'cancellation-not-booked', value: kept },
      ...noRule(what, 'cancellations'),
      isRest: true,
    },
  ];
}

/** With the order's total, whatever it is about. */
function differences(order: OrderFacts): Unbooked[] {
  const { key, total, differences: sentences } = order;
  return [...sentences, ...refundedTooMuch(order)].map((detail) => {
    return { businessKey: key, code: 'order-differs', detail, value: total };
  });
}

/**
 * A sentence where more went back than there was. A shop's staff may refund a sale twice, and each refund is posted as the shop
 * says it. Payments may come to less than the order where a payload does not tell all of them: then the order counts.
 */
function refundedTooMuch({ total, payments, refunds, edits = [] }: OrderFacts): string[] {
  const back = sumOf(refunds);
  const ordered = sumOf([{ value: total }, ...edits]);
  const paid = sumOf(payments);
  if (back <= ordered || back <= paid) return [];
  const { currency } = total;
  const sum = (minor: bigint): string => `${amountText(minor, currency)} ${currency}`;
  return [
    `The refunds come to ${sum(back)}, but the order to ${sum(ordered)} and its payments to ${sum(paid)}.`,
  ];
}

/** In cents, and not as money, which would refuse a sum that is out of range on the way only. */
function sumOf(parts: readonly { value: Money }[]): bigint {
  return parts.reduce((sum, { value }) => sum + value.minor, 0n);
}
