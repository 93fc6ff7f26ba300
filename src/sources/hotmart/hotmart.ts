import { contentKey, laneOf, objectIn, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import { secretInHeader } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { hotmartApi, hotmartFetches } from './fetches';
import { HOTMART_SAMPLES } from './hotmart.samples';
import { hotmartList } from './list';
import { isAboutSale } from './message';
import { normaliseHotmart } from './normalise';

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = topicOf(body.event);
  const dedupeKey = tokenOf(body.id) ?? contentKey(topic, rawBody);
  const purchase = objectIn(objectIn(body, 'data'), 'purchase');
  const sale = isAboutSale(topic) ? purchase.transaction : undefined;
  return { topic, dedupeKey, orderingKey: laneOf('order', sale, dedupeKey), attributes: {} };
}

/** Hotmart: the whole sale in every message, with a token that signs nothing, so that the sale is fetched back. */
export const hotmart: SourceProvider = {
  id: 'hotmart',
  title: 'Hotmart',
  settings: {
    ...sharedSettings('bookTestOrders', 'apiUrl'),
    tokenUrl: {
      type: 'string',
      description:
        'Whole address that grants access tokens, where it is another than usual; where apiUrl is set and this is not, /security/oauth/token below apiUrl.',
      format: 'web-address',
    },
  },
  setUp: [
    'In Hotmart, open Ferramentas, then Webhook (API e notificações), then Cadastrar Webhook.',
    'The URL is the address of this source, the version is 2.0.0. Choose the products, and the events Compra aprovada, Compra completa, Aguardando pagamento, Compra cancelada, Compra expirada, Pedido de reembolso, Compra reembolsada and Chargeback. Others may be chosen too and post nothing.',
    'On the tab Autenticação copy the Hottok de verificação: enter it as a secret of this source.',
    'In Ferramentas open Credenciais Hotmart, then Criar Credencial, and choose API Hotmart. Enter its Client ID and Client Secret as the credentials clientId and clientSecret of this source: Ponte fetches each sale with them.',
    'For Hotmart’s sandbox make a credential of the sandbox, and set apiUrl to https://sandbox.hotmart.com and tokenUrl to https://api-sec-vlc.hotmart.com/security/oauth/token.',
    'Send a test from the screen of the webhook: the delivery is set aside, because its sale does not exist. Then make a small sale and see that it arrives: Hotmart switches a webhook off whose address answers with errors.',
  ],
  ...secretInHeader('x-hotmart-hottok'),
  identify,
  api: hotmartApi,
  fetchBack: hotmartFetches,
  list: hotmartList,
  normalise: normaliseHotmart,
  topicInBody: true,
  samples: HOTMART_SAMPLES,
};
