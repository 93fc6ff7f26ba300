import type { AddressFacts, CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { chooseDocument, CustomFields } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext } from '../source';

function addressOf(address: Payload): AddressFacts | undefined {
  return addressIn(address, { line1: 'address_1', line2: 'address_2', zipCode: 'postcode' });
}

/** Whether the Brazilian checkout fields say that a company bought: `2` in the form, `J` over the API. */
function isCompany(billing: Payload): boolean {
  return ['2', 'J'].includes(billing.text('persontype')?.toUpperCase() ?? '');
}

/** CPF or CNPJ: the one that the kind of person asks for, then the other, then custom fields, then the company's name. */
function documentOf(billing: Payload, own: CustomFields, context: SourceContext): string | undefined {
  const [cpf, cnpj] = [billing.text('cpf'), billing.text('cnpj')];
  const fields = isCompany(billing) ? [cnpj, cpf] : [cpf, cnpj];
  return chooseDocument(
    [...fields, ...own.documents(textSetting(context.settings, 'documentField'))],
    [billing.text('company')],
  );
}

function customerOf(payload: Payload, key: string, own: CustomFields, context: SourceContext): CustomerFacts {
  const billing = payload.at('billing');
  const shipping = payload.at('shipping');
  const company = isCompany(billing) ? billing.text('company') : undefined;
  const people = [billing, payload, shipping].map((place) =>
    fullName(place.text('first_name'), place.text('last_name')),
  );
  return customerFacts(key, [company, ...people], {
    document: documentOf(billing, own, context),
    email: billing.text('email') ?? payload.text('email'),
    phone: billing.text('phone') ?? billing.text('cellphone') ?? shipping.text('phone'),
    address: addressOf(billing) ?? addressOf(shipping),
  });
}

/** Who bought. `customer_id` is 0 for a guest. @param own the order's fields of plugins */
export function customerOfOrder(
  order: Payload,
  orderKey: string,
  own: CustomFields,
  context: SourceContext,
): CustomerFacts {
  const id = order.identifier('customer_id');
  return customerOf(order, buyerKey(context.source, id === '0' ? undefined : id, orderKey), own, context);
}

/** A customer's account, from its own webhook. */
export function customerOfCustomer(account: Payload, context: SourceContext): CustomerFacts {
  account.refuseFields(['line_items', 'order_key', 'amount', 'total'], 'customer');
  return customerOf(
    account,
    customerKey(context.source, account.identifier('id') ?? account.missing('id')),
    new CustomFields(account, 'meta_data', 'key'),
    context,
  );
}
