import { createHmac } from 'node:crypto';
import type { MessageToSign } from '../source';

/** The name of the part of the address that carries the signature. */
export const SIGNATURE = 'signature';

/** Lower-case hex of HMAC-SHA1 over the body; the key is the webhook's token. */
export function kiwifySignature(token: string, body: string | Uint8Array): string {
  return createHmac('sha1', token).update(body).digest('hex');
}

/** Kiwify sends no header of its own. */
export function headersOfKiwify(): Record<string, string> {
  return { 'content-type': 'application/json' };
}

/** Signs as Kiwify does: in the address. */
export function signAsKiwify({ secret, body }: MessageToSign): Record<string, string> {
  return { [SIGNATURE]: kiwifySignature(secret, body) };
}
