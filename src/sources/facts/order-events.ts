import type { OrderEvent, OrderFacts, PaymentFacts } from '../../events/event';

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
  raw: unknown,
): OrderEvent[] {
  const event = (type: OrderEvent['type'], occurredAt: Date, facts: OrderFacts = order): OrderEvent => ({
    type,
    key: order.key,
    occurredAt,
    order: facts,
    raw,
  });
  const refundedAt = latest(order.refunds.map((refund) => refund.refundedAt));
  return [
    ...(created ? [event('order.created', order.createdAt)] : []),
    ...(payment ? [event('order.paid', payment.paidAt, { ...order, payment })] : []),
    ...(order.cancelledAt ? [event('order.cancelled', order.cancelledAt)] : []),
    ...(refundedAt ? [event('order.refunded', refundedAt)] : []),
  ];
}

/** The latest of the times; undefined when there are none. */
export function latest(times: readonly (Date | undefined)[]): Date | undefined {
  return times
    .filter((time) => time !== undefined)
    .reduce<Date | undefined>((last, time) => (last && last >= time ? last : time), undefined);
}
