import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { isObject } from '../../kernel/json-object';
import { apiUrlOf } from '../settings';
import { verifySignature } from '../signature';
import type { IncomingWebhook, PublicKeys, Verification } from '../source';
import { signerKeys } from './magento.signer';

/** Adobe signs each event twice, with two keys, so that one of them can be changed. One right signature is enough. */
const SIGNATURES = [
  { signature: 'x-adobe-digital-signature-1', keyPath: 'x-adobe-public-key1-path' },
  { signature: 'x-adobe-digital-signature-2', keyPath: 'x-adobe-public-key2-path' },
] as const;
export const SIGNATURE_HEADERS = SIGNATURES.map(({ signature }) => signature);
/** Where Adobe publishes its keys, and what their names look like. */
const KEYS_URL = 'https://static.adobeioevents.com';
const KEY_PATH = /^\/prod\/keys\/pub-key-[A-Za-z0-9-]{1,64}\.pem$/;

/** The keys are the same for all of Adobe's customers: nothing is fetched for a body that names another recipient. */
export const publicKeys: PublicKeys = {
  baseUrl: (settings) => apiUrlOf({ apiUrl: settings.keysUrl }, KEYS_URL),
  paths: (request, secrets) =>
    isRecipient(request, secrets).ok ? signaturesOf(request).map(({ path }) => path) : [],
  ofSigner: signerKeys,
};

/**
 * A right signature says that Adobe sent the body, and no more: each of its customers can have it signed what it likes. So
 * the body has to name the source's secret, the client id of its project, as the recipient.
 */
export function verifyAdobe(request: IncomingWebhook, secrets: readonly string[]): Verification {
  const recipient = isRecipient(request, secrets);
  if (!recipient.ok) return recipient;
  const signatures = signaturesOf(request);
  if (signatures.length === 0) return { ok: false, reason: 'the request carries no signature' };
  const { publicKeys: keys = {}, rawBody } = request;
  const isRight = signatures.some(({ path, signature }) => {
    const pem = Object.hasOwn(keys, path) ? keys[path] : undefined;
    return pem !== undefined && isSigned(rawBody, pem, signature);
  });
  if (!isRight) return { ok: false, reason: 'the signature does not match' };
  return isBatch(rawBody)
    ? { ok: false, signed: true, reason: 'Choose one event for each request: batches are not taken.' }
    : { ok: true };
}

function isRecipient({ rawBody }: IncomingWebhook, secrets: readonly string[]): Verification {
  const checked = verifySignature({
    ...{ secrets, given: [recipientOf(rawBody)], expected: (secret) => secret.trim() },
  });
  return checked.ok || secrets.every((secret) => secret.trim() === '')
    ? checked
    : { ok: false, reason: 'the body names another recipient than the client id that is the secret' };
}

/** The client id that Adobe adds to each event, under two names that have to agree; of a batch, that of its first event. */
function recipientOf(rawBody: Buffer): string | undefined {
  const body = parsed(rawBody);
  const event: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(event)) return undefined;
  const { recipient_client_id: id, recipientclientid: other } = event;
  const [named, another] = [id, other].filter((text) => text !== undefined);
  return typeof named === 'string' && (another ?? named) === named ? named : undefined;
}

function isBatch(rawBody: Buffer): boolean {
  return Array.isArray(parsed(rawBody));
}

function parsed(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The signatures that come with the name of a key. */
function signaturesOf({ headers }: IncomingWebhook): { path: string; signature: Buffer }[] {
  return SIGNATURES.flatMap((names) => {
    const path = headers[names.keyPath] ?? '';
    const signature = bytesOf(headers[names.signature] ?? '');
    return signature && KEY_PATH.test(path) ? [{ path, signature }] : [];
  });
}

/** Of base64 as it is written; Node would skip what does not belong. */
function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === base64 ? bytes : undefined;
}

function isSigned(body: Buffer, pem: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'rsa' && verifyBytes('sha256', body, key, signature);
  } catch {
    return false;
  }
}
