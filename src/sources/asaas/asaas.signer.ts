import type { MessageToSign } from '../source';

export const TOKEN_HEADER = 'asaas-access-token';

/** Shows the token as Asaas does: it signs nothing. */
export function signAsAsaas({ secret }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [TOKEN_HEADER]: secret };
}
