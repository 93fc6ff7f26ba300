import { Money } from '../../kernel/money';
import { moneyOr } from '../mapping/sums';
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
    return moneyOr(sum.minor + amount.minor, currency, (error) =>
      transaction.fail('amount', `cannot be added up: ${error.message}`),
    );
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
