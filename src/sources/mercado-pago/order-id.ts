import { isObject } from '../../kernel/json-object';
import { isIdentifier } from '../identity';
import type { Payload } from '../payload';

/** What an order is known by, and what people call it. */
export interface OrderName {
  readonly id: string;
  readonly number: string;
}

/** What of a payment says which order it is of. */
interface Named {
  readonly payment: string;
  readonly reference: string | undefined;
  /** It is one of a subscription's: each of them has the subscription's reference. */
  readonly recurs: boolean;
}

/** The operation of the payments of a subscription, but for its first ones, which are said to be regular. */
const RECURRING = 'recurring_payment';

/**
 * The shop's own reference, else the payment. A reference that is fit for people alone, or stands for a whole subscription, is
 * the order's number.
 */
function nameOrder({ payment, reference, recurs }: Named): OrderName {
  const isOrders = reference !== undefined && !recurs && isIdentifier(reference);
  return { id: isOrders ? reference : payment, number: reference ?? payment };
}

/** The order that a payment is of. @throws UnreadablePayload */
export function orderNameOf(payment: Payload): OrderName {
  return nameOrder({
    payment: payment.identifier('id') ?? payment.missing('id'),
    reference: payment.text('external_reference'),
    recurs:
      payment.word('operation_type') === RECURRING ||
      payment.loosely('metadata').textIfAny('preapproval_id') !== undefined,
  });
}

/** The identifier of that order, of a payment that was only looked into; undefined where it does not say who it is. */
export function peekOrderId(payment: Readonly<Record<string, unknown>>): string | undefined {
  const id = textOf(payment['id']);
  if (id === undefined) return undefined;
  const metadata = isObject(payment['metadata']) ? payment['metadata'] : {};
  const recurs = payment['operation_type'] === RECURRING || textOf(metadata['preapproval_id']) !== undefined;
  return nameOrder({ payment: id, reference: textOf(payment['external_reference']), recurs }).id;
}

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}
