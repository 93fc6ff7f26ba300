import { notification } from '../mapping/listed';
import type { AboutLine, ImportedWebhook, ListedItem, Period, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { topLevelElements } from '../top-level-member';
import { instantOf } from './dates';
import { bigcommerceHeaders } from './fetch';
import { STORE_HASH, storePath } from './notification';
import { statusOf } from './status';

/** Orders of a page, each of some kilobytes: BigCommerce gives 250 at most, and whole orders alone. */
const PAGE = 100;

/**
 * The orders of the store by their number, each page from the one after the last of the page before: what changes while pages are
 * asked for moves no other order.
 */
export const bigcommerceList: ProviderList = {
  has: 'states',
  missingSetting: (settings) =>
    STORE_HASH.test(textSetting(settings, 'storeHash') ?? '') ? undefined : 'storeHash',
  request(place, period, access) {
    const path = `${storePath(access.settings)}/v2/orders?${queryOf(place, period)}`;
    return { name: 'orders', path, headers: bigcommerceHeaders(access), answers: [] };
  },
  read({ status, body }, { timeZone, settings }) {
    // The older API has no body where it has no orders.
    const orders = status === 204 ? [] : topLevelElements(body);
    if (!orders) throw new UnreadablePayload('the answer is no list of orders');
    const read = orders.map((bytes) => ({ bytes, record: Payload.parse(bytes) }));
    const items = read
      .filter(({ record }) => !statusOf(record, settings).isUnfinished)
      .map(({ bytes, record }) => listed(bytes, record, timeZone, settings));
    const last = read.at(-1)?.record;
    return last && orders.length >= PAGE ? { items, next: after(last) } : { items };
  },
};

function queryOf(place: string | undefined, { from, to }: Period): string {
  return new URLSearchParams({
    ...{ min_date_modified: from.toISOString(), max_date_modified: to.toISOString() },
    ...{ sort: 'id:asc', limit: String(PAGE) },
    ...(place !== undefined && { min_id: place }),
  }).toString();
}

/** @throws UnreadablePayload */
function listed(bytes: Buffer, record: Payload, timeZone: string, settings: Settings): ListedItem {
  const webhook = importBigCommerceLine(bytes, { settings });
  if (!webhook) throw new UnreadablePayload('the list has what is no order');
  const changedAt = instantOf(record, 'date_modified', timeZone) ?? record.missing('date_modified');
  return { webhook, changedAt, entity: `order/${idOf(record)}` };
}

/** The number after that of an order. */
function after(order: Payload): string {
  return String(BigInt(idOf(order)) + 1n);
}

/** @throws UnreadablePayload */
function idOf(order: Payload): string {
  const id = order.identifier('id') ?? order.missing('id');
  return /^\d{1,20}$/.test(id) ? id : order.fail('id', 'is not a number');
}

/**
 * Of an order as the API gives it: the notification that names it, for the order is fetched as it is now.
 * @throws UnreadablePayload
 */
export function importBigCommerceLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('scope') || !record.has('status_id')) return undefined;
  const id = record.identifier('id') ?? record.missing('id');
  const producer = `stores/${textSetting(settings, 'storeHash') ?? ''}`;
  return { body: notification({ scope: 'store/order/updated', producer, data: { type: 'order', id } }) };
}
