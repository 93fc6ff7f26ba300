import { answerTo, basicHeaders, bearerHeaders } from '../fetched';
import { clientCredentialsGrant, readOAuthGrant } from '../mapping/oauth';
import { Payload, UnreadablePayload } from '../payload';
import { apiUrlOf, textSetting } from '../settings';
import type {
  FetchAccess,
  FetchBack,
  FetchRequest,
  Settings,
  SourceApi,
  SourceContext,
  StoredWebhook,
} from '../source';
import { type Message, readMessage } from './message';
import { readSale, type Sale } from './sale';

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

/** The names of the requests: the ends of their paths. */
export const SALE = 'history';
export const USERS = 'users';
export const COMMISSIONS = 'commissions';

/** More sales than an answer about one has. */
const MOST_ITEMS = 20;

/**
 * The sale that a message names, as Hotmart has it in its history.
 * @throws UnreadablePayload also where it is not there: what was just sold may take a moment to be found
 */
export function fetchedSale(
  webhook: StoredWebhook,
  { transaction }: Message,
  context: Pick<SourceContext, 'source'>,
): Sale {
  const answer = payloadOf(webhook, SALE);
  if (answer === undefined) throw new UnreadablePayload('the sale was not fetched from Hotmart');
  const item = answer
    .items('items', MOST_ITEMS)
    .find((one) => one.at('purchase').textIfAny('transaction') === transaction);
  if (item === undefined) throw new UnreadablePayload('Hotmart’s history does not have the sale');
  return readSale(answer, item, context);
}

/**
 * What Hotmart answered about a sale besides; undefined where it did not, or has nothing of it.
 * @param name of the request: {@link USERS} or {@link COMMISSIONS}
 * @throws UnreadablePayload
 */
export function fetchedPart(
  webhook: StoredWebhook,
  name: string,
  { transaction }: Sale,
): Payload | undefined {
  const items = payloadOf(webhook, name)?.items('items', MOST_ITEMS) ?? [];
  return items.find((one) => one.textIfAny('transaction') === transaction);
}

function payloadOf(webhook: StoredWebhook, name: string): Payload | undefined {
  const answer = answerTo(webhook, name);
  return answer && Payload.parse(answer.body);
}
