import type { AddressFacts, CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { buyerKey } from '../mapping/keys';
import { countryCodeOf, stateOf } from '../mapping/brazilian-states';
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
  const country = countryCodeOf(address.text('country'));
  const state = stateOf(address.text('state'), country);
  return addressIn(address, { line1: 'address', zipCode: 'zip_code' }, { state, country });
}
