import { UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { FetchAccess, FetchBack, SourceApi } from '../source';
import { isRead, orderIdOf } from './notification';
import { accountOf } from './settings';

export const vtexApi: SourceApi = {
  credentials: {
    appKey: {
      description: 'The application key (appKey) that VTEX shows under Conta, Chaves de aplicação.',
    },
    appToken: {
      description: 'Its token (appToken), which VTEX shows once, when the application key is made.',
    },
  },
  baseUrl(settings) {
    const apiUrl = textSetting(settings, 'apiUrl');
    if (apiUrl !== undefined) return apiUrl.replace(/\/+$/, '');
    const account = accountOf(settings);
    if (account === undefined) throw new UnreadablePayload('the source does not name its account at VTEX');
    return `https://${account}.vtexcommercestable.com.br`;
  },
};

/** The order that a notification names, with the application key that may read orders. */
export const vtexFetchBack: FetchBack = {
  next(webhook, access) {
    if (!isRead(webhook.topic) || (webhook.fetched ?? []).length > 0) return undefined;
    return {
      name: 'order',
      path: `/api/oms/pvt/orders/${encodeURIComponent(orderIdOf(webhook, access.settings))}`,
      headers: vtexHeaders(access),
    };
  },
};

/** Headers of every request. */
export function vtexHeaders({ credentials }: FetchAccess): Record<string, string> {
  return {
    accept: 'application/json',
    'x-vtex-api-appkey': credentials.appKey ?? '',
    'x-vtex-api-apptoken': credentials.appToken ?? '',
  };
}
