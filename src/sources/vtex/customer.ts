import type { AddressFacts, CustomerFacts } from '../../events/event';
import { addressIn } from '../mapping/address';
import { chooseDocument } from '../mapping/custom-fields';
import { customerFacts, fullName } from '../mapping/customer';
import { buyerKey } from '../mapping/keys';
import type { Payload } from '../payload';

/** A person's document; a passport is none that books know. */
function ownDocument(profile: Payload): string | undefined {
  const isPassport = profile.text('documentType')?.toLowerCase() === 'passport';
  return isPassport ? undefined : profile.text('document');
}

/** Who bought: a person with a CPF, or a company with a CNPJ, and where the order goes. */
export function customerOf(order: Payload, source: string, orderKey: string): CustomerFacts {
  const profile = order.at('clientProfileData');
  const isCompany = profile.flag('isCorporate');
  const [own, corporate] = [ownDocument(profile), profile.text('corporateDocument')];
  const address = order.at('shippingData').at('address');
  return customerFacts(
    buyerKey(source, profile.identifier('userProfileId'), orderKey),
    [
      isCompany ? (profile.text('corporateName') ?? profile.text('tradeName')) : undefined,
      fullName(profile.text('firstName'), profile.text('lastName')),
      address.text('receiverName'),
    ],
    {
      document: chooseDocument(isCompany ? [corporate, own] : [own, corporate]),
      email: profile.text('email'),
      phone: (isCompany ? profile.text('corporatePhone') : undefined) ?? profile.text('phone'),
      address: addressOf(address),
    },
  );
}

/** Where an order is fetched by the buyer, the address is the shop's. */
function addressOf(address: Payload): AddressFacts | undefined {
  if (address.text('addressType')?.toLowerCase() === 'pickup') return undefined;
  const country = address.text('country');
  return addressIn(address, { zipCode: 'postalCode' }, { country: country === 'BRA' ? 'BR' : country });
}
