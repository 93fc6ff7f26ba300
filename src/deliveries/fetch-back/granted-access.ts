import { createHash } from 'node:crypto';
import { openText, type Sealed, sealText } from '../../config/sealing';
import type { SecretsKeys } from '../../config/secrets-key';
import type { Credentials } from '../sealed-credentials';

/** What a provider granted for some credentials. */
export interface StoredGrant {
  readonly accessToken: string;
  /** Milliseconds since 1970 from which it is not used any more. */
  readonly usableUntil: number;
  /** The refresh token to be used next; absent: the one among the credentials. */
  readonly refreshToken?: string;
  /** {@link grantedFor} of the credentials. With others, nothing of it is used. */
  readonly grantedFor: string;
}

/** Encrypts what was granted, bound to the source. */
export function sealGrant(grant: StoredGrant, sourceId: string, keys: SecretsKeys): Buffer {
  return sealText(JSON.stringify(grant), boundTo(sourceId), keys);
}

/** @throws SealError */
export function openGrant(sealed: Uint8Array, sourceId: string, keys: SecretsKeys): StoredGrant {
  return JSON.parse(openText(sealedGrant(sealed, sourceId), keys)) as StoredGrant;
}

/** What is stored, to be sealed anew. */
export function sealedGrant(sealed: Uint8Array, sourceId: string): Sealed {
  return { sealed, boundTo: boundTo(sourceId), what: 'the access token of a source' };
}

/** Names the credentials, and the address that they are for, without showing them. */
export function grantedFor(credentials: Credentials, url: string): string {
  const sorted = Object.entries(credentials).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([url, sorted]))
    .digest('base64');
}

function boundTo(sourceId: string): string {
  return `${sourceId}/access`;
}
