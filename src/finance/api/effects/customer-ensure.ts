import { Problem } from '../../../kernel/problem';
import { isRefused } from '../ports/outcome';
import { readDocument, type TaxDocument } from './tax-document';
import { readInstant, readRequired, readText } from './effect-input';

import type { EffectDeclaration } from './declaration';

const INT32_MAX = 2_147_483_647;

export interface AddressInput {
  line1?: string;
  line2?: string;
  number?: string;
  district?: string;
  city?: string;
  state?: string;
  zipCode?: string;
  country?: string;
}

/** Text fields are trimmed; an absent field is absent, never an empty string. */
export interface CustomerInput {
  name: string;
  /** CPF or CNPJ, checked, without punctuation. */
  document?: string;
  email?: string;
  phone?: string;
  address?: AddressInput;
  /** Which fields of a customer that is there already become what the event says; absent: none. */
  update?: FollowedCustomerField[];
  /** ISO 8601: when it was so; with `update`. What an event of a later instant said stays. */
  asOf?: string;
}

/** What of a customer can follow the shop. */
export const FOLLOWED_CUSTOMER_FIELDS = ['name', 'email', 'phone', 'address'] as const;

export type FollowedCustomerField = (typeof FOLLOWED_CUSTOMER_FIELDS)[number];

/** What of a customer follows an event. */
export interface FollowedCustomer {
  asOf: Date;
  /** What the event says of each field that is to follow it; what it does not say stays as it is. */
  values: Partial<Record<FollowedCustomerField, unknown>>;
}

/**
 * Finds the customer with the same document, else creates one. Who owes an order is decided by its first event, so that
 * a later one with another customer is compared with the order, not with this effect.
 */
export const customerEnsure: EffectDeclaration<CustomerInput> = {
  personal: ['name', 'document', 'email', 'phone', 'address'] satisfies (keyof CustomerInput)[],
};

/** A customer as an effect says it. */
export interface ReadCustomer {
  name: string;
  email?: string;
  phone?: string;
  document?: TaxDocument;
  /** The address, as the interface shapes it. */
  details: Record<string, unknown>;
}

/** A customer as it is written, by whatever way. @throws Problem */
export function readCustomer(input: CustomerInput): ReadCustomer {
  const number = readText("customer's document", input.document);
  const document = number === undefined ? undefined : readDocument(number, input.address?.country);
  if (isRefused(document)) throw new Problem(document.code, document.detail);
  return {
    name: readRequired("customer's name", input.name),
    email: readText("customer's e-mail address", input.email),
    phone: readText("customer's telephone number", input.phone),
    document,
    details: input.address ? { address: toAddress(input.address) } : {},
  };
}

/** What is to follow the event; undefined: nothing. @throws Problem */
export function readFollowed(input: CustomerInput): FollowedCustomer | undefined {
  const { update, asOf } = input;
  if (update === undefined || asOf === undefined) return undefined;
  const { details, ...fields } = readCustomer(input);
  const said: FollowedCustomer['values'] = { ...fields, address: details['address'] };
  // Without members that are undefined, as it is stored.
  const values = JSON.parse(
    JSON.stringify(Object.fromEntries(update.map((field) => [field, said[field]]))),
  ) as FollowedCustomer['values'];
  return { asOf: readInstant('instant', asOf), values };
}

/** The interface's address has a number of 32 bits; a house number such as `12A` goes into the first line. */
function toAddress(input: AddressInput): Record<string, unknown> {
  const { number: houseNumber, ...lines } = input;
  const address: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(lines)) address[field] = readText(`address's ${field}`, text);
  const number = readText("address's number", houseNumber);
  if (number === undefined) return address;
  if (/^\d+$/.test(number) && Number(number) <= INT32_MAX) return { ...address, number: Number(number) };
  return { ...address, line1: [address['line1'], number].filter(Boolean).join(', ') };
}
