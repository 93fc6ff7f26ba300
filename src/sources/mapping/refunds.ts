import type { RefundFacts } from '../../events/event';
import { shown, sumOfValues } from './sums';

/**
 * A sentence about refunds of an order that nothing in its payload calls paid: money cannot go back that never came.
 * @param refunds all in one currency
 */
export function refundDifferences(refunds: readonly RefundFacts[], isPaid: boolean): string[] {
  const currency = refunds[0]?.value.currency;
  if (isPaid || currency === undefined) return [];
  return [
    `${shown(sumOfValues(refunds), currency)} went back, but nothing says that the order was paid in full.`,
  ];
}
