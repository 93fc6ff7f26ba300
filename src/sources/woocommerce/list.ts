import { listRequest } from '../mapping/listed';
import type { AboutLine, ImportedWebhook, ListedItem, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import { topLevelElements } from '../top-level-member';
import { woocommerceHeaders } from './api';
import { instantOf } from './dates';

/** Orders of a page: WooCommerce gives 100 at most, and an order with many custom fields has tens of kilobytes. */
const PAGE = 50;

/**
 * The orders of the shop that have changed since, the newest first. That order does not depend on what changes while pages are asked
 * for: an order that is made or changed meanwhile moves others to a later page, where they come again. With an end, one that changes
 * would leave the list and move another off the page that is asked for next.
 */
export const woocommerceList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (textSetting(settings, 'apiUrl') === undefined ? 'apiUrl' : undefined),
  request(place = '1', { from }, access) {
    const query = new URLSearchParams({
      ...{ modified_after: utc(from), dates_are_gmt: 'true' },
      ...{ per_page: String(PAGE), page: place },
    });
    return listRequest('orders', '/wp-json/wc/v3/orders', query, woocommerceHeaders(access));
  },
  read({ body }, { place = '1', timeZone }) {
    const orders = topLevelElements(body);
    if (!orders) throw new UnreadablePayload('the answer is no list of orders');
    const items = orders.map((order) => listed(order, timeZone));
    return orders.length < PAGE ? { items } : { items, next: String(Number(place) + 1) };
  },
};

/** @throws UnreadablePayload */
function listed(order: Buffer, timeZone: string): ListedItem {
  const record = Payload.parse(order);
  const changedAt = instantOf(record, 'date_modified', timeZone) ?? record.missing('date_modified_gmt');
  return { webhook: importWooCommerceLine(order, { topic: OF_ORDERS, settings: {} }), changedAt };
}

/** As `dates_are_gmt` has it: UTC without saying so, to the second. */
function utc(instant: Date): string {
  return instant.toISOString().slice(0, 19);
}

/** The topic whose webhooks have the order as it is. */
const OF_ORDERS = 'order.updated';

/**
 * Webhooks and the REST API have orders and customers in the same form; only the header of a webhook says which it is.
 * @throws UnreadablePayload for what is no order, where no topic is named
 */
export function importWooCommerceLine(line: Buffer, { topic }: AboutLine): ImportedWebhook {
  if (topic === undefined) {
    const record = Payload.parse(line);
    if (!record.has('line_items') || !record.has('total'))
      throw new UnreadablePayload(
        'it is no order of WooCommerce; where all lines are of one topic, name that',
      );
  }
  return { headers: { 'x-wc-webhook-topic': topic ?? OF_ORDERS }, body: line };
}
