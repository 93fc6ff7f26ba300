import type { AddressFacts } from '../../events/event';
import type { Payload } from '../payload';
import { definedOnly } from './defined';

/** What systems in Brazil call most parts of an address. */
const USUAL = {
  ...{ line1: 'street', number: 'number', line2: 'complement', district: 'neighborhood' },
  ...{ city: 'city', state: 'state', zipCode: 'zipcode', country: 'country' },
} as const satisfies Record<keyof AddressFacts, string>;

/**
 * An address; undefined where it has no part.
 * @param names what its members are called where that is not usual
 * @param read parts that are something else than a member as it is
 */
export function addressIn(
  place: Payload,
  names: Partial<Record<keyof AddressFacts, string>>,
  read: { readonly [K in keyof AddressFacts]?: string | undefined } = {},
): AddressFacts | undefined {
  const called = { ...USUAL, ...names };
  return definedOnly({
    line1: place.text(called.line1),
    number: place.text(called.number),
    line2: place.text(called.line2),
    district: place.text(called.district),
    city: place.text(called.city),
    state: place.text(called.state),
    zipCode: place.text(called.zipCode),
    country: place.text(called.country),
    ...read,
  });
}
