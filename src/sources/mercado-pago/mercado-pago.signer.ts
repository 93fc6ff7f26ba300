import { ifReadable, Payload } from '../payload';
import { hmacSha256 } from '../../kernel/hmac';
import { sha256Hex } from '../signature';
import type { MessageToSign } from '../source';

export const SIGNATURE_HEADER = 'x-signature';
export const REQUEST_HEADER = 'x-request-id';
/** What the address says that the notification is about: the one thing of it that is signed. */
export const SIGNED_ID = 'data.id';

/** What Mercado Pago signs. What a request does not have is left out. */
export function manifestOf(id: string | undefined, request: string | undefined, ts: string): string {
  const pairs = [
    ['id', id],
    ['request-id', request],
    ['ts', ts],
  ] as const;
  return pairs.map(([name, value]) => (value === undefined ? '' : `${name}:${value};`)).join('');
}

/** Hex of HMAC-SHA256 over the manifest. */
export function signatureOf(secret: string, manifest: string): string {
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
