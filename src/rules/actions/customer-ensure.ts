import type { PlannedEffect } from '../../finance/api/effects/effect';
import { documentDigest } from '../../kernel/document-key';
import { readDocument } from '../../finance/api/effects/tax-document';
import { isRefused } from '../../finance/api/ports/outcome';
import { defineAction, type ActionContext } from './action';
import { FOLLOWED_CUSTOMER_FIELDS } from '../../finance/api/effects/customer-ensure';
import { address, choice, instant, listOf, optional, required, text, withoutAbsent } from './input-types';

const BOTH_OR_NEITHER = 'the inputs "update" and "asOf" are given both, or neither';

export const customerEnsure = defineAction({
  name: 'customer.ensure',
  description: 'Finds the customer with the same document, or creates one.',
  undo: 'a customer stays: the finance interface removes none',
  asks: ['customers.create'],
  input: {
    name: required(text, 'what to call them'),
    document: optional(
      text,
      'CPF or CNPJ, with or without punctuation; one that is not valid refuses the step, and is left out where the address is in another country than Brazil',
    ),
    email: optional(text, 'e-mail address'),
    phone: optional(text, 'telephone'),
    address: optional(address, 'where they live, for example ${order.customer.address}'),
    update: optional(
      listOf(choice(FOLLOWED_CUSTOMER_FIELDS)),
      'which of these fields follow the shop, for a customer who is there already; needs asOf. Absent: none',
    ),
    asOf: optional(
      instant,
      'when the shop had it so, for example ${event.occurredAt}: what a later event said stays',
    ),
  },
  output: { id: { type: 'CustomerRef', description: 'the customer' } },
  key: {
    required: false,
    description: "the customer's business key; absent: the document, else the shop's customer",
  },
  contradiction(given) {
    const [input, ...others] = ['update', 'asOf'].filter((name) => given.has(name));
    return input === undefined || others.length > 0 ? undefined : { input, message: BOTH_OR_NEITHER };
  },
  plan({ name, document, email, phone, address: place, update, asOf }, context) {
    if ((update === undefined) !== (asOf === undefined)) return { refused: BOTH_OR_NEITHER };
    const checked = document === undefined ? undefined : checkedDocument(document, place?.country);
    const refused = checked && 'refused' in checked ? checked.refused : undefined;
    const number = checked && 'number' in checked ? checked.number : undefined;
    const fields = { name, document: number, email, phone, address: place };
    const effectKey = effectKeyOf(number, context);
    if (effectKey === undefined)
      return { refused: 'the event is about no customer: the step needs a key, or the customer a document' };
    const effect: PlannedEffect = {
      key: effectKey,
      operation: 'customer.ensure',
      input: {
        name,
        ...withoutAbsent(fields),
        ...(update && asOf && { update: [...new Set(update)], asOf: asOf.toISOString() }),
      },
    };
    // An order that is booked has its customer: what was typed wrong later hinders nothing.
    return refused === undefined ? { effects: [effect] } : { refused, ifBooked: [effect] };
  },
});

/** Of people in other countries what is no CPF or CNPJ stands for nobody: nothing says that it is not the same for several. */
function checkedDocument(
  document: string,
  country: string | undefined,
): { number: string } | { refused: string } | undefined {
  const read = readDocument(document, country);
  if (isRefused(read)) return { refused: read.detail };
  return read.type === 'Foreign' ? undefined : { number: read.number };
}

/**
 * One customer, one key: by document where there is one, so that two shops' customers with the same document
 * are one. What stands for the document is of this organization, so that keys of two organizations cannot be matched.
 */
function effectKeyOf(document: string | undefined, context: ActionContext): string | undefined {
  if (context.key !== '') return `customer/key/${context.key}`;
  if (document === undefined)
    return context.customerKey === undefined ? undefined : `customer/key/${context.customerKey}`;
  return `customer/document/${documentDigest(context.organization.id, document, context.documentKey)}`;
}
