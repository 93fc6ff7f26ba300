import type { PaymentTerm } from '../../events/event';
import { MOST_TERMS } from '../../events/limits';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';

/** A part of an order as a payload has it; without a day it is not known when it is due. */
export interface WrittenTerm {
  readonly value: Money;
  readonly dueDate?: CalendarDate | undefined;
}

/**
 * What was agreed on when an order is to be paid, the earliest first.
 * @returns undefined where the parts do not come to the total to the cent, or one has no day or no value: then nothing can be
 *   posted by them
 */
export function termsOf(total: Money, parts: readonly WrittenTerm[]): PaymentTerm[] | undefined {
  if (parts.length === 0 || parts.length > MOST_TERMS) return undefined;
  const terms = parts.flatMap(({ value, dueDate }): PaymentTerm[] =>
    dueDate === undefined || !value.isPositive ? [] : [{ value, dueDate }],
  );
  const sum = terms.reduce((minor, { value }) => minor + value.minor, 0n);
  if (terms.length < parts.length || sum !== total.minor) return undefined;
  return terms.sort((left, right) => left.dueDate.compare(right.dueDate));
}
