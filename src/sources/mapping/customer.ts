import type { CustomerFacts } from '../../events/event';
import { definedOnly } from './defined';

/** What is known of a customer besides the key and the name; what is undefined is left out. */
type Known = { [K in Exclude<keyof CustomerFacts, 'key' | 'name'>]?: CustomerFacts[K] | undefined };

/** A customer, called by the first of these names that there is. */
export function customerFacts(
  key: string,
  names: readonly (string | undefined)[],
  known: Known,
): CustomerFacts {
  return { key, name: customerName(names, known.email), ...definedOnly(known) };
}

/**
 * What to call a customer: the first name that is not blank, else the part of the e-mail before the `@`,
 * else `Guest`.
 */
export function customerName(names: readonly (string | undefined)[], email: string | undefined): string {
  return names.find((name) => name !== undefined && name !== '') ?? (email?.split('@')[0]?.trim() || 'Guest');
}

/** First and last name as one; undefined when both are missing. */
export function fullName(first: string | undefined, last: string | undefined): string | undefined {
  return [first, last].filter((part) => part !== undefined).join(' ') || undefined;
}
