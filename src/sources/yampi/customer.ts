import type { CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** What Yampi calls a customer that is a company (pessoa jurídica). */
const COMPANY = 'j';

/** Who bought, with the address that the order goes to. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const customer = order.at('customer').at('data');
  const address = order.at('shipping_address').at('data');
  const isCompany = customer.text('type')?.toLowerCase() === COMPANY;
  const [cpf, cnpj] = [customer.text('cpf'), customer.text('cnpj')];
  const person =
    customer.text('name') ??
    customer.text('generic_name') ??
    fullName(customer.text('first_name'), customer.text('last_name'));
  return customerFacts(
    buyerKey(source, customer.identifier('id') ?? order.identifier('customer_id'), orderKey),
    [isCompany ? customer.text('razao_social') : undefined, person, address.text('receiver')],
    {
      document: chooseDocument(isCompany ? [cnpj, cpf] : [cpf, cnpj]),
      email: customer.text('email'),
      phone: phoneOf(customer),
      address: definedOnly({
        line1: address.text('street'),
        number: address.text('number'),
        line2: address.text('complement'),
        district: address.text('neighborhood'),
        city: address.text('city'),
        state: address.text('uf') ?? address.text('state'),
        zipCode: address.text('zipcode') ?? address.text('zip_code'),
        country: address.text('country'),
      }),
    },
  );
}

function phoneOf(customer: Payload): string | undefined {
  const phone = customer.loosely('phone');
  return phone.text('full_number') ?? phone.text('formated_number') ?? customer.textIfAny('phone');
}
