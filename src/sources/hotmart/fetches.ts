import { basicHeaders, bearerHeaders } from '../fetched';
import { clientCredentialsGrant, readOAuthGrant } from '../mapping/oauth';
import { apiUrlOf, textSetting } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, SourceApi, Settings, StoredWebhook } from '../source';
import { COMMISSIONS, fetchedSale, SALE, USERS } from './answers';
import { readMessage } from './message';
import type { Sale } from './sale';

const API = 'https://developers.hotmart.com';
/** Below it: what is asked about sales. */
export const SALES = '/payments/api/v1/sales';
const TOKEN_PATH = '/security/oauth/token';
const TOKEN_URL = `https://api-sec-vlc.hotmart.com${TOKEN_PATH}`;
export const hotmartApi: SourceApi = {
  credentials: {
    clientId: {
      description: 'Client ID of a credential for the Hotmart API (Ferramentas, then Credenciais Hotmart).',
    },
    clientSecret: { description: 'Client Secret of the same credential for the Hotmart API.' },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
  accessTokens: { url: tokenUrlOf, grant, read: readOAuthGrant },
};

/** The sale that a message names, who bought, and who gets what of it. */
export const hotmartFetches: FetchBack = { next: nextRequest };

function tokenUrlOf(settings: Settings): string {
  const api = textSetting(settings, 'apiUrl');
  return textSetting(settings, 'tokenUrl') ?? (api ? `${apiUrlOf(settings, API)}${TOKEN_PATH}` : TOKEN_URL);
}

/** Hotmart's documentation has these fields in the address, where they would be written to logs: a form carries the same. */
function grant({ credentials }: Omit<FetchAccess, 'accessToken'>) {
  const { clientId = '', clientSecret = '' } = credentials;
  return {
    headers: basicHeaders(clientId, clientSecret),
    body: clientCredentialsGrant(clientId, clientSecret),
  };
}

/** Headers of every request. */
export function hotmartHeaders({ accessToken }: FetchAccess): Record<string, string> {
  return bearerHeaders(accessToken);
}

function nextRequest(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const message = readMessage(webhook);
  const { transaction } = message;
  if (transaction === undefined) return undefined;
  const answered = webhook.fetched ?? [];
  const wanted = answered.length === 0 ? [SALE] : wantedOf(fetchedSale(webhook, message, { source: '' }));
  const name = wanted.find((one) => !answered.some((answer) => answer.name === one));
  if (name === undefined) return undefined;
  return {
    name,
    path: `${SALES}/${name}?transaction=${encodeURIComponent(transaction)}`,
    headers: hotmartHeaders(access),
    // Hotmart answers with an empty list where there is nothing: any other status is a failure.
    answers: [],
  };
}

/** Nobody else's buyer is of interest, and of what was not paid nobody gets anything. */
function wantedOf({ isOwn, isPaid }: Sale): string[] {
  return [SALE, ...(isOwn ? [USERS] : []), ...(isPaid ? [COMMISSIONS] : [])];
}
