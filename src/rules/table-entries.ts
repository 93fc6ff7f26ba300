import { hasUnprintable } from '../kernel/text';
/** A table's name is written after `tables.` in expressions. */
const TABLE_NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;
export const TABLE_NAME_MESSAGE =
  "a table's name begins with a lower-case letter and goes on with letters, digits and _";

const MAX_TEXT = 500;

/** Whether a lookup table can have this name. */
export function isTableName(text: string): boolean {
  return TABLE_NAME.test(text);
}

/** Why a table cannot have this entry, as a sentence; undefined when it can. */
export function entryProblem(key: string, value: string): string | undefined {
  if (key.length > MAX_TEXT) return `a key has at most ${MAX_TEXT} characters`;
  // It would be lost where JSON becomes objects.
  if (key === '__proto__') return 'no key can be called "__proto__"';
  if (hasUnprintable(key)) return 'the key holds a character that cannot be printed';
  if (value === '') return `the entry "${key}" is empty`;
  if (value.length > MAX_TEXT) return `a value has at most ${MAX_TEXT} characters`;
  return hasUnprintable(value) ? 'a value holds a character that cannot be printed' : undefined;
}
