import { isObject } from '../../kernel/json-object';
import { contentKey, laneOf, peekJson, topicOf } from '../identity';
import { SECRET_IN_ADDRESS } from '../signature';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { tinyApi, tinyFetchBack } from './fetch-back';
import { tinyList } from './list';
import { isAboutOrder, isListed, orderNumberIn } from './message';
import { normaliseTiny } from './normalise';
import { checkTinySettings, TINY_SETTINGS } from './settings';
import { TINY_SAMPLES } from './tiny.samples';

const PROBES = ['GET', 'HEAD'];

/** Tiny asks whether anybody is there before it takes an address, and wants JSON. */
function handshake({ method }: IncomingWebhook): HandshakeReply | undefined {
  return PROBES.includes(method)
    ? { status: 200, contentType: 'application/json; charset=utf-8', body: '{"status":"ok"}' }
    : undefined;
}

/**
 * A notification has no identifier, and is the same to the byte for each change that leaves the situation as it is. One that was
 * made of Tiny's list says when that was, and is the same for ever.
 */
function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { tipo, dados } = peekJson(rawBody);
  const topic = topicOf(tipo);
  const dedupeKey = contentKey(topic, rawBody);
  const isOrder = isAboutOrder(topic);
  const data = isOrder && isObject(dados) ? dados : {};
  const isForOnce = isOrder && !isListed(data);
  return {
    ...{ topic, dedupeKey, ...(isForOnce && { untilFetched: true as const }) },
    ...{ orderingKey: laneOf('order', orderNumberIn(data), dedupeKey), attributes: {} },
  };
}

/**
 * Tiny (Olist, API 2.0): notifications without amounts, which nobody signs. The secret stands in the address, and the sales
 * order is fetched.
 */
export const tiny: SourceProvider = {
  id: 'tiny',
  title: 'Tiny (Olist)',
  settings: TINY_SETTINGS,
  checkSettings: checkTinySettings,
  setUp: [
    'If a shop whose orders Tiny imports sends webhooks to Ponte itself, enter the name of its e-commerce at Tiny in leftOutChannels: else each of its sales is booked twice.',
    'Enter a long random text as a secret of this source: it becomes the last part of its address, and whoever knows it is taken for Tiny.',
    'In Tiny, open Menu, then Configurações, tab Geral, then Outras configurações, then Webhooks. Switch on Receber notificações de vendas and enter the address of this source, with the secret at its end, as URL da notificação de pedidos.',
    'In Configurações, open Token API and copy the token of the API 2.0: enter it as the credential token of this source.',
    'Enter the CNPJ or CPF of the Tiny account as cnpj.',
    'Decide with the accountant in which situations an order is paid, and enter them in paidSituations: Tiny’s orders do not say that money came. Without it receivables are known, and no receipt.',
    'Write a small order and see that it arrives. Tiny sends a notification again where the answer is not 200, ten times at most.',
  ],
  handshake,
  ...SECRET_IN_ADDRESS,
  identify,
  api: tinyApi,
  fetchBack: tinyFetchBack,
  list: tinyList,
  normalise: normaliseTiny,
  topicInBody: true,
  samples: TINY_SAMPLES,
};
