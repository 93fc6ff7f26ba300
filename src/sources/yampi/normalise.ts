import { eventsOr } from '../mapping/normalised';
import { orderEvents } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { instantOf } from './dates';
import { readOrder } from './order';

/** Events that carry an order as it is then. */
const ORDER_EVENTS = ['order.created', 'order.paid', 'order.status.updated', 'order.updated'];
const REFUSED = 'transaction.payment.refused';

/** @throws UnreadablePayload */
export function normaliseYampi(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = Payload.parse(webhook.rawBody);
  const event = message.word('event') ?? message.missing('event');
  if (event === REFUSED)
    return { ignored: 'a payment was refused: no money came, and the buyer may try again' };
  if (!ORDER_EVENTS.includes(event)) return { ignored: `event ${event} is none that Ponte reads` };
  if (!message.has('resource')) message.missing('resource');
  const at = instantOf(message, 'time', context.timeZone) ?? webhook.receivedAt;
  const saysPaid = event === 'order.paid';
  const { facts, status, awaited } = readOrder(message.at('resource'), { saysPaid, at }, context);
  return eventsOr(
    orderEvents(facts, { created: event === 'order.created', awaited }, message),
    `the order is ${status}: neither paid, cancelled nor refunded`,
  );
}
