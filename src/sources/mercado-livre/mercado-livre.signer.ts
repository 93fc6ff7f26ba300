/** The headers of a message: Mercado Livre signs nothing, and shows the secret at the end of the address. */
export function headersOfMercadoLivre(): Record<string, string> {
  return { 'content-type': 'application/json' };
}
