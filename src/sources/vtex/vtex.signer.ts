import type { MessageToSign } from '../source';

/** The header that shows the secret, unless the source's settings name another. */
export const DEFAULT_HEADER = 'x-ponte-key';

/** VTEX signs nothing: it sends the header that was configured with the hook. */
export function headersOfVtex({ secret }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [DEFAULT_HEADER]: secret };
}
