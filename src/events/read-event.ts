import type { LosslessJson } from '../kernel/lossless-json';
import type { FieldError } from '../kernel/problem';
import { didYouMean, nearestName } from '../kernel/nearest';
import type { BillFacts, SupplierFacts } from './bill';
import { addContradictions } from './contradictions';
import {
  DISPUTE_STATES,
  EVENT_TYPES,
  PAYOUT_LINE_KINDS,
  type BillEvent,
  type CanonicalEvent,
  type CustomerEvent,
  type DisputeEvent,
  type DisputeFacts,
  type FeeEvent,
  type EventType,
  type OrderEvent,
  type OrderEventType,
  type PayoutEvent,
  type PayoutFacts,
  type PayoutLine,
  type SettlementEvent,
} from './event';
import type { FeeFacts } from './fee';
import { MOST_PAYOUT_LINES } from './limits';
import { readCustomer, readOrder } from './read-order';
import type { SettlementFacts } from './settlement';
import { Faults, listOf, needed, objectOf, possible, type Reader, type Shape } from './shape';
import { change, count, flag, instant, money, name, oneOf, positiveMoney, text } from './values';
import { isObject } from '../kernel/json-object';

const payoutLine = objectOf<PayoutLine>({
  kind: needed(oneOf(PAYOUT_LINE_KINDS)),
  value: needed(change),
  orderKey: possible(name),
});

const payout = objectOf<PayoutFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  gateway: needed(text),
  value: needed(positiveMoney),
  fee: possible(money),
  lines: possible(listOf(payoutLine, MOST_PAYOUT_LINES)),
  paidAt: needed(instant),
  test: needed(flag),
});

const dispute = objectOf<DisputeFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  orderKey: possible(name),
  gateway: needed(text),
  value: needed(positiveMoney),
  fee: possible(money),
  state: needed(oneOf(DISPUTE_STATES)),
  openedAt: needed(instant),
  closedAt: possible(instant),
  test: needed(flag),
});

const fee = objectOf<FeeFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  gateway: needed(text),
  value: needed(positiveMoney),
  returned: possible(flag),
  description: possible(text),
  chargedAt: needed(instant),
  test: needed(flag),
});

const settlement = objectOf<SettlementFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  orderKey: possible(name),
  paymentKey: possible(name),
  gateway: needed(text),
  number: needed(count),
  of: needed(count),
  value: needed(positiveMoney),
  fee: possible(money),
  feeAnnounced: possible(flag),
  settledAt: needed(instant),
  test: needed(flag),
});

const supplier = objectOf<SupplierFacts>({ name: needed(name), document: possible(text) });

const bill = objectOf<BillFacts>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  supplier: needed(supplier),
  value: needed(positiveMoney),
  paidAt: needed(instant),
  description: possible(text),
  category: possible(text),
  test: needed(flag),
});

/** The payload is whatever it is; one that is left out is empty. */
const raw: Reader<Payload> = (json) => json ?? undefined;

type Payload = NonNullable<LosslessJson>;

/** What `raw` is in a type whose values may be absent: it is read as possible and filled in. */
type Facts<E> = E extends CanonicalEvent ? Omit<E, 'raw'> & { raw?: Payload } : never;

const base = {
  key: needed(name),
  occurredAt: needed(instant),
  datedBy: possible(text),
  raw: possible(raw),
} as const;

function orderEvent(type: OrderEventType): Reader<Facts<OrderEvent>> {
  const shape: Shape<Facts<OrderEvent>> = { ...base, type: needed(() => type), order: needed(readOrder) };
  return objectOf(shape);
}

const customerEvent = objectOf<Facts<CustomerEvent>>({
  ...base,
  type: needed(() => 'customer.updated' as const),
  customer: needed(readCustomer),
});

const payoutEvent = objectOf<Facts<PayoutEvent>>({
  ...base,
  type: needed(() => 'payout.paid' as const),
  payout: needed(payout),
});

const disputeEvent = objectOf<Facts<DisputeEvent>>({
  ...base,
  type: needed(() => 'payment.disputed' as const),
  dispute: needed(dispute),
});

const settlementEvent = objectOf<Facts<SettlementEvent>>({
  ...base,
  type: needed(() => 'payment.settled' as const),
  settlement: needed(settlement),
});

const feeEvent = objectOf<Facts<FeeEvent>>({
  ...base,
  type: needed(() => 'fee.charged' as const),
  fee: needed(fee),
});

const billEvent = objectOf<Facts<BillEvent>>({
  ...base,
  type: needed(() => 'bill.paid' as const),
  bill: needed(bill),
});

function eventReader(type: EventType): Reader<Facts<CanonicalEvent>> {
  switch (type) {
    case 'customer.updated':
      return customerEvent;
    case 'payout.paid':
      return payoutEvent;
    case 'payment.disputed':
      return disputeEvent;
    case 'payment.settled':
      return settlementEvent;
    case 'fee.charged':
      return feeEvent;
    case 'bill.paid':
      return billEvent;
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
  if (event) addContradictions(event, faults);
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
