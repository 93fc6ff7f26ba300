import type { ListedItem, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { apiUrlOf, textSetting } from '../settings';
import { type SourceApi, UnreadablePayload } from '../source';
import { topLevelElements } from '../top-level-member';
import { instantOf } from './dates';
import { importWooCommerceLine } from './import-line';

/** Orders of a page: WooCommerce gives 100 at most, and an order with many custom fields has tens of kilobytes. */
const PAGE = 50;

/** For comparing alone: webhooks have all that is booked. */
export const wooCommerceApi: SourceApi = {
  credentials: {
    consumerKey: {
      description:
        'Consumer key of WooCommerce’s REST API (Settings, then Advanced, then REST API), which begins with ck_; reading is enough.',
    },
    consumerSecret: { description: 'Consumer secret of the same key, which begins with cs_.' },
  },
  baseUrl: (settings) => apiUrlOf(settings, ''),
};

/**
 * The orders of the shop, the newest first. That order does not depend on what changes while pages are asked for: an order that
 * is made meanwhile moves others to a later page, where they come again.
 */
export const wooCommerceList: ProviderList = {
  missingSetting: (settings) => (textSetting(settings, 'apiUrl') === undefined ? 'apiUrl' : undefined),
  request(page, { from, to }, { credentials }) {
    const { consumerKey = '', consumerSecret = '' } = credentials;
    const query = new URLSearchParams({
      ...{ modified_after: utc(from), modified_before: utc(to), dates_are_gmt: 'true' },
      ...{ per_page: String(PAGE), page: String(page) },
    });
    const key = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
    return {
      name: 'orders',
      path: `/wp-json/wc/v3/orders?${query.toString()}`,
      headers: { authorization: `Basic ${key}` },
      answers: [],
    };
  },
  read(page, timeZone) {
    const orders = topLevelElements(page);
    if (!orders) throw new UnreadablePayload('the answer is no list of orders');
    return { items: orders.map((order) => listed(order, timeZone)), more: orders.length >= PAGE };
  },
};

/** @throws UnreadablePayload */
function listed(order: Buffer, timeZone: string): ListedItem {
  const record = Payload.parse(order);
  const changedAt = instantOf(record, 'date_modified', timeZone) ?? record.missing('date_modified_gmt');
  return { webhook: importWooCommerceLine(order, { settings: {} }), changedAt };
}

/** As `dates_are_gmt` has it: UTC without saying so, to the second. */
function utc(instant: Date): string {
  return instant.toISOString().slice(0, 19);
}
