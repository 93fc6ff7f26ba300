import type { BillFacts } from './bill';
import type {
  BillEvent,
  CanonicalEvent,
  CustomerEvent,
  CustomerFacts,
  DisputeEvent,
  DisputeFacts,
  FeeEvent,
  OrderEvent,
  OrderFacts,
  PayoutEvent,
  PayoutFacts,
  SettlementEvent,
} from './event';
import type { FeeFacts } from './fee';
import type { SettlementFacts } from './settlement';

/** What events are about, by the name of the member that has it. */
export interface Subjects {
  order: OrderFacts;
  customer: CustomerFacts;
  settlement: SettlementFacts;
  payout: PayoutFacts;
  dispute: DisputeFacts;
  fee: FeeFacts;
  bill: BillFacts;
}

type EventOfSubject =
  | Pick<OrderEvent, 'order'>
  | Pick<CustomerEvent, 'customer'>
  | Pick<SettlementEvent, 'settlement'>
  | Pick<PayoutEvent, 'payout'>
  | Pick<DisputeEvent, 'dispute'>
  | Pick<FeeEvent, 'fee'>
  | Pick<BillEvent, 'bill'>;

/** What an event is about: the kind of entity, and what is known of it. */
export function subjectOf(
  event: EventOfSubject,
): { [K in keyof Subjects]: [K, Subjects[K]] }[keyof Subjects] {
  if ('order' in event) return ['order', event.order];
  if ('customer' in event) return ['customer', event.customer];
  if ('settlement' in event) return ['settlement', event.settlement];
  if ('payout' in event) return ['payout', event.payout];
  if ('fee' in event) return ['fee', event.fee];
  return 'dispute' in event ? ['dispute', event.dispute] : ['bill', event.bill];
}

/** Slug of the source that said it. */
export function sourceOf(event: EventOfSubject): string {
  const [, subject] = subjectOf(event);
  return 'source' in subject ? subject.source : (subject.key.split('/', 1)[0] ?? '');
}

/** The name of the member that has what events of this type are about. */
export function subjectNameOf(type: CanonicalEvent['type']): keyof Subjects {
  switch (type) {
    case 'customer.updated':
      return 'customer';
    case 'payment.settled':
      return 'settlement';
    case 'payout.paid':
      return 'payout';
    case 'payment.disputed':
      return 'dispute';
    case 'fee.charged':
      return 'fee';
    case 'bill.paid':
      return 'bill';
    default:
      return 'order';
  }
}
