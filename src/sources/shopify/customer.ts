import type { AddressFacts, CustomerFacts } from '../../events/event';
import { definedOnly } from '../mapping/defined';
import { chooseDocument, type CustomFields } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext } from '../source';

function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.text('address1'),
    line2: address.text('address2'),
    city: address.text('city'),
    state: address.text('province_code') ?? address.text('province'),
    zipCode: address.text('zip'),
    country: address.text('country_code'),
  });
}

function personOf(payload: Payload): string | undefined {
  return fullName(payload.text('first_name'), payload.text('last_name'));
}

/**
 * Who bought: the customer's account, completed from what was typed into this checkout.
 * @param own the order's fields of the shop's own
 */
export function customerOfOrder(
  order: Payload,
  orderKey: string,
  own: CustomFields,
  context: SourceContext,
): CustomerFacts {
  const account = order.at('customer');
  const billing = order.at('billing_address');
  const shipping = order.at('shipping_address');
  const standard = account.at('default_address');
  const key = buyerKey(context.source, account.identifier('id'), orderKey);
  const names = [
    personOf(account),
    billing.text('name'),
    personOf(billing),
    shipping.text('name'),
    personOf(shipping),
  ];
  return customerFacts(key, names, {
    document: chooseDocument(own.documents(textSetting(context.settings, 'documentField')), [
      billing.text('company'),
      shipping.text('company'),
      standard.text('company'),
    ]),
    email: order.text('email') ?? order.text('contact_email') ?? account.text('email'),
    phone: order.text('phone') ?? account.text('phone') ?? billing.text('phone') ?? shipping.text('phone'),
    address: addressOf(billing) ?? addressOf(shipping) ?? addressOf(standard),
  });
}

/** A customer's account, from its own webhook. */
export function customerOfCustomer(account: Payload, context: SourceContext): CustomerFacts {
  account.refuseFields(['line_items', 'order_id', 'total_price'], 'customer');
  const key = customerKey(context.source, account.identifier('id') ?? account.missing('id'));
  const address = account.at('default_address');
  return customerFacts(key, [personOf(account), address.text('name'), personOf(address)], {
    document: chooseDocument([], [address.text('company')]),
    email: account.text('email'),
    phone: account.text('phone') ?? address.text('phone'),
    address: addressOf(address),
  });
}
