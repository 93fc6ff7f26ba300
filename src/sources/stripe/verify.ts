import { hmacSha256 } from '../../kernel/hmac';
import { verifySignature } from '../signature';
import type { IncomingWebhook, MessageToSign, Settings, Verification } from '../source';

/** How far, in seconds, a message's timestamp may be from now, before or after. */
export const TOLERANCE_SECONDS = 300;
export const SIGNATURE_HEADER = 'stripe-signature';

/** Hex of HMAC-SHA256 over `timestamp.body`. @param secret all of it, `whsec_` included, is the key */
export function signatureOf(secret: string, timestamp: string, body: Uint8Array | string): string {
  return hmacSha256(secret, `${timestamp}.`, body).toString('hex');
}

/** The values below one name of a header such as `t=1,v1=a,v1=b`. */
function valuesOf(header: string, name: string): string[] {
  return header.split(',').flatMap((part) => {
    const [key = '', ...value] = part.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
}

/** Refuses messages from too long ago or too far ahead, so that a recorded one cannot be played again later. */
export function verifyStripe(
  { headers, rawBody }: IncomingWebhook,
  secrets: readonly string[],
  _settings: Settings,
  now: Date,
): Verification {
  const header = headers[SIGNATURE_HEADER] ?? '';
  const [timestamp = ''] = valuesOf(header, 't');
  if (!/^\d{1,12}$/.test(timestamp))
    return { ok: false, reason: 'Stripe-Signature has no timestamp in seconds' };
  const verified = verifySignature({
    secrets,
    given: valuesOf(header, 'v1'),
    expected: (secret) => signatureOf(secret, timestamp, rawBody),
  });
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (!verified.ok || Math.abs(age) <= TOLERANCE_SECONDS) return verified;
  return {
    ok: false,
    signed: true,
    reason: `the timestamp of Stripe-Signature is more than ${TOLERANCE_SECONDS} seconds off`,
  };
}

/** Signs as Stripe does: the header has the time in seconds, and hex of HMAC-SHA256 over time and body. */
export function signAsStripe({ secret, body, sentAt }: MessageToSign): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return {
    'content-type': 'application/json; charset=utf-8',
    [SIGNATURE_HEADER]: `t=${timestamp},v1=${signatureOf(secret, timestamp, body)}`,
  };
}
