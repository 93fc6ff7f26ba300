import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

/** Signs as Shopify does: base64 of HMAC-SHA256 over the body. */
export function signAsShopify({ secret, body, topic, id, sentAt }: MessageToSign): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-shopify-topic': topic,
    'x-shopify-event-id': id,
    'x-shopify-triggered-at': sentAt.toISOString(),
    'x-shopify-hmac-sha256': hmacSha256(secret, body).toString('base64'),
  };
}
