import { isObject } from '../../kernel/json-object';
import {
  contentKey,
  isIdentifier,
  keepHeaders,
  laneOf,
  objectIn,
  peekJson,
  tokenOf,
  topicOf,
} from '../identity';
import { sharedSettings } from '../settings';
import { bodySignature, sha256Hex } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { kindOf, normalisePagBank } from './normalise';
import { PAGBANK_SAMPLES } from './pagbank.samples';

type Json = Readonly<Record<string, unknown>>;

/** Hex of SHA-256 over `token-body`. */
function signatureOf(token: string, body: Uint8Array | string): string {
  return sha256Hex(token, '-', body);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** `CHAR_1:PAID:0`: a charge, its status and what went back of it, which together are one state of it. */
function stateOf(charge: Json): string {
  const refunded = objectIn(objectIn(charge, 'amount'), 'summary').refunded;
  return `${textOf(charge.id)}:${textOf(charge.status)}:${textOf(refunded)}`;
}

function identify(request: IncomingWebhook): WebhookIdentity {
  const body = peekJson(request.rawBody);
  const id = textOf(body.id);
  const charges = Array.isArray(body.charges) ? body.charges.filter((one) => isObject(one)) : [];
  const last = charges.at(-1);
  const kind = kindOf(id, charges.length > 0);
  const topic = kind === 'chargeback' ? 'chargeback' : topicOf(body.status ?? last?.status ?? 'order');
  const states = [id, ...charges.map(stateOf)].join('/');
  const state =
    kind === 'order' && charges.length > 0 ? states : kind === 'charge' ? stateOf(body) : undefined;
  const dedupeKey = tokenOf(state) ?? contentKey(topic, request.rawBody);
  const order = [body.reference_id, body.id].find((name) => isIdentifier(textOf(name)));
  return {
    topic,
    dedupeKey,
    orderingKey: kind === 'chargeback' ? laneOf('dispute', id, dedupeKey) : laneOf('order', order, dedupeKey),
    attributes: keepHeaders(request, { productId: ['x-product-id'] }),
  };
}

/** PagBank: the order with its charges in their state of that moment, signed with the account's token, without a time. */
export const pagbank: SourceProvider = {
  id: 'pagbank',
  title: 'PagBank',
  settings: {
    ...sharedSettings('bookTestOrders', 'timeZone'),
  },
  setUp: [
    'If the shop that takes these payments sends webhooks to Ponte itself, do not connect PagBank too: each sale would be booked twice.',
    'In PagBank (iBanking), open Venda online, then Integrações, and copy the token of your account: enter it as a secret of this source.',
    'Have your shop name the address of this source in notification_urls of every order that it makes, and its own number of the order in reference_id.',
    'Let PagBank notify of orders, or of charges made without an order, and not of both for one sale.',
    'Pay a small order and see that it arrives. PagBank’s sandbox may leave the signature out: such notifications are refused.',
  ],
  ...bodySignature('x-authenticity-token', signatureOf, { anyCase: true }),
  identify,
  normalise: normalisePagBank,
  topicInBody: true,
  samples: PAGBANK_SAMPLES,
};
