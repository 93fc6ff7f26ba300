import { listRequest } from '../mapping/listed';
import { clientCredentialsGrant, readOAuthGrant } from '../mapping/oauth';
import type { AboutLine, ImportedWebhook, ListedItem, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { apiUrlOf, textSetting } from '../settings';
import type { FetchAccess, Settings, SourceApi } from '../source';
import { elementsOfMember } from '../top-level-member';

export const shopifyApi: SourceApi = {
  credentials: {
    clientId: {
      description:
        'Client ID of an app of your own that is installed in the shop and may read orders (read_orders): Shopify’s Dev Dashboard, then Apps, then Settings of the app. Webhooks need none.',
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
function shopifyHeaders({ accessToken = '' }: FetchAccess): Record<string, string> {
  return { 'x-shopify-access-token': accessToken, accept: 'application/json' };
}

/** Of the REST Admin API. Shopify answers as the oldest version that there is, once this one is none any more. */
const VERSION = '2026-07';
/** Orders of a page: Shopify gives 250 at most, and an order with many lines has hundreds of kilobytes. */
const PAGE = 50;
/** Before every order. A request without `since_id` would have the newest orders first. */
const FIRST = '1';

/**
 * The orders of the shop by their number, the lowest first, which moves no order while pages are asked for. Shopify has the next
 * page in a header too, which says the same.
 */
export const shopifyList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (textSetting(settings, 'apiUrl') === undefined ? 'apiUrl' : undefined),
  request(place = FIRST, { from, to }, access) {
    const query = new URLSearchParams({
      ...{ status: 'any', updated_at_min: utc(from), updated_at_max: utc(to) },
      ...{ limit: String(PAGE), since_id: place },
    });
    return listRequest('orders', `/admin/api/${VERSION}/orders.json`, query, shopifyHeaders(access));
  },
  read({ body }, { timeZone }) {
    // Whether all of it is JSON: the orders are taken out of it without reading what follows them.
    const page = Payload.parse(body);
    const orders = elementsOfMember(body, 'orders')?.map((order) => readOrder(order, timeZone));
    if (!orders) return page.missing('orders');
    const items = orders.map(({ item }) => item);
    const last = orders.at(-1);
    return last && orders.length >= PAGE ? { items, next: last.id } : { items };
  },
};

/** @throws UnreadablePayload */
function readOrder(order: Buffer, timeZone: string): { id: string; item: ListedItem } {
  const record = Payload.parse(order);
  const id = record.identifier('id') ?? record.missing('id');
  if (!/^\d+$/.test(id)) throw new UnreadablePayload(`${record.path}.id is not the number of an order`);
  const changedAt = record.instant('updated_at', timeZone) ?? record.missing('updated_at');
  return {
    id,
    item: { webhook: importShopifyLine(order, { topic: OF_ORDERS, settings: {} }), changedAt },
  };
}

/** To the second, as Shopify counts; both ends belong to what it gives. */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** The topic whose webhooks have the order as it is, and nothing of what has just happened to it. */
const OF_ORDERS = 'orders/updated';

/**
 * Webhooks and the REST API have orders and customers in the same form; only the header of a webhook says which it is.
 * @throws UnreadablePayload for what is no order, where no topic is named
 */
export function importShopifyLine(line: Buffer, { topic }: AboutLine): ImportedWebhook {
  if (topic === undefined) {
    const record = Payload.parse(line);
    if (!record.has('line_items') || !record.has('total_price'))
      throw new UnreadablePayload('it is no order of Shopify; where all lines are of one topic, name that');
  }
  return { headers: { 'x-shopify-topic': topic ?? OF_ORDERS }, body: line };
}
