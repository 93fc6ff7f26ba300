import { contentKey, isIdentifier, laneOf, objectIn, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { stripeApi } from './api';
import { checkEndpointEvents, stripeHooks } from './hooks';
import { stripeList } from './list';
import { normaliseStripe } from './normalise';
import { STRIPE_SAMPLES } from './stripe.samples';
import { signAsStripe, SIGNATURE_HEADER, TOLERANCE_SECONDS, verifyStripe } from './verify';

type Json = Readonly<Record<string, unknown>>;

/** The entity that an event is about, and what it is known by: an order by the same fields as its charge's. */
function entityOf(topic: string, object: Json): [entity: string, id: unknown] {
  if (topic.startsWith('charge.dispute.')) return ['dispute', object.id];
  if (topic.startsWith('payout.')) return ['payout', object.id];
  if (!/^(charge|refund|payment_intent)\./.test(topic)) return ['order', undefined];
  const named = [objectIn(object, 'metadata').order_id, object.payment_intent, object.charge, object.id];
  return ['order', named.find((id) => typeof id === 'string' && isIdentifier(id))];
}

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = topicOf(body.type);
  const dedupeKey = tokenOf(body.id) ?? contentKey(topic, rawBody);
  const [entity, named] = entityOf(topic, objectIn(objectIn(body, 'data'), 'object'));
  return { topic, dedupeKey, orderingKey: laneOf(entity, named, dedupeKey), attributes: {} };
}

/** Stripe: events with the object as it was then, signed with a timestamp, in no particular order and sometimes twice. */
export const stripe: SourceProvider = {
  id: 'stripe',
  title: 'Stripe',
  settings: {
    ...sharedSettings('withoutSales', 'documentField', 'instalmentsField', 'bookTestOrders'),
    endpointEvents: {
      type: 'string',
      description:
        'all: Ponte makes an endpoint with the credential secretKey and finds events that no webhook brought. So it does with withoutSales. Neither set: it does neither.',
    },
    ...sharedSettings('apiUrl'),
  },
  checkSettings: checkEndpointEvents,
  setUp: [
    'If the shop that takes these payments sends webhooks to Ponte itself, set withoutSales and leave charge.succeeded, charge.captured and charge.refunded out below: else each sale is booked twice.',
    'Let Ponte make the endpoint: enter a key that may write Webhook Endpoints and read Events as the credential secretKey of this source, set endpointEvents to all, unless withoutSales is set, and run ponte sources connect, which stores the signing secret too. The next three steps are then done.',
    'Or make it yourself: in the Stripe dashboard, open Developers, then Webhooks, and add an endpoint with the address of this source, for events of your own account.',
    'Choose these events: charge.succeeded, charge.captured, charge.refunded, refund.updated, refund.failed, charge.dispute.created, charge.dispute.updated, charge.dispute.funds_withdrawn, charge.dispute.closed, payout.paid, payout.failed, invoice.paid.',
    'Reveal the signing secret of the endpoint, which begins with whsec_, and enter all of it as a secret of this source.',
    'Have your shop set metadata of the payment intent when it makes it: order_id with the number of the order, and cpf or cnpj. With Checkout that is payment_intent_data.metadata.',
    'Make a payment in test mode with an endpoint of test mode: the delivery appears in Ponte as a test order and posts nothing.',
  ],
  signatureHeaders: [SIGNATURE_HEADER],
  verify: verifyStripe,
  toleranceSeconds: TOLERANCE_SECONDS,
  checkSecret: (secret) =>
    secret.startsWith('whsec_')
      ? undefined
      : 'must be the signing secret of the endpoint, which begins with whsec_',
  identify,
  api: stripeApi,
  hooks: stripeHooks,
  list: stripeList,
  normalise: normaliseStripe,
  sign: signAsStripe,
  topicInBody: true,
  samples: STRIPE_SAMPLES,
};
