import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings, textSetting } from '../settings';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { signWithKey, verifierOf } from '../standard-webhooks/verify';
import { BIGCOMMERCE_SAMPLES } from './bigcommerce.samples';
import { bigcommerceApi, fetchBack } from './fetch';
import { bigcommerceHooks } from './hooks';
import { bigcommerceList, importBigCommerceLine } from './list';
import { normaliseBigCommerce } from './normalise';
import { peekEntity, STORE_HASH } from './notification';
import { PAID_STATUSES, statusesIn } from './status';

/** BigCommerce signs with the bytes of the client secret's text, which is not base64. */
function keyOf(secret: string): Buffer | undefined {
  const text = secret.trim();
  return text === '' ? undefined : Buffer.from(text, 'utf8');
}

/**
 * As long as BigCommerce tries again: nobody says whether a further try is signed anew, and a recorded notification that is
 * played again has Ponte fetch what is there anyway.
 */
const TOLERANCE_SECONDS = 48 * 3_600;

/** By `hash`, which is the same for each hook that tells of one event; each hook's message has an id of its own. */
function identify({ headers, rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = topicOf(body.scope);
  const dedupeKey = tokenOf(body.hash) ?? tokenOf(headers['webhook-id']) ?? contentKey(topic, rawBody);
  const [entity, id] = peekEntity(topic, body.data);
  return {
    topic,
    dedupeKey,
    untilFetched: true,
    orderingKey: laneOf(entity, id, dedupeKey),
    attributes: {},
  };
}

/** BigCommerce: notifications that name an order or a customer, which is fetched with its transactions and refunds. */
export const bigcommerce: SourceProvider = {
  id: 'bigcommerce',
  title: 'BigCommerce',
  settings: {
    storeHash: {
      type: 'string',
      description:
        'Hash of the store: what stands after stores/ in the API path of the API account, such as abc123.',
      required: true,
    },
    paidStatuses: {
      type: 'string',
      description: `Numbers of the order statuses that mean that the money is there, with commas; ${PAID_STATUSES} when not set.`,
    },
    ...sharedSettings('documentField', 'bookTestOrders', 'timeZone', 'apiUrl'),
  },
  checkSettings(settings) {
    if (!STORE_HASH.test(textSetting(settings, 'storeHash') ?? ''))
      return { name: 'storeHash', message: 'must be letters and digits, as in stores/abc123' };
    const isNumbers = statusesIn(textSetting(settings, 'paidStatuses') ?? PAID_STATUSES).every((text) =>
      /^\d{1,4}$/.test(text),
    );
    return isNumbers
      ? undefined
      : { name: 'paidStatuses', message: 'must be numbers of statuses with commas' };
  },
  setUp: [
    'In the control panel, open Settings, then Store-level API accounts, and create a V2/V3 API token with the scopes Orders, Order Transactions and Customers, each read-only. BigCommerce shows its client secret and access token once.',
    'Enter the client secret as a secret of this source, the access token as its credential accessToken, and what stands after stores/ in the API path as its setting storeHash.',
    'Have an address form field of the checkout named CPF or CNPJ, or name yours in documentField.',
    'Let Ponte make the webhooks: ponte sources connect. Or make two webhooks with the same account yourself: POST https://api.bigcommerce.com/stores/{store hash}/v3/hooks with the scope store/order/*, then store/customer/*, is_active true, and the address of this source as destination.',
    'Place an order with the test payment gateway: it appears in Ponte as a test order and posts nothing.',
  ],
  signatureHeaders: ['webhook-signature'],
  verify: verifierOf(keyOf, TOLERANCE_SECONDS),
  toleranceSeconds: TOLERANCE_SECONDS,
  identify,
  api: bigcommerceApi,
  fetchBack,
  switchesOff: { after: { hours: 48 } },
  hooks: bigcommerceHooks,
  list: bigcommerceList,
  importLine: importBigCommerceLine,
  normalise: normaliseBigCommerce,
  /** Signs as BigCommerce does. @throws Error when the secret is blank */
  sign(message) {
    const key = keyOf(message.secret);
    if (!key) throw new Error('the secret is blank');
    return signWithKey(key, message);
  },
  topicInBody: true,
  samples: BIGCOMMERCE_SAMPLES,
};
