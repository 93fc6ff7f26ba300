import { MOST_PAYMENTS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import { type AwaitedCharge, byTime } from '../mapping/order-events';
import { sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import { dayOf, instantOf } from './dates';

/** One transaction of an order that brought money, whether or not it went back since. */
export interface Capture {
  /** Business key of the payment that it is. */
  readonly key: string;
  readonly transaction: Payload;
  readonly value: Money;
  /** When the money was taken; absent: Yampi does not say. */
  readonly at: Date | undefined;
}

/** Statuses of a transaction whose money went back, or was never kept. */
const BACK = ['cancelled', 'canceled', 'refunded'];
/** What Yampi says of a way to pay, and what Ponte's tables call that way. */
const METHODS = [
  ['is_credit_card', 'credit_card'],
  ['is_billet', 'boleto'],
  ['is_pix', 'pix'],
  ['is_pix_in_installments', 'pix'],
  ['is_deposit', 'deposit'],
  ['is_wallet', 'wallet'],
] as const;
/** The alias of a boleto. That of a Pix is Ponte's own word, and a card's is its brand. */
const BOLETO = 'billet';

/** All attempts to pay an order, as Yampi lists them. */
export function transactionsOf(order: Payload): readonly Payload[] {
  return order.at('transactions').items('data', MOST_PAYMENTS);
}

/**
 * The transactions that brought money, the earliest first. The first one is known as the order's one payment, so that the
 * charge it was paid by, and a webhook that lists no transactions, speak of the same.
 * @throws UnreadablePayload
 */
export function capturesOf(order: Payload, orderKey: string, total: Money, zone: string): Capture[] {
  const never = new Date(8.64e15);
  const captured = byTime(transactionsOf(order).filter(isCaptured), (one) => capturedAt(one, zone) ?? never);
  const amounts = amountsOf(captured, total);
  return captured.map((transaction, index) => ({
    key:
      index === 0
        ? fullPaymentKey(orderKey)
        : paymentKey(orderKey, transaction.identifier('id') ?? transaction.missing('id')),
    transaction,
    value: amounts[index] ?? total,
    at: capturedAt(transaction, zone),
  }));
}

/** Whether the money of a transaction that brought some went back. */
export function wentBack(transaction: Payload): boolean {
  return (
    transaction.flag('cancelled') ||
    transaction.has('cancelled_at') ||
    BACK.includes(transaction.text('status') ?? '')
  );
}

/** The number of the affiliation (afiliação): the only name that Yampi gives a gateway. Empty when there is none. */
export function gatewayOf(transaction: Payload | undefined): string {
  return transaction?.text('affiliation_id') ?? '';
}

/** How it is paid: `credit_card`, `boleto`, `pix`, `deposit` or `wallet`, else the word that Yampi has for it. */
export function methodOf(transaction: Payload | undefined, order: Payload): string {
  const payment = transaction?.at('payment').at('data');
  const known = METHODS.find(([flag]) => payment?.flag(flag));
  const [listed] = order.items('payments', MOST_PAYMENTS);
  const alias = payment?.text('alias') ?? listed?.text('alias') ?? '';
  return known?.[1] ?? (alias === BOLETO ? 'boleto' : alias);
}

/** The card's brand, which Yampi has as the alias of the way to pay; undefined when no card paid. */
export function brandOf(transaction: Payload): string | undefined {
  const payment = transaction.at('payment').at('data');
  return payment.flag('is_credit_card') ? payment.text('alias') : undefined;
}

function isCaptured(transaction: Payload): boolean {
  return (
    transaction.flag('captured') || transaction.has('captured_at') || transaction.text('status') === 'paid'
  );
}

function capturedAt(transaction: Payload, zone: string): Date | undefined {
  return instantOf(transaction, 'captured_at', zone);
}

/** `buyer_amount` where only those come to the total: it has the interest that the buyer pays, and `amount` may not. */
function amountsOf(captured: readonly Payload[], total: Money): Money[] {
  const { currency } = total;
  const amounts = captured.map((one) => one.amount('amount', currency) ?? one.missing('amount'));
  if (sumOf(amounts.map(({ minor }) => minor)) === total.minor) return amounts;
  const charged = captured.flatMap((one) => one.amount('buyer_amount', currency) ?? []);
  return charged.length === captured.length && sumOf(charged.map(({ minor }) => minor)) === total.minor
    ? charged
    : amounts;
}

/** Ways to pay that are paid after the order is placed. */
const PAID_LATER = ['boleto', 'pix', 'deposit'];

/** The boleto, Pix or deposit that an order waits for; undefined where it waits for nothing, or for a card's acquirer. */
export function awaitedCharge(
  order: Payload,
  orderKey: string,
  total: Money,
  createdAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const transaction = transactionsOf(order).findLast((one) => !one.flag('cancelled'));
  const method = methodOf(transaction, order);
  if (!PAID_LATER.includes(method) || !total.isPositive) return undefined;
  const pix = pixOf(order, transaction);
  return {
    charge: defined({
      ...{ key: fullPaymentKey(orderKey), gateway: gatewayOf(transaction), method, value: total },
      dueDate: transaction && dayOf(transaction, 'billet_date', zone),
      expiresAt: pix && instantOf(pix, 'pix_expiration_date', zone),
      line: transaction?.text('billet_barcode') ?? pix?.text('pix_qr_code'),
    }),
    at: (transaction && instantOf(transaction, 'created_at', zone)) ?? createdAt,
    expired: false,
  };
}

/** Where the text of a Pix is: at the transaction, or at the order; both hold an empty list where there is none. */
function pixOf(order: Payload, transaction: Payload | undefined): Payload | undefined {
  const places = [transaction?.loosely('metadata').loosely('data'), order.loosely('pix').loosely('data')];
  return places.find((place) => place?.has('pix_qr_code') || place?.has('pix_expiration_date'));
}
