import { EVENT_TYPES, type EventType } from '../../events/event';
import { orderEvent } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { readCustomer } from './customer';
import { readDispute } from './dispute';
import { readOrder } from './order';
import { readPayout } from './payout';

function eventType(topic: string): EventType | undefined {
  return EVENT_TYPES.find((type) => type === topic);
}

/**
 * One message is one event: unlike a shop's own webhooks, it says which. A message whose facts do not bear
 * its type out (`order.refunded` without refunds) is unreadable.
 * @throws UnreadablePayload
 */
export function normaliseStandardWebhook(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = Payload.parse(webhook.rawBody);
  const named = message.word('type') ?? message.missing('type');
  const type = eventType(named);
  if (!type) return { ignored: `type ${named} is none that Ponte reads` };
  const sentAt = message.instant('timestamp', context.timeZone) ?? message.missing('timestamp');
  const data = message.at('data');
  if (type === 'customer.updated') {
    const customer = readCustomer(data, context, data.identifier('id') ?? data.missing('id'));
    return { events: [{ type, key: customer.key, occurredAt: sentAt, customer, raw: message.raw() }] };
  }
  if (type === 'payment.disputed') return { events: [readDispute(message, sentAt, context)] };
  if (type === 'payout.paid') return { events: [readPayout(message, sentAt, context)] };
  const { order, occurredAt } = readOrder(data, type, sentAt, context);
  return { events: [orderEvent(type, occurredAt, order, message)] };
}
