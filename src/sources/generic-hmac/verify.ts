import { verifySignature } from '../signature';
import type { IncomingWebhook, MessageToSign, Settings, Verification } from '../source';
import { DEFAULT_HEADER, readScheme, type Scheme, signatureOf, valueOf } from './scheme';

/** More digits are milliseconds. */
const SECONDS = /^\d{1,11}$/;
const MILLISECONDS = /^\d{12,14}$/;

/**
 * By the scheme that the source's settings describe. A request with a time is refused long after it, so that a recorded one
 * cannot be played again later.
 */
export function verifyHmac(
  request: IncomingWebhook,
  secrets: readonly string[],
  settings: Settings,
  now: Date,
): Verification {
  const scheme = readScheme(settings);
  if ('message' in scheme)
    return { ok: false, reason: `the setting ${scheme.name} of the source ${scheme.message}` };
  const at = signedAt(scheme, request);
  if (at === undefined) return { ok: false, reason: `${scheme.timestampHeader} is missing, or is no time` };
  const verified = verifySignature({
    secrets,
    given: valueOf(request.headers, scheme.header)
      .split(',')
      .map((text) => withoutPrefix(text.trim(), scheme)),
    expected: (secret) => signatureOf(scheme, secret, request),
  });
  if (!verified.ok || at === 'never' || isNear(at, now, scheme)) return verified;
  return {
    ok: false,
    signed: true,
    reason: `${scheme.timestampHeader} is more than ${scheme.toleranceSeconds} seconds off`,
  };
}

/** @returns undefined where a time is missing or none; `never` where there need not be one */
function signedAt({ timestampHeader }: Scheme, { headers }: IncomingWebhook): Date | 'never' | undefined {
  if (timestampHeader === undefined) return 'never';
  const text = valueOf(headers, timestampHeader);
  if (SECONDS.test(text)) return new Date(Number(text) * 1_000);
  if (MILLISECONDS.test(text)) return new Date(Number(text));
  const parsed = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? new Date(text) : undefined;
  return parsed && !Number.isNaN(parsed.getTime()) ? parsed : undefined;
}

function isNear(at: Date, now: Date, { toleranceSeconds }: Scheme): boolean {
  return Math.abs(now.getTime() - at.getTime()) <= toleranceSeconds * 1_000;
}

/** Hex in whatever case; base64 as it stands. */
function withoutPrefix(text: string, { prefix, algorithm, encoding }: Scheme): string {
  const before = [prefix, `${algorithm}=`].find((one) => one !== '' && text.startsWith(one)) ?? '';
  const signature = text.slice(before.length);
  return encoding === 'hex' ? signature.toLowerCase() : signature;
}

/** Signs as a source without settings expects it: SHA-256 of the body in hex, after `sha256=`. */
export function signWithHmac({ secret, body }: MessageToSign): Record<string, string> {
  const scheme = readScheme({});
  if ('message' in scheme) throw new Error(scheme.message);
  const signature = signatureOf(scheme, secret, { headers: {}, rawBody: Buffer.from(body) });
  return { 'content-type': 'application/json', [DEFAULT_HEADER]: `sha256=${signature}` };
}
