import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';
import { stateOf } from '../mapping/brazilian-states';

/** An address whose members begin with `prefix`: `billing_city`, or `city` where the address is an object of its own. */
function addressOf(place: Payload, prefix: '' | 'billing_'): AddressFacts | undefined {
  const part = (name: string): string | undefined => place.textIfAny(`${prefix}${name}`);
  const country = part('country');
  const line1 = part('address');
  return line1 === undefined && part('zipcode') === undefined
    ? undefined
    : definedOnly({
        line1,
        number: part('number'),
        line2: part('floor'),
        district: part('locality'),
        city: part('city'),
        state: stateOf(part('province'), country),
        zipCode: part('zipcode'),
        country,
      });
}

/** Who bought: of the shop's customer, else a guest where the app may not read customers. */
export function customerOfOrder(order: Payload, orderKey: string, { source }: SourceContext): CustomerFacts {
  const customer = order.loosely('customer');
  return customerFacts(
    buyerKey(source, customer.identifier('id'), orderKey),
    [order.text('contact_name'), customer.text('name'), order.text('billing_name')],
    {
      document: chooseDocument([order.text('contact_identification'), customer.text('identification')]),
      email: order.text('contact_email') ?? customer.text('email'),
      phone: order.text('contact_phone') ?? customer.text('phone') ?? order.text('billing_phone'),
      address:
        addressOf(order, 'billing_') ??
        addressOf(order.loosely('shipping_address'), '') ??
        addressOf(customer.loosely('default_address'), ''),
    },
  );
}

/** A customer's account, as fetched. */
export function customerOfAccount(account: Payload, { source }: SourceContext): CustomerFacts {
  return customerFacts(
    customerKey(source, account.identifier('id') ?? account.missing('id')),
    [account.text('name'), account.text('billing_name')],
    {
      document: account.text('identification'),
      email: account.text('email'),
      phone: account.text('phone') ?? account.text('billing_phone'),
      address: addressOf(account, 'billing_') ?? addressOf(account.loosely('default_address'), ''),
    },
  );
}
