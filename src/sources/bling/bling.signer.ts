import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

export const SIGNATURE_HEADER = 'x-bling-signature-256';

/** `sha256=` and the hex of HMAC-SHA256 over the body. @param secret the application's client secret */
export function signatureOf(secret: string, body: Uint8Array | string): string {
  return `sha256=${hmacSha256(secret, body).toString('hex')}`;
}

/** Signs as Bling does. */
export function signAsBling({ secret, body }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(secret, body) };
}
