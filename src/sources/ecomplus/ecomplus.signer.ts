import type { MessageToSign } from '../source';

/** Where E-Com Plus shows the token, unless its webhook names another header. */
export const AUTHORIZATION = 'authorization';

/** E-Com Plus signs nothing: it shows the token of the webhook. */
export function headersOfEcomPlus({ secret }: MessageToSign): Record<string, string> {
  return { 'content-type': 'application/json', [AUTHORIZATION]: `Bearer ${secret}` };
}
