import type { MessageToSign } from '../source';

export const TOKEN_HEADER = 'x-hotmart-hottok';

/** Shows the Hottok as Hotmart does: it signs nothing. */
export function signAsHotmart({ secret }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [TOKEN_HEADER]: secret };
}
