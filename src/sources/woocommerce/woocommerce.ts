import { contentKey, keepHeaders, laneOf, topicOf } from '../identity';
import { SHARED_SETTINGS, sharedSettings } from '../settings';
import { base64Hmac, verifyBodyHmac } from '../signature';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { topLevelMember } from '../top-level-member';
import { woocommerceApi } from './api';
import { TOPICS, woocommerceHooks } from './hooks';
import { importWooCommerceLine, woocommerceList } from './list';
import { normaliseWooCommerce } from './normalise';
import { LEFT_OUT_FEES, PAID_STATUSES } from './order';
import { WOOCOMMERCE_SAMPLES } from './woocommerce.samples';

const TOPIC = 'x-wc-webhook-topic';
const SIGNATURE = 'x-wc-webhook-signature';
const PING = /^webhook_id=\d{1,20}$/;
const LONGEST_PING = 40;

/** When a webhook is saved, WooCommerce posts `webhook_id=NN` as a form, unsigned, and wants a 200. */
function handshake(request: IncomingWebhook): HandshakeReply | undefined {
  const named = request.headers[TOPIC] !== undefined || request.headers[SIGNATURE] !== undefined;
  // The length goes first: a large body is no ping and not worth turning into text.
  if (request.method !== 'POST' || named || request.rawBody.length > LONGEST_PING) return undefined;
  if (!PING.test(request.rawBody.toString('latin1'))) return undefined;
  return { status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };
}

function identify(request: IncomingWebhook): WebhookIdentity {
  const topic = topicOf(request.headers[TOPIC]);
  const dedupeKey = contentKey(topic, request.rawBody);
  const entity = topic.startsWith('customer.') ? 'customer' : 'order';
  const known = entity === 'customer' || topic.startsWith('order.');
  return {
    topic,
    dedupeKey,
    orderingKey: laneOf(entity, known ? topLevelMember(request.rawBody, 'id') : undefined, dedupeKey),
    attributes: keepHeaders(request, {
      shop: ['x-wc-webhook-source'],
      deliveryId: ['x-wc-webhook-delivery-id'],
    }),
  };
}

/**
 * WooCommerce: full payloads, signed over the body without a timestamp. Delivery ids are not unique, so the
 * content itself is what a delivery is known by. A webhook that fails is not sent again.
 */
export const woocommerce: SourceProvider = {
  id: 'woocommerce',
  title: 'WooCommerce',
  settings: {
    paidStatuses: {
      type: 'string',
      description:
        'Order statuses that mean the money is there without a payment date, separated by commas. Add those of plugins, for example shipped. With a payment date every status is paid, except processing and completed where they are left out here, and partially-paid, partial-payment and deposit where they are not named here.',
      default: PAID_STATUSES,
    },
    [LEFT_OUT_FEES]: {
      type: 'string',
      description:
        'Gateways (payment_method, separated by commas) whose fees are left out: those that are a source with withoutSales too.',
    },
    ...sharedSettings('documentField', 'instalmentsField', 'bookTestOrders'),
    apiUrl: {
      ...SHARED_SETTINGS.apiUrl,
      description:
        'Address of the shop, such as https://minhaloja.com.br, https. Its REST API is below it: Ponte registers the webhooks there, and asks it every hour for orders of which no webhook came.',
    },
    ...sharedSettings('timeZone'),
  },
  setUp: [
    'Let Ponte make the webhooks: in the WordPress admin, open WooCommerce, then Settings, then Advanced, then REST API, and add a key with the permission Read/Write. Enter the consumer key and secret as the credentials consumerKey and consumerSecret of this source, the shop’s address in apiUrl, any long random text as a secret of this source, and run ponte sources connect. The next three steps are then done.',
    'Or make them yourself: in the WordPress admin, open WooCommerce, then Settings, then Advanced, then Webhooks.',
    'Add a webhook for each of these topics: Order created, Order updated, Customer created, Customer updated. Status: Active. API version: WP REST API Integration v3.',
    'Delivery URL is the address of this source. Secret is any long random text: enter the same one as a secret of this source.',
    'Saving a webhook sends a ping, which Ponte answers without storing anything.',
    'Have checkout ask for the CPF or CNPJ, for example with the plugin Brazilian Market on WooCommerce, which fills billing.cpf and billing.cnpj. Set documentField when another plugin keeps it under another name.',
    'When buyers choose instalments, look up under which name the payment plugin keeps their number in the order’s custom fields; installments, parcelas and the fields of Mercado Pago, PagBank and Rede are known, set instalmentsField for any other.',
    'Orders that WooPayments, Mercado Pago, PagBank or PayPal took in test mode are stored as test orders and post nothing. Other gateways do not mark them: keep their test mode off a shop that is connected.',
    'WooCommerce never sends a failed delivery again and switches a webhook off after five failures in a row: after an outage, check that the webhooks are still active.',
    'So that Ponte finds what no webhook brought, open WooCommerce, then Settings, then Advanced, then REST API, and add a key that may read. Enter it as consumerKey and consumerSecret of this source, and the address of the shop as apiUrl. Webhooks need neither.',
  ],
  handshake,
  longestHandshake: LONGEST_PING,
  signatureHeaders: [SIGNATURE],
  verify: (request, secrets) => verifyBodyHmac(request.rawBody, secrets, request.headers[SIGNATURE]),
  identify,
  api: woocommerceApi,
  // As its documentation says; its code has it after two more.
  switchesOff: { after: { failures: 5 }, eachTopic: { header: TOPIC, topics: TOPICS } },
  hooks: woocommerceHooks,
  list: woocommerceList,
  importLine: importWooCommerceLine,
  normalise: normaliseWooCommerce,
  /** Signs as WooCommerce does: base64 of HMAC-SHA256 over the body. */
  sign({ secret, body, topic, id }) {
    return {
      'content-type': 'application/json',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-delivery-id': id,
      'x-wc-webhook-signature': base64Hmac(secret, body),
    };
  },
  samples: WOOCOMMERCE_SAMPLES,
};
