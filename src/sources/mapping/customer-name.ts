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
