import { sha256Hex } from '../signature';
import type { MessageToSign } from '../source';

export const SIGNATURE_HEADER = 'x-authenticity-token';

/** Hex of SHA-256 over `token-body`. */
export function signatureOf(token: string, body: Uint8Array | string): string {
  return sha256Hex(token, '-', body);
}

/** Signs as PagBank does. */
export function signAsPagBank({ secret, body }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(secret, body) };
}
