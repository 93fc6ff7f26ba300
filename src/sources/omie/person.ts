import type { AddressFacts, CustomerFacts } from '../../events/event';
import type { SupplierFacts } from '../../events/bill';
import { customerFacts } from '../mapping/customer';
import { defined, definedOnly } from '../mapping/defined';
import { customerKey } from '../mapping/keys';
import type { Payload } from '../payload';

const MOST_TAGS = 100;
const CUSTOMER_TAG = 'cliente';
/** Omie writes a city with its state behind it: `SAO PAULO (SP)`. */
const STATE_BEHIND = /\s*\([A-Z]{2}\)$/;

/** A customer of Omie's. @param person as fetched; undefined where there is none any more */
export function customerOf(person: Payload | undefined, source: string, id: string): CustomerFacts {
  const key = customerKey(source, id);
  if (person === undefined) return customerFacts(key, [], {});
  return customerFacts(key, namesOf(person), {
    document: person.text('cnpj_cpf'),
    email: person.text('email'),
    phone:
      [person.text('telefone1_ddd'), person.text('telefone1_numero')].filter(Boolean).join('') || undefined,
    address: addressOf(person),
  });
}

/** Whom a bill is owed to. @param person as fetched; undefined where there is none any more */
export function supplierOf(person: Payload | undefined, id: string): SupplierFacts {
  const [name = id] = person ? namesOf(person).filter((one) => one !== undefined) : [];
  return defined({ name, document: person?.text('cnpj_cpf') });
}

/** Omie keeps customers and suppliers in one list, and tags tell them apart; without tags it may be both. */
export function isCustomer(person: Payload): boolean {
  const tags = person.firstItems('tags', MOST_TAGS).map((tag) => tag.textIfAny('tag')?.toLowerCase());
  return tags.length === 0 || tags.includes(CUSTOMER_TAG);
}

function namesOf(person: Payload): (string | undefined)[] {
  return [person.text('razao_social'), person.text('nome_fantasia')];
}

function addressOf(person: Payload): AddressFacts | undefined {
  const found = definedOnly({
    line1: person.text('endereco'),
    number: person.text('endereco_numero'),
    line2: person.text('complemento'),
    district: person.text('bairro'),
    city: person.text('cidade')?.replace(STATE_BEHIND, ''),
    state: person.text('estado'),
    zipCode: person.text('cep'),
  });
  if (found === undefined) return undefined;
  return person.text('exterior') === 'S' ? found : { ...found, country: 'BR' };
}
