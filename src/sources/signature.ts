import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../kernel/hmac';
import type { MessageToSign, SourceProvider, Verification } from './source';

/** More signatures than any sender puts into one header; the rest is not looked at. */
const MAX_SIGNATURES = 16;

/** SHA-256 of the parts, one after another, in lower-case hex. */
export function sha256Hex(...parts: readonly (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
}

/**
 * Whether two texts are the same, in a time that tells nothing about where they differ. Their digests are
 * compared, so texts of any length are taken and not even a difference in length shows.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(left), digest(right));
}

export interface SignatureCheck {
  /** The live secrets as configured; empty ones count as none. */
  secrets: readonly string[];
  /** Signatures the request carries; blank ones count as none. */
  given: readonly (string | undefined)[];
  /** The text a request signed with this secret carries; undefined when the secret cannot be used. */
  expected: (secret: string) => string | undefined;
}

/**
 * Compares every signature with every live secret, without stopping at the first match.
 * Fails closed: no usable secret, or no signature, is a refusal.
 */
export function verifySignature(check: SignatureCheck): Verification {
  const secrets = check.secrets.filter((secret) => secret.trim() !== '');
  if (secrets.length === 0) return { ok: false, reason: 'the source has no secret' };
  const given = check.given.flatMap((text) => text?.trim() || []).slice(0, MAX_SIGNATURES);
  if (given.length === 0) return { ok: false, reason: 'the request carries no signature' };
  const expected = secrets.flatMap((secret) => check.expected(secret) ?? []);
  if (expected.length === 0) return { ok: false, reason: 'no secret of the source is in the right form' };
  const matches = expected.flatMap((right) => given.filter((left) => equalInConstantTime(left, right)));
  return matches.length > 0 ? { ok: true } : { ok: false, reason: 'the signature does not match' };
}

/** {@link verifySignature} where the signature is the base64 of HMAC-SHA256 over the body, as several shops sign. */
export function verifyBodyHmac(
  rawBody: Uint8Array,
  secrets: readonly string[],
  ...given: readonly (string | undefined)[]
): Verification {
  return verifySignature({ secrets, given, expected: (secret) => base64Hmac(secret, rawBody) });
}

/**
 * Compares a secret that the sender shows as it is, in a header or in the address, with every live secret. It proves the
 * sender and nothing of the body.
 * @param shown what the request carries; blank or absent: refused
 */
export function verifyShownSecret(secrets: readonly string[], shown: string | undefined): Verification {
  const verified = verifySignature({ secrets, given: [shown], expected: (secret) => secret.trim() });
  return verified.ok ? { ok: true, bodyUnsigned: true } : verified;
}

/** The headers of a message that says nothing else in them. */
export const UNSIGNED: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** Hex of HMAC-SHA256 over the body. */
export function hexHmac(secret: string, body: string | Uint8Array): string {
  return hmacSha256(secret, body).toString('hex');
}

/** Base64 of HMAC-SHA256 over the body. */
export function base64Hmac(secret: string, body: string | Uint8Array): string {
  return hmacSha256(secret, body).toString('base64');
}

/** How messages prove who sent them, and how one is made that does: the members of a provider that say it. */
type Proof = Pick<SourceProvider, 'signatureHeaders' | 'verify' | 'secretInAddress'> & {
  sign: (message: MessageToSign) => Record<string, string>;
};

/** The secret is the last part of the address, for a provider that signs nothing and shows nothing else. */
export const SECRET_IN_ADDRESS: Proof = {
  verify: ({ token }, secrets) => verifyShownSecret(secrets, token),
  sign: () => ({ ...UNSIGNED }),
  secretInAddress: true,
};

/** A header shows the secret as it is. @param header in lower case */
export function secretInHeader(header: string): Proof {
  return {
    signatureHeaders: [header],
    verify: ({ headers }, secrets) => verifyShownSecret(secrets, headers[header]),
    sign: ({ secret }) => ({ ...UNSIGNED, [header]: secret }),
  };
}

/**
 * A header has a signature over the body.
 * @param header in lower case
 * @param anyCase the signature is in hex, whose digits may be of either case
 */
export function bodySignature(
  header: string,
  signatureOf: (secret: string, body: string | Uint8Array) => string,
  { anyCase = false } = {},
): Proof {
  return {
    signatureHeaders: [header],
    verify({ headers, rawBody }, secrets) {
      const given = anyCase ? headers[header]?.toLowerCase() : headers[header];
      return verifySignature({ secrets, given: [given], expected: (secret) => signatureOf(secret, rawBody) });
    },
    sign: ({ secret, body }) => ({ ...UNSIGNED, [header]: signatureOf(secret, body) }),
  };
}
