import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

/** Signs as WooCommerce does: base64 of HMAC-SHA256 over the body. */
export function signAsWooCommerce({ secret, body, topic, id }: MessageToSign): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-delivery-id': id,
    'x-wc-webhook-signature': hmacSha256(secret, body).toString('base64'),
  };
}
