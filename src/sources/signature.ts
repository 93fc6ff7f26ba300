import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../kernel/hmac';
import type { Verification } from './source';

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
  const expected = (secret: string): string => hmacSha256(secret, rawBody).toString('base64');
  return verifySignature({ secrets, given, expected });
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
