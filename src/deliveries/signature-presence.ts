import type { IncomingHttpHeaders } from 'node:http';
import { PROVIDERS } from '../sources/registry';
import type { LiveSource } from './source-directory';

const HEADERS = new Set(PROVIDERS.flatMap(({ signatureHeaders = [] }) => signatureHeaders));
/** Longest body that any provider sends unsigned, in bytes. */
export const LONGEST_HANDSHAKE = Math.max(
  0,
  ...PROVIDERS.map(({ longestHandshake = 0 }) => longestHandshake),
);

/** Whether a request carries a signature of any provider: the same for every address, known or not. */
export function carriesSignature(headers: IncomingHttpHeaders): boolean {
  for (const name of HEADERS) if (headers[name] !== undefined) return true;
  return false;
}

/**
 * Whether a request may be one of those few bytes that some provider sends unsigned: the same for every address. A body
 * that comes in chunks does not say how long it is.
 */
export function mayBeHandshake(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? 0) <= LONGEST_HANDSHAKE;
}

/** Whether a signature of its provider may be elsewhere than in the headers. */
export function takesUnsigned({ provider, providerUnknown }: LiveSource): boolean {
  return provider.signatureHeaders === undefined && !providerUnknown;
}
