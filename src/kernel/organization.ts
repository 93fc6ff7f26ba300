/** One company whose books Ponte keeps or feeds. Everything stored belongs to exactly one. */
export interface Organization {
  /** UUID */
  readonly id: string;
  /** Short name used in addresses: lower-case letters, digits, hyphens. */
  readonly slug: string;
  readonly name: string;
  /** IANA name, for example `America/Sao_Paulo`: where "today" and due dates are reckoned. */
  readonly timeZone: string;
  /** ISO 4217 code: the currency its books are kept in. */
  readonly currency: string;
}
