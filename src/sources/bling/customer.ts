import type { AddressFacts, CustomerFacts } from '../../events/event';
import { countryCodeOf } from '../mapping/brazilian-states';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { contactIdOf } from './message';

/**
 * Who buys: the contact, and what the order says of it where there is no contact any more.
 * @param contact as fetched
 * @param order the order's business key
 */
export function customerOf(
  place: Payload,
  contact: Payload | undefined,
  source: string,
  order: string,
): CustomerFacts {
  const named = place.at('contato');
  return customerFacts(
    buyerKey(source, contactIdOf(place), order),
    [contact?.text('nome'), named.text('nome'), contact?.text('fantasia')],
    {
      document: chooseDocument([contact?.text('numeroDocumento'), named.text('numeroDocumento')]),
      email: contact?.text('email'),
      phone: contact?.text('celular') ?? contact?.text('telefone'),
      address: contact && addressOf(contact),
    },
  );
}

function addressOf(contact: Payload): AddressFacts | undefined {
  const address = contact.loosely('endereco').loosely('geral');
  return definedOnly({
    line1: address.textIfAny('endereco'),
    number: address.textIfAny('numero'),
    line2: address.textIfAny('complemento'),
    district: address.textIfAny('bairro'),
    city: address.textIfAny('municipio'),
    state: address.textIfAny('uf'),
    zipCode: address.textIfAny('cep'),
    country: countryCodeOf(contact.loosely('pais').textIfAny('nome')),
  });
}
