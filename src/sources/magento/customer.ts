import type { AddressFacts, CustomerFacts } from '../../events/event';
import { TaxId } from '../../kernel/tax-id';
import { stateOf } from '../mapping/brazilian-states';
import { chooseDocument, CustomFields } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey, customerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext } from '../source';

/** Members by which modules for Brazil add the document, to an order, an address or their extension attributes. */
const DOCUMENTS = ['cpf', 'cnpj', 'customer_cpf', 'customer_cnpj'];
/** Lines of a street as modules for Brazil have them: street, number, complement, district. */
const BRAZILIAN_LINES = 4;
const HOUSE_NUMBER = /^(?:\d|s\/?n)/i;

/** Who bought: an account of the shop, else a guest of the order. */
export function customerOfOrder(order: Payload, orderKey: string, context: SourceContext): CustomerFacts {
  const billing = order.at('billing_address');
  const company = billing.text('company');
  const document = chooseDocument(
    [
      ...preferred([order, billing], context),
      order.text('customer_taxvat'),
      billing.text('vat_id'),
      ...others([order, billing]),
    ],
    [company],
  );
  return customerFacts(
    buyerKey(context.source, order.identifier('customer_id'), orderKey),
    namesOf([nameOf(order, 'customer_'), nameOf(billing, '')], company, document),
    {
      document,
      email: order.text('customer_email') ?? billing.text('email'),
      phone: billing.text('telephone'),
      address: addressOf(billing),
    },
  );
}

/** An account of the shop. */
export function customerOfAccount(account: Payload, id: string, context: SourceContext): CustomerFacts {
  const addresses = account.items('addresses');
  const billing = addresses.find((address) => address.flag('default_billing')) ?? addresses[0];
  const own = new CustomFields(account, 'custom_attributes', 'attribute_code');
  const company = billing?.text('company');
  const document = chooseDocument(
    [
      account.text('taxvat'),
      ...own.documents(textSetting(context.settings, 'documentField')),
      billing?.text('vat_id'),
    ],
    [company],
  );
  return customerFacts(customerKey(context.source, id), namesOf([nameOf(account, '')], company, document), {
    document,
    email: account.text('email'),
    phone: billing?.text('telephone'),
    address: billing && addressOf(billing),
  });
}

/** Whose document is a CNPJ is a company. */
function namesOf(people: readonly (string | undefined)[], company: string | undefined, document = '') {
  const isCompany = TaxId.isValid(document) && TaxId.parse(document).type === 'Cnpj';
  return isCompany ? [company, ...people] : [...people, company];
}

function nameOf(place: Payload, prefix: string): string | undefined {
  return fullName(place.text(`${prefix}firstname`), place.text(`${prefix}lastname`));
}

function preferred(places: readonly Payload[], { settings }: SourceContext): (string | undefined)[] {
  const name = textSetting(settings, 'documentField');
  return name === undefined ? [] : named(places, name);
}

function others(places: readonly Payload[]): (string | undefined)[] {
  return DOCUMENTS.flatMap((name) => named(places, name));
}

function named(places: readonly Payload[], name: string): (string | undefined)[] {
  return places.flatMap((place) => [
    place.textIfAny(name),
    place.loosely('extension_attributes').textIfAny(name),
  ]);
}

function addressOf(address: Payload): AddressFacts | undefined {
  const country = address.text('country_id');
  // An order has the region as text, an account as an object.
  const region = address.loosely('region');
  const state =
    address.text('region_code') ??
    region.text('region_code') ??
    address.textIfAny('region') ??
    region.text('region');
  return definedOnly({
    ...streetOf(address, country),
    city: address.text('city'),
    state: stateOf(state, country),
    zipCode: address.text('postcode'),
    country,
  });
}

/** Empty lines are left out of a street: of four lines the complement may be one. */
function streetOf(address: Payload, country: string | undefined) {
  const lines = address.texts('street');
  const [line1, number = '', third, fourth] = lines;
  const isBrazilian = country === 'BR' && address.countOf('street') === BRAZILIAN_LINES;
  if (isBrazilian && lines.length >= BRAZILIAN_LINES - 1 && HOUSE_NUMBER.test(number))
    return fourth === undefined
      ? { line1, number, district: third }
      : { line1, number, line2: third, district: fourth };
  return { line1, line2: lines.slice(1).join(', ') || undefined };
}
