import { isObject } from '../../kernel/json-object';
import { contentKey, isIdentifier, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { UNSIGNED, verifyShownSecret } from '../signature';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { vtexApi, vtexFetchBack } from './fetch-back';
import { importVtexLine, vtexList } from './list';
import { normaliseVtex } from './normalise';
import { checkVtexSettings, DEFAULT_HEADER, secretHeaderOf, VTEX_SETTINGS } from './settings';
import { VTEX_SAMPLES } from './vtex.samples';

const LONGEST_PING = 200;
const PING = 'ping';

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** When a hook is configured, VTEX posts `{"hookConfig": "ping"}` and takes 200 alone for an answer. */
function handshake({ method, rawBody }: IncomingWebhook): HandshakeReply | undefined {
  if (method !== 'POST' || rawBody.length > LONGEST_PING) return undefined;
  const body = peekJson(rawBody);
  const isPing = isObject(body) && body.hookConfig === PING && Object.keys(body).length === 1;
  return isPing ? { status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' } : undefined;
}

/** A notification is known by the order, its state and when it came to have it: the same is sent again where it was not taken. */
function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { OrderId, State, LastChange, CurrentChange } = peekJson(rawBody);
  const topic = topicOf(State);
  const isKnown = isIdentifier(textOf(OrderId)) && textOf(LastChange) !== '';
  const state = [OrderId, topic, LastChange, CurrentChange].map(textOf).join(':');
  const dedupeKey = (isKnown ? tokenOf(state) : undefined) ?? contentKey(topic, rawBody);
  return { topic, dedupeKey, orderingKey: laneOf('order', OrderId, dedupeKey), attributes: {} };
}

/**
 * VTEX: a notification that an order has another state, and nothing more; the order is fetched. Nothing signs it: a header
 * that the operator configures shows the secret, or the address does.
 */
export const vtex: SourceProvider = {
  id: 'vtex',
  title: 'VTEX',
  settings: VTEX_SETTINGS,
  checkSettings: checkVtexSettings,
  setUp: [
    'In VTEX’s panel, open Conta, then Chaves de aplicação, and make an application key for Ponte alone: VTEX has one hook a key. Give it a role with the resources List Orders, View order and Feed v3 and Hook Admin.',
    'Enter the key and its token as appKey and appToken of this source, and the name of the account as account.',
    'Enter a long random text as a secret of this source.',
    'Configure the hook with POST /api/orders/hook/config of VTEX’s API: hook.url is the address of this source, hook.headers has x-ponte-key with the secret. Where a header is not possible, the secret may follow the address of this source, after a slash.',
    'filter.type is FromOrders with disableSingleFire true, and an expression such as status in ["payment-pending","payment-approved","ready-for-handling","invoiced","canceled"]: FromWorkflow sends states alone, and never what goes back.',
    'Saving the hook sends a ping, which Ponte answers without storing anything.',
    'Connect the account that is paid. Where the shop sells through another account of the same company, connect one of the two: each sale would be booked twice.',
    'VTEX deletes a hook after three days without a notification: after an outage, or a quiet week, check that it is still there.',
  ],
  handshake,
  longestHandshake: LONGEST_PING,
  verify: ({ headers, token }, secrets, settings) =>
    verifyShownSecret(secrets, headers[secretHeaderOf(settings)]?.trim() || token),
  identify,
  api: vtexApi,
  fetchBack: vtexFetchBack,
  removedWhenQuietHours: 72,
  importLine: importVtexLine,
  list: vtexList,
  normalise: normaliseVtex,
  sign: ({ secret }) => ({ ...UNSIGNED, [DEFAULT_HEADER]: secret }),
  topicInBody: true,
  samples: VTEX_SAMPLES,
};
