import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

export const SIGNATURE_HEADER = 'x-linkedstore-hmac-sha256';

/** Hex of HMAC-SHA256 over the body with the secret of the app. */
export function signatureOf(secret: string, body: Uint8Array | string): string {
  return hmacSha256(secret, body).toString('hex');
}

/** Signs as Nuvemshop does. */
export function signAsNuvemshop({ secret, body }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(secret, body) };
}
