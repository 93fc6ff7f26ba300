import { parseAnswer } from '../fetched';
import { orderKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import { orderEvents } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { checkStore, ORDER, readNotification } from './notification';
import { type EcomPlusOrder, readOrder } from './order';

/**
 * A notification has a whole order that nobody signed; what it means is in the same order, fetched.
 * @throws UnreadablePayload
 */
export function normaliseEcomPlus(webhook: StoredWebhook, context: SourceContext): Normalised {
  if (webhook.topic !== ORDER) {
    Payload.parse(webhook.rawBody);
    return { ignored: `a notification of ${webhook.topic} is about no order` };
  }
  const { orderId, created } = readNotification(webhook, context.settings);
  const [answer] = webhook.fetched ?? [];
  const order = parseAnswer(answer, 'the order was not fetched from E-Com Plus');
  if (order === undefined) return { ignored: 'the order is not there any more' };
  const id = order.identifier('_id')?.toLowerCase() ?? order.missing('_id');
  if (id !== orderId) order.fail('_id', 'is not the order that was asked for');
  checkStore(order, 'store_id', context.settings);
  if (order.flag('budget_only'))
    return { ignored: 'the order is a budget alone: nothing is bought', key: orderKey(context.source, id) };
  const read = readOrder(order, id, webhook, context);
  const events = orderEvents(read.facts, { created, awaited: read.awaited }, order);
  return events.length > 0 ? { events } : nothingIn(read);
}

/** An order that is paid, and does not say by what, asks for a person itself. */
function nothingIn({ facts: { key, total }, status, unlisted: detail }: EcomPlusOrder): Normalised {
  if (detail === undefined)
    return { ignored: `the order is ${status}: nothing was paid, and no boleto or Pix is waited for`, key };
  return { ...askPerson(key, detail, total), key };
}
