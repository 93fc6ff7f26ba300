import { isIdentifier } from '../identity';
import type { Payload } from '../payload';
import { identifierOf } from './stripe-event';

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
