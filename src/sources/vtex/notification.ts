import { Payload } from '../payload';
import type { Settings, StoredWebhook } from '../source';
import { accountOf } from './settings';

/** An order's identifier: fit to stand in an address. */
const ORDER_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/;

/** States of an order that was just made. */
const CREATED = ['order-created', 'on-order-completed', 'order-completed', 'on-order-completed-ffm'];
/** What a hook of the type `FromOrders` says in place of a state; its first spelling is VTEX's own. */
export const CHANGED = ['unknow', 'unknown'];
/** States after which there is something to read in the order. */
const READ = [
  ...CREATED,
  ...CHANGED,
  'payment-pending',
  'payment-approved',
  'payment-denied',
  'approve-payment',
  'waiting-for-seller-decision',
  'authorize-fulfillment',
  'waiting-ffmt-authorization',
  'window-to-cancel',
  'window-to-change-seller',
  'waiting-for-mkt-authorization',
  'waiting-seller-handling',
  'ready-for-handling',
  'start-handling',
  'handling',
  'invoice',
  'invoiced',
  'invoice-after-cancellation-deny',
  'order-accepted',
  'replaced',
  'order-replaced',
  'request-cancel',
  'cancellation-requested',
  'cancel',
  'canceled',
  'cancelled',
];

/** Whether a notification of this state is worth an answer of VTEX's API. */
export function isRead(state: string): boolean {
  return READ.includes(state);
}

/** Whether the state says that the order was made. */
export function saysCreated(state: string): boolean {
  return CREATED.includes(state);
}

/**
 * The identifier of the order that a notification names.
 * @throws UnreadablePayload, also where it is of another account than the source's
 */
export function orderIdOf({ rawBody }: StoredWebhook, settings: Settings): string {
  const notification = Payload.parse(rawBody);
  const id = notification.text('OrderId') ?? notification.missing('OrderId');
  if (!ORDER_ID.test(id)) notification.fail('OrderId', 'is not the identifier of an order');
  const origin = notification.at('Origin');
  const account = origin.text('Account')?.toLowerCase();
  const own = accountOf(settings);
  if (account !== undefined && own !== undefined && account !== own)
    origin.fail('Account', 'is another account than the one of this source');
  return id;
}
