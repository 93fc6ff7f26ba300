import { isObject } from '../../kernel/json-object';
import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { bodySignature, hexHmac } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { BLING_SAMPLES } from './bling.samples';
import { blingApi, blingFetchBack } from './fetch-back';
import { blingList } from './list';
import { isAboutOrder } from './message';
import { normaliseBling } from './normalise';
import { BLING_SETTINGS, checkBlingSettings } from './settings';

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { eventId, event, data } = peekJson(rawBody);
  const topic = topicOf(event);
  const dedupeKey = tokenOf(eventId) ?? contentKey(topic, rawBody);
  const order = isAboutOrder(topic) && isObject(data) ? data.id : undefined;
  return { topic, dedupeKey, orderingKey: laneOf('order', order, dedupeKey), attributes: {} };
}

/** Bling (API v3): signed notifications that name a sales order, which is fetched with its buyer. */
export const bling: SourceProvider = {
  id: 'bling',
  title: 'Bling',
  settings: BLING_SETTINGS,
  checkSettings: checkBlingSettings,
  setUp: [
    'If a shop whose orders Bling imports sends webhooks to Ponte itself, enter the number of its sales channel (canal de venda) in leftOutChannels: else each of its sales is booked twice.',
    'In Bling, open Central de Extensões, then Área do Integrador, then Criar novo aplicativo: a private one (Privado) of one company, with the scopes of Pedidos de Venda and Contatos. Reading is enough.',
    'Copy the application’s client secret: enter it as a secret of this source and as the credential clientSecret, with the client ID as clientId.',
    'Open the application’s invitation (link de convite) as the company and authorise it. Within a minute, exchange the code in the address that you come to for tokens (POST /oauth/token, grant_type=authorization_code), and enter the refresh_token as the credential refreshToken. Bling sends nothing before.',
    'In the application’s tab Webhooks, add the address of this source as a server (servidor); then choose that server for the resource of sales orders (Pedido de Venda), with its three actions: made, changed, removed.',
    'Enter the company as storeId: a notification shows it as companyId.',
    'Decide with the accountant in which situations an order is paid, and enter their numbers in paidSituations: Bling’s orders do not say that money came. Without it receivables are known, and no receipt.',
  ],
  // Keyed with the application's client secret.
  ...bodySignature('x-bling-signature-256', (secret, body) => `sha256=${hexHmac(secret, body)}`),
  storeOf({ rawBody }) {
    const { companyId } = peekJson(rawBody);
    return tokenOf(companyId);
  },
  identify,
  api: blingApi,
  fetchBack: blingFetchBack,
  list: blingList,
  normalise: normaliseBling,
  topicInBody: true,
  samples: BLING_SAMPLES,
};
