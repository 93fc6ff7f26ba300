import type { PaymentFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import { byTime, type PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';
import { amountOf, type Reading } from './amounts';
import { type Credit, creditPayments } from './credits';

/** `state` of an invoice whose money came. 1 is open, 3 is cancelled. */
const PAID = '2';
const MOST_ENTRIES = 200;

/** How an order is paid: the payment method's code, and what the shop calls it. */
export interface PaymentNames {
  readonly gateway: string;
  readonly method: string;
  readonly brand?: string;
}

/** @throws UnreadablePayload */
export function namesOf(order: Payload): PaymentNames {
  const payment = order.at('payment');
  const gateway = payment.text('method') ?? '';
  const title = order
    .at('extension_attributes')
    .firstItems('payment_additional_info', MOST_ENTRIES)
    .find((entry) => entry.textIfAny('key') === 'method_title')
    ?.textIfAny('value');
  return defined({
    gateway,
    method: title === undefined || title === 'null' ? gateway : title,
    brand: payment.textIfAny('cc_type'),
  });
}

/**
 * One payment for each paid invoice, and one for each kind of credit once an invoice is paid. An invoice is never deleted, so
 * that the first keeps its place: it has the key that an order has whose payment is not invoiced.
 * @throws UnreadablePayload
 */
export function paymentsOf(
  reading: Reading,
  invoices: readonly Payload[],
  credits: readonly Credit[],
): PaymentFacts[] {
  const all = byNumber(invoices);
  const paid = all.filter((invoice) => (invoice.word('state') ?? invoice.missing('state')) === PAID);
  const [first] = paid;
  const money = first
    ? paid.flatMap((invoice) => invoiced(invoice, all[0] === invoice, reading))
    : untold(reading);
  const date = first ? dateOf(first) : money[0] && dateIn(money[0]);
  const spent = date ? creditPayments(credits, reading.key, date) : [];
  return byTime([...spent, ...money], ({ paidAt }) => paidAt);
}

/** Nothing where credit paid all of an invoice. */
function invoiced(invoice: Payload, isFirst: boolean, { order, key, denomination }: Reading): PaymentFacts[] {
  const id = invoice.identifier('entity_id') ?? invoice.missing('entity_id');
  const currency = invoice.currency('order_currency_code');
  if (currency !== undefined && currency !== (order.currency('order_currency_code') ?? currency))
    invoice.fail('order_currency_code', 'is not that of the order');
  const value = amountOf(invoice, 'grand_total', denomination) ?? invoice.missing('grand_total');
  if (!value.isPositive) return [];
  const ownKey = isFirst ? fullPaymentKey(key) : paymentKey(key, id);
  return [{ key: ownKey, ...namesOf(order), value, ...dateOf(invoice) }];
}

/** An order that is paid without an invoice, as modules may have it. */
function untold({ order, key, paid, changedAt }: Reading): PaymentFacts[] {
  if (!paid?.isPositive) return [];
  const date = { paidAt: changedAt, datedBy: 'its last change' };
  return [{ key: fullPaymentKey(key), ...namesOf(order), value: paid, ...date }];
}

/** Nothing says when the money came: an invoice is made when it is taken, or when somebody says that it is there. */
function dateOf(invoice: Payload): PaymentDate {
  const paidAt = invoice.instant('created_at', 'UTC') ?? invoice.missing('created_at');
  return { paidAt, datedBy: 'its invoice' };
}

function dateIn({ paidAt, datedBy }: PaymentFacts): PaymentDate {
  return defined({ paidAt, datedBy });
}

/** By `entity_id`, the lowest first. @throws UnreadablePayload */
export function byNumber(places: readonly Payload[]): Payload[] {
  const numbered = places.map((place) => ({
    place,
    id: BigInt(/^\d{1,18}$/.exec(place.text('entity_id') ?? '')?.[0] ?? place.missing('entity_id')),
  }));
  return numbered
    .toSorted((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0))
    .map(({ place }) => place);
}
