const PLAIN = /^[\w.-]+$/;

/**
 * Identifiers, numbers, dates and labels as the text of a PostgreSQL array: none of them needs the quoting that the
 * driver gives every element. Nothing becomes NULL.
 * @throws Error for anything else: it could be read as more than one element
 */
export function plainArray(
  values: readonly (string | number | bigint | boolean | null | undefined)[],
): string {
  return `{${values.map(plain).join()}}`;
}

function plain(value: string | number | bigint | boolean | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return String(value);
  if (!PLAIN.test(value) || (value.length === 4 && /null/i.test(value)))
    throw new Error('not a plain element of an array');
  return value;
}

const NEEDS_ESCAPE = /["\\]/;

/**
 * Texts as the text of a PostgreSQL array, all of them quoted: what the driver makes of them, with less work. Nothing
 * becomes NULL.
 */
export function textArray(values: readonly (string | null | undefined)[]): string {
  return `{${values.map(quoted).join()}}`;
}

function quoted(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
