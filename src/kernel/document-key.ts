import { hash } from 'node:crypto';
import { hmacSha256 } from './hmac';

/**
 * A secret of one organization, 32 bytes, that never changes; undefined for organizations that were made before there were
 * such keys.
 */
export type DocumentKey = Uint8Array | undefined;

/** Hexadecimal digits of a digest with a key: 128 bits. */
const DIGITS = 32;

/**
 * What stands for a CPF or CNPJ where the number itself should not: the same number of the same organization always has the
 * same digest. Without the key nobody finds the number by trying all of them, of which there are few enough; without a key
 * anybody does who knows the organization's identifier.
 * @param document without punctuation
 * @returns hexadecimal digits
 */
export function documentDigest(organizationId: string, document: string, key: DocumentKey): string {
  if (key === undefined) return hash('sha256', `${organizationId}/${document}`, 'hex');
  return hmacSha256(key, document).toString('hex').slice(0, DIGITS);
}
