import type { PaymentTerm } from '../../events/event';
import { MOST_TERMS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { sumDifference } from '../mapping/lines';
import { termsOf } from '../mapping/terms';
import type { Payload } from '../payload';
import { amountOf } from './amounts';

/**
 * What was agreed on when the order is to be paid.
 * @param total that the terms have to come to
 * @param differences gets a sentence where they do not: then they are left out
 * @throws UnreadablePayload
 */
export function readTerms(
  order: Payload,
  total: Money,
  timeZone: string,
  differences: string[],
): PaymentTerm[] | undefined {
  const terms = order.items('terms', MOST_TERMS).map((term) => {
    const value = amountOf(term, 'value', total.currency) ?? term.missing('value');
    if (value.isZero) term.fail('value', 'is zero');
    return { value, dueDate: term.day('dueDate', timeZone) ?? term.missing('dueDate') };
  });
  const minor = terms.map(({ value }) => value.minor);
  differences.push(...sumDifference('The terms come to', minor, total));
  return termsOf(total, terms);
}
