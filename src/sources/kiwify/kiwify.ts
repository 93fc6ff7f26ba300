import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import { UNSIGNED, verifySignature } from '../signature';
import type { IncomingWebhook, SourceProvider, Verification, WebhookIdentity } from '../source';
import { KIWIFY_SAMPLES } from './kiwify.samples';
import { kiwifySignature, messageIn, signAsKiwify, SIGNATURE } from './message';
import { normaliseKiwify } from './normalise';

const UNNAMED = 'unknown';

function identify(request: IncomingWebhook): WebhookIdentity {
  const { webhook_event_type: event, order_id: order } = peekJson(messageIn(request.rawBody).content);
  const topic = topicOf(event);
  const named = typeof order === 'string' && topic !== UNNAMED ? tokenOf(`${order}:${topic}`) : undefined;
  const dedupeKey = named ?? contentKey(topic, request.rawBody);
  return { topic, dedupeKey, orderingKey: laneOf('order', order, dedupeKey), attributes: {} };
}

/** A sale that is one member of its body is signed alone; Kiwify's documentation has the whole body signed. */
function verify({ query, rawBody }: IncomingWebhook, secrets: readonly string[]): Verification {
  const { content, signature } = messageIn(rawBody);
  const check = (signed: Buffer): Verification =>
    verifySignature({
      secrets,
      given: [query[SIGNATURE], signature],
      expected: (token) => kiwifySignature(token, signed),
    });
  const verified = check(content);
  return verified.ok || content === rawBody ? verified : check(rawBody);
}

/**
 * Kiwify: the whole sale in every webhook, signed over the body with HMAC-SHA1 in the address. A delivery is known by its
 * sale and event: each happens to a sale once, and each renewal of a subscription is a sale of its own.
 */
export const kiwify: SourceProvider = {
  id: 'kiwify',
  title: 'Kiwify',
  settings: {
    ...sharedSettings('bookTestOrders', 'timeZone'),
  },
  setUp: [
    'In Kiwify, open Apps, then Webhooks, then Criar webhook.',
    'URL do webhook is the address of this source, with https and without a redirect: Kiwify follows none.',
    'Choose the products, and the events Boleto gerado, Pix gerado, Compra aprovada, Reembolso, Chargeback and Assinatura renovada. Compra recusada, Carrinho abandonado, Assinatura cancelada and Assinatura atrasada may be chosen too and post nothing.',
    'Copy the Token of the webhook: enter it as a secret of this source. A webhook without a token is refused.',
    'Press Testar webhook: the delivery appears in Ponte as a test order and posts nothing.',
    'Compare the time of one real sale with Kiwify’s panel, and set timeZone if they differ: Kiwify sends times without a zone.',
  ],
  verify,
  identify,
  normalise: normaliseKiwify,
  // Kiwify sends no header of its own.
  sign: () => ({ ...UNSIGNED }),
  signQuery: signAsKiwify,
  topicInBody: true,
  samples: KIWIFY_SAMPLES,
};
