import { formBody, readOAuthGrant, refreshTokenGrant } from '../../src/sources/mapping/oauth';
import { SHARED_SETTINGS, textSetting } from '../../src/sources/settings';
import { type FetchBack, type SourceApi, type SourceProvider } from '../../src/sources/source';
import { peekJson } from '../../src/sources/identity';
import { thin } from './thin-provider';

const api: SourceApi = {
  credentials: {
    clientSecret: { description: 'the secret of the application of these tests' },
    refreshToken: { description: 'the refresh token that the shop gave the application' },
  },
  baseUrl: (settings) => textSetting(settings, 'apiUrl') ?? 'https://tokens.example',
  accessTokens: {
    url: (settings) => `${textSetting(settings, 'apiUrl') ?? 'https://tokens.example'}/oauth/token`,
    grant: ({ credentials: { clientSecret = '', refreshToken = '' } }) => ({
      headers: {},
      body: refreshTokenGrant({ clientId: 'ponte', clientSecret, refreshToken }),
    }),
    read: readOAuthGrant,
    refreshToken: 'refreshToken',
  },
};

const fetchBack: FetchBack = {
  next(webhook, access) {
    const asked = thin.fetchBack?.next(webhook, access);
    if (!asked) return undefined;
    const { id } = peekJson(webhook.rawBody);
    return {
      name: 'order',
      path: '/orders',
      headers: { authorization: `Bearer ${access.accessToken ?? ''}` },
      body: formBody({ id: String(id) }),
    };
  },
};

/** As `thin`, with an API that takes access tokens and is asked with POST, and with many stores behind one address. */
export const withTokens: SourceProvider = {
  ...thin,
  id: 'with-tokens',
  title: 'With tokens',
  settings: {
    apiUrl: SHARED_SETTINGS.apiUrl,
    storeId: { type: 'string', description: 'the number of the store' },
  },
  storeOf({ rawBody }) {
    const { store } = peekJson(rawBody);
    return typeof store === 'string' ? store : undefined;
  },
  handshake: ({ method }) =>
    method === 'GET' || method === 'HEAD'
      ? { status: 200, contentType: 'application/json', body: '{"here":true}' }
      : undefined,
  api,
  fetchBack,
};
