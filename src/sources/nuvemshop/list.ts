import { isGone } from '../fetched';
import { notification } from '../mapping/listed';
import type { AboutLine, ImportedWebhook, ListedItem, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { topLevelElements } from '../top-level-member';
import { headersOf } from './fetches';

/** Orders of a page, of which Nuvemshop gives 200 at most. An API that leaves `fields` aside gives 100 whole orders. */
const PAGE = 100;
const FIELDS = 'id,store_id,payment_status,updated_at';

/**
 * Statuses of payments that are asked for one after another: an older document says that `any`, which is the default, means
 * authorized, pending and paid alone. Where it means all of them the others bring what has come already.
 */
const STATUSES = ['any', 'refunded', 'voided', 'abandoned'];

/**
 * The orders of the store, a status and page at a time. In which order they come is not documented, so that no end of the
 * period is asked for: orders that change while pages are asked for stay in the list, and push others to a later page and
 * never to an earlier one.
 */
export const nuvemshopList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (textSetting(settings, 'storeId') === undefined ? 'storeId' : undefined),
  request(place, { from }, access) {
    const { status, page } = placeIn(place);
    const query = new URLSearchParams({
      ...{ updated_at_min: from.toISOString(), payment_status: status },
      ...{ fields: FIELDS, per_page: String(PAGE), page: String(page) },
    });
    const store = encodeURIComponent(textSetting(access.settings, 'storeId') ?? '');
    const path = `/v1/${store}/orders?${query.toString()}`;
    return { name: 'orders', path, headers: headersOf(access), answers: [404] };
  },
  read(answer, { place, timeZone, settings }) {
    const { status, page } = placeIn(place);
    // Nuvemshop answers 404 where a page of a list is empty.
    const orders = isGone(answer) ? [] : topLevelElements(answer.body);
    if (!orders) throw new UnreadablePayload('the answer is no list of orders');
    const items = orders.map((order) => listed(order, timeZone, settings));
    const then = STATUSES[STATUSES.indexOf(status) + 1];
    if (orders.length >= PAGE) return { items, next: `${status}/${page + 1}` };
    return then === undefined ? { items } : { items, next: `${then}/1` };
  },
};

function placeIn(place = `${STATUSES[0]}/1`): { status: string; page: number } {
  const [status = '', page] = place.split('/');
  return { status, page: Number(page) };
}

/** @throws UnreadablePayload */
function listed(order: Buffer, timeZone: string, settings: Settings): ListedItem {
  const record = Payload.parse(order);
  const webhook = importNuvemshopLine(order, { settings });
  if (!webhook) throw new UnreadablePayload('the list has what is no order');
  const id = record.identifier('id') ?? record.missing('id');
  const changedAt = record.instant('updated_at', timeZone) ?? record.missing('updated_at');
  return { webhook, changedAt, entity: `order/${id}` };
}

/**
 * Of an order as the API gives it: the notification that names it, for the order is fetched as it is now. Its store is that of
 * the source where the order does not name one.
 * @throws UnreadablePayload
 */
export function importNuvemshopLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('event') || !record.has('payment_status')) return undefined;
  const store = record.identifier('store_id') ?? textSetting(settings, 'storeId');
  if (store === undefined)
    throw new UnreadablePayload('the order names no store: set storeId on the source, or add store_id');
  const id = record.identifier('id') ?? record.missing('id');
  return { body: notification({ store_id: store, event: 'order/updated', id }) };
}
