import { peekJson } from '../identity';
import type { GrantedAccess, RequestBody } from '../source';

/** What an address for tokens may grant: long ones are JSON Web Tokens. They become part of a header or a form. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const SECONDS = /^[1-9]\d{0,8}$/;

function tokenIn(value: unknown): string | undefined {
  return typeof value === 'string' && TOKEN.test(value) ? value : undefined;
}

/** What was granted (RFC 6749, 5.1); undefined where the answer grants nothing. Some write the seconds as text. */
export function readOAuthGrant(answer: Buffer): GrantedAccess | undefined {
  const { access_token, expires_in, refresh_token } = peekJson(answer);
  const accessToken = tokenIn(access_token);
  if (accessToken === undefined) return undefined;
  const refreshToken = tokenIn(refresh_token);
  const isTold = typeof expires_in === 'number' || typeof expires_in === 'string';
  const seconds = isTold && SECONDS.test(String(expires_in)) ? Number(expires_in) : undefined;
  return {
    accessToken,
    ...(seconds !== undefined && { expiresInSeconds: seconds }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** The fields of a form, as browsers send them. */
export function formBody(fields: Readonly<Record<string, string>>): RequestBody {
  return {
    contentType: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(fields).toString(),
  };
}

/** Asks for an access token with a refresh token, where the client shows itself in the form (RFC 6749, 2.3.1 and 6). */
export function refreshTokenGrant(client: {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}): RequestBody {
  return formBody({
    grant_type: 'refresh_token',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    refresh_token: client.refreshToken,
  });
}
