import { contentKey, laneOf, peekJson, tokenOf } from '../identity';
import { ERASE_BY_WEBHOOK } from '../mapping/privacy';
import { sharedSettings, textSetting } from '../settings';
import { bodySignature, hexHmac } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { nuvemshopApi, nuvemshopFetches, TOKEN_HEADERS, USER_AGENT } from './fetches';
import { nuvemshopHooks } from './hooks';
import { importNuvemshopLine, nuvemshopList } from './list';
import { normaliseNuvemshop } from './normalise';
import { subjectOfTopic, topicOfBody } from './notification';
import { NUVEMSHOP_SAMPLES } from './nuvemshop.samples';

/** Its signature is made with the secret of the app. */
export const SIGNATURE_HEADER = 'x-linkedstore-hmac-sha256';

/** Every update of one order brings the same bytes, so that they are one delivery only until the order is fetched. */
function identify(request: IncomingWebhook): WebhookIdentity {
  const body = peekJson(request.rawBody);
  const topic = topicOfBody(body.event, (name) => Object.hasOwn(body, name));
  const subject = subjectOfTopic(topic);
  const content = contentKey(topic, request.rawBody);
  if (subject === undefined)
    return { topic, dedupeKey: content, orderingKey: `delivery/${content}`, attributes: {} };
  const named = [body.store_id, topic, body.id].map((part) =>
    typeof part === 'string' || Number.isSafeInteger(part) ? String(part) : '',
  );
  const dedupeKey = (named.every((part) => part !== '') ? tokenOf(named.join(':')) : undefined) ?? content;
  const orderingKey = laneOf(subject, body.id, dedupeKey);
  return { topic, dedupeKey, untilFetched: true, orderingKey, attributes: {} };
}

/** All stores of an app send to one address. */
function storeOf({ rawBody }: IncomingWebhook): string | undefined {
  const { store_id: store } = peekJson(rawBody);
  if (typeof store !== 'string' && !Number.isSafeInteger(store)) return undefined;
  return /^\d{1,20}$/.test(String(store)) ? String(store) : undefined;
}

/** Nuvemshop (Tiendanube): signed notifications that name an order or customer, whose state is fetched. */
export const nuvemshop: SourceProvider = {
  id: 'nuvemshop',
  title: 'Nuvemshop',
  settings: {
    storeId: {
      type: 'string',
      description:
        'Number of the store (user_id when the app was installed). All stores of an app are signed with one secret and send to one address, which may be that of any of their sources; without this number the source takes what no other one takes.',
    },
    tokenHeader: {
      type: 'string',
      description:
        'Header that shows the access token: authentication, or authorization. Nuvemshop documents both.',
      default: 'authentication',
    },
    userAgent: {
      type: 'string',
      description:
        'Name of your app with an address or e-mail, which Nuvemshop wants to see in each request, for example Minha Loja (ti@minhaloja.com.br).',
      default: USER_AGENT,
    },
    ...sharedSettings('apiUrl'),
    ...ERASE_BY_WEBHOOK,
    ...sharedSettings('timeZone'),
  },
  checkSettings(settings) {
    const header = textSetting(settings, 'tokenHeader');
    if (header !== undefined && !TOKEN_HEADERS.includes(header))
      return { name: 'tokenHeader', message: `must be ${TOKEN_HEADERS.join(' or ')}` };
    const store = textSetting(settings, 'storeId');
    return store === undefined || /^\d{1,20}$/.test(store)
      ? undefined
      : { name: 'storeId', message: 'must be the number of a store, digits alone' };
  },
  setUp: [
    'In Nuvemshop’s partner portal (Portal de Parceiros), make an app for your store with the permissions to read orders and customers (read_orders, read_customers), and install it in the store.',
    'Enter the app’s client secret as a secret of this source, and the access token that the installation gave as its credential accessToken. Enter the store’s number (user_id) in storeId.',
    'Let Ponte make the webhooks: ponte sources connect. Or make one yourself for each of the events order/created, order/pending, order/paid, order/voided, order/edited, order/cancelled and order/updated with POST /v1/{store_id}/webhooks, and let its url be the address of this source. customer/created and customer/updated may be added.',
    'Where the store is one of Tiendanube, set apiUrl to https://api.tiendanube.com.',
    'Enter the address of this source for the three compulsory webhooks on personal data. Ponte erases a customer when customers/redact asks for it, and leaves the other two to a person.',
    'Pay a small order and see that it arrives.',
  ],
  ...bodySignature(SIGNATURE_HEADER, hexHmac, { anyCase: true }),
  storeOf,
  identify,
  api: nuvemshopApi,
  fetchBack: nuvemshopFetches,
  hooks: nuvemshopHooks,
  list: nuvemshopList,
  importLine: importNuvemshopLine,
  normalise: normaliseNuvemshop,
  topicInBody: true,
  samples: NUVEMSHOP_SAMPLES,
};
