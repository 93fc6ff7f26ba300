import { askPerson } from '../mapping/normalised';
import { customerEvent, orderEvents, type ReadOrder } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfCustomer } from './customer';
import { instantOf } from './dates';
import { PARTLY_PAID, readOrder } from './order';

type Reading = (payload: Payload, webhook: StoredWebhook, context: SourceContext) => Normalised;

/** Not orders yet, or no longer: carts in checkout, drafts of the back office, what lies in the bin. */
const NOT_AN_ORDER = ['checkout-draft', 'auto-draft', 'draft', 'trash'];

function order(created: boolean): Reading {
  return (payload, webhook, context) => {
    const status = payload.word('status') ?? payload.missing('status');
    if (NOT_AN_ORDER.includes(status))
      return { ignored: `the order is ${status}: not an order yet, or no longer` };
    const read = readOrder(payload, status, webhook, context);
    const events = orderEvents(read.facts, { created, awaited: read.awaited }, payload);
    return events.length > 0 ? { events } : nothingToBook(read, status);
  };
}

/** An order of which a part was paid asks for a person. */
function nothingToBook(
  { facts: { key, total, test } }: Omit<ReadOrder, 'status'>,
  status: string,
): Normalised {
  const ignored = `the order is ${status}: neither paid, cancelled nor refunded`;
  if (!PARTLY_PAID.includes(status) || test) return { ignored };
  const detail = `The order is ${status}: a part of it was paid, and nothing says how much. Its whole total is booked when all of it is paid.`;
  return askPerson(key, detail, total, { ignored });
}

const customer: Reading = (payload, webhook, context) => {
  const facts = customerOfCustomer(payload, context);
  const occurredAt =
    instantOf(payload, 'date_modified', context.timeZone) ??
    instantOf(payload, 'date_created', context.timeZone) ??
    webhook.receivedAt;
  return { events: [customerEvent(facts, occurredAt, payload)] };
};

const READINGS: ReadonlyMap<string, Reading> = new Map([
  ['order.created', order(true)],
  ['order.updated', order(false)],
  ['order.restored', order(false)],
  ['customer.created', customer],
  ['customer.updated', customer],
]);

/** @throws UnreadablePayload */
export function normaliseWooCommerce(webhook: StoredWebhook, context: SourceContext): Normalised {
  const { topic } = webhook;
  if (topic.endsWith('.deleted')) return { ignored: `${topic} carries an id and nothing else` };
  const reading = READINGS.get(topic);
  if (!reading) return { ignored: `topic ${topic} is none that Ponte reads` };
  return reading(Payload.parse(webhook.rawBody), webhook, context);
}
