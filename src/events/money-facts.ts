import type { Money } from '../kernel/money';
import type { BillFacts } from './bill';
import type { CanonicalEvent, DisputeFacts, OrderFacts, PayoutFacts } from './event';
import { LONGEST_GATEWAY, LONGEST_ORDER_NUMBER } from './limits';

/** What can be compared with the books: an order, what a gateway paid out, a chargeback, or a bill that was paid. */
export const COMPARED_KINDS = ['order', 'payout', 'dispute', 'bill'] as const;

export type ComparedKind = (typeof COMPARED_KINDS)[number];

/** Minor units as decimal text, by business key. */
export type Amounts = Readonly<Record<string, string>>;

/** What the messages about one of them say of its money. No texts but its number, and no names but those of gateways. */
export interface MoneyFacts {
  /** Business key. */
  readonly key: string;
  readonly kind: ComparedKind;
  /** What people call the order, without `#`; null: by its identifier, or it is none. */
  readonly number: string | null;
  /** Business key of the order that a dispute is about; null: it is none, or the source does not say. */
  readonly orderKey: string | null;
  /** When the shop says that it was made; of a payout or bill, when it was paid; of a dispute, when it was opened. */
  readonly madeAt: Date;
  /** When what the message says was so. */
  readonly asOf: Date;
  /** ISO 4217, of every amount here. */
  readonly currency: string;
  /**
   * Minor units as text: the order with what edits added to it; of a payout, what reached the bank; of a dispute, what was taken
   * back; of a bill, what was paid.
   */
  readonly total: string;
  /** Payments of money; gift cards and store credit are none. */
  readonly payments: Amounts;
  /** Refunds of money; of a dispute, what came back of it, under the key of the receipt. */
  readonly refunds: Amounts;
  /** What gateway and marketplace keep, by the key that the rules that come with Ponte book it under. */
  readonly fees: Amounts;
  /** Names of gateways as the shop spells them, by the payment's key; a payment of which the shop says none is left out. */
  readonly gateways: Readonly<Record<string, string>>;
  /** How many instalments the buyer chose, at most. */
  readonly instalments: number;
  readonly test: boolean;
  readonly cancelled: boolean;
}

/** What an event says of money that is compared with the books; undefined: it is about something else. */
export function moneyFactsOf(event: CanonicalEvent): MoneyFacts | undefined {
  if ('order' in event) return ofOrder(event.order, event.occurredAt);
  if ('payout' in event) return ofPayout(event.payout, event.occurredAt);
  if ('dispute' in event) return ofDispute(event.dispute, event.occurredAt);
  if ('bill' in event) return ofBill(event.bill, event.occurredAt);
  return undefined;
}

/**
 * What two messages about the same say together. What the newer one says counts; a payment, refund, fee or gateway that it
 * does not name is taken from the other, for a message may tell of a part alone. Of three messages that give one payment different
 * amounts or gateways, and of which the newest names none, either of the other two may count: payments do not change.
 */
export function togetherWith(one: MoneyFacts, other: MoneyFacts): MoneyFacts {
  const [older, newer] = other.asOf >= one.asOf ? [one, other] : [other, one];
  return {
    ...newer,
    number: newer.number ?? older.number,
    orderKey: newer.orderKey ?? older.orderKey,
    payments: { ...older.payments, ...newer.payments },
    refunds: { ...older.refunds, ...newer.refunds },
    fees: { ...older.fees, ...newer.fees },
    gateways: { ...older.gateways, ...newer.gateways },
    instalments: Math.max(older.instalments, newer.instalments),
  };
}

/** In one pass without lists in between: it is done for every message about an order. */
function ofOrder(order: OrderFacts, occurredAt: Date): MoneyFacts {
  const { key, total, commission } = order;
  const { currency } = total;
  const [payments, refunds, fees]: [AmountsSoFar, AmountsSoFar, AmountsSoFar] = [{}, {}, {}];
  const gateways: Record<string, string> = {};
  let instalments = Math.max(order.instalments, 1);
  for (const payment of order.payments) {
    instalments = Math.max(instalments, payment.instalments ?? 1);
    const gateway = payment.gateway.trim();
    if (gateway !== '' && gateway.length <= LONGEST_GATEWAY) gateways[payment.key] = gateway;
    if (payment.storeCredit) continue;
    add(payments, currency, payment.key, payment.value);
    if (payment.fee) add(fees, currency, `${payment.key}/fee`, payment.fee);
    else
      for (const part of payment.settlements ?? [])
        if (part.fee) add(fees, currency, `${part.key}/fee`, part.fee);
  }
  for (const refund of order.refunds)
    if (!refund.storeCredit) add(refunds, currency, refund.key, refund.value);
  if (commission) add(fees, currency, `${key}/commission`, commission);
  let { minor } = total;
  for (const { value } of order.edits ?? [])
    if (value.isPositive && value.currency === currency) minor += value.minor;
  return {
    key,
    kind: 'order',
    number: numberOf(order),
    orderKey: null,
    madeAt: order.createdAt,
    asOf: order.updatedAt ?? occurredAt,
    currency,
    total: minor.toString(),
    payments,
    refunds,
    fees,
    gateways,
    instalments,
    test: order.test,
    cancelled: order.cancelledAt !== undefined,
  };
}

function ofPayout({ key, value, fee, paidAt, test }: PayoutFacts, occurredAt: Date): MoneyFacts {
  const { currency } = value;
  const fees: AmountsSoFar = {};
  if (fee) add(fees, currency, `${key}/fee`, fee);
  return {
    ...NO_ORDER,
    ...{ key, kind: 'payout', currency, madeAt: paidAt, asOf: occurredAt, total: value.minor.toString() },
    ...{ fees, test },
  };
}

/** A dispute that was won is what was taken, and the same that came back. */
function ofDispute(dispute: DisputeFacts, occurredAt: Date): MoneyFacts {
  const { key, orderKey = null, value, fee, state, openedAt: madeAt, closedAt, test } = dispute;
  const { currency } = value;
  const [fees, refunds]: [AmountsSoFar, AmountsSoFar] = [{}, {}];
  if (fee) add(fees, currency, `${key}/fee`, fee);
  if (state === 'won' && closedAt) add(refunds, currency, `${key}/won`, value);
  return {
    ...NO_ORDER,
    ...{ key, kind: 'dispute', orderKey, currency, madeAt, asOf: occurredAt, total: value.minor.toString() },
    ...{ fees, refunds, test },
  };
}

function ofBill({ key, value, paidAt: madeAt, test }: BillFacts, occurredAt: Date): MoneyFacts {
  const { currency, minor } = value;
  return {
    ...NO_ORDER,
    ...{ key, kind: 'bill', currency, madeAt, asOf: occurredAt, total: minor.toString(), test },
  };
}

/** What only an order has. */
const NO_ORDER = {
  ...{ number: null, orderKey: null, payments: {}, refunds: {}, fees: {}, gateways: {} },
  ...{ instalments: 1, cancelled: false },
} satisfies Partial<MoneyFacts>;

function numberOf({ id, number }: OrderFacts): string | null {
  const bare = bareOrderNumber(number);
  return bare === '' || bare === id || bare.length > LONGEST_ORDER_NUMBER ? null : bare;
}

/** An order's number as it is stored and looked for: shops show `#1001`, people say 1001. */
export function bareOrderNumber(number: string): string {
  return number.trim().replace(/^#/, '');
}

type AmountsSoFar = Record<string, string>;

/** What is in another currency, or nothing, is not compared. */
function add(amounts: AmountsSoFar, currency: string, key: string, { minor, currency: own }: Money): void {
  if (minor !== 0n && own === currency) amounts[key] = minor.toString();
}
