import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

export const SIGNATURE_HEADER = 'x-ifood-signature';

/** Hex of HMAC-SHA256 over the body, keyed with the application's client secret. */
export function signatureOf(secret: string, body: Uint8Array | string): string {
  return hmacSha256(secret, body).toString('hex');
}

/** Signs as iFood does. */
export function signAsIfood({ secret, body }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(secret, body) };
}
