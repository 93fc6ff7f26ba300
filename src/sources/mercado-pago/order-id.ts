import { isIdentifier } from '../identity';
import type { Payload } from '../payload';

/** What an order is known by, and what people call it. */
export interface OrderName {
  readonly id: string;
  readonly number: string;
}

/** The shop's own reference, else the payment. A reference that is fit for people alone is the order's number. */
export function nameOrder(reference: string | undefined, payment: string): OrderName {
  if (reference !== undefined && isIdentifier(reference)) return { id: reference, number: reference };
  return { id: payment, number: reference ?? payment };
}

/** The order that a payment is of. @throws UnreadablePayload */
export function orderNameOf(payment: Payload): OrderName {
  return nameOrder(payment.text('external_reference'), payment.identifier('id') ?? payment.missing('id'));
}
