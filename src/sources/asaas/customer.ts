import type { AddressFacts, CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { countryCodeOf } from '../mapping/brazilian-states';
import { customerFacts } from '../mapping/customer';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { customerIdOf } from './message';

/**
 * Who pays.
 * @param customer as fetched; undefined where there is none any more
 * @param order the order's business key
 */
export function customerOf(
  payment: Payload,
  customer: Payload | undefined,
  source: string,
  order: string,
): CustomerFacts {
  const key = buyerKey(source, customerIdOf(payment), order);
  if (customer === undefined) return customerFacts(key, [], {});
  return customerFacts(key, [customer.text('name'), customer.text('company')], {
    document: customer.text('cpfCnpj'),
    email: customer.text('email'),
    phone: customer.text('mobilePhone') ?? customer.text('phone'),
    address: addressOf(customer),
  });
}

/** `province` is the district, and `city` a number of Asaas's own. */
function addressOf(customer: Payload): AddressFacts | undefined {
  const names = { line1: 'address', number: 'addressNumber', district: 'province', city: 'cityName' };
  const country = countryCodeOf(customer.text('country'));
  return addressIn(customer, { ...names, zipCode: 'postalCode' }, { country });
}
