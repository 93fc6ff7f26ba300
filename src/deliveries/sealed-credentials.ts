import { openText, type Sealed, sealText } from '../config/sealing';
import type { SecretsKeys } from '../config/secrets-key';

/** What a source's provider asks its API with, by name. */
export type Credentials = Readonly<Record<string, string>>;

/** Encrypts a source's credentials at rest, bound to the source's identifier. */
export function sealCredentials(credentials: Credentials, sourceId: string, keys: SecretsKeys): Buffer {
  return sealText(JSON.stringify(credentials), boundTo(sourceId), keys);
}

/** @throws SealError */
export function openCredentials(sealed: Uint8Array, sourceId: string, keys: SecretsKeys): Credentials {
  return JSON.parse(openText(sealedCredentials(sealed, sourceId), keys)) as Credentials;
}

/** What a source's stored credentials are, to be sealed anew. */
export function sealedCredentials(sealed: Uint8Array, sourceId: string): Sealed {
  return { sealed, boundTo: boundTo(sourceId), what: 'the credentials of a source' };
}

/** Not as its secrets are: neither can take the other's place. */
function boundTo(sourceId: string): string {
  return `${sourceId}/credentials`;
}
