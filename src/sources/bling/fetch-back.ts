import { basicHeaders, bearerHeaders } from '../fetched';
import { formBody, readOAuthGrant } from '../mapping/oauth';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, SourceApi, Settings, StoredWebhook } from '../source';
import {
  contactIdOf,
  fetchedOrder,
  isAboutOrder,
  isOfAnother,
  leftOutBecause,
  ORDER_DELETED,
  readMessage,
} from './message';

const API = 'https://api.bling.com.br/Api/v3';
/** Bling grants JSON Web Tokens to whoever says that they can be used. */
const JWT = { 'enable-jwt': '1' };

function baseUrl(settings: Settings): string {
  return apiUrlOf(settings, API);
}

export const blingApi: SourceApi = {
  credentials: {
    clientId: {
      description: 'The client ID of the application at Bling, as Área do Integrador shows it.',
    },
    clientSecret: {
      description: 'The client secret of the application, as Área do Integrador shows it.',
    },
    refreshToken: {
      description:
        'The refresh token that Bling gave when the company authorised the application. Ponte keeps the newer ones itself.',
    },
  },
  baseUrl,
  accessTokens: {
    url: (settings) => `${baseUrl(settings)}/oauth/token`,
    grant({ credentials }) {
      return {
        headers: { ...basicHeaders(credentials.clientId, credentials.clientSecret), ...JWT },
        body: formBody({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken ?? '' }),
      };
    },
    read: readOAuthGrant,
    refreshToken: 'refreshToken',
  },
};

/** What Bling wants to see of whoever asks. */
export function blingHeaders(accessToken?: string): Record<string, string> {
  return { ...bearerHeaders(accessToken), ...JWT };
}

/** The order that a notification names, and then who buys. */
export const blingFetchBack: FetchBack = { next: nextRequest };

function nextRequest(
  webhook: StoredWebhook,
  { settings, accessToken }: FetchAccess,
): FetchRequest | undefined {
  const message = readMessage(webhook);
  if (!isAboutOrder(message.event) || message.event === ORDER_DELETED) return undefined;
  if (isOfAnother(message, settings)) return undefined;
  const headers = blingHeaders(accessToken);
  const count = webhook.fetched?.length ?? 0;
  if (count === 0) return { name: 'order', path: `/pedidos/vendas/${message.orderId}`, headers };
  if (count > 1) return undefined;
  const order = fetchedOrder(webhook, message)?.order;
  if (order === undefined || leftOutBecause(order, settings) !== undefined) return undefined;
  const contact = contactIdOf(order);
  return contact === undefined ? undefined : { name: 'contact', path: `/contatos/${contact}`, headers };
}
