import type { LosslessJson } from '../kernel/lossless-json';
import type { FieldError } from '../kernel/problem';
import { didYouMean, nearestName } from '../kernel/nearest';
import {
  DISPUTE_STATES,
  EVENT_TYPES,
  type AddressFacts,
  type CanonicalEvent,
  type CustomerEvent,
  type CustomerFacts,
  type DisputeEvent,
  type DisputeFacts,
  type EventType,
  type OrderEvent,
  type OrderEventType,
  type OrderFacts,
  type OrderLine,
  type PaymentFacts,
  type PayoutEvent,
  type PayoutFacts,
  type RefundFacts,
  subjectOf,
} from './event';
import { MOST_LINES, MOST_REFUNDS } from './limits';
import { Faults, listOf, needed, objectOf, possible, type Reader, type Shape } from './shape';
import { count, flag, instant, money, name, oneOf, positiveMoney, quantity, text } from './values';
import { isObject } from '../kernel/json-object';

/** A sentence for each line, and a few more. */
const MOST_DIFFERENCES = MOST_LINES + 100;

const address = objectOf<AddressFacts>({
  line1: possible(text),
  number: possible(text),
  line2: possible(text),
  district: possible(text),
  city: possible(text),
  state: possible(text),
  zipCode: possible(text),
  country: possible(text),
});

const customer = objectOf<CustomerFacts>({
  key: needed(name),
  name: needed(name),
  document: possible(text),
  email: possible(text),
  phone: possible(text),
  address: possible(address),
});

const payment = objectOf<PaymentFacts>({
  key: needed(name),
  gateway: needed(text),
  method: needed(text),
  value: needed(money),
  fee: possible(money),
  storeCredit: possible(flag),
  paidAt: needed(instant),
  datedBy: possible(text),
});

const refund = objectOf<RefundFacts>({
  key: needed(name),
  value: needed(positiveMoney),
  gateway: possible(text),
  storeCredit: possible(flag),
  refundedAt: needed(instant),
});

const payout = objectOf<PayoutFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  gateway: needed(text),
  value: needed(positiveMoney),
  paidAt: needed(instant),
  test: needed(flag),
});

const line = objectOf<OrderLine>({
  title: needed(text),
  sku: possible(text),
  quantity: needed(quantity),
  price: needed(money),
});

const dispute = objectOf<DisputeFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  orderKey: possible(name),
  gateway: needed(text),
  value: needed(positiveMoney),
  state: needed(oneOf(DISPUTE_STATES)),
  openedAt: needed(instant),
  closedAt: possible(instant),
  test: needed(flag),
});

const order = objectOf<OrderFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  number: needed(name),
  total: needed(money),
  createdAt: needed(instant),
  updatedAt: possible(instant),
  cancelledAt: possible(instant),
  paidAt: possible(instant),
  instalments: needed(count),
  test: needed(flag),
  customer: needed(customer),
  payment: possible(payment),
  refunds: needed(listOf(refund, MOST_REFUNDS)),
  lines: needed(listOf(line, MOST_LINES)),
  differences: needed(listOf(text, MOST_DIFFERENCES)),
});

/** The payload is whatever it is; one that is left out is empty. */
const raw: Reader<Payload> = (json) => json ?? undefined;

type Payload = NonNullable<LosslessJson>;

/** What `raw` is in a type whose values may be absent: it is read as possible and filled in. */
type Told<E> = E extends CanonicalEvent ? Omit<E, 'raw'> & { raw?: Payload } : never;

const base = { key: needed(name), occurredAt: needed(instant), raw: possible(raw) } as const;

function orderEvent(type: OrderEventType): Reader<Told<OrderEvent>> {
  const shape: Shape<Told<OrderEvent>> = { ...base, type: needed(() => type), order: needed(order) };
  return objectOf(shape);
}

const customerEvent = objectOf<Told<CustomerEvent>>({
  ...base,
  type: needed(() => 'customer.updated' as const),
  customer: needed(customer),
});

const payoutEvent = objectOf<Told<PayoutEvent>>({
  ...base,
  type: needed(() => 'payout.paid' as const),
  payout: needed(payout),
});

const disputeEvent = objectOf<Told<DisputeEvent>>({
  ...base,
  type: needed(() => 'payment.disputed' as const),
  dispute: needed(dispute),
});

function eventReader(type: EventType): Reader<Told<CanonicalEvent>> {
  switch (type) {
    case 'customer.updated':
      return customerEvent;
    case 'payout.paid':
      return payoutEvent;
    case 'payment.disputed':
      return disputeEvent;
    default:
      return orderEvent(type);
  }
}

/**
 * Reads a canonical event that was written as JSON, as strictly as sources make them: every field that `event.ts`
 * has, none that it has not, amounts as `{"value": "12.34", "currency": "BRL"}`, times in ISO 8601 with an offset.
 * @returns the event, or what is wrong, by JSON pointer from the event's own root
 */
export function readEvent(json: LosslessJson): { event: CanonicalEvent } | { faults: FieldError[] } {
  const faults = new Faults();
  const type = readType(json, faults);
  const event = type && eventReader(type)(json, '', faults);
  if (event) refuseContradictions(event, faults);
  if (!event || faults.found.length > 0) return { faults: faults.found };
  return { event: { ...event, raw: event.raw ?? {} } as CanonicalEvent };
}

function readType(json: LosslessJson, faults: Faults): EventType | undefined {
  if (!isObject(json)) return faults.add('', 'object', 'must be an object');
  const given = Object.hasOwn(json, 'type') ? json['type'] : undefined;
  const type = EVENT_TYPES.find((candidate) => candidate === given);
  if (type !== undefined) return type;
  const nearest = typeof given === 'string' ? nearestName(given, EVENT_TYPES) : undefined;
  return faults.add('/type', 'one-of', `must be one of ${EVENT_TYPES.join(', ')}${didYouMean(nearest)}`);
}

/** What each field alone cannot show. */
function refuseContradictions(event: Told<CanonicalEvent>, faults: Faults): void {
  const [kind, { key }] = subjectOf(event);
  if (event.key !== key) faults.add('/key', 'differs', `must be the key of the ${kind}`);
  if (event.type === 'order.paid' && event.order.payment === undefined)
    faults.add('/order/payment', 'required', 'is required with order.paid');
}
