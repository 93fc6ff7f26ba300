import { isGone } from '../fetched';
import { apiUrlOf, textSetting } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, StoredWebhook, SourceApi } from '../source';
import { readNotification } from './notification';

const API = 'https://api.nuvemshop.com.br';

/** The name of the request for an order's transactions. */
export const TRANSACTIONS = 'transactions';

/** Nuvemshop refuses requests without one. */
export const USER_AGENT = 'Ponte (webhooks)';

/** Headers that Nuvemshop documents for the access token, the first where the source names none. */
export const TOKEN_HEADERS = ['authentication', 'authorization'];

export const nuvemshopApi: SourceApi = {
  credentials: {
    accessToken: {
      description:
        'Access token of your app in this store, which Nuvemshop gave when the app was installed there; it needs read_orders and read_customers.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** The order or customer that a notification names, and then the transactions of the order. */
export const nuvemshopFetches: FetchBack = {
  next: nextRequest,
};

function nextRequest(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const { storeId, about } = readNotification(webhook, access.settings);
  if (about === undefined) return undefined;
  const path = `/v1/${encodeURIComponent(storeId)}/${about.subject}s/${encodeURIComponent(about.id)}`;
  const headers = headersOf(access);
  const [main, ...others] = webhook.fetched ?? [];
  if (main === undefined) return { name: about.subject, path, headers };
  if (about.subject !== 'order' || isGone(main) || others.length > 0) return undefined;
  return { name: TRANSACTIONS, path: `${path}/transactions`, headers, answers: [403, 404, 410] };
}

/** Headers of every request. */
export function headersOf({ settings, credentials }: FetchAccess): Record<string, string> {
  const token = credentials['accessToken'] ?? '';
  return {
    ...(textSetting(settings, 'tokenHeader') === 'authorization'
      ? { authorization: `Bearer ${token}` }
      : { authentication: `bearer ${token}` }),
    'user-agent': textSetting(settings, 'userAgent') ?? USER_AGENT,
    accept: 'application/json',
  };
}
