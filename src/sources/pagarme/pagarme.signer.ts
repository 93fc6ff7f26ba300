/** The headers of a message: Pagar.me signs nothing, and shows the secret at the end of the address. */
export function headersOfPagarme(): Record<string, string> {
  return { 'content-type': 'application/json' };
}
