import { contentKey, isIdentifier, laneOf, peekJson, tokenOf } from '../identity';
import { UNSIGNED, verifyShownSecret } from '../signature';
import type { IncomingWebhook, SourceProvider, Settings, Verification, WebhookIdentity } from '../source';
import { ECOMPLUS_SAMPLES } from './ecomplus.samples';
import { ecomPlusApi, ecomPlusFetchBack } from './fetch-back';
import { ecomPlusList } from './list';
import { normaliseEcomPlus } from './normalise';
import { kindOf, ORDER, orderIn } from './notification';
import { AUTHORIZATION, checkEcomPlusSettings, ECOMPLUS_SETTINGS, secretHeaderOf } from './settings';

const BEARER = /^Bearer +(\S+)$/i;

/** The token in the header that the webhook was given, else the secret in the address. */
function verify(
  { headers, token }: IncomingWebhook,
  secrets: readonly string[],
  settings: Settings,
): Verification {
  const own = secretHeaderOf(settings);
  const shown = own === undefined ? BEARER.exec(headers[AUTHORIZATION]?.trim() ?? '')?.[1] : headers[own];
  return verifyShownSecret(secrets, shown?.trim() || token);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A notification has no identifier of its own: it is known by the order and its last change. */
function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = kindOf(body);
  const order = topic === ORDER ? orderIn(body) : {};
  const [id, updatedAt] = [textOf(order._id), textOf(order.updated_at)];
  const isKnown = isIdentifier(id) && updatedAt !== '';
  const dedupeKey = (isKnown ? tokenOf(`${id}:${updatedAt}`) : undefined) ?? contentKey(topic, rawBody);
  return { topic, dedupeKey, orderingKey: laneOf('order', id.toLowerCase(), dedupeKey), attributes: {} };
}

/** E-Com Plus: the whole order in every webhook, unsigned with a token; the order is fetched before it is believed. */
export const ecomplus: SourceProvider = {
  id: 'ecomplus',
  title: 'E-Com Plus',
  settings: ECOMPLUS_SETTINGS,
  checkSettings: checkEcomPlusSettings,
  setUp: [
    'In E-Com Plus’s panel, install the application Webhooks, and add a webhook in its settings.',
    'Webhook URI is the address of this source. Token is a random text of at most 50 characters: enter the same one as a secret of this source. Parâmetro no header stays empty, or secretHeader names it.',
    'Ignorar pedidos pendentes stays off where boletos and Pix are to be known before they are paid. Enviar carrinhos abandonados and Enviar clientes criados may be on and post nothing.',
    'No rule under Mapeamento de propriedades enviadas may take order out of the message, or its _id and updated_at.',
    'Enter the number of the store as storeId, and the authentication ID and API key of a user of the store as authenticationId and apiKey of this source.',
    'E-Com Plus sends a webhook once: after an outage, put the orders of that time into Fila manual de disparos of the same application.',
  ],
  verify,
  identify,
  api: ecomPlusApi,
  fetchBack: ecomPlusFetchBack,
  list: ecomPlusList,
  normalise: normaliseEcomPlus,
  sign: ({ secret }) => ({ ...UNSIGNED, [AUTHORIZATION]: `Bearer ${secret}` }),
  topicInBody: true,
  samples: ECOMPLUS_SAMPLES,
};
