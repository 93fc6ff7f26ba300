import type { PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import { byTime, type PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';
import { instantOf } from './dates';
import type { StatusFacts } from './status';
import { capturesOf, offlineOf, type Transaction } from './transactions';

/** An order as its payments are read from it. */
export interface Reading {
  readonly order: Payload;
  /** Its business key. */
  readonly key: string;
  readonly total: Money;
  readonly status: StatusFacts;
  readonly transactions: readonly Transaction[];
  /** Something went back, so that something was paid. */
  readonly wentBack: boolean;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/** What is paid of an order. */
export interface Paid {
  /** The earliest first; none while nothing is. */
  readonly payments: PaymentFacts[];
  /** Something was paid, and nothing says how much of the total is money besides store credit. */
  readonly isUnclear: boolean;
}

/** Parts of an order that are no money, and what BigCommerce's gateways of them are called. */
const CREDITS = [
  { field: 'store_credit_amount', gateway: 'storecredit', method: 'store_credit', id: 'store-credit' },
  {
    field: 'gift_certificate_amount',
    gateway: 'giftcertificate',
    method: 'gift_certificate',
    id: 'gift-certificate',
  },
] as const;

/**
 * One payment for each transaction by which a gateway took money, and one for each kind of store credit. The first of money
 * has the same key as that of an order whose gateway makes no transactions, or whose transaction is not there yet.
 * @throws UnreadablePayload
 */
export function paidOf(reading: Reading): Paid {
  const captures = capturesOf(reading.transactions);
  const isPaid = captures.length > 0 || reading.status.saysPaid || reading.wentBack;
  if (!isPaid) return { payments: [], isUnclear: false };
  const money =
    captures.length > 0 ? captures.map((one, index) => captured(one, index, reading)) : untold(reading);
  if (money === undefined) return { payments: [], isUnclear: true };
  const date = money[0] ? dateOf(money[0]) : datedByOrder(reading);
  const payments = [...creditsOf(reading, date), ...money];
  return { payments: byTime(payments, ({ paidAt }) => paidAt), isUnclear: false };
}

/** What would be paid in money, and how, while nothing is paid; undefined where nothing says how much. */
export function owedOf(reading: Reading): Omit<PaymentFacts, 'paidAt'> | undefined {
  const value = moneyOfOrder(reading);
  if (!value?.isPositive) return undefined;
  return { key: fullPaymentKey(reading.key), ...namesOf(reading), value };
}

/** All that was paid with store credit or gift certificates, in minor units. @throws UnreadablePayload */
function creditOf({ order, total: { currency } }: Reading): bigint {
  return CREDITS.reduce((sum, { field }) => sum + (order.amount(field, currency)?.minor ?? 0n), 0n);
}

function creditsOf({ order, key, total }: Reading, date: PaymentDate): PaymentFacts[] {
  return CREDITS.flatMap(({ field, id, gateway, method }) => {
    const value = order.amount(field, total.currency);
    if (!value?.isPositive) return [];
    return [{ key: paymentKey(key, id), gateway, method, value, storeCredit: true, ...date }];
  });
}

/** The one payment of an order whose gateway tells no transactions; none where credit paid all of it. */
function untold(reading: Reading): PaymentFacts[] | undefined {
  if (creditOf(reading) > 0n && creditOf(reading) === reading.total.minor) return [];
  const value = moneyOfOrder(reading);
  if (value === undefined) return undefined;
  return [{ key: fullPaymentKey(reading.key), ...namesOf(reading), value, ...datedByOrder(reading) }];
}

/** The total, or the part of it that is no store credit where a transaction says how much that is. */
function moneyOfOrder(reading: Reading): Money | undefined {
  if (creditOf(reading) === 0n) return reading.total;
  return offlineOf(reading.transactions)?.value;
}

/** The gateway and method of an order without captured transactions; its way to pay stands for a gateway that is not told. */
function namesOf({ order, transactions }: Reading): Pick<PaymentFacts, 'gateway' | 'method'> {
  const method = order.text('payment_method') ?? '';
  const known = offlineOf(transactions) ?? transactions.findLast(({ event }) => event === 'pending');
  return { gateway: known?.gateway || method, method };
}

/** Methods by which BigCommerce says how it spoke to the gateway, and not how the buyer paid. */
const TECHNICAL = ['token', 'nonce', 'bigpay_token', 'apple_pay_token', 'offsite'];

/** How the buyer paid: as the transaction says, else in the shop's words. */
function methodOf(method: string, order: Payload): string {
  const named = order.text('payment_method') ?? '';
  return method === '' || (TECHNICAL.includes(method) && named !== '') ? named : method;
}

function captured(transaction: Transaction, index: number, { key, order }: Reading): PaymentFacts {
  const { place, id, gateway, method, value, at } = transaction;
  const brand = place.loosely('credit_card').textIfAny('card_type');
  return defined({
    key: index === 0 ? fullPaymentKey(key) : paymentKey(key, id),
    gateway,
    method: brand === undefined ? methodOf(method, order) : 'credit_card',
    brand,
    value,
    paidAt: at,
  });
}

function dateOf({ paidAt, datedBy }: PaymentFacts): PaymentDate {
  return defined({ paidAt, datedBy });
}

/** An order that is paid outside of the shop is paid at its last change, as far as anybody can say; others when made. */
function datedByOrder({ status, createdAt, changedAt }: Reading): PaymentDate {
  return status.isOffline
    ? { paidAt: changedAt, datedBy: 'its last change' }
    : { paidAt: createdAt, datedBy: 'date_created' };
}

/** When the order was made and last changed. @throws UnreadablePayload */
export function timesOf(order: Payload, zone: string): { createdAt: Date; updatedAt: Date | undefined } {
  const createdAt = instantOf(order, 'date_created', zone) ?? order.missing('date_created');
  return { createdAt, updatedAt: instantOf(order, 'date_modified', zone) };
}
