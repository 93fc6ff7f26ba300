import { openText, type Sealed, sealText } from '../config/sealing';
import type { SecretsKeys } from '../config/secrets-key';

/** Encrypts a source's secrets at rest, bound to the source's identifier. */
export function sealSecrets(secrets: readonly string[], sourceId: string, keys: SecretsKeys): Buffer {
  return sealText(JSON.stringify(secrets), sourceId, keys);
}

/** @throws SealError */
export function openSecrets(sealed: Uint8Array, sourceId: string, keys: SecretsKeys): string[] {
  return JSON.parse(openText(sealedSecrets(sealed, sourceId), keys)) as string[];
}

/** What a source's stored secrets are, to be sealed anew. */
export function sealedSecrets(sealed: Uint8Array, sourceId: string): Sealed {
  return { sealed, boundTo: sourceId, what: 'the secrets of a source' };
}
