import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';

/** Whether an amount can be posted in these books. */
export function canBePosted(value: Money, { currency }: Organization): boolean {
  return value.currency === currency && value.isPositive;
}

/** Why an amount cannot be posted in these books; undefined when it can. */
export function amountProblem(what: string, value: Money, organization: Organization): string | undefined {
  if (canBePosted(value, organization)) return undefined;
  const { currency } = organization;
  return value.currency === currency
    ? `${what} is ${value.toString()}; it must be above zero`
    : `${what} is in ${value.currency}, but the books are kept in ${currency}`;
}
