import type { CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** Who bought. Kiwify gives buyers no number, so that each is known by the order, and by the document. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const customer = order.at('Customer');
  return customerFacts(
    buyerKey(source, undefined, orderKey),
    [customer.text('full_name'), customer.text('first_name')],
    {
      document: chooseDocument(['CPF', 'CNPJ', 'cpf', 'cnpj'].map((name) => customer.text(name))),
      email: customer.text('email'),
      phone: customer.text('mobile'),
      address: definedOnly({
        line1: customer.text('street'),
        number: customer.text('number'),
        line2: customer.text('complement'),
        district: customer.text('neighborhood'),
        city: customer.text('city'),
        state: customer.text('state'),
        zipCode: customer.text('zipcode'),
        country: customer.text('country')?.toUpperCase(),
      }),
    },
  );
}
