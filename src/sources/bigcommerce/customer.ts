import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument, CustomFields } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext } from '../source';
import { stateOf } from '../mapping/brazilian-states';

/** Fields of the shop's own at the checkout's address or in the account, with the CPF or CNPJ. */
function documentOf(places: readonly Payload[], context: SourceContext): string | undefined {
  const preferred = textSetting(context.settings, 'documentField');
  const candidates = places.flatMap((place) =>
    new CustomFields(place, 'form_fields', 'name').documents(preferred),
  );
  return chooseDocument(
    candidates,
    places.flatMap((place) => place.text('company') ?? []),
  );
}

/** Who bought: an account of the shop, else a guest of the order. */
export function customerOfOrder(order: Payload, orderKey: string, context: SourceContext): CustomerFacts {
  const billing = order.at('billing_address');
  const id = order.identifier('customer_id');
  return customerFacts(
    buyerKey(context.source, id === '0' ? undefined : id, orderKey),
    [fullName(billing.text('first_name'), billing.text('last_name')), billing.text('company')],
    {
      document: documentOf([billing], context),
      email: billing.text('email'),
      phone: billing.text('phone'),
      address: addressOf(billing, {
        ...{ line1: 'street_1', line2: 'street_2', state: 'state', zipCode: 'zip', country: 'country_iso2' },
      }),
    },
  );
}

/** An account of the shop, as the newer API tells it. */
export function customerOfAccount(account: Payload, id: string, context: SourceContext): CustomerFacts {
  const addresses = account.firstItems('addresses', 1);
  const [first] = addresses;
  return customerFacts(
    customerKey(context.source, id),
    [fullName(account.text('first_name'), account.text('last_name')), account.text('company')],
    {
      document: documentOf([account, ...addresses], context),
      email: account.text('email'),
      phone: account.text('phone') ?? first?.text('phone'),
      address:
        first &&
        addressOf(first, {
          ...{ line1: 'address1', line2: 'address2', state: 'state_or_province' },
          ...{ zipCode: 'postal_code', country: 'country_code' },
        }),
    },
  );
}

/** @param names what the API calls the parts */
function addressOf(
  address: Payload,
  names: Record<'line1' | 'line2' | 'state' | 'zipCode' | 'country', string>,
): AddressFacts | undefined {
  const country = address.text(names.country);
  return definedOnly({
    line1: address.text(names.line1),
    line2: address.text(names.line2),
    city: address.text('city'),
    state: stateOf(address.text(names.state), country),
    zipCode: address.text(names.zipCode),
    country,
  });
}
