import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings, textSetting } from '../settings';
import { SECRET_IN_ADDRESS } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { mercadoLivreApi, mercadoLivreFetches } from './fetches';
import { mercadoLivreList } from './list';
import { MERCADO_LIVRE_SAMPLES } from './mercado-livre.samples';
import { normaliseMercadoLivre } from './normalise';
import { aboutOf, isNumber, type Kind } from './notification';

const LANES: Readonly<Record<Kind, string>> = { order: 'order', payment: 'payment', claim: 'dispute' };

/**
 * Each notification has the time at which it was sent, so that the next change of the same order is another delivery, and the
 * same one again says nothing new, whether or not it was fetched meanwhile: the key is good for ever.
 */
function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { topic: named, resource, sent } = peekJson(rawBody);
  const topic = topicOf(named);
  const isKnown = typeof resource === 'string' && typeof sent === 'string' && sent !== '';
  const dedupeKey =
    (isKnown ? tokenOf(`${topic}:${resource}:${sent}`) : undefined) ?? contentKey(topic, rawBody);
  const about = aboutOf(topic, resource);
  const orderingKey = laneOf(about ? LANES[about.kind] : 'delivery', about?.id, dedupeKey);
  return { topic, dedupeKey, orderingKey, attributes: {} };
}

/** The seller whose account a notification is about: one address of an application serves all of its sellers. */
function storeOf({ rawBody }: IncomingWebhook): string | undefined {
  const { user_id: seller } = peekJson(rawBody);
  const text = typeof seller === 'string' || Number.isSafeInteger(seller) ? String(seller) : undefined;
  return isNumber(text) ? text : undefined;
}

/** Mercado Livre (Mercado Libre): thin notifications that nobody signs; the secret stands in the address, the order is fetched. */
export const mercadoLivre: SourceProvider = {
  id: 'mercado-livre',
  title: 'Mercado Livre',
  settings: {
    storeId: {
      type: 'string',
      description:
        'Number of the seller at Mercado Livre (user_id, which comes with the first refresh token). Notifications of any other seller are set aside.',
      required: true,
    },
    ownShipping: {
      type: 'boolean',
      description:
        'The seller delivers, and gets what buyers pay for it: it becomes a part of the sale. Leave it off with Mercado Envios, which keeps it.',
      default: false,
    },
    ...sharedSettings('bookTestOrders', 'apiUrl', 'timeZone'),
  },
  checkSettings(settings) {
    return isNumber(textSetting(settings, 'storeId'))
      ? undefined
      : { name: 'storeId', message: 'must be the number of a seller, digits alone' };
  },
  setUp: [
    'If a hub or shop that sells at Mercado Livre sends its orders to Ponte itself, do not connect Mercado Livre too: each sale would be booked twice. The same goes for the seller’s account at Mercado Pago.',
    'At developers.mercadolivre.com.br, logged in with the seller’s main account, open Minhas aplicações, then Criar nova aplicação. URI de redirect is an https address of yours, such as https://www.minhaloja.com.br/; nothing has to answer there. Choose Leitura and Acesso off-line, and the permissions Vendas e envios and Faturamento. Leave PKCE off.',
    'With the same account, not with a collaborator’s, open https://auth.mercadolivre.com.br/authorization?response_type=code&client_id=APP_ID&redirect_uri=REDIRECT_URI in the browser, and allow the access. The browser goes to the redirect address: what stands there after code= begins with TG-, and is good once, for some minutes.',
    'Exchange it: curl -X POST https://api.mercadolibre.com/oauth/token -d grant_type=authorization_code -d client_id=APP_ID -d client_secret=CLIENT_SECRET -d code=CODE -d redirect_uri=REDIRECT_URI. The answer has refresh_token and user_id.',
    'Enter user_id as storeId of this source, and APP_ID, CLIENT_SECRET and refresh_token as its credentials clientId, clientSecret and refreshToken. A refresh token is good for one time: from then on only Ponte may use it.',
    'Enter a long random text as a secret of this source: it becomes the last part of its address, and whoever knows it is taken for Mercado Livre.',
    'In Minhas aplicações, edit the application. Under Configurações de notificações, URL de Retorno de Chamada is the address of this source with the secret at its end. Choose the topics orders_v2, payments and, under Post Purchase, claims.',
    'Make a small sale and see that it arrives. What Mercado Livre gives up sending, Ponte asks it for, as long as the topics are switched on.',
  ],
  ...SECRET_IN_ADDRESS,
  storeOf,
  identify,
  api: mercadoLivreApi,
  fetchBack: mercadoLivreFetches,
  list: mercadoLivreList,
  normalise: normaliseMercadoLivre,
  topicInBody: true,
  samples: MERCADO_LIVRE_SAMPLES,
};
