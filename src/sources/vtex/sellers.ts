import type { Payload } from '../payload';
import { ownSellersOf } from './settings';

/** Most sellers of one order that are read: VTEX makes an order for each. */
const MOST_SELLERS = 50;
const SOLD_ELSEWHERE = 'fulfillment';
const SHOWN = /^[\w.-]{1,60}$/;

/**
 * Who sold the order, where that was a marketplace and this shop only delivers: its name, else its identifier as an
 * affiliate; undefined where this shop sold it.
 */
export function marketplaceOf(order: Payload): string | undefined {
  if (order.text('origin')?.toLowerCase() !== SOLD_ELSEWHERE) return undefined;
  return order.loosely('marketplace').textIfAny('name') ?? order.text('affiliateId') ?? 'marketplace';
}

/** A sentence where this shop sold what another company delivers: a part of the money is that company's. */
export function sellerDifferences(order: Payload, settings: Readonly<Record<string, unknown>>): string[] {
  if (marketplaceOf(order) !== undefined) return [];
  const own = ownSellersOf(settings);
  const sellers = order.firstItems('sellers', MOST_SELLERS).map((seller) => seller.textIfAny('id') ?? '');
  const others = sellers.filter((id) => id !== '' && !own.includes(id));
  if (others.length === 0) return [];
  const names = others.map((id) => (SHOWN.test(id) ? id : 'another')).join(', ');
  return [
    `The order is delivered by the seller ${names}: a part of what was paid is the seller's, unless ownSellers names it.`,
  ];
}
