import { apiUrlOf } from '../settings';
import { type FetchBack, UnreadablePayload, type SourceApi } from '../source';
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
  next(webhook, { settings, credentials }) {
    if (webhook.topic !== ORDER || (webhook.fetched ?? []).length > 0) return undefined;
    const { orderId } = readNotification(webhook, settings);
    const store = storeIdOf(settings);
    if (store === undefined) throw new UnreadablePayload('the source does not name its store at E-Com Plus');
    const user = `${credentials.authenticationId ?? ''}:${credentials.apiKey ?? ''}`;
    return {
      name: 'order',
      path: `/:${store}/orders/${encodeURIComponent(orderId)}`,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(user).toString('base64')}`,
      },
    };
  },
};
