import { hmacSha256 } from '../../../src/kernel/hmac';
import type { MessageToSign } from '../../../src/sources/source';

/** Hex of HMAC-SHA256 over the time, a line break and the body. */
export function acmeSignature(secret: string, sentAt: string, body: string | Uint8Array): string {
  return hmacSha256(secret, `${sentAt}\n`, body).toString('hex');
}

/** Signs as the shop does. */
export function signAsAcme({ secret, body, topic, id, sentAt }: MessageToSign): Record<string, string> {
  const time = sentAt.toISOString();
  return {
    'content-type': 'application/json',
    'acme-topic': topic,
    'acme-delivery': id,
    'acme-sent-at': time,
    'acme-signature': acmeSignature(secret, time, body),
  };
}
