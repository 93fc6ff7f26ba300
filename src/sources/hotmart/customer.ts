import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import { stateOf } from '../mapping/brazilian-states';
import type { Payload } from '../payload';
import type { Sale } from './sale';

/** More people than ever take part in one sale. */
const MOST_USERS = 200;
const MOST_DOCUMENTS = 20;
const BUYER = 'BUYER';
const DOCUMENTS = ['CPF', 'CNPJ'];

/** Who bought. @param listed what Hotmart's list of people has of the sale; undefined: nothing */
export function customerOf(sale: Sale, listed: Payload | undefined, source: string): CustomerFacts {
  const buyer = sale.item.at('buyer');
  const users = listed?.items('users', MOST_USERS) ?? [];
  const user = users.find((one) => one.textIfAny('role') === BUYER)?.at('user');
  const key = buyerKey(source, buyer.identifier('ucode'), sale.orderKey);
  return customerFacts(key, [user?.text('name'), buyer.text('name')], {
    document: user && documentOf(user),
    email: user?.text('email') ?? buyer.text('email'),
    phone: user?.text('cellphone') ?? user?.text('phone'),
    address: user && addressOf(user.at('address')),
  });
}

function documentOf(user: Payload): string | undefined {
  return chooseDocument(
    user
      .firstItems('documents', MOST_DOCUMENTS)
      .filter((one) => DOCUMENTS.includes(one.textIfAny('type') ?? ''))
      .map((one) => one.textIfAny('value')),
  );
}

function addressOf(address: Payload): AddressFacts | undefined {
  const named = address.text('country');
  const country = named !== undefined && /^bra[sz]il$/i.test(named) ? 'BR' : named;
  return definedOnly({
    line1: address.text('address'),
    number: address.text('number'),
    line2: address.text('complement'),
    district: address.text('neighborhood'),
    city: address.text('city'),
    state: stateOf(address.text('state'), country),
    zipCode: address.text('zip_code'),
    country,
  });
}
