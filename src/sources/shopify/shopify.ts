import { contentKey, keepHeaders, laneOf, tokenOf, topicOf } from '../identity';
import { ERASE_BY_WEBHOOK } from '../mapping/privacy';
import { SHARED_SETTINGS, sharedSettings } from '../settings';
import { base64Hmac, verifyBodyHmac } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { topLevelMember } from '../top-level-member';
import { importShopifyLine, shopifyApi, shopifyList } from './list';
import { normaliseShopify } from './normalise';
import { SHOPIFY_SAMPLES } from './shopify.samples';

/** A Shopify header; newer deliveries use the names without `X-`. */
function header(request: IncomingWebhook, name: string): string | undefined {
  return request.headers[`x-shopify-${name}`] ?? request.headers[`shopify-${name}`];
}

/**
 * One event of the shop causes several deliveries that share an event id, one for each topic: the key is
 * made of both. Without ids, the content stands for itself.
 */
function dedupeKeyOf(request: IncomingWebhook, topic: string): string {
  const id = tokenOf(header(request, 'event-id')) ?? tokenOf(header(request, 'webhook-id'));
  return id === undefined ? contentKey(topic, request.rawBody) : `${topic}:${id}`;
}

function identify(request: IncomingWebhook): WebhookIdentity {
  const topic = topicOf(header(request, 'topic'));
  const dedupeKey = dedupeKeyOf(request, topic);
  const entity = topic.startsWith('customers/') ? 'customer' : 'order';
  const isEntity = /^(customers|orders)\//.test(topic);
  const id = topLevelMember(request.rawBody, isEntity ? 'id' : 'order_id');
  return {
    topic,
    dedupeKey,
    orderingKey: laneOf(entity, id, dedupeKey),
    attributes: keepHeaders(request, {
      triggeredAt: ['x-shopify-triggered-at', 'shopify-triggered-at'],
      shop: ['x-shopify-shop-domain', 'shopify-shop-domain'],
      eventId: ['x-shopify-event-id', 'shopify-event-id'],
    }),
  };
}

/** Shopify: full payloads, signed over the body without a timestamp, in no particular order. */
export const shopify: SourceProvider = {
  id: 'shopify',
  title: 'Shopify',
  settings: {
    ...sharedSettings('documentField', 'instalmentsField', 'bookTestOrders'),
    apiUrl: {
      ...SHARED_SETTINGS.apiUrl,
      description:
        'Address of the shop at Shopify, such as https://minhaloja.myshopify.com, https: Ponte asks it every hour for orders of which no webhook came. Nothing else needs it.',
    },
    ...ERASE_BY_WEBHOOK,
    ...sharedSettings('timeZone'),
  },
  setUp: [
    'In the Shopify admin, open Settings, then Notifications, then Webhooks.',
    'At the bottom of that page Shopify shows the key that webhooks are signed with: enter it as a secret of this source. (Webhooks that an app registers are signed with the app’s client secret instead.)',
    'Create a webhook for each of these events, in JSON format and with the address of this source: Order creation, Order update, Order payment, Order cancellation, Customer creation, Customer update.',
    'With Shopify Payments, add Dispute created and Dispute updated: they bring chargebacks.',
    'Order update is the one that brings refunds. A webhook for Refund creation may be added; it is stored, and its money is taken from the order update that comes with it.',
    'Make sure that checkout asks for the CPF or CNPJ and keeps it as an additional detail of the order (cpf, cnpj or document), or in the address’s company field. Set documentField when the detail has another name.',
    'When buyers choose instalments, have the payment app keep their number as an additional detail named installments or parcelas. Set instalmentsField when it has another name.',
    'Where an app of yours registers the webhooks, enter the address of this source for the three compulsory ones on personal data too (customers/data_request, customers/redact, shop/redact), in the settings of the app. A source has secrets for both keys.',
    'Use "Send test" on one of the webhooks: the delivery appears in Ponte as a test order and posts nothing.',
    'So that Ponte finds what no webhook brought, open Shopify’s Dev Dashboard, make an app with the access scope read_orders, and install it in the shop. Enter its Client ID and secret as the credentials clientId and clientSecret of this source, and the shop’s address at Shopify as apiUrl. Webhooks need none of it.',
  ],
  signatureHeaders: ['x-shopify-hmac-sha256', 'shopify-hmac-sha256'],
  verify: (request, secrets) => verifyBodyHmac(request.rawBody, secrets, header(request, 'hmac-sha256')),
  identify,
  api: shopifyApi,
  list: shopifyList,
  importLine: importShopifyLine,
  normalise: normaliseShopify,
  /** Signs as Shopify does: base64 of HMAC-SHA256 over the body. */
  sign({ secret, body, topic, id, sentAt }) {
    return {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-event-id': id,
      'x-shopify-triggered-at': sentAt.toISOString(),
      'x-shopify-hmac-sha256': base64Hmac(secret, body),
    };
  },
  samples: SHOPIFY_SAMPLES,
};
