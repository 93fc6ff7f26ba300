import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { NOT_AN_ORDER } from './notification';

/** BigCommerce's names of its statuses, by their numbers. Shops rename them and cannot add any. */
const NAMES = [
  'Incomplete',
  'Pending',
  'Shipped',
  'Partially Shipped',
  'Refunded',
  'Cancelled',
  'Declined',
  'Awaiting Payment',
  'Awaiting Pickup',
  'Awaiting Shipment',
  'Completed',
  'Awaiting Fulfillment',
  'Manual Verification Required',
  'Disputed',
  'Partially Refunded',
];
/** Statuses that mean paid unless the source's settings name others. */
export const PAID_STATUSES = '2,3,8,9,10,11';
const COMPLETED = '10';
/** `payment_status` of an order whose money came, whatever became of it since. */
const PAID = ['captured', 'paid', 'refunded', 'partially refunded'];
/** `payment_status` of an order whose money a gateway has not handed over. */
const UNPAID = [
  'authorized',
  'capture pending',
  'declined',
  'held for review',
  'pending',
  'void',
  'void pending',
];
/** Ways to pay that no gateway of the shop takes part in, as BigCommerce and shops in Brazil call them. */
const OFFLINE =
  /^cash$|cash on delivery|deposit|dep[óo]sito|che(?:ck|que)\b|money order|^manual$|in store|na loja|transfer|\bboleto\b|\bpix\b|dinheiro|na entrega/i;
const ON_DELIVERY = /on delivery|na entrega/i;

/** What an order's own words say, apart from its transactions and refunds. */
export interface StatusFacts {
  /** As BigCommerce calls it, whatever the shop does. */
  readonly name: string;
  /** A checkout that is not finished. */
  readonly isUnfinished: boolean;
  /** Cancelled, or declined for lack of a payment. */
  readonly isEnded: boolean;
  /** It waits for money that no gateway has promised. */
  readonly isWaiting: boolean;
  readonly isRefunded: boolean;
  readonly isDisputed: boolean;
  /** It, or `payment_status`, says that the money came. */
  readonly saysPaid: boolean;
  /** It is paid outside of every gateway, if it is. */
  readonly isOffline: boolean;
}

/** @throws UnreadablePayload */
export function statusOf(order: Payload, settings: Settings): StatusFacts {
  const id = order.identifier('status_id') ?? order.missing('status_id');
  const method = order.text('payment_method') ?? '';
  const isOffline = OFFLINE.test(method);
  const payment = (order.text('payment_status') ?? '').toLowerCase().replaceAll('_', ' ');
  const isHeld = !isOffline && UNPAID.includes(payment);
  const paidStatuses = statusesIn(textSetting(settings, 'paidStatuses') ?? PAID_STATUSES);
  const isDelivered = id === COMPLETED || !ON_DELIVERY.test(method);
  return {
    name: NAMES[Number(id)] ?? `in status ${/^\d{1,4}$/.test(id) ? id : 'unknown'}`,
    isUnfinished: NOT_AN_ORDER.includes(id),
    isEnded: ['5', '6'].includes(id),
    isWaiting: id === '7' && !['authorized', 'capture pending'].includes(isHeld ? payment : ''),
    isRefunded: ['4', '14'].includes(id),
    isDisputed: id === '13',
    saysPaid: PAID.includes(payment) || (paidStatuses.includes(id) && !isHeld && isDelivered),
    isOffline,
  };
}

/** The numbers in the setting `paidStatuses`. */
export function statusesIn(setting: string): string[] {
  return setting.split(',').map((text) => text.trim());
}
