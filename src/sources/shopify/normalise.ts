import { orderEvents } from '../facts/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfCustomer } from './customer';
import { readOrder } from './order';
import { refundValue } from './refund';

type Reading = (payload: Payload, webhook: StoredWebhook, context: SourceContext) => Normalised;

function order(created: boolean): Reading {
  return (payload, webhook, context) => {
    const { facts, payment, status } = readOrder(payload, webhook, context);
    const events = orderEvents(facts, payment, created, payload);
    return events.length > 0
      ? { events }
      : { ignored: `the order is ${status}: neither paid in full, cancelled nor refunded` };
  };
}

const customer: Reading = (payload, webhook, context) => {
  const zone = context.timeZone;
  const facts = customerOfCustomer(payload, context);
  const occurredAt =
    payload.instant('updated_at', zone) ?? payload.instant('created_at', zone) ?? webhook.receivedAt;
  return {
    events: [{ type: 'customer.updated', key: facts.key, occurredAt, customer: facts, raw: payload.raw() }],
  };
};

/**
 * A refund's own payload names its order and nothing of it: no total, number or customer. An event made of
 * it would have to invent them. Shopify sends the order too (`orders/updated`, with this refund in it), and
 * that one becomes `order.refunded`; the refund's own message is read for errors and set aside.
 */
const refund: Reading = (payload, _webhook, context) => {
  const order = payload.identifier('order_id') ?? payload.missing('order_id');
  const value = refundValue(payload, context.currency);
  const told = value ? `${value.toString()} ${value.currency}` : 'nothing yet';
  return {
    ignored: `refund of ${told} on order ${order}: booked from orders/updated, which has the whole order`,
  };
};

const READINGS: ReadonlyMap<string, Reading> = new Map([
  ['orders/create', order(true)],
  ['orders/updated', order(false)],
  ['orders/paid', order(false)],
  ['orders/cancelled', order(false)],
  ['refunds/create', refund],
  ['customers/create', customer],
  ['customers/update', customer],
]);

/** @throws UnreadablePayload */
export function normaliseShopify(webhook: StoredWebhook, context: SourceContext): Normalised {
  const reading = READINGS.get(webhook.topic);
  if (!reading) return { ignored: `topic ${webhook.topic} is none that Ponte reads` };
  return reading(Payload.parse(webhook.rawBody), webhook, context);
}
