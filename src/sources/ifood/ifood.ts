import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import { bodySignature, hexHmac } from '../signature';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { ifoodApi, ifoodFetchBack } from './api';
import { IFOOD_SAMPLES } from './ifood.samples';
import { normaliseIfood } from './normalise';
import { codeOf, HEARTBEAT } from './order-event';

/** Its signature is keyed with the application's client secret. */
const SIGNATURE_HEADER = 'x-ifood-signature';
/** Longest heartbeat: it may name a thousand restaurants. */
const LONGEST_HEARTBEAT = 65_536;

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = topicOf(codeOf(body));
  const dedupeKey = tokenOf(body.id) ?? contentKey(topic, rawBody);
  return { topic, dedupeKey, orderingKey: laneOf('order', body.orderId, dedupeKey), attributes: {} };
}

/** Every thirty seconds iFood asks whether the application is there. It says nothing for the books, and nothing is stored. */
function handshake({ method, headers, rawBody }: IncomingWebhook): HandshakeReply | undefined {
  if (method !== 'POST' || headers[SIGNATURE_HEADER] === undefined) return undefined;
  if (rawBody.length > LONGEST_HEARTBEAT || !rawBody.includes(HEARTBEAT)) return undefined;
  const body = peekJson(rawBody);
  if (codeOf(body) !== HEARTBEAT || body.orderId !== undefined) return undefined;
  return { status: 202, contentType: 'text/plain; charset=utf-8', body: 'ok' };
}

/**
 * iFood: events that name an order, signed over the body with the application's client secret; the order is fetched. One
 * application serves many restaurants.
 */
export const ifood: SourceProvider = {
  id: 'ifood',
  title: 'iFood',
  settings: {
    storeId: {
      type: 'string',
      description:
        'Identifier of the restaurant at iFood (merchantId), a UUID. Events of another restaurant are set aside. Not set: this source takes those of every restaurant of the application.',
    },
    ...sharedSettings('bookTestOrders', 'apiUrl', 'timeZone'),
  },
  setUp: [
    'In iFood’s developer portal, make an application for Ponte alone, of the type centralizado, with the modules Order and Events, and have the restaurants allow it.',
    'Enter its client secret as a secret of this source, and client ID and client secret as the credentials clientId and clientSecret.',
    'In the application’s settings, switch webhooks on: the URL is the address of this source.',
    'Leave presence (heartbeats) to the system that takes the orders: Ponte answers heartbeats with 202, which says that somebody is there, and confirms no order.',
    'Enter the restaurant’s identifier (merchantId) as storeId. Where one application serves several restaurants, make a source for each, with the same secret and credentials.',
    'In the table gatewayAccount, enter the account of iFood’s payouts under ifood, and the till, the card machine and the like under ifood_cash, ifood_credit_card, ifood_debit_card, ifood_pix and ifood_meal_voucher.',
  ],
  handshake,
  ...bodySignature(SIGNATURE_HEADER, hexHmac, { anyCase: true }),
  storeOf: ({ rawBody }) => tokenOf(peekJson(rawBody).merchantId),
  identify,
  api: ifoodApi,
  fetchBack: ifoodFetchBack,
  switchesOff: { after: { hours: 72 } },
  acceptedStatus: 202,
  normalise: normaliseIfood,
  topicInBody: true,
  samples: IFOOD_SAMPLES,
};
