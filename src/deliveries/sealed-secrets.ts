import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The ciphertext was not made with this key for this source, or was changed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Encrypts a source's secrets at rest: AES-256-GCM, bound to the source's identifier so that one source's
 * ciphertext is worthless on another.
 * @param key 32 bytes
 * @returns nonce, tag and ciphertext in one
 */
export function sealSecrets(secrets: readonly string[], sourceId: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(sourceId));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws SealError */
export function openSecrets(sealed: Uint8Array, sourceId: string, key: Buffer): string[] {
  try {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(sourceId));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as string[];
  } catch {
    throw new SealError(
      'the secrets of a source cannot be decrypted: SECRETS_KEY is not the one they were stored with',
    );
  }
}
