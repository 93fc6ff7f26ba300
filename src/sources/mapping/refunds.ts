import type { RefundFacts } from '../../events/event';
import { formatMinor, Money } from '../../kernel/money';

/**
 * A sentence about refunds of an order that nothing in its payload calls paid: money cannot go back that never came.
 * @param refunds all in one currency
 */
export function refundDifferences(refunds: readonly RefundFacts[], isPaid: boolean): string[] {
  const currency = refunds[0]?.value.currency;
  if (isPaid || currency === undefined) return [];
  const minor = refunds.reduce((sum, refund) => sum + refund.value.minor, 0n);
  const text = formatMinor(minor, Money.exponentOf(currency));
  return [`${text} ${currency} went back, but nothing says that the order was paid in full.`];
}
