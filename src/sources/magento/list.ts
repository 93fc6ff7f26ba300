import { notification } from '../mapping/listed';
import type { ImportedWebhook, ListedItem, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import { magentoHeaders } from './fetch';

/** Orders of a page. A shop that leaves `fields` aside gives 100 whole orders, of some ten kilobytes each. */
const PAGE = 100;
const FIELDS = 'items[entity_id,updated_at],total_count';
const ORDER_SAVED = 'com.adobe.commerce.observer.sales_order_save_commit_after';

/**
 * The orders of the shop by their identifier, each page after the last of the page before: what changes while pages are asked for
 * moves no other order. By page numbers Magento gives its last page again where there is none more.
 */
export const magentoList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (textSetting(settings, 'apiUrl') === undefined ? 'apiUrl' : undefined),
  request(place, { from, to }, access) {
    const filters = [
      filter(0, 'updated_at', 'gteq', utc(from)),
      filter(1, 'updated_at', 'lteq', utc(to)),
      ...(place === undefined ? [] : [filter(2, 'entity_id', 'gt', place)]),
    ];
    const sort = 'searchCriteria[sortOrders][0]';
    const query = [
      ...filters,
      ...[`${sort}[field]=entity_id`, `${sort}[direction]=ASC`],
      ...[`searchCriteria[pageSize]=${PAGE}`, `fields=${FIELDS}`],
    ];
    const path = `/rest/V1/orders?${query.join('&')}`;
    return { name: 'orders', path, headers: magentoHeaders(access), answers: [] };
  },
  read({ body }) {
    const answer = Payload.parse(body);
    const count = answer.identifier('total_count') ?? answer.missing('total_count');
    if (!/^\d{1,12}$/.test(count)) answer.fail('total_count', 'is not a number');
    const left = Number(count);
    if (left > 0 && !answer.has('items')) answer.missing('items');
    const orders = answer.items('items').map(listed);
    const last = orders.at(-1);
    const items = orders.map(({ item }) => item);
    return last && left > items.length ? { items, next: last.id } : { items };
  },
};

function filter(group: number, field: string, condition: string, value: string): string {
  const place = `searchCriteria[filter_groups][${group}][filters][0]`;
  return `${place}[field]=${field}&${place}[value]=${encodeURIComponent(value)}&${place}[condition_type]=${condition}`;
}

/** As Magento's database has it: UTC without saying so, to the second. */
function utc(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace('T', ' ');
}

/** @throws UnreadablePayload */
function listed(order: Payload): { id: string; item: ListedItem } {
  const id = order.identifier('entity_id') ?? order.missing('entity_id');
  if (!/^\d{1,20}$/.test(id)) order.fail('entity_id', 'is not a number');
  const changedAt = order.instant('updated_at', 'UTC') ?? order.missing('updated_at');
  return { id, item: { webhook: saved(id, changedAt), changedAt, entity: `order/${id}` } };
}

/** The event that would have come. Adobe's identifiers of events are in no list: this one is known by the order's last change. */
function saved(id: string, changedAt: Date): ImportedWebhook {
  const event = `ponte:order/${id}:${changedAt.toISOString()}`;
  return {
    body: notification({
      specversion: '1.0',
      id: event,
      type: ORDER_SAVED,
      data: { value: { entity_id: id } },
    }),
  };
}
