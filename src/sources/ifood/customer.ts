import type { CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { customerFacts } from '../mapping/customer';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** Who ordered. iFood gives a document only where the buyer asked for it on the receipt, and no e-mail. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const customer = order.at('customer');
  return customerFacts(buyerKey(source, customer.identifier('id'), orderKey), [customer.text('name')], {
    document: customer.text('documentNumber'),
    phone: phoneOf(customer.loosely('phone')),
    address: addressIn(order.at('delivery').at('deliveryAddress'), {
      ...{ line1: 'streetName', number: 'streetNumber', zipCode: 'postalCode' },
    }),
  });
}

/** With a localizer the number is iFood's own switchboard, the same for every buyer. */
function phoneOf(phone: Payload): string | undefined {
  return phone.has('localizer') ? undefined : phone.textIfAny('number');
}
