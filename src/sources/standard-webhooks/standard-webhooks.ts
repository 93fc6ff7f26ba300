import { contentKey, tokenOf } from '../identity';
import { sharedSettings } from '../settings';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { identifyMessage } from './identify';
import { normaliseStandardWebhook } from './normalise';
import { STANDARD_WEBHOOKS_SAMPLES } from './standard-webhooks.samples';
import { keyOf, prefixOf, signStandardWebhook, TOLERANCE_SECONDS, verifyStandardWebhook } from './verify';

function identify(request: IncomingWebhook): WebhookIdentity {
  const id = tokenOf(request.headers[`${prefixOf(request)}-id`]);
  return identifyMessage(request, (topic) => id ?? contentKey(topic, request.rawBody));
}

/**
 * The contract for shops and systems that have none of their own: Standard Webhooks for signing, canonical
 * events for content. What `data` holds is in docs/sources/standard-webhooks.md.
 */
export const standardWebhooks: SourceProvider = {
  id: 'standard-webhooks',
  title: 'Standard Webhooks (your own shop or system)',
  settings: {
    ...sharedSettings('bookTestOrders', 'timeZone'),
  },
  setUp: [
    'Make a signing key of 24 to 64 random bytes: echo "whsec_$(openssl rand -base64 32)". Enter it as a secret of this source and in the configuration of your shop.',
    'In your shop, send a POST with a JSON body to the address of this source whenever an order is created, waits for a payment, is paid, edited, cancelled or refunded, when a customer changes, when an acquirer settles an instalment, when a gateway pays out, when a buyer has a payment taken back, and when a supplier’s bill is paid. docs/sources/standard-webhooks.md describes the body, with an example for each.',
    'Sign each message with a Standard Webhooks library of your language: headers webhook-id (the same for every try of one message), webhook-timestamp and webhook-signature. Svix’s, which begin with svix-, are taken too.',
    'Keep the clock of your server right: a message whose timestamp is more than five minutes off is refused.',
    'Send a message again, with the same webhook-id, until the answer is 200.',
    'Send one order with "test": true: it appears in Ponte and posts nothing.',
  ],
  signatureHeaders: ['webhook-signature', 'svix-signature'],
  verify: verifyStandardWebhook,
  toleranceSeconds: TOLERANCE_SECONDS,
  checkSecret: (secret) => (keyOf(secret) ? undefined : 'must be base64, with or without whsec_ before it'),
  identify,
  normalise: normaliseStandardWebhook,
  sign: signStandardWebhook,
  topicInBody: true,
  samples: STANDARD_WEBHOOKS_SAMPLES,
};
