/** The headers of a message: Tiny signs nothing, and shows the secret at the end of the address. */
export function headersOfTiny(): Record<string, string> {
  return { 'content-type': 'application/json' };
}
