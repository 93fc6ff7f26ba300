import type { AddressFacts, CustomerFacts } from '../../events/event';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.text('line1'),
    number: address.text('number'),
    line2: address.text('line2'),
    district: address.text('district'),
    city: address.text('city'),
    state: address.text('state'),
    zipCode: address.text('zipCode'),
    country: address.text('country'),
  });
}

function factsOf(customer: Payload, key: string): CustomerFacts {
  return customerFacts(key, [customer.text('name')], {
    document: customer.text('document'),
    email: customer.text('email'),
    phone: customer.text('phone'),
    address: addressOf(customer.at('address')),
  });
}

/** A customer the shop has an id for. */
export function readCustomer(customer: Payload, context: SourceContext, id: string): CustomerFacts {
  return factsOf(customer, customerKey(context.source, id));
}

/** Who bought; without an id, a guest known by the order. */
export function readBuyer(customer: Payload, context: SourceContext, orderKey: string): CustomerFacts {
  return factsOf(customer, buyerKey(context.source, customer.identifier('id'), orderKey));
}
