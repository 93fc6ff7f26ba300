const PLAIN = /^[\w.-]+$/;

/**
 * Labels of enums, identifiers, numbers and dates as the text of a PostgreSQL array: none of them needs the quoting that the
 * driver gives every element. Nothing becomes NULL. Where there are many of them, all but labels go faster as `uuidArray` and
 * its like.
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
