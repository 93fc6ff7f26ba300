import { hmacSha256 } from '../../kernel/hmac';
import { ifReadable, Payload } from '../payload';
import { sha256Hex, verifySignature } from '../signature';
import type { IncomingWebhook, MessageToSign, Verification } from '../source';

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

export const SIGNATURE_HEADER = 'x-signature';
const REQUEST_HEADER = 'x-request-id';
/** What the address says that the notification is about: the one thing of it that is signed. */
export const SIGNED_ID = 'data.id';

/** What Mercado Pago signs. What a request does not have is left out. */
function manifestOf(id: string | undefined, request: string | undefined, ts: string): string {
  const pairs = [
    ['id', id],
    ['request-id', request],
    ['ts', ts],
  ] as const;
  return pairs.map(([name, value]) => (value === undefined ? '' : `${name}:${value};`)).join('');
}

/** Hex of HMAC-SHA256 over the manifest. */
function signatureOf(secret: string, manifest: string): string {
  return hmacSha256(secret, manifest).toString('hex');
}

/** The `data.id` of a body, digit by digit; undefined where it has none. */
function idIn(body: MessageToSign['body']): string | undefined {
  return ifReadable(() => Payload.parse(Buffer.from(body)).at('data').identifier('id'));
}

/** What Mercado Pago adds to the address of a notification. */
export function queryOfMercadoPago({ body }: MessageToSign): Record<string, string> {
  const id = idIn(body);
  return id === undefined ? {} : { [SIGNED_ID]: id };
}

/** Signs as Mercado Pago does. */
export function signAsMercadoPago({ secret, body, id, sentAt }: MessageToSign): Record<string, string> {
  const request = sha256Hex(id).slice(0, 32);
  const ts = String(sentAt.getTime());
  const signature = signatureOf(secret, manifestOf(idIn(body), request, ts));
  return {
    'content-type': 'application/json',
    [REQUEST_HEADER]: request,
    [SIGNATURE_HEADER]: `ts=${ts},v1=${signature}`,
  };
}
