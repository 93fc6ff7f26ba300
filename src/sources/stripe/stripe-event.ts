import { isIdentifier } from '../identity';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { timeOf } from './amounts';

/** The gateway's name in payments, refunds, payouts and disputes. */
export const GATEWAY = 'stripe';

/** One message of Stripe: what happened, when, and to which object. */
export interface StripeEvent {
  /** The whole message. */
  readonly message: Payload;
  readonly type: string;
  /** The charge, payout or dispute that it is about, as it was then. */
  readonly object: Payload;
  /** What of the object was otherwise before; empty where the event changed nothing of it. */
  readonly before: Payload;
  readonly at: Date;
  /** Of Stripe's test mode, and the source does not book that. */
  readonly test: boolean;
}

/**
 * @param kind of object that the event's type is about, as Stripe calls it
 * @throws UnreadablePayload
 */
export function readStripeEvent(
  message: Payload,
  type: string,
  kind: string,
  context: SourceContext,
): StripeEvent {
  const data = message.at('data');
  const object = data.at('object');
  if (object.word('object') !== kind) object.fail('object', `is not ${kind}, although the type is ${type}`);
  const isLive = message.flag('livemode') && (!object.has('livemode') || object.flag('livemode'));
  return {
    message,
    type,
    object,
    before: data.at('previous_attributes'),
    at: timeOf(message, 'created') ?? message.missing('created'),
    test: !isLive && !flagSetting(context.settings, 'bookTestOrders'),
  };
}

/** The identifier below `key`, of an object that Stripe names or has expanded there. */
export function identifierOf(place: Payload, key: string): string | undefined {
  const expanded = place.loosely(key);
  return expanded.has('id') ? expanded.identifier('id') : place.identifier(key);
}

/**
 * What the shop's order is known by: `metadata.order_id`, else the payment intent, else the charge. An `order_id` that is
 * fit for people alone, such as `Pedido 1001`, is its number.
 * @throws UnreadablePayload when nothing names it
 */
export function orderIdOf(object: Payload): { id: string; number: string } {
  const named = object.loosely('metadata').textIfAny('order_id');
  if (named !== undefined && isIdentifier(named)) return { id: named, number: named };
  const id =
    identifierOf(object, 'payment_intent') ??
    identifierOf(object, 'charge') ??
    object.identifier('id') ??
    object.missing('id');
  return { id, number: named ?? id };
}
