/** What payments are called that came to no account of which Omie says the number. */
const GATEWAY = 'omie';
/** The one currency that Omie has. */
export const CURRENCY = 'BRL';

/** The account that money came to, as the table of accounts may name it. @param account Omie's number of it */
export function gatewayOf(account?: string): string {
  return account === undefined ? GATEWAY : `${GATEWAY}-${account}`;
}
