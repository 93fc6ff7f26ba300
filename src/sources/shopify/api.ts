import { clientCredentialsGrant, readOAuthGrant } from '../mapping/oauth';
import { apiUrlOf } from '../settings';
import type { FetchAccess, SourceApi, Settings } from '../source';

export const shopifyApi: SourceApi = {
  credentials: {
    clientId: {
      description:
        'Client ID of an app of your own that is installed in the shop and may read orders (read_orders): Shopify’s Dev Dashboard, then Apps, then Settings of the app. With it Ponte asks for orders of which no webhook came; webhooks need none.',
    },
    clientSecret: { description: 'Secret of the same app, from the same page.' },
  },
  baseUrl,
  accessTokens: {
    url: (settings) => `${baseUrl(settings)}/admin/oauth/access_token`,
    grant: ({ credentials: { clientId = '', clientSecret = '' } }) => ({
      headers: { accept: 'application/json' },
      body: clientCredentialsGrant(clientId, clientSecret),
    }),
    read: readOAuthGrant,
  },
};

function baseUrl(settings: Settings): string {
  return apiUrlOf(settings, '');
}

/** Headers of every request. */
export function shopifyHeaders({ accessToken = '' }: FetchAccess): Record<string, string> {
  return { 'x-shopify-access-token': accessToken, accept: 'application/json' };
}
