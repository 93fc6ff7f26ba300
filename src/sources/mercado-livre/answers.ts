import { answerTo } from '../fetched';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { Settings, StoredWebhook } from '../source';
import { type About, isNumber } from './notification';

/** Names of requests. */
export const ORDER = 'order';
export const BILLING = 'billing-info';

/** The name of the request for a payment. */
export function paymentName(id: string): string {
  return `payment-${id}`;
}

/** The name of the request for a claim. */
export function claimName(id: string): string {
  return `claim-${id}`;
}

/** What is answered with when only a part of an order could be put together. */
const PARTIAL = 206;

/** What was asked for; undefined where it was not asked for, is not there, or may not be seen. @throws UnreadablePayload */
function payloadOf(webhook: StoredWebhook, name: string): Payload | undefined {
  const answer = answerTo(webhook, name);
  if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined;
  if (answer.status === PARTIAL)
    throw new UnreadablePayload(`Mercado Livre answered with a part of the ${name} only`);
  return Payload.parse(answer.body);
}

/** An order; undefined where it is not there. @throws UnreadablePayload where it is another one */
export function orderIn(webhook: StoredWebhook, id: string): Payload | undefined {
  const order = payloadOf(webhook, ORDER);
  if (order !== undefined && order.identifier('id') !== id)
    order.fail('id', 'is not that of the order that was asked for');
  return order;
}

/** Whether the seller of the source sold it: the account of a seller buys, too, and is told of what it pays. */
export function isSoldBySource(order: Payload, settings: Settings): boolean {
  const own = textSetting(settings, 'storeId');
  const seller = order.at('seller');
  return own === undefined || (seller.identifier('id') ?? seller.missing('id')) === own;
}

/** Who an order is invoiced to; undefined where the application may not see it. @throws UnreadablePayload */
export function billingIn(webhook: StoredWebhook): Payload | undefined {
  return payloadOf(webhook, BILLING);
}

/**
 * A payment with what went back of it and when its money is released; undefined where the application may not see it. Older
 * answers have all of it below `collection`.
 * @throws UnreadablePayload where it is another one
 */
export function paymentIn(webhook: StoredWebhook, id: string): Payload | undefined {
  const answer = payloadOf(webhook, paymentName(id));
  const payment = answer?.has('collection') ? answer.at('collection') : answer;
  if (payment !== undefined && payment.identifier('id') !== id)
    payment.fail('id', 'is not that of the payment that was asked for');
  return payment;
}

/** A buyer's claim; undefined where the application may not see it. @throws UnreadablePayload where it is another one */
export function claimIn(webhook: StoredWebhook, id: string): Payload | undefined {
  const claim = payloadOf(webhook, claimName(id));
  if (claim !== undefined && claim.identifier('id') !== id)
    claim.fail('id', 'is not that of the claim that was asked for');
  return claim;
}

/**
 * The order that a notification turns out to be about; undefined where it is of none, or nobody knows yet.
 * @throws UnreadablePayload
 */
export function orderIdOf({ kind, id }: About, webhook: StoredWebhook): string | undefined {
  if (kind === 'order') return id;
  const named =
    kind === 'payment' ? orderOfPayment(paymentIn(webhook, id)) : orderOfClaim(claimIn(webhook, id));
  return isNumber(named) ? named : undefined;
}

/** Payments of an account are not all of the marketplace: those of other shops have orders of another type. */
function orderOfPayment(payment: Payload | undefined): string | undefined {
  const order = payment?.loosely('order');
  if (order?.has('id')) return order.textIfAny('type') === 'mercadolibre' ? order.textIfAny('id') : undefined;
  return payment?.textIfAny('order_id');
}

function orderOfClaim(claim: Payload | undefined): string | undefined {
  return claim?.textIfAny('resource') === 'order' ? claim.textIfAny('resource_id') : undefined;
}
