import { listRequest, notification } from '../mapping/listed';
import type { ListedItem, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { ecomPlusHeaders, ordersPath } from './fetch-back';
import { storeIdOf } from './settings';

/** Orders of a page. A store whose API leaves `fields` aside gives 100 whole orders, of some ten kilobytes each. */
const PAGE = 100;

/**
 * The orders of the store by their number. No end of the period is asked for: orders that change while pages are asked for stay in
 * the list, and push others to a later page and never to an earlier one.
 */
export const ecomPlusList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (storeIdOf(settings) === undefined ? 'storeId' : undefined),
  request(place = '0', { from }, access) {
    const query = new URLSearchParams({
      ...{ fields: '_id,store_id,updated_at', 'updated_at>': from.toISOString() },
      ...{ sort: 'number', limit: String(PAGE), offset: place },
    });
    return listRequest('orders', ordersPath(access.settings), query, ecomPlusHeaders(access));
  },
  read({ body }, { place = '0', timeZone }) {
    const answer = Payload.parse(body);
    if (!answer.has('result')) answer.missing('result');
    const items = answer.items('result').map((order) => listed(order, timeZone));
    const isFull = items.length > 0 && items.length >= Math.min(PAGE, limitOf(answer));
    return isFull ? { items, next: String(Number(place) + items.length) } : { items };
  },
};

/** How many orders a page may have by the API's own word, which may be fewer than were asked for. */
function limitOf(answer: Payload): number {
  const meta = answer.at('meta');
  const limit = meta.text('limit') ?? String(PAGE);
  return /^\d{1,6}$/.test(limit) ? Number(limit) : meta.fail('limit', 'is not a number');
}

/** @throws UnreadablePayload */
function listed(order: Payload, timeZone: string): ListedItem {
  const id = order.identifier('_id') ?? order.missing('_id');
  // The texts are those of the webhook that would have come, which is known by both.
  const updatedAt = order.text('updated_at') ?? order.missing('updated_at');
  const changedAt = order.instant('updated_at', timeZone) ?? order.missing('updated_at');
  const store = order.text('store_id');
  const named = { _id: id, updated_at: updatedAt, ...(store !== undefined && { store_id: store }) };
  return {
    webhook: { body: notification({ order: named }) },
    changedAt,
    entity: `order/${id.toLowerCase()}`,
  };
}
