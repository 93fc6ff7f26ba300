import type { CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
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
      address: addressIn(customer, {}, { country: customer.text('country')?.toUpperCase() }),
    },
  );
}
