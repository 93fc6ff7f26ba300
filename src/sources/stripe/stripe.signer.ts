import type { MessageToSign } from '../source';
import { SIGNATURE_HEADER, signatureOf } from './verify';

/** Signs as Stripe does: the header has the time in seconds, and hex of HMAC-SHA256 over time and body. */
export function signAsStripe({ secret, body, sentAt }: MessageToSign): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return {
    'content-type': 'application/json; charset=utf-8',
    [SIGNATURE_HEADER]: `t=${timestamp},v1=${signatureOf(secret, timestamp, body)}`,
  };
}
