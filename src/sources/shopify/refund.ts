import type { RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import { definedOnly } from '../mapping/defined';
import { storeCreditOf } from '../mapping/store-credit';
import { latest } from '../mapping/order-events';
import { refundKey } from '../mapping/keys';
import { Money, MoneyError } from '../../kernel/money';
import type { Payload } from '../payload';

/** Successful transactions of one of the kinds, such as `sale` or `refund`. */
export function successful(payload: Payload, kinds: readonly string[]): Payload[] {
  return payload
    .items('transactions')
    .filter(
      (transaction) =>
        transaction.word('status') === 'success' && kinds.includes(transaction.word('kind') ?? ''),
    );
}

/**
 * What transactions move together.
 * @throws UnreadablePayload when one is in another currency: there is no rate to convert it by
 */
export function sumOf(transactions: readonly Payload[], currency: string): Money {
  return transactions.reduce((sum, transaction) => {
    const own = transaction.currency('currency') ?? currency;
    if (own !== currency) transaction.fail('currency', `is ${own}, but the order is in ${currency}`);
    const amount = transaction.amount('amount', currency) ?? transaction.missing('amount');
    try {
      return sum.plus(amount);
    } catch (error) {
      if (error instanceof MoneyError)
        return transaction.fail('amount', `cannot be added up: ${error.message}`);
      throw error;
    }
  }, Money.zero(currency));
}

/**
 * What a refund returned, from its successful refund transactions; undefined while nothing has been.
 * @param fallback the currency of transactions that name none
 */
export function refundValue(refund: Payload, fallback: string): Money | undefined {
  const transactions = successful(refund, ['refund']);
  const currency = transactions[0]?.currency('currency') ?? fallback;
  const value = sumOf(transactions, currency);
  return value.isPositive ? value : undefined;
}

/**
 * An order's refunds that returned money; restocks and refunds still on their way are none.
 * @param paidThrough the gateway of a refund that names none; empty when that is not known either
 */
export function refundsOf(
  order: Payload,
  key: string,
  currency: string,
  timeZone: string,
  paidThrough: string,
): RefundFacts[] {
  return order.items('refunds', MOST_REFUNDS).flatMap((refund) => {
    const transactions = successful(refund, ['refund']);
    const value = sumOf(transactions, currency);
    if (!value.isPositive) return [];
    const refundedAt =
      latest(transactions.map((transaction) => transaction.instant('processed_at', timeZone))) ??
      refund.instant('processed_at', timeZone) ??
      refund.instant('created_at', timeZone) ??
      refund.missing('created_at');
    const gateway = transactions.at(-1)?.text('gateway') ?? (paidThrough || undefined);
    const id = refund.identifier('id') ?? refund.missing('id');
    return [
      { key: refundKey(key, id), value, ...definedOnly({ gateway }), ...storeCreditOf(gateway), refundedAt },
    ];
  });
}
