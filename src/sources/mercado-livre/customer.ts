import type { AddressFacts, CustomerFacts } from '../../events/event';
import { stateOf } from '../mapping/brazilian-states';
import { customerFacts, fullName } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** More lines than the older answer ever has. */
const MOST_LINES = 100;

/** Whom an order is invoiced to. */
interface Invoiced {
  readonly name: string | undefined;
  readonly document: string | undefined;
  readonly address: AddressFacts | undefined;
}

/**
 * Who bought: a person with a CPF, or a company with a CNPJ, as the invoice (nota fiscal) wants them.
 * @param billing undefined where the application may not see it
 */
export function customerOf(
  order: Payload,
  billing: Payload | undefined,
  source: string,
  orderKey: string,
): CustomerFacts {
  const buyer = order.loosely('buyer');
  const invoiced = billing && invoicedTo(billing);
  const given = fullName(buyer.textIfAny('first_name'), buyer.textIfAny('last_name'));
  return customerFacts(
    buyerKey(source, buyer.identifier('id'), orderKey),
    [invoiced?.name, given, buyer.textIfAny('nickname')],
    { document: invoiced?.document, address: invoiced?.address },
  );
}

/** The present answer has all of it below `buyer`; the older one as a list of names and values. */
function invoicedTo(billing: Payload): Invoiced {
  return billing.has('buyer')
    ? ofBuyer(billing.at('buyer').loosely('billing_info'))
    : ofLines(billing.loosely('billing_info'));
}

function ofBuyer(info: Payload): Invoiced {
  const address = info.loosely('address');
  return {
    name: fullName(info.textIfAny('name'), info.textIfAny('last_name')),
    document: info.loosely('identification').textIfAny('number'),
    address: addressOf({
      line1: address.textIfAny('street_name'),
      number: address.textIfAny('street_number'),
      line2: address.textIfAny('comment'),
      district: address.textIfAny('neighborhood'),
      city: address.textIfAny('city_name') ?? address.textIfAny('city'),
      state: address.loosely('state').textIfAny('name') ?? address.textIfAny('state'),
      zipCode: address.textIfAny('zip_code'),
      country: address.textIfAny('country_id'),
    }),
  };
}

function ofLines(info: Payload): Invoiced {
  const lines = new Map(
    info
      .firstItems('additional_info', MOST_LINES)
      .map((line) => [line.textIfAny('type'), line.textIfAny('value')] as const),
  );
  return {
    name: lines.get('BUSINESS_NAME') ?? fullName(lines.get('FIRST_NAME'), lines.get('LAST_NAME')),
    document: info.textIfAny('doc_number') ?? lines.get('DOC_NUMBER'),
    address: addressOf({
      line1: lines.get('STREET_NAME'),
      number: lines.get('STREET_NUMBER'),
      line2: lines.get('COMMENT'),
      district: lines.get('NEIGHBORHOOD'),
      city: lines.get('CITY_NAME'),
      state: lines.get('STATE_NAME'),
      zipCode: lines.get('ZIP_CODE'),
      country: lines.get('COUNTRY_ID') ?? (lines.get('SITE_ID') === 'MLB' ? 'BR' : undefined),
    }),
  };
}

function addressOf(parts: { [K in keyof Required<AddressFacts>]: string | undefined }):
  AddressFacts | undefined {
  if (parts.line1 === undefined && parts.zipCode === undefined) return undefined;
  return definedOnly({ ...parts, state: stateOf(parts.state, parts.country) });
}
