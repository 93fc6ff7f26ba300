import type { MessageToSign } from '../source';
import { DEFAULT_HEADER, readScheme, signatureOf } from './scheme';

/** Signs as a source without settings expects it: SHA-256 of the body in hex, after `sha256=`. */
export function signWithHmac({ secret, body }: MessageToSign): Record<string, string> {
  const scheme = readScheme({});
  if ('message' in scheme) throw new Error(scheme.message);
  const signature = signatureOf(scheme, secret, { headers: {}, rawBody: Buffer.from(body) });
  return { 'content-type': 'application/json', [DEFAULT_HEADER]: `sha256=${signature}` };
}
