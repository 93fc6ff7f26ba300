import { EVENT_TYPES, type EventType } from '../../events/event';
import { customerEvent, orderEvent } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { readCustomer } from './customer';
import { readOrder } from './order';
import { readBill, readDispute, readFee, readPayout, readSettlement } from './events';

/** The canonical event that a message of this type is; undefined: none. */
export function eventType(topic: string): EventType | undefined {
  return EVENT_TYPES.find((type) => type === topic);
}

/** The message that is the body. @throws UnreadablePayload */
export function normaliseStandardWebhook(webhook: StoredWebhook, context: SourceContext): Normalised {
  return normaliseMessage(Payload.parse(webhook.rawBody), context);
}

/**
 * One message is one event: unlike a shop's own webhooks, it says which; `order.paid` is one for each payment it lists. A
 * message whose facts do not bear its type out (`order.refunded` without refunds) is unreadable.
 * @throws UnreadablePayload
 */
export function normaliseMessage(message: Payload, context: SourceContext): Normalised {
  const named = message.word('type') ?? message.missing('type');
  const type = eventType(named);
  if (!type) return { ignored: `type ${named} is none that Ponte reads` };
  const sentAt = message.instant('timestamp', context.timeZone) ?? message.missing('timestamp');
  const data = message.at('data');
  if (type === 'customer.updated') {
    const customer = readCustomer(data, context, data.identifier('id') ?? data.missing('id'));
    return { events: [customerEvent(customer, sentAt, message)] };
  }
  if (type === 'payment.settled') return { events: [readSettlement(message, sentAt, context)] };
  if (type === 'payment.disputed') return { events: [readDispute(message, sentAt, context)] };
  if (type === 'payout.paid') return { events: [readPayout(message, sentAt, context)] };
  if (type === 'fee.charged') return { events: [readFee(message, sentAt, context)] };
  if (type === 'bill.paid') return { events: [readBill(message, sentAt, context)] };
  const { order, occurredAt } = readOrder(data, type, sentAt, context);
  const paid = type === 'order.paid' ? order.payments : [];
  if (paid.length === 0) return { events: [orderEvent(type, occurredAt, order, message)] };
  return {
    events: paid.map((payment) => orderEvent(type, payment.paidAt, { ...order, payment }, message)),
  };
}
