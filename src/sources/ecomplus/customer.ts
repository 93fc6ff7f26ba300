import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** What E-Com Plus calls a customer that is a company (pessoa jurídica). */
const COMPANY = 'j';

/** The first buyer, with the address that the order goes to, else that of the bill; the payer where there is no buyer. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const [buyer] = order.firstItems('buyers', 1);
  const [line] = order.firstItems('shipping_lines', 1);
  const [transaction] = order.firstItems('transactions', 1);
  const payer = transaction?.loosely('payer');
  const isCompany = buyer?.text('registry_type')?.toLowerCase() === COMPANY;
  const name = buyer?.loosely('name');
  const person = ['given_name', 'middle_name', 'family_name'].flatMap((part) => name?.textIfAny(part) ?? []);
  return customerFacts(
    buyerKey(source, buyer?.identifier('_id'), orderKey),
    [
      isCompany ? buyer?.text('corporate_name') : undefined,
      person.join(' '),
      buyer?.text('display_name'),
      payer?.textIfAny('fullname'),
    ],
    {
      document: chooseDocument([buyer?.text('doc_number'), payer?.textIfAny('doc_number')]),
      email: buyer?.text('main_email'),
      phone: buyer && phoneOf(buyer),
      address:
        (line && addressOf(line.loosely('to'))) ??
        (transaction && addressOf(transaction.loosely('billing_address'))),
    },
  );
}

function phoneOf(buyer: Payload): string | undefined {
  const [phone] = buyer.firstItems('phones', 1);
  const number = phone?.textIfAny('number');
  const country = phone?.textIfAny('country_code');
  return number === undefined || country === undefined ? number : `+${country}${number}`;
}

function addressOf(address: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: address.textIfAny('street'),
    number: address.textIfAny('number'),
    line2: address.textIfAny('complement'),
    district: address.textIfAny('borough'),
    city: address.textIfAny('city'),
    state: address.textIfAny('province_code') ?? address.textIfAny('province'),
    zipCode: address.textIfAny('zip'),
    country: address.textIfAny('country_code')?.toUpperCase(),
  });
}
