import { bearerHeaders } from '../fetched';
import { formBody } from '../mapping/oauth';
import { ifReadable, Payload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchBack, GrantedAccess, SourceApi, Settings } from '../source';
import { readOrderEvent } from './order-event';

const API = 'https://merchant-api.ifood.com.br';

function baseUrl(settings: Settings): string {
  return apiUrlOf(settings, API);
}

export const ifoodApi: SourceApi = {
  credentials: {
    clientId: {
      description:
        'The client ID of the application, which iFood’s developer portal shows with its credentials.',
    },
    clientSecret: {
      description: 'The client secret of the same application, the one that also signs its webhooks.',
    },
  },
  baseUrl,
  accessTokens: {
    url: (settings) => `${baseUrl(settings)}/authentication/v1.0/oauth/token`,
    grant({ credentials: { clientId = '', clientSecret = '' } }) {
      return {
        headers: { accept: 'application/json' },
        body: formBody({ grantType: 'client_credentials', clientId, clientSecret }),
      };
    },
    read: readGrant,
  },
};

function readGrant(answer: Buffer): GrantedAccess | undefined {
  return ifReadable(() => {
    const granted = Payload.parse(answer);
    const accessToken = granted.text('accessToken');
    const expiresIn = Number(granted.textIfAny('expiresIn'));
    if (accessToken === undefined) return undefined;
    return { accessToken, ...(expiresIn > 0 && { expiresInSeconds: expiresIn }) };
  });
}

/** The order that an event names. One that is not there any more is no answer: a person has to enter the sale. */
export const ifoodFetchBack: FetchBack = {
  next(webhook, { settings, accessToken }) {
    if ((webhook.fetched ?? []).length > 0) return undefined;
    const event = readOrderEvent(webhook, settings);
    if ('ignored' in event) return undefined;
    return {
      name: 'order',
      path: `/order/v1.0/orders/${event.orderId}`,
      headers: bearerHeaders(accessToken),
      answers: [],
    };
  },
};
