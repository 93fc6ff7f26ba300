import { hmacSha256 } from '../../kernel/hmac';
import { verifySignature } from '../signature';
import type { IncomingWebhook, MessageToSign, SourceProvider } from '../source';

/** How far, in seconds, a message's timestamp may be from now, before or after. */
export const TOLERANCE_SECONDS = 300;

const KEY_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The key's bytes: base64, with or without `whsec_` before it; undefined when it is neither or empty. */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.trim();
  const encoded = text.startsWith(KEY_PREFIX) ? text.slice(KEY_PREFIX.length) : text;
  const key = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  return key.length > 0 ? key : undefined;
}

/** The signature of one message: `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`. */
export function signatureOf(key: Buffer, id: string, timestamp: string, body: Uint8Array | string): string {
  return `v1,${hmacSha256(key, `${id}.${timestamp}.`, body).toString('base64')}`;
}

/** How a provider that signs by Standard Webhooks makes a key of its secret; undefined when it cannot. */
export type KeyOf = (secret: string) => Buffer | undefined;

/** What a message's three headers begin with: Svix sends the same ones under its own name. */
export type HeaderPrefix = 'webhook' | 'svix';

/** All three are read under one name, so that the id that names a message is the one that is signed. */
export function prefixOf({ headers }: Pick<IncomingWebhook, 'headers'>): HeaderPrefix {
  return headers['webhook-signature'] === undefined && headers['svix-signature'] !== undefined
    ? 'svix'
    : 'webhook';
}

/** Refuses messages from too long ago or too far ahead, so that a recorded one cannot be played again later. */
export const verifyStandardWebhook = verifierOf(keyOf, TOLERANCE_SECONDS, prefixOf);

/**
 * @param toleranceSeconds how far a message's timestamp may be from now, before or after
 * @param prefix what the headers of a request begin with
 */
export function verifierOf(
  key: KeyOf,
  toleranceSeconds: number,
  prefix: (request: IncomingWebhook) => HeaderPrefix = () => 'webhook',
): SourceProvider['verify'] {
  return (request, secrets, _settings, now) => {
    const name = prefix(request);
    const id = request.headers[`${name}-id`];
    const timestamp = request.headers[`${name}-timestamp`];
    if (!id || !timestamp) return { ok: false, reason: `${name}-id or ${name}-timestamp is missing` };
    if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: `${name}-timestamp is not in seconds` };
    const verified = verifySignature({
      secrets,
      // A header sent twice arrives joined by a comma: the one left at an end is no part of a signature.
      given: (request.headers[`${name}-signature`] ?? '').split(/\s+/).map((text) => text.replace(/,$/, '')),
      expected: (secret) => {
        const bytes = key(secret);
        return bytes && signatureOf(bytes, id, timestamp, request.rawBody);
      },
    });
    const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
    if (!verified.ok || Math.abs(age) <= toleranceSeconds) return verified;
    const reason = `${name}-timestamp is more than ${toleranceSeconds} seconds off`;
    return { ok: false, signed: true, reason };
  };
}

/** Signs as the Standard Webhooks specification says. @throws Error when the secret is not base64 */
export function signStandardWebhook(message: MessageToSign): Record<string, string> {
  const key = keyOf(message.secret);
  if (!key) throw new Error('the secret is not base64 after whsec_');
  return signWithKey(key, message);
}

/** The headers of Standard Webhooks for a message, signed with this key. */
export function signWithKey(
  key: Buffer,
  { body, id, sentAt }: Omit<MessageToSign, 'secret'>,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(key, id, timestamp, body),
  };
}
