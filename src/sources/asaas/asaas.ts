import { contentKey, laneOf, objectIn, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import { secretInHeader } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { ASAAS_SAMPLES } from './asaas.samples';
import { asaasApi, asaasFetches } from './fetches';
import { asaasHooks } from './hooks';
import { isAboutPayment } from './message';
import { asaasList, importAsaasLine } from './list';
import { normaliseAsaas } from './normalise';

function identify(request: IncomingWebhook): WebhookIdentity {
  const body = peekJson(request.rawBody);
  const topic = topicOf(body.event);
  const dedupeKey = tokenOf(body.id) ?? contentKey(topic, request.rawBody);
  const payment = isAboutPayment(topic) ? objectIn(body, 'payment').id : undefined;
  return { topic, dedupeKey, orderingKey: laneOf('order', payment, dedupeKey), attributes: {} };
}

/** Asaas: the whole payment in every message, with a token that signs nothing, so that the payment is fetched back. */
export const asaas: SourceProvider = {
  id: 'asaas',
  title: 'Asaas',
  settings: {
    ...sharedSettings('bookTestOrders'),
    noticeEmail: {
      type: 'string',
      description:
        'E-mail address to which Asaas writes when the webhook that Ponte makes fails; Asaas wants one.',
    },
    ...sharedSettings('apiUrl', 'timeZone'),
  },
  setUp: [
    'If the shop that takes these payments sends webhooks to Ponte itself, do not connect Asaas too: each sale would be booked twice.',
    'Let Ponte make the webhook: enter a token of 32 characters or more as a secret of this source, your e-mail address in noticeEmail and the key as below, and run ponte sources connect. The next three steps are then done.',
    'Or make it yourself: in Asaas, open Integrações, then Webhooks, and create one (Criar Webhook). Its URL is the address of this source; the version of the API is v3.',
    'Let Asaas make the authentication token (token de autenticação), or enter a long one of your own: enter it as a secret of this source.',
    'Choose the events of payments (cobranças), except that a boleto or an invoice was viewed, and the sending one after another (sequencial).',
    'In Integrações, open Chaves de API and make a key: enter it as the credential apiKey. Ponte fetches each payment and its customer with it.',
    'For Asaas’s sandbox set apiUrl to https://api-sandbox.asaas.com. It has a key and a token of its own.',
    'Pay a small charge and see that it arrives. Asaas stops a webhook after fifteen failures and keeps events for fourteen days: after an outage, switch it on again.',
  ],
  ...secretInHeader('asaas-access-token'),
  identify,
  api: asaasApi,
  fetchBack: asaasFetches,
  switchesOff: { after: { failures: 15 } },
  hooks: asaasHooks,
  importLine: importAsaasLine,
  list: asaasList,
  normalise: normaliseAsaas,
  topicInBody: true,
  samples: ASAAS_SAMPLES,
};
