import { MOST_PAYMENTS, MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import { byTime, earliest, type PaymentDate } from '../mapping/order-events';
import { Payload } from '../payload';
import type { FetchedAnswer } from '../source';

/** A movement of money of an order that brought some, whether or not it went back since. */
export interface Capture {
  readonly transaction: Payload;
  /** Business key of the payment that it is. */
  readonly key: string;
  /** The last part of the key, in which its refunds are told apart from those of another payment. */
  readonly name: string;
  readonly value: Money;
  readonly date: PaymentDate;
}

/** Events of a transaction that take money. */
const TAKING = ['sale', 'capture'];

/**
 * The transactions of an order, as Nuvemshop answered; undefined where the app may not read them.
 * @throws UnreadablePayload
 */
export function transactionsIn(answer: FetchedAnswer | undefined): readonly Payload[] | undefined {
  if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined;
  // The answer is a list, and a payload begins with an object.
  const wrapped = Buffer.concat([Buffer.from('{"transactions":'), answer.body, Buffer.from('}')]);
  return Payload.parse(wrapped).items('transactions', MOST_PAYMENTS);
}

/** A sum of money that has its currency with it; undefined when absent. @throws UnreadablePayload, also in another currency */
export function amountIn(place: Payload, key: string, currency: string): Money | undefined {
  const money = place.at(key);
  if (!money.has('value')) return undefined;
  if ((money.currency('currency') ?? currency) !== currency)
    return money.fail('currency', `is not ${currency}, as the order is`);
  return money.amount('value', currency);
}

/** What happened to a transaction and succeeded, the first first. */
export function succeeded(transaction: Payload, types: readonly string[], zone: string): Payload[] {
  const events = transaction
    .items('events', MOST_REFUNDS)
    .filter((event) => event.text('status') === 'success' && types.includes(event.text('type') ?? ''));
  return byTime(events, (event) => event.instant('created_at', zone) ?? new Date(0));
}

/**
 * The transactions that brought money, the earliest first. The first is known as the order's one payment, so that the
 * charge it was paid by, and an order whose transactions nobody may read, speak of the same.
 * @throws UnreadablePayload
 */
export function capturesOf(
  order: Payload,
  transactions: readonly Payload[],
  orderKey: string,
  currency: string,
  zone: string,
): Capture[] {
  const taken = transactions.flatMap((transaction) => {
    const value = amountIn(transaction, 'captured_amount', currency);
    if (value === undefined || !value.isPositive) return [];
    const id = transaction.identifier('id') ?? transaction.missing('id');
    return [{ transaction, id, value, date: dateOf(order, transaction, zone) }];
  });
  if (new Set(taken.map(({ id }) => id)).size < taken.length)
    taken[0]?.transaction.fail('id', 'is of two transactions');
  return byTime(taken, ({ date }) => date.paidAt).map(({ id, ...capture }, index) => ({
    ...capture,
    ...(index === 0
      ? { name: 'paid', key: fullPaymentKey(orderKey) }
      : { name: id, key: paymentKey(orderKey, id) }),
  }));
}

/** By the event that took it, else by the order, else by when the transaction was made. */
function dateOf(order: Payload, transaction: Payload, zone: string): PaymentDate {
  const times = succeeded(transaction, TAKING, zone).map(
    (event) => event.instant('happened_at', zone) ?? event.instant('created_at', zone),
  );
  const paidAt = earliest(times) ?? order.instant('paid_at', zone);
  if (paidAt) return { paidAt };
  return {
    paidAt: transaction.instant('created_at', zone) ?? transaction.missing('created_at'),
    datedBy: 'created_at',
  };
}
