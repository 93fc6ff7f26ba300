import { parseInstant } from '../instant';
import type { PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';

/** Statuses that an order has only after its payment was approved. */
const PAID = [
  'payment-approved',
  'authorize-fulfillment',
  'waiting-ffmt-authorization',
  'window-to-cancel',
  'ready-for-handling',
  'start-handling',
  'handling',
  'invoice',
  'invoiced',
];
const WAITING = 'payment-pending';
const UNPAID = [WAITING, 'payment-denied', 'order-created', 'on-order-completed'];
const ENDED = ['canceled', 'cancelled'];
const REPLACED = ['replaced', 'order-replaced'];
/** An order that was only just made may have none. */
const NO_STATUS = 'without a status';

/** What the order itself says of its state. */
export interface OrderStatus {
  /** As VTEX spells it. */
  readonly name: string;
  /** When its payment was approved; undefined: it was not. */
  readonly paid: PaymentDate | undefined;
  readonly isWaiting: boolean;
  /** When it was cancelled; undefined: it is not. */
  readonly cancelledAt: Date | undefined;
  /** Sentences about what in it disagrees. */
  readonly differences: readonly string[];
}

/** @param receivedAt when the notification came. @throws UnreadablePayload */
export function statusOf(order: Payload, zone: string, receivedAt: Date): OrderStatus {
  const name = order.word('status') ?? NO_STATUS;
  const changedAt = order.instant('lastChange', zone) ?? receivedAt;
  const paid = paymentDate(order, name, zone, changedAt);
  return {
    name,
    paid,
    isWaiting: name === WAITING && paid === undefined,
    cancelledAt: ENDED.includes(name) ? (cancellationDate(order, zone) ?? changedAt) : undefined,
    differences: paid ? differencesOf(name) : [],
  };
}

/** Orders spell it in both ways; undefined where it is no time, for nothing is booked by it. */
function cancellationDate(order: Payload, zone: string): Date | undefined {
  const data = order.loosely('cancellationData');
  const text = data.textIfAny('cancellationDate') ?? data.textIfAny('CancellationDate');
  return text === undefined ? undefined : parseInstant(text, zone);
}

/** The payment of an order was approved where it has a time of it, or a status that comes after it. */
function paymentDate(order: Payload, name: string, zone: string, changedAt: Date): PaymentDate | undefined {
  const paidAt = order.instant('authorizedDate', zone);
  if (paidAt) return { paidAt };
  return PAID.includes(name) ? { paidAt: changedAt, datedBy: 'lastChange' } : undefined;
}

function differencesOf(name: string): string[] {
  if (UNPAID.includes(name))
    return [`The order has a time of its payment, but it is ${name}: its status says that it is not paid.`];
  return REPLACED.includes(name)
    ? ['The order was paid and then replaced by another: the money may be that of the other order.']
    : [];
}
