import type { OrderEvent, OrderEventType, OrderFacts, PaymentFacts } from '../../events/event';
import type { Payload } from '../payload';

/**
 * The events one order's payload stands for. Webhooks come in any order and some never come, so a payload
 * says everything its state implies, whatever its topic: `order.paid` if it is paid, `order.cancelled` if it
 * is cancelled, `order.refunded` if money went back. Saying it again is harmless, because effects are keyed
 * by the business keys of order, payment and refund. Only `order.created` follows the topic.
 * @param payment the payment that made it a paid order, when it is one
 */
export function orderEvents(
  order: OrderFacts,
  payment: PaymentFacts | undefined,
  created: boolean,
  payload: Pick<Payload, 'raw'>,
): OrderEvent[] {
  const refundedAt = latest(order.refunds.map((refund) => refund.refundedAt));
  const events: OrderEvent[] = [];
  if (created) events.push(orderEvent('order.created', order.createdAt, order, payload));
  if (payment) events.push(orderEvent('order.paid', payment.paidAt, { ...order, payment }, payload));
  if (order.cancelledAt) events.push(orderEvent('order.cancelled', order.cancelledAt, order, payload));
  if (refundedAt) events.push(orderEvent('order.refunded', refundedAt, order, payload));
  return events;
}

/** When a payment was made, and by what evidence where the payload does not say it. */
export type PaymentDate = Pick<PaymentFacts, 'paidAt' | 'datedBy'>;

/** One event of an order. The payload is made readable when it is asked for: few rules do. */
export function orderEvent(
  type: OrderEventType,
  occurredAt: Date,
  order: OrderFacts,
  payload: Pick<Payload, 'raw'>,
): OrderEvent {
  return {
    type,
    key: order.key,
    occurredAt,
    order,
    get raw() {
      return payload.raw();
    },
  };
}

/** The latest of the times; undefined when there are none. */
export function latest(times: readonly (Date | undefined)[]): Date | undefined {
  let last: Date | undefined;
  for (const time of times) if (time && !(last && last >= time)) last = time;
  return last;
}

/** The earliest of the times; undefined when there are none. */
export function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  let first: Date | undefined;
  for (const time of times) if (time && !(first && first <= time)) first = time;
  return first;
}
