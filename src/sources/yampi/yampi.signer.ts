import { hmacSha256 } from '../../kernel/hmac';
import type { MessageToSign } from '../source';

/** Signs as Yampi does: base64 of HMAC-SHA256 over the body. */
export function signAsYampi({ secret, body }: MessageToSign): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-yampi-hmac-sha256': hmacSha256(secret, body).toString('base64'),
  };
}
