/** Omie shows nothing but the address that it was given. */
export function headersOfOmie(): Record<string, string> {
  return { 'content-type': 'application/json' };
}
