import { isObject } from '../../kernel/json-object';
import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import { SECRET_IN_ADDRESS } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { pagarmeApi, pagarmeFetchBack } from './fetch-back';
import { isRead } from './hook';
import { importPagarmeLine, pagarmeList } from './list';
import { MOVEMENT } from './movement';
import { normalisePagarme } from './normalise';
import { PAGARME_SAMPLES } from './pagarme.samples';

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { id, type, data } = peekJson(rawBody);
  const topic = topicOf(type);
  if (topic === MOVEMENT) return identifyMovement(isObject(data) ? data.id : undefined, rawBody);
  const dedupeKey = tokenOf(id) ?? contentKey(topic, rawBody);
  const about = isObject(data) ? data : {};
  const owner = topic.startsWith('charge.') && isObject(about.order) ? about.order : about;
  const named = isRead(topic) ? owner.id : undefined;
  return { topic, dedupeKey, orderingKey: laneOf('order', named, dedupeKey), attributes: {} };
}

/** An operation may be named before it is there: it is the same delivery only until Ponte asks for it. */
function identifyMovement(id: unknown, rawBody: Buffer): WebhookIdentity {
  const named = tokenOf(id);
  const dedupeKey = named === undefined ? contentKey(MOVEMENT, rawBody) : `${MOVEMENT}:${named}`;
  const orderingKey = laneOf('fee', named, dedupeKey);
  return { topic: MOVEMENT, dedupeKey, untilFetched: true, orderingKey, attributes: {} };
}

/** Pagar.me (v5): the whole order or charge in every webhook, which nobody signs. The secret stands in the address. */
export const pagarme: SourceProvider = {
  id: 'pagarme',
  title: 'Pagar.me',
  settings: { ...sharedSettings('withoutSales', 'apiUrl') },
  setUp: [
    'If the shop that takes these payments sends webhooks to Ponte itself, set withoutSales: else each sale is booked twice. Ponte then reads the statement of the balance with the secret key once an hour, and of the events below only charge.chargedback is needed.',
    'Enter a long random text as a secret of this source: it becomes the last part of its address, and whoever knows it is taken for Pagar.me.',
    'In Pagar.me, open Configurações, then Webhooks, then Criar webhook, with the address of this source and the secret at its end.',
    'Choose the events of orders (order.paid, order.canceled) and of charges (charge.paid, charge.pending, charge.refunded, charge.partial_canceled, charge.payment_failed, charge.overpaid, charge.underpaid, charge.chargedback).',
    'In Pagar.me, open Configurações, then Chaves, and copy the secret key, which begins with sk_: enter it as the credential secretKey of this source.',
    'Make a small order and see that it arrives. Do not connect an account for tests to real books: nothing in an order says that it is one.',
  ],
  ...SECRET_IN_ADDRESS,
  identify,
  api: pagarmeApi,
  fetchBack: pagarmeFetchBack,
  list: pagarmeList,
  importLine: importPagarmeLine,
  normalise: normalisePagarme,
  topicInBody: true,
  samples: PAGARME_SAMPLES,
};
