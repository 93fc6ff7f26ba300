import { formBody } from '../mapping/oauth';
import { apiUrlOf } from '../settings';
import type { FetchBack, SourceApi } from '../source';
import { isTooOften } from './answer';
import { readMessage } from './message';

const API = 'https://api.tiny.com.br/api2';

export const tinyApi: SourceApi = {
  credentials: {
    token: { description: 'The token of the API 2.0 (Token API) that Tiny shows in Configurações.' },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** The order that a notification names. Whatever Tiny has to say comes with the status 200, and any other is no answer. */
export const tinyFetchBack: FetchBack = {
  next(webhook, { settings, credentials }) {
    const { orderId } = readMessage(webhook, settings);
    if (orderId === undefined || (webhook.fetched ?? []).length > 0) return undefined;
    return {
      ...{ name: 'order', path: '/pedido.obter.php', headers: { accept: 'application/json' } },
      body: formBody({ token: credentials.token ?? '', id: orderId, formato: 'json' }),
      answers: [],
    };
  },
  isTooOften,
};
