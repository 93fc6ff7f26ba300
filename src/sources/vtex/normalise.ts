import { parseAnswer } from '../fetched';
import { askPerson } from '../mapping/normalised';
import { orderEvents, type ReadOrder } from '../mapping/order-events';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { isRead, orderIdOf, saysCreated } from './notification';
import { readOrder } from './order';

/**
 * A notification names an order alone; what it means is in the order that was fetched.
 * @throws UnreadablePayload
 */
export function normaliseVtex(webhook: StoredWebhook, context: SourceContext): Normalised {
  const asked = orderIdOf(webhook, context.settings);
  if (!isRead(webhook.topic)) return { ignored: `state ${webhook.topic} is none that Ponte reads` };
  const [answer] = webhook.fetched ?? [];
  const order = parseAnswer(answer, 'the order was not fetched from VTEX');
  if (order === undefined) return { ignored: 'the order is not there any more' };
  const id = order.identifier('orderId') ?? order.missing('orderId');
  if (id !== asked) order.fail('orderId', 'is not the order that was asked for');
  const read = readOrder(order, id, webhook, context);
  const created = saysCreated(webhook.topic);
  const events = orderEvents(read.facts, { created, awaited: read.awaited }, order);
  return events.length > 0 ? { events } : nothingIn(read);
}

/** An order that is paid, and does not say how, asks for a person itself. */
function nothingIn({ facts: { key, total, paidAt, differences }, status }: ReadOrder): Normalised {
  const detail = differences.at(-1);
  const ignored = `the order is ${status}: neither paid, cancelled nor waiting for a boleto or Pix`;
  if (paidAt === undefined || detail === undefined || !total.isPositive) return { ignored };
  return askPerson(key, detail, total);
}
