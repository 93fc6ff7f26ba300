import type { PersonNamed, PrivacyEvent } from '../../events/privacy';
import type { Unbooked } from '../../events/unbooked';
import { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import type { Normalised, SettingSpec, SourceContext } from '../source';
import { defined } from './defined';
import { customerKey, orderKey } from './keys';
import { askPerson } from './normalised';

/** Whether a shop's webhook that asks for a customer to be erased is acted on without a person. */
export const ERASE_BY_WEBHOOK = {
  eraseByWebhook: {
    type: 'boolean',
    description:
      'When the shop asks for a customer’s personal data to be erased, Ponte erases it by itself. false: a person is asked first.',
    default: true,
  },
} as const satisfies Record<string, SettingSpec>;

/**
 * A request of a shop about a customer, in the form that Shopify and Nuvemshop share: `customer` with `id`, `email` and
 * `phone`, and a list of orders.
 * @param orders the member that lists identifiers of orders
 */
export function customerRequest(
  type: 'privacy.erase' | 'privacy.export',
  payload: Payload,
  orders: string,
  { source, settings, currency }: SourceContext,
): Normalised {
  const customer = payload.at('customer');
  const id = customer.identifier('id');
  const person: PersonNamed = defined({
    document: customer.text('identification'),
    email: customer.text('email'),
    phone: customer.text('phone'),
    customerKeys: id === undefined ? [] : [customerKey(source, id)],
    orderKeys: payload.texts(orders).map((order) => orderKey(source, order)),
  });
  const key = id === undefined ? `${source}/customer` : customerKey(source, id);
  if (type === 'privacy.export') {
    const detail = `the shop asks for what is kept of customer ${key}: ponte privacy export --delivery, with the delivery of this item, makes it; send it to whom it is about`;
    return asked({ type, key, person, byPerson: true }, 'privacy-export-asked', detail, currency);
  }
  if (settings['eraseByWebhook'] !== false)
    return {
      ignored: 'the shop asks that a customer be erased: an erasure is begun',
      privacy: { type, key, person, byPerson: false },
    };
  const detail = `the shop asks that customer ${key} be erased, and the source's setting eraseByWebhook leaves it to a person: ponte privacy erase --delivery, with the delivery of this item`;
  return asked({ type, key, person, byPerson: true }, 'privacy-erase-asked', detail, currency);
}

/** A request of a shop that all of its data be erased. It is never done without a person: books are kept by law. */
export function shopRequest({ source, currency }: SourceContext): Normalised {
  const detail = `the shop of source ${source} was closed, or the app was removed from it, and asks that its data be erased: decide which customers have to go, and erase each with ponte privacy erase; the books are kept for as long as the law asks`;
  const event: PrivacyEvent = { type: 'privacy.erase-shop', key: source, person: {}, byPerson: true };
  return asked(event, 'privacy-shop-erase-asked', detail, currency);
}

function asked(privacy: PrivacyEvent, code: Unbooked['code'], detail: string, currency: string): Normalised {
  return { ...askPerson(privacy.key, detail, Money.zero(currency), { code }), privacy };
}
