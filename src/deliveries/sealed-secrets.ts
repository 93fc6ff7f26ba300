import { openText, sealText } from '../config/sealing';

/**
 * Encrypts a source's secrets at rest, bound to the source's identifier.
 * @param key 32 bytes
 */
export function sealSecrets(secrets: readonly string[], sourceId: string, key: Buffer): Buffer {
  return sealText(JSON.stringify(secrets), sourceId, key);
}

/** @throws SealError */
export function openSecrets(sealed: Uint8Array, sourceId: string, key: Buffer): string[] {
  return JSON.parse(openText(sealed, sourceId, key, 'the secrets of a source')) as string[];
}
