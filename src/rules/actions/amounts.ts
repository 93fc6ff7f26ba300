import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';

/** Why an amount cannot be posted in these books; undefined when it can. */
export function amountProblem(what: string, value: Money, { currency }: Organization): string | undefined {
  if (value.currency !== currency) {
    return `${what} is in ${value.currency}, but the books are kept in ${currency}`;
  }
  return value.isPositive ? undefined : `${what} is ${value.toString()}; it must be above zero`;
}
