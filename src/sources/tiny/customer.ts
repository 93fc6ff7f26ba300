import type { AddressFacts, CustomerFacts } from '../../events/event';
import { isIdentifier } from '../identity';
import { countryCodeOf } from '../mapping/brazilian-states';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** Who buys, known by the code that the company gave them. @param order the order's business key */
export function customerOf(place: Payload, source: string, order: string): CustomerFacts {
  const client = place.at('cliente');
  const code = client.text('codigo');
  const id = code !== undefined && isIdentifier(code) ? code : undefined;
  return customerFacts(buyerKey(source, id, order), [client.text('nome'), client.text('nome_fantasia')], {
    document: client.text('cpf_cnpj'),
    email: client.text('email'),
    phone: client.text('fone'),
    address: addressOf(client),
  });
}

function addressOf(client: Payload): AddressFacts | undefined {
  return definedOnly({
    line1: client.text('endereco'),
    number: client.text('numero'),
    line2: client.text('complemento'),
    district: client.text('bairro'),
    city: client.text('cidade'),
    state: client.text('uf'),
    zipCode: client.text('cep'),
    country: countryCodeOf(client.text('pais')),
  });
}
