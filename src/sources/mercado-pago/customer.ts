import type { AddressFacts, CustomerFacts } from '../../events/event';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { definedOnly } from '../mapping/defined';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

/** Kinds of documents that are a CPF or CNPJ, or may be one. */
const DOCUMENTS = ['CPF', 'CNPJ', undefined];

function documentOf(person: Payload): string | undefined {
  const identification = person.loosely('identification');
  const kind = identification.textIfAny('type')?.toUpperCase();
  return DOCUMENTS.includes(kind) ? identification.textIfAny('number') : undefined;
}

/** Mercado Pago hides some e-mails behind a row of letters. */
function emailOf(person: Payload): string | undefined {
  const email = person.textIfAny('email');
  return email?.includes('@') ? email : undefined;
}

function phoneOf(person: Payload): string | undefined {
  const phone = person.loosely('phone');
  const number = phone.textIfAny('number');
  return number === undefined ? undefined : `${phone.textIfAny('area_code') ?? ''}${number}`;
}

function addressOf(address: Payload): AddressFacts | undefined {
  const inside = [address.textIfAny('floor'), address.textIfAny('apartment')].filter(Boolean).join(' ');
  return definedOnly({
    line1: address.textIfAny('street_name'),
    number: address.textIfAny('street_number'),
    line2: inside === '' ? undefined : inside,
    district: address.textIfAny('neighborhood'),
    city: address.textIfAny('city') ?? address.textIfAny('city_name'),
    state: address.textIfAny('federal_unit') ?? address.textIfAny('state_name'),
    zipCode: address.textIfAny('zip_code'),
  });
}

/**
 * Who bought, a guest of the order: the number that Mercado Pago gives a payer is no customer of the shop. What the payer
 * does not say is in what the shop sent along, or on the card.
 */
export function customerOf(payment: Payload, orderKey: string, context: SourceContext): CustomerFacts {
  const payer = payment.at('payer');
  const sent = payment.loosely('additional_info');
  const payerSent = sent.loosely('payer');
  const holder = payment.loosely('card').loosely('cardholder');
  return customerFacts(
    buyerKey(context.source, undefined, orderKey),
    [
      fullName(payer.textIfAny('first_name'), payer.textIfAny('last_name')),
      fullName(payerSent.textIfAny('first_name'), payerSent.textIfAny('last_name')),
      holder.textIfAny('name'),
    ],
    {
      document: chooseDocument([documentOf(payer), documentOf(holder)]),
      email: emailOf(payer),
      phone: phoneOf(payer) ?? phoneOf(payerSent),
      address:
        addressOf(payer.loosely('address')) ??
        addressOf(sent.loosely('shipments').loosely('receiver_address')) ??
        addressOf(payerSent.loosely('address')),
    },
  );
}
