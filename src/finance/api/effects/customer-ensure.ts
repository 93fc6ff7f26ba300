import { Problem } from '../../../kernel/problem';
import { isRefused } from '../ports/outcome';
import { readDocument, type TaxDocument } from './tax-document';
import { readRequired, readText } from './effect-input';

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
}

/**
 * Finds the customer with the same document, else creates one. Who owes an order is decided by its first event, so that
 * a later one with another customer is compared with the order, not with this effect.
 */
export const customerEnsure: EffectDeclaration<CustomerInput> = { differences: () => [] };

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
