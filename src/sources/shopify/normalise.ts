import type { OrderFacts } from '../../events/event';
import { unbookedRefund } from '../../events/unbooked';
import { orderKey, refundKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import { customerEvent, orderEvents } from '../mapping/order-events';
import { customerRequest, shopRequest } from '../mapping/privacy';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfCustomer } from './customer';
import { readDispute } from './dispute';
import { readOrder } from './order';
import { isRefundedStatus, SPLIT_UNKNOWN } from './payment';
import { refundValue } from './refund';

type Reading = (payload: Payload, webhook: StoredWebhook, context: SourceContext) => Normalised;

function order(created: boolean): Reading {
  return (payload, webhook, context) => {
    const { facts, status, awaited, isSplit } = readOrder(payload, webhook, context);
    const events = orderEvents(facts, { created, awaited }, payload);
    if (events.length > 0) return { events };
    if (isSplit) return splitUnknown(facts);
    return {
      ignored: isRefundedStatus(status)
        ? `the order is ${status}, but nothing says that it was paid in full or that money went back`
        : `the order is ${status}: neither paid in full, cancelled nor refunded`,
    };
  };
}

/** A paid order of which no event can be made asks for a person itself. */
function splitUnknown({ key, total, test }: OrderFacts): Normalised {
  return askPerson(key, SPLIT_UNKNOWN, total, { test });
}

const customer: Reading = (payload, webhook, context) => {
  const zone = context.timeZone;
  const facts = customerOfCustomer(payload, context);
  const occurredAt =
    payload.instant('updated_at', zone) ?? payload.instant('created_at', zone) ?? webhook.receivedAt;
  return { events: [customerEvent(facts, occurredAt, payload)] };
};

/**
 * A refund's own payload names its order and nothing of it: no total, number or customer. An event made of
 * it would have to invent them. Shopify sends the order too (`orders/updated`, with this refund in it), and
 * that one becomes `order.refunded`. Where no rule listens to that, the refund's own message tells a person as well.
 */
const refund: Reading = (payload, _webhook, context) => {
  const order = payload.identifier('order_id') ?? payload.missing('order_id');
  const value = refundValue(payload, context.currency);
  if (!value) return { ignored: `refund of nothing yet on order ${order}` };
  const key = orderKey(context.source, order);
  const id = payload.identifier('id') ?? payload.missing('id');
  return {
    ignored: `refund of ${value.toString()} ${value.currency} on order ${order}: rules hear of it by orders/updated, which has the whole order`,
    unbooked: [unbookedRefund(key, { key: refundKey(key, id), value })],
  };
};

const privacy = (type: 'privacy.erase' | 'privacy.export', orders: string): Reading => {
  return (payload, _webhook, context) => customerRequest(type, payload, orders, context);
};

const READINGS: ReadonlyMap<string, Reading> = new Map([
  ['orders/create', order(true)],
  ['orders/updated', order(false)],
  ['orders/paid', order(false)],
  ['orders/cancelled', order(false)],
  ['refunds/create', refund],
  ['disputes/create', readDispute],
  ['disputes/update', readDispute],
  ['customers/create', customer],
  ['customers/update', customer],
  ['customers/redact', privacy('privacy.erase', 'orders_to_redact')],
  ['customers/data_request', privacy('privacy.export', 'orders_requested')],
  ['shop/redact', (_payload, _webhook, context) => shopRequest(context)],
]);

/** @throws UnreadablePayload */
export function normaliseShopify(webhook: StoredWebhook, context: SourceContext): Normalised {
  const reading = READINGS.get(webhook.topic);
  if (!reading) return { ignored: `topic ${webhook.topic} is none that Ponte reads` };
  return reading(Payload.parse(webhook.rawBody), webhook, context);
}
