import { Money } from '../kernel/money';
import type { EditFacts, OrderFacts } from './event';

/**
 * By how much less a buyer owes because of an edit: of a decrease, what was not paid yet when it was made. What was paid is
 * given back by a refund.
 * @returns zero for an increase, and for a decrease of what was paid already
 * @throws CurrencyMismatch when the order's amounts are in several currencies
 */
export function unpaidDecrease(
  { total, payments, edits = [] }: OrderFacts,
  { value, editedAt }: EditFacts,
): Money {
  const before = edits.filter((other) => other.editedAt < editedAt);
  const paid = payments.filter(({ paidAt }) => paidAt <= editedAt);
  const cost = before.reduce((sum, other) => sum.plus(other.value), total);
  const owed = paid.reduce((rest, payment) => rest.minus(payment.value), cost);
  const nothing = Money.zero(total.currency);
  if (!owed.isPositive || !value.isNegative) return nothing;
  const decrease = value.negated();
  return decrease.compare(owed) < 0 ? decrease : owed;
}
