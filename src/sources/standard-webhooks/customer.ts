import type { CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { customerFacts } from '../mapping/customer';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

function factsOf(customer: Payload, key: string): CustomerFacts {
  return customerFacts(key, [customer.text('name')], {
    document: customer.text('document'),
    email: customer.text('email'),
    phone: customer.text('phone'),
    address: addressIn(customer.at('address'), {
      ...{ line1: 'line1', line2: 'line2', district: 'district', zipCode: 'zipCode' },
    }),
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
