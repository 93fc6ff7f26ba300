import { peekJson } from '../identity';
import type { GrantedAccess, RequestBody } from '../source';

/** Longest token that is taken, in characters. */
const LONGEST_TOKEN = 8_000;

/** What an answer grants by RFC 6749, 5.1; undefined where it grants nothing. */
export function readOAuthGrant(answer: Buffer): GrantedAccess | undefined {
  const { access_token, expires_in, refresh_token } = peekJson(answer);
  if (!isToken(access_token)) return undefined;
  const seconds = Number(expires_in);
  return {
    accessToken: access_token,
    ...(Number.isFinite(seconds) && seconds > 0 && { expiresInSeconds: seconds }),
    ...(isToken(refresh_token) && { refreshToken: refresh_token }),
  };
}

/** Fields as a form sends them. */
export function formBody(fields: Readonly<Record<string, string>>): RequestBody {
  return {
    contentType: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(fields).toString(),
  };
}

/** Of characters that may stand in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(value);
}
