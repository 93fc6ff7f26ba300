import type { OrderFacts } from '../../events/event';
import { askPerson, eventsOr } from '../mapping/normalised';
import { orderEvent, orderEvents } from '../mapping/order-events';
import { Payload, UnreadablePayload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { readOrder } from './order';
import { CANCELLED, type OrderEventMessage, readOrderEvent, SETTLEMENT } from './order-event';

/**
 * An event says what happened to an order and no more; how much it is about is in the order that was fetched.
 * @throws UnreadablePayload
 */
export function normaliseIfood(webhook: StoredWebhook, context: SourceContext): Normalised {
  const event = readOrderEvent(webhook, context.settings);
  if ('ignored' in event) return event;
  const [answer] = webhook.fetched ?? [];
  if (answer === undefined) throw new UnreadablePayload('the order was not fetched from iFood');
  const order = Payload.parse(answer.body);
  checkOrder(order, event);
  const { code, createdAt, orderId } = event;
  if (code === CANCELLED) {
    const date = { paidAt: createdAt, datedBy: CANCELLED };
    const facts = { ...readOrder(order, orderId, context, date), cancelledAt: createdAt };
    return { events: [orderEvent('order.cancelled', createdAt, facts, order)] };
  }
  const facts = readOrder(order, orderId, context, { paidAt: createdAt });
  if (code === SETTLEMENT) return settlementOf(facts);
  return eventsOr(
    orderEvents(facts, { created: false }, order),
    'the order is concluded and comes to nothing for the restaurant',
  );
}

/** @throws UnreadablePayload where what was fetched is another order, or of another restaurant, than the event names */
function checkOrder(order: Payload, { orderId, merchantId }: OrderEventMessage): void {
  const id = order.text('id') ?? order.missing('id');
  if (id.toLowerCase() !== orderId.toLowerCase()) order.fail('id', 'is not the order that was asked for');
  const merchant = order.at('merchant');
  const named = merchant.text('id');
  if (named !== undefined && merchantId !== undefined && named !== merchantId)
    merchant.fail('id', 'is another restaurant than the one of the event');
}

/** A negotiation that was not rejected: how much goes back is not said in a way that could be booked. */
function settlementOf({ key, total, test }: OrderFacts): Normalised {
  const ignored =
    'a negotiation about the order came to an end: iFood’s statement says whether something goes back';
  if (test || !total.isPositive) return { ignored };
  const detail = `iFood settled a negotiation about the order of ${total.toString()} ${total.currency}: a part of it may go back to the buyer, as iFood's statement says; enter what does.`;
  return askPerson(key, detail, total, { code: 'refund-not-booked', ignored });
}
