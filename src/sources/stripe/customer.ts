import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext } from '../source';
import { identifierOf } from './stripe-event';

const DOCUMENT_NAMES = ['cpf', 'cnpj', 'document', 'documento', 'tax_id'];

function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.text('line1'),
    line2: address.text('line2'),
    city: address.text('city'),
    state: address.text('state'),
    zipCode: address.text('postal_code'),
    country: address.text('country'),
  });
}

/** CPF or CNPJ: what the shop wrote into the charge's metadata, then what the buyer gave to pay a boleto. */
function documentOf(charge: Payload, context: SourceContext): string | undefined {
  const metadata = charge.loosely('metadata');
  const preferred = textSetting(context.settings, 'documentField');
  const names = [...(preferred === undefined ? [] : [preferred]), ...DOCUMENT_NAMES];
  return chooseDocument([
    ...names.map((name) => metadata.textIfAny(name)),
    charge.loosely('payment_method_details').loosely('boleto').textIfAny('tax_id'),
    charge.at('billing_details').textIfAny('tax_id'),
  ]);
}

/** Who paid a charge: Stripe's customer, else a guest; with what was typed in to pay. */
export function customerOfCharge(charge: Payload, orderKey: string, context: SourceContext): CustomerFacts {
  const billing = charge.at('billing_details');
  const shipping = charge.at('shipping');
  const account = charge.loosely('customer');
  const key = buyerKey(context.source, identifierOf(charge, 'customer'), orderKey);
  const names = [billing.text('name'), account.text('name'), shipping.text('name')];
  return customerFacts(key, names, {
    document: documentOf(charge, context),
    email: billing.text('email') ?? charge.text('receipt_email') ?? account.text('email'),
    phone: billing.text('phone') ?? shipping.text('phone') ?? account.text('phone'),
    address: addressOf(billing.at('address')) ?? addressOf(shipping.at('address')),
  });
}
