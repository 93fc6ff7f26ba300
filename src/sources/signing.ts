import { hmacSha256 } from './signature';
import { keyOf, signatureOf } from './standard-webhooks/verify';

/** A message to be signed the way a provider signs its own. */
export interface MessageToSign {
  /** As configured on the source. */
  secret: string;
  /** The body as it will be sent, to the byte. */
  body: string | Uint8Array;
  /** The provider's topic; Standard Webhooks has it in the body instead. */
  topic: string;
  /** What the provider would know this delivery by. */
  id: string;
  sentAt: Date;
}

type Headers = Record<string, string>;

function base64(message: MessageToSign): string {
  return hmacSha256(message.secret, message.body).toString('base64');
}

function shopify(message: MessageToSign): Headers {
  return {
    'content-type': 'application/json',
    'x-shopify-topic': message.topic,
    'x-shopify-event-id': message.id,
    'x-shopify-triggered-at': message.sentAt.toISOString(),
    'x-shopify-hmac-sha256': base64(message),
  };
}

function woocommerce(message: MessageToSign): Headers {
  return {
    'content-type': 'application/json',
    'x-wc-webhook-topic': message.topic,
    'x-wc-webhook-delivery-id': message.id,
    'x-wc-webhook-signature': base64(message),
  };
}

function standardWebhooks(message: MessageToSign): Headers {
  const key = keyOf(message.secret);
  if (!key) throw new Error('the secret is not base64 after whsec_');
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(key, message.id, timestamp, message.body),
  };
}

const SIGNERS: ReadonlyMap<string, (message: MessageToSign) => Headers> = new Map([
  ['shopify', shopify],
  ['woocommerce', woocommerce],
  ['standard-webhooks', standardWebhooks],
]);

/**
 * The headers with which a provider would send this message: for tests, the demo and trying a source out
 * with `curl`. Names are in lower case.
 * @throws Error when the provider is unknown or cannot sign with this secret
 */
export function signedHeaders(provider: string, message: MessageToSign): Headers {
  const sign = SIGNERS.get(provider);
  if (!sign) throw new Error(`there is no provider ${provider}`);
  return sign(message);
}
