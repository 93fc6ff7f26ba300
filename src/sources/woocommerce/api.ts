import { apiUrlOf } from '../settings';
import type { FetchAccess, SourceApi } from '../source';

/** For comparing alone: webhooks have all that is booked. */
export const woocommerceApi: SourceApi = {
  credentials: {
    consumerKey: {
      description:
        'Consumer key of WooCommerce’s REST API (Settings, then Advanced, then REST API), which begins with ck_; reading is enough.',
    },
    consumerSecret: { description: 'Consumer secret of the same key, which begins with cs_.' },
  },
  baseUrl: (settings) => apiUrlOf(settings, ''),
};

/** Headers of every request. WooCommerce takes them over https alone. */
export function woocommerceHeaders({ credentials }: FetchAccess): Record<string, string> {
  const { consumerKey = '', consumerSecret = '' } = credentials;
  return { authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}` };
}
