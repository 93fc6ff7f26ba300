import { basicHeaders } from '../fetched';
import { apiUrlOf } from '../settings';
import type { FetchAccess, SourceApi } from '../source';

export const woocommerceApi: SourceApi = {
  credentials: {
    consumerKey: {
      description:
        'Consumer key of the REST API, which begins with ck_: WooCommerce, then Settings, then Advanced, then REST API, then Add key, with the permission Read/Write. With it Ponte registers the webhooks and compares the orders; Read is enough for comparing alone.',
    },
    consumerSecret: {
      description: 'Consumer secret of the same key, which begins with cs_. WooCommerce shows it once.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, ''),
};

/** Headers of every request. WooCommerce takes them over https alone. */
export function woocommerceHeaders({ credentials }: FetchAccess): Record<string, string> {
  return basicHeaders(credentials['consumerKey'], credentials['consumerSecret']);
}
