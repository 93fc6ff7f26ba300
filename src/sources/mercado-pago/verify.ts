import { verifySignature } from '../signature';
import type { IncomingWebhook, Verification } from '../source';
import { manifestOf, REQUEST_HEADER, signatureOf, SIGNATURE_HEADER, SIGNED_ID } from './mercado-pago.signer';

/** Seconds or milliseconds since 1970. */
const TIME = /^\d{1,16}$/;
/** Without the characters that part the manifest, so that no request can be signed for another. */
const PART = /^[^\s;]{1,200}$/;

/** The first value below one name of a header such as `ts=1,v1=a`. */
function valueOf(header: string, name: string): string | undefined {
  for (const part of header.split(',')) {
    const [key = '', ...value] = part.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/**
 * The signature covers what the address says that the notification is about, and neither the body nor the time of today:
 * one that is played again makes Ponte ask Mercado Pago again, and nothing more. The identifier is signed as it came, or
 * in lower case.
 */
export function verifyMercadoPago(
  { headers, query }: IncomingWebhook,
  secrets: readonly string[],
): Verification {
  const header = headers[SIGNATURE_HEADER] ?? '';
  const ts = valueOf(header, 'ts') ?? '';
  if (!TIME.test(ts)) return { ok: false, reason: 'x-signature has no ts in seconds or milliseconds' };
  const request = headers[REQUEST_HEADER];
  const id = query[SIGNED_ID];
  if ([id, request].some((part) => part !== undefined && !PART.test(part)))
    return { ok: false, reason: 'data.id or x-request-id has characters that no identifier has' };
  const given = [valueOf(header, 'v1')?.toLowerCase()];
  const check = (named: string | undefined): Verification =>
    verifySignature({
      secrets,
      given,
      expected: (secret) => signatureOf(secret, manifestOf(named, request, ts)),
    });
  const [asReceived, lowerCased] = [check(id), check(id?.toLowerCase())];
  if (!asReceived.ok && !lowerCased.ok) return asReceived;
  return { ok: true, bodyUnsigned: true };
}
