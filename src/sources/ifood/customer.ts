import type { AddressFacts, CustomerFacts } from '../../events/event';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** Who ordered. iFood gives a document only where the buyer asked for it on the receipt, and no e-mail. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const customer = order.at('customer');
  return customerFacts(buyerKey(source, customer.identifier('id'), orderKey), [customer.text('name')], {
    document: customer.text('documentNumber'),
    phone: phoneOf(customer.loosely('phone')),
    address: addressOf(order.at('delivery').at('deliveryAddress')),
  });
}

/** With a localizer the number is iFood's own switchboard, the same for every buyer. */
function phoneOf(phone: Payload): string | undefined {
  return phone.has('localizer') ? undefined : phone.textIfAny('number');
}

function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.text('streetName'),
    number: address.text('streetNumber'),
    line2: address.text('complement'),
    district: address.text('neighborhood'),
    city: address.text('city'),
    state: address.text('state'),
    zipCode: address.text('postalCode'),
    country: address.text('country'),
  });
}
