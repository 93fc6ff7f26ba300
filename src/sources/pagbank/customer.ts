import type { AddressFacts, CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

/** PagBank's spellings of the one country that it has addresses in. */
const BRAZIL = ['BRA', 'BRASIL', 'BRAZIL'];

function countryOf(address: Payload): string | undefined {
  const country = address.text('country');
  return country !== undefined && BRAZIL.includes(country.toUpperCase()) ? 'BR' : country;
}

function addressOf(address: Payload): AddressFacts | undefined {
  const names = { district: 'locality', state: 'region_code', zipCode: 'postal_code' };
  return addressIn(address, names, { country: countryOf(address) });
}

/** The first phone, `+5511955550143`; undefined where there is none. */
function phoneOf(customer: Payload): string | undefined {
  const [phone] = customer.firstItems('phones', 1);
  const number = phone?.text('number');
  if (phone === undefined || number === undefined) return undefined;
  const country = phone.text('country')?.replace(/^\+/, '');
  return `${country === undefined ? '' : `+${country}`}${phone.text('area') ?? ''}${number}`;
}

/**
 * Who bought, a guest of the order: PagBank gives customers no number.
 * @param methods of payment of the order's charges: a boleto or card names its holder, for an order without a customer
 */
export function customerOf(
  order: Payload,
  methods: readonly Payload[],
  orderKey: string,
  context: SourceContext,
): CustomerFacts {
  const customer = order.at('customer');
  const holders = methods.flatMap((method) =>
    ['boleto', 'card'].map((kind) => method.loosely(kind).at('holder')),
  );
  const people = [customer, ...holders];
  const first = <T>(read: (person: Payload) => T | undefined): T | undefined =>
    people.map(read).find((value) => value !== undefined);
  return customerFacts(
    buyerKey(context.source, undefined, orderKey),
    people.map((person) => person.text('name')),
    {
      document: chooseDocument(people.map((person) => person.text('tax_id'))),
      email: first((person) => person.text('email')),
      phone: phoneOf(customer),
      address:
        addressOf(order.at('shipping').at('address')) ?? first((person) => addressOf(person.at('address'))),
    },
  );
}
