import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretsKeys } from './secrets-key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The ciphertext was made with none of our keys, or for another record, or was changed. */
export class SealError extends Error {
  override readonly name = 'SealError';

  /** @param what is sealed: `the secrets of a source` */
  constructor(what: string) {
    super(
      `${what} cannot be decrypted: SECRETS_KEY is not the one they were stored with, nor is any of SECRETS_KEY_PREVIOUS`,
    );
  }
}

/** A ciphertext and what it was made for. */
export interface Sealed {
  readonly sealed: Uint8Array;
  /** What names the record, unlike any other record of any kind. */
  readonly boundTo: string;
  /** For errors: `the secrets of a source`. */
  readonly what: string;
}

/**
 * Encrypts a secret at rest: AES-256-GCM with the current key, bound to the record it belongs to so that one
 * record's ciphertext is worthless on another.
 * @returns nonce, tag and ciphertext in one
 */
export function sealText(text: string, boundTo: string, keys: SecretsKeys): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.current, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens it with the current key or one of the previous ones. @throws SealError */
export function openText(sealed: Sealed, keys: SecretsKeys): string {
  return openWithOneOf(sealed, keys).text;
}

/**
 * The same text sealed with the current key.
 * @returns undefined when it is sealed with that one already
 * @throws SealError
 */
export function sealedAnew(sealed: Sealed, keys: SecretsKeys): Buffer | undefined {
  const { text, key } = openWithOneOf(sealed, keys);
  return key.equals(keys.current) ? undefined : sealText(text, sealed.boundTo, keys);
}

function openWithOneOf(sealed: Sealed, keys: SecretsKeys): { text: string; key: Buffer } {
  for (const key of [keys.current, ...keys.previous]) {
    const text = open(sealed, key);
    if (text !== undefined) return { text, key };
  }
  throw new SealError(sealed.what);
}

/** @returns undefined when it was not sealed with this key for this record */
function open({ sealed, boundTo }: Sealed, key: Buffer): string | undefined {
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
    return undefined;
  }
}
