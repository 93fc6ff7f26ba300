import type { AddressFacts, CustomerFacts } from '../../events/event';
import { stateOf } from '../mapping/brazilian-states';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

function phoneOf(customer: Payload): string | undefined {
  const phones = customer.loosely('phones');
  const [phone] = ['mobile_phone', 'home_phone']
    .map((kind) => phones.loosely(kind))
    .filter((one) => one.has('number'));
  const number = phone?.textIfAny('number');
  if (phone === undefined || number === undefined) return undefined;
  const country = phone.textIfAny('country_code');
  return `${country === undefined ? '' : `+${country}`}${phone.textIfAny('area_code') ?? ''}${number}`;
}

/** Pagar.me has the street for itself, or all of it in one line, the number first. */
function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.textIfAny('street') ?? address.textIfAny('line_1'),
    number: address.textIfAny('street') === undefined ? undefined : address.textIfAny('number'),
    line2: address.textIfAny('complement') ?? address.textIfAny('line_2'),
    district: address.textIfAny('neighborhood'),
    city: address.textIfAny('city'),
    state: stateOf(address.textIfAny('state'), address.textIfAny('country')?.toUpperCase()),
    zipCode: address.textIfAny('zip_code'),
    country: address.textIfAny('country'),
  });
}

function documentOf(customer: Payload): string | undefined {
  const isPassport = customer.textIfAny('document_type')?.toLowerCase() === 'passport';
  return isPassport ? undefined : customer.textIfAny('document');
}

/** Who bought: the customer of Pagar.me, one for each e-mail, else a guest of the order. */
export function customerOf(order: Payload, orderKey: string, context: SourceContext): CustomerFacts {
  const customer = order.at('customer');
  return customerFacts(
    buyerKey(context.source, customer.identifier('id'), orderKey),
    [customer.textIfAny('name')],
    {
      document: chooseDocument([documentOf(customer)]),
      email: customer.textIfAny('email'),
      phone: phoneOf(customer),
      address:
        addressOf(customer.loosely('address')) ?? addressOf(order.loosely('shipping').loosely('address')),
    },
  );
}
