import { basicHeaders } from '../fetched';
import { UnreadablePayload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, SourceApi } from '../source';
import { ORDER, readNotification } from './notification';
import { storeIdOf } from './settings';

const API = 'https://ecomplus.io/v2';

export const ecomPlusApi: SourceApi = {
  credentials: {
    authenticationId: {
      description:
        'The authentication ID (My ID) of a user of the store, 24 letters and digits, as its panel shows it.',
    },
    apiKey: { description: 'The API key of that user, as the panel shows it beside the ID.' },
  },
  baseUrl(settings) {
    return apiUrlOf(settings, API);
  },
};

/** The order that a notification is about, by the second version of E-Com Plus's API. */
export const ecomPlusFetchBack: FetchBack = {
  next(webhook, access) {
    if (webhook.topic !== ORDER || (webhook.fetched ?? []).length > 0) return undefined;
    const { orderId } = readNotification(webhook, access.settings);
    const path = `${ordersPath(access.settings)}/${encodeURIComponent(orderId)}`;
    return { name: 'order', path, headers: ecomPlusHeaders(access) };
  },
};

/** Of all orders of the store. @throws UnreadablePayload where the source does not say which store */
export function ordersPath(settings: FetchAccess['settings']): string {
  const store = storeIdOf(settings);
  if (store === undefined) throw new UnreadablePayload('the source does not name its store at E-Com Plus');
  return `/:${store}/orders`;
}

/** Headers of every request. */
export function ecomPlusHeaders({ credentials }: FetchAccess): Record<string, string> {
  return basicHeaders(credentials.authenticationId, credentials.apiKey);
}
