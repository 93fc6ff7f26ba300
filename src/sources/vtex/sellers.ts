import type { Payload } from '../payload';
import type { Settings } from '../source';
import { ownSellersOf } from './settings';

/** Most sellers of one order that are read: VTEX makes an order for each. */
const MOST_SELLERS = 50;
/** What VTEX calls the flow of an order that a marketplace sold: this shop delivers it, or has another seller deliver it. */
const DELIVERED_HERE = 'fulfillment';
const HANDED_ON = 'chain';
const SHOWN = /^[\w.-]{1,60}$/;

/**
 * Who sold the order and was paid for it, where that was a marketplace: its name, else its identifier as an affiliate;
 * undefined where this shop sold it.
 */
export function marketplaceOf(order: Payload): string | undefined {
  if (![DELIVERED_HERE, HANDED_ON].includes(flowOf(order))) return undefined;
  return order.loosely('marketplace').textIfAny('name') ?? order.text('affiliateId') ?? 'marketplace';
}

function flowOf(order: Payload): string {
  return order.text('origin')?.toLowerCase() ?? '';
}

/** A sentence where another company delivers what this shop sold or handed on: a part of the money is that company's. */
export function sellerDifferences(order: Payload, settings: Settings): string[] {
  if (flowOf(order) === DELIVERED_HERE) return [];
  const own = ownSellersOf(settings);
  const sellers = order.firstItems('sellers', MOST_SELLERS).map((seller) => seller.textIfAny('id') ?? '');
  const others = sellers.filter((id) => id !== '' && !own.includes(id));
  if (others.length === 0) return [];
  const names = others.map((id) => (SHOWN.test(id) ? id : 'another')).join(', ');
  return [
    `The order is delivered by the seller ${names}: a part of what was paid is the seller's, unless ownSellers names it.`,
  ];
}
