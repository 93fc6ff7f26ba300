import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The ciphertext was not made with this key for this record, or was changed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Encrypts a secret at rest: AES-256-GCM, bound to the record it belongs to so that one record's ciphertext is
 * worthless on another.
 * @param boundTo what names the record, unlike any other record of any kind
 * @param key 32 bytes
 * @returns nonce, tag and ciphertext in one
 */
export function sealText(text: string, boundTo: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * @param what is sealed, for the error: `the secrets of a source`
 * @throws SealError
 */
export function openText(sealed: Uint8Array, boundTo: string, key: Buffer, what: string): string {
  try {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(boundTo));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    throw new SealError(`${what} cannot be decrypted: SECRETS_KEY is not the one they were stored with`);
  }
}
