import { CalendarDate, CalendarDateError } from '../kernel/calendar-date';
import type { Money } from '../kernel/money';
import type { CanonicalEvent, DisputeFacts, OrderFacts } from './event';
import type { Unbooked } from './unbooked';

/** By how much a date may be ahead of the webhook: clocks and zones differ, and a bank's next working day may be days away. */
const MOST_AHEAD_MS = 7 * 86_400_000;

/** Money that an event dates. */
interface Dated {
  /** What it is, for a person. */
  readonly what: string;
  /** Business key of what the item is about. */
  readonly businessKey: string;
  readonly value: Money;
  readonly at: Date;
}

/**
 * What a person must look at because it is dated more than a week after its webhook came: it is posted on the day that the
 * message says, and is in no balance before that day. What is planned for later by its nature (due dates, instalments that
 * an acquirer will pay) is no such date.
 * @param receivedAt when the webhook came
 * @param timeZone IANA name, of the organization: the day is shown in it
 */
export function datedAhead(event: CanonicalEvent, receivedAt: Date, timeZone: string): Unbooked[] {
  const latest = receivedAt.getTime() + MOST_AHEAD_MS;
  return datedMoneyOf(event)
    .filter(({ at }) => at.getTime() > latest)
    .map(({ what, businessKey, value, at }) => {
      const detail = `${what} of ${value.withCurrency()} is dated ${dayOf(at, timeZone)}, more than a week after its webhook came: it is in no balance before that day`;
      return { businessKey, code: 'dated-ahead', detail, value };
    });
}

function datedMoneyOf(event: CanonicalEvent): Dated[] {
  switch (event.type) {
    case 'customer.updated':
    case 'order.created':
    case 'order.pending':
    case 'order.expired':
    case 'order.edited':
    case 'order.cancelled':
      return [];
    case 'order.paid':
      return paymentOf(event.order);
    case 'order.refunded':
      return refundsOf(event.order);
    case 'payment.settled': {
      const { key, orderKey = key, number, of, value, settledAt: at, test } = event.settlement;
      return test ? [] : [{ what: `Instalment ${number} of ${of}`, businessKey: orderKey, value, at }];
    }
    case 'payout.paid': {
      const { key, id, value, paidAt: at, test } = event.payout;
      return test ? [] : [{ what: `Payout ${id}`, businessKey: key, value, at }];
    }
    case 'payment.disputed':
      return disputeOf(event.dispute);
    case 'fee.charged': {
      const { key, id, value, chargedAt: at, test } = event.fee;
      return test ? [] : [{ what: `Fee ${id}`, businessKey: key, value, at }];
    }
    case 'bill.paid': {
      const { key, id, value, paidAt: at, test } = event.bill;
      return test ? [] : [{ what: `The payment for bill ${id}`, businessKey: key, value, at }];
    }
  }
}

function paymentOf({ key, payment, test }: OrderFacts): Dated[] {
  if (!payment || payment.storeCredit || test) return [];
  const { key: paymentKey, value, paidAt: at } = payment;
  return [{ what: `Payment ${lastPart(paymentKey)}`, businessKey: key, value, at }];
}

function refundsOf({ key, refunds, test }: OrderFacts): Dated[] {
  if (test) return [];
  return refunds
    .filter(({ storeCredit }) => !storeCredit)
    .map(({ key: refundKey, value, refundedAt: at }) => {
      return { what: `Refund ${lastPart(refundKey)}`, businessKey: key, value, at };
    });
}

function disputeOf({ key, id, orderKey = key, value, openedAt, closedAt, test }: DisputeFacts): Dated[] {
  if (test) return [];
  const at = closedAt && closedAt > openedAt ? closedAt : openedAt;
  return [{ what: `Dispute ${id}`, businessKey: orderKey, value, at }];
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** `YYYY-MM-DD`. A message may name an instant whose day is in no year of four digits. */
function dayOf(at: Date, timeZone: string): string {
  try {
    return CalendarDate.fromInstant(at, timeZone).toString();
  } catch (error) {
    if (error instanceof CalendarDateError) return 'after the year 9999';
    throw error;
  }
}
