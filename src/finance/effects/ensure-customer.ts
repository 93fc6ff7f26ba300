import { Problem } from '../../kernel/problem';
import { readDocument, type NewCustomer } from '../customers/customer';
import { ensureCustomers } from '../customers/customers.repository';
import { isRefused } from '../outcome';
import type { AddressInput, CustomerInput } from './effect';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import { attempt, readRequired, readText } from './effect-input';

const INT32_MAX = 2_147_483_647;

export const ensureCustomer: EffectHandler<'customer.ensure'> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany({ tx }, effects) {
    const customers = effects.map((effect) => attempt(() => toNewCustomer(effect)));
    const ensured = await applyReadable(customers, (readable) => ensureCustomers(tx, readable));
    return ensured.map((outcome) =>
      isRefused(outcome)
        ? outcome
        : {
            output: { id: outcome.id },
            attention: [],
            found: !outcome.created,
            changes: outcome.created ? [{ type: 'customer.created', id: outcome.id }] : [],
          },
    );
  },
};

function toNewCustomer({ organization, input, ids }: ReservedEffect<'customer.ensure'>): NewCustomer {
  const [id] = ids;
  if (id === undefined) throw new Error('a customer needs an identifier');
  return { id, organization, ...readCustomer(input) };
}

/** A customer as it is written, by whatever way. @throws Problem */
export function readCustomer(input: CustomerInput): Omit<NewCustomer, 'id' | 'organization'> {
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
