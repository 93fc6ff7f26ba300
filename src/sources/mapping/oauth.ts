import { peekJson } from '../identity';
import type { GrantedAccess, RequestBody } from '../source';

/** Longest token that is taken, in characters. */
const LONGEST_TOKEN = 8_000;

/** What an answer grants by RFC 6749, 5.1; undefined where it grants nothing. */
export function readOAuthGrant(answer: Buffer): GrantedAccess | undefined {
  const { access_token, expires_in, refresh_token } = peekJson(answer);
  return grantOf(access_token, expires_in, refresh_token);
}

/** The same of members under other names. */
export function grantOf(
  token: unknown,
  lastsSeconds: unknown,
  refreshToken?: unknown,
): GrantedAccess | undefined {
  if (!isToken(token)) return undefined;
  const seconds = Number(lastsSeconds);
  return {
    accessToken: token,
    ...(Number.isFinite(seconds) && seconds > 0 && { expiresInSeconds: seconds }),
    ...(isToken(refreshToken) && { refreshToken }),
  };
}

/** Fields as a form sends them. */
export function formBody(fields: Readonly<Record<string, string>>): RequestBody {
  return {
    contentType: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(fields).toString(),
  };
}

/** The form that asks as the application itself (RFC 6749, 4.4), for providers that want its secret in it. */
export function clientCredentialsGrant(clientId: string, clientSecret: string): RequestBody {
  return formBody({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
}

/** The form that asks with a refresh token (RFC 6749, 6), for providers that want the application's secret in it. */
export function refreshTokenGrant(named: {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}): RequestBody {
  return formBody({
    grant_type: 'refresh_token',
    client_id: named.clientId,
    client_secret: named.clientSecret,
    refresh_token: named.refreshToken,
  });
}

/** Of characters that may stand in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(value);
}
