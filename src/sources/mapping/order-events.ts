import type {
  CanonicalEvent,
  ChargeFacts,
  CustomerEvent,
  CustomerFacts,
  DisputeEvent,
  DisputeFacts,
  EditFacts,
  OrderEvent,
  OrderEventType,
  OrderFacts,
  PaymentFacts,
  RefundFacts,
} from '../../events/event';
import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';

/** A charge that an order waits for, or waited for in vain. */
export interface AwaitedCharge {
  charge: ChargeFacts;
  /** When it was made, or came to nothing. */
  at: Date;
  /** It will not be paid any more. */
  expired: boolean;
}

/** What a payload says of an order besides its facts. */
export interface OrderState {
  /** Its topic says that the order was made. */
  created: boolean;
  awaited?: AwaitedCharge | undefined;
  /**
   * The evidence that dates events of which the payload does not say when they happened. A cancellation or refund that has the time of
   * the order's last change is taken for dated by that.
   */
  datedBy?: DatedBy | undefined;
}

/** An order as a provider reads it. */
export interface ReadOrder {
  readonly facts: OrderFacts;
  /** What has come of it, in the provider's own word. */
  readonly status: string;
  /** What it waits for, or waited for in vain; undefined: nothing. */
  readonly awaited?: AwaitedCharge | undefined;
}

/** What went back of an order or payment, and sentences about what disagrees, or went back in no way that can be told. */
export interface Refunds {
  readonly refunds: RefundFacts[];
  readonly differences: string[];
}

export type DatedBy = Partial<Record<OrderEventType, string>>;

/**
 * The events one order's payload stands for. Webhooks come in any order and some never come, so a payload
 * says everything its state implies, whatever its topic: `order.pending` or `order.expired` if it waits for a charge or
 * waited in vain, `order.paid` for each of its payments, `order.edited` if it was changed, `order.cancelled` if it is
 * cancelled, `order.refunded` if money went back. Saying it again is harmless, because effects are keyed
 * by the business keys of order, payment, edit and refund. Only `order.created` follows the topic.
 */
export function orderEvents(
  order: OrderFacts,
  { created, awaited, datedBy = {} }: OrderState,
  payload: Pick<Payload, 'raw'>,
): OrderEvent[] {
  const refundedAt = latest(order.refunds.map((refund) => refund.refundedAt));
  const editedAt = latest((order.edits ?? []).map((edit) => edit.editedAt));
  const inferred = datedByChange(order);
  const events: OrderEvent[] = [];
  const add = (type: OrderEventType, at: Date | undefined, facts = order): void => {
    if (at) events.push(orderEvent(type, at, facts, payload, datedBy[type] ?? inferred[type]));
  };
  add('order.created', created ? order.createdAt : undefined);
  if (awaited) {
    const type = awaited.expired ? 'order.expired' : 'order.pending';
    add(type, awaited.at, { ...order, charge: awaited.charge });
  }
  for (const payment of order.payments) add('order.paid', payment.paidAt, { ...order, payment });
  add('order.edited', editedAt);
  add('order.cancelled', order.cancelledAt);
  add('order.refunded', refundedAt);
  return events;
}

/** What dates what a provider does not date: when the message came. */
export const RECEIVED = 'received';
const LAST_CHANGE = 'its last change';

/** Many shops do not say when an order was cancelled or money went back: their providers take the order's last change for it. */
function datedByChange({ updatedAt, cancelledAt, refunds }: OrderFacts): DatedBy {
  const isChange = (at?: Date): boolean => at !== undefined && at.getTime() === updatedAt?.getTime();
  return {
    ...(isChange(cancelledAt) && { 'order.cancelled': LAST_CHANGE }),
    ...(refunds.some(({ refundedAt }) => isChange(refundedAt)) && { 'order.refunded': LAST_CHANGE }),
  };
}

/** When a payment was made, and by what evidence where the payload does not say it. */
export type PaymentDate = Pick<PaymentFacts, 'paidAt' | 'datedBy'>;

/**
 * The date of a payment that only the order's last change dates. An order that is told as cancelled and paid was paid before it was
 * cancelled, as far as anybody can say: it may have changed since.
 * @param datedBy what the provider calls the time of the last change
 */
export function paidByChange(changedAt: Date, datedBy: string, cancelledAt: Date | undefined): PaymentDate {
  return cancelledAt && cancelledAt < changedAt
    ? { paidAt: cancelledAt, datedBy: 'its cancellation' }
    : { paidAt: changedAt, datedBy };
}

/** One event of an order. */
export function orderEvent(
  type: OrderEventType,
  occurredAt: Date,
  order: OrderFacts,
  payload: Pick<Payload, 'raw'>,
  datedBy?: string,
): OrderEvent {
  const dated = datedBy !== undefined && { datedBy };
  return withRaw({ ...{ type, key: order.key, occurredAt, order }, ...dated }, payload);
}

/** A dispute as it began, or as it ended. @param datedBy the evidence that dates it, where the payload does not say when that was */
export function disputeEvent(
  dispute: DisputeFacts,
  payload: Pick<Payload, 'raw'>,
  datedBy?: string,
): DisputeEvent {
  const occurredAt = dispute.closedAt ?? dispute.openedAt;
  const dated = datedBy !== undefined && { datedBy };
  return withRaw({ type: 'payment.disputed', key: dispute.key, occurredAt, dispute, ...dated }, payload);
}

/** A customer's account, as it is since then. */
export function customerEvent(
  customer: CustomerFacts,
  occurredAt: Date,
  payload: Pick<Payload, 'raw'>,
): CustomerEvent {
  return withRaw({ type: 'customer.updated', key: customer.key, occurredAt, customer }, payload);
}

/** An event with its payload. That is made readable when it is asked for: few rules do. */
export function withRaw<T extends Pick<CanonicalEvent, 'type'>>(
  event: T,
  payload: Pick<Payload, 'raw'>,
): T & { readonly raw: unknown } {
  return {
    ...event,
    get raw() {
      return payload.raw();
    },
  };
}

/** The latest of the times; undefined when there are none. */
export function latest(times: readonly (Date | undefined)[]): Date | undefined {
  let last: Date | undefined;
  for (const time of times) if (time && !(last && last >= time)) last = time;
  return last;
}

/** The earliest of the times; undefined when there are none. */
export function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  let first: Date | undefined;
  for (const time of times) if (time && !(first && first <= time)) first = time;
  return first;
}

/** The elements in the order of their times; those of one time stay as they are. */
export function byTime<T>(items: readonly T[], timeOf: (item: T) => Date): T[] {
  return items.toSorted((left, right) => timeOf(left).getTime() - timeOf(right).getTime());
}

/**
 * What an order comes to before its edits, and those edits. One that came to nothing when it was made is booked from the edit
 * that made something of it: that edit is its total, because nothing of it was owed before.
 * @param edits the earliest first
 */
export function sinceOwed(
  total: Money,
  edits: readonly EditFacts[],
): Pick<OrderFacts, 'total'> & { edits: EditFacts[] } {
  const [first, ...others] = edits;
  if (!total.isZero || !first || first.value.isNegative) return { total, edits: [...edits] };
  return { total: first.value, edits: others };
}
