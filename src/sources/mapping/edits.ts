import type { EditFacts, OrderFacts } from '../../events/event';
import type { Money } from '../../kernel/money';

/**
 * What an order comes to before its edits, and those edits. One that came to nothing when it was made is booked from the edit
 * that made something of it: that edit is its total, because nothing of it was owed before.
 * @param edits the earliest first
 */
export function sinceOwed(
  total: Money,
  edits: readonly EditFacts[],
): Pick<OrderFacts, 'total'> & { edits: EditFacts[] } {
  const [first, ...others] = edits;
  if (!total.isZero || !first || first.value.isNegative) return { total, edits: [...edits] };
  return { total: first.value, edits: others };
}
