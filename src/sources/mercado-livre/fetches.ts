import { MOST_PAYMENTS } from '../../events/limits';
import { answerTo, bearerHeaders } from '../fetched';
import { readOAuthGrant, refreshTokenGrant } from '../mapping/oauth';
import type { Payload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchBack, FetchRequest, SourceApi, Settings, StoredWebhook } from '../source';
import { BILLING, claimName, isSoldBySource, ORDER, orderIdOf, orderIn, paymentName } from './answers';
import { type About, readNotification } from './notification';
import { brought, paymentIdOf } from './payments';

const API = 'https://api.mercadolibre.com';

/** Payments of one order that are asked about; more than any order has. */
const MOST_ASKED = 15;
/** What the application may not see, or what is not there, is no failure. */
const HIDDEN = [403, 404, 410];
const BILLING_ID = /^[\w-]{1,60}$/;
const SITE = /^[A-Z]{3}$/;

type Asked = Omit<FetchRequest, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export const mercadoLivreApi: SourceApi = {
  credentials: {
    clientId: {
      description: 'Number of the application (APP ID, client_id), which Minhas aplicações shows.',
    },
    clientSecret: {
      description: 'Secret of the application (client_secret), which Minhas aplicações shows.',
    },
    refreshToken: {
      description:
        'Refresh token that the seller’s authorization gave, which begins with TG-. It is good for one time: Ponte keeps the one that takes its place.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
  accessTokens: {
    url: (settings) => `${apiUrlOf(settings, API)}/oauth/token`,
    grant: ({ credentials }) => ({
      headers: { accept: 'application/json' },
      body: refreshTokenGrant({
        clientId: credentials['clientId'] ?? '',
        clientSecret: credentials['clientSecret'] ?? '',
        refreshToken: credentials['refreshToken'] ?? '',
      }),
    }),
    read: readOAuthGrant,
    refreshToken: 'refreshToken',
  },
};

export const mercadoLivreFetches: FetchBack = {
  next(webhook, { settings, accessToken }) {
    const { about } = readNotification(webhook, settings);
    if (about === undefined) return undefined;
    for (const { headers, ...asked } of requestsAbout(about, webhook, settings))
      if (answerTo(webhook, asked.name) === undefined)
        return { ...asked, headers: { ...headers, ...bearerHeaders(accessToken) } };
    return undefined;
  },
  orderingKey(webhook) {
    const { about } = readNotification(webhook, {});
    const id = about && orderIdOf(about, webhook);
    return id === undefined ? undefined : `order/${id}`;
  },
};

/**
 * All that is asked, one after another: what the notification names, its order, who that is invoiced to, and each payment
 * that brought money. What comes later is known only from the answers before.
 */
function* requestsAbout(about: About, webhook: StoredWebhook, settings: Settings): Generator<Asked> {
  if (about.kind === 'payment') yield paymentRequest(about.id);
  if (about.kind === 'claim')
    yield {
      name: claimName(about.id),
      path: `/post-purchase/v1/claims/${about.id}`,
      answers: HIDDEN,
    };
  const id = orderIdOf(about, webhook);
  if (id === undefined) return;
  yield { name: ORDER, path: `/orders/${id}` };
  const order = orderIn(webhook, id);
  if (order === undefined || !isSoldBySource(order, settings)) return;
  yield billingRequest(order, id);
  const payments = order.items('payments', MOST_PAYMENTS).filter(brought);
  yield* payments.slice(0, MOST_ASKED).map((payment) => paymentRequest(paymentIdOf(payment)));
}

function paymentRequest(id: string): Asked {
  return { name: paymentName(id), path: `/collections/${id}`, answers: HIDDEN };
}

/**
 * Orders name what they are invoiced by. One that does not is asked about by its own number, at the address that was there
 * before, in the second of its two spellings.
 */
function billingRequest(order: Payload, id: string): Asked {
  const billing = order.loosely('buyer').loosely('billing_info').textIfAny('id') ?? '';
  const site = order.loosely('context').textIfAny('site') ?? '';
  const path =
    BILLING_ID.test(billing) && SITE.test(site)
      ? `/orders/billing-info/${site}/${billing}`
      : `/orders/${id}/billing_info`;
  return { name: BILLING, path, headers: { 'x-version': '2' }, answers: HIDDEN };
}
