import type { CanonicalEvent, OrderEvent, OrderEventType, OrderFacts, PayoutFacts } from './event';
import type { Faults } from './shape';
import { subjectOf } from './subject';

type Facts<E> = E extends CanonicalEvent ? Omit<E, 'raw'> : never;

/** Adds what each field of an event alone cannot show: what is missing with its type, and what disagrees. */
export function addContradictions(event: Facts<CanonicalEvent>, faults: Faults): void {
  const [kind, { key }] = subjectOf(event);
  if (event.key !== key) faults.add('/key', 'differs', `must be the key of the ${kind}`);
  if ('order' in event) addOfOrder(event, faults);
  if (event.type === 'payout.paid') addOfPayout(event.payout, faults);
  if (event.type === 'payment.settled' && event.settlement.number > event.settlement.of)
    faults.add('/settlement/number', 'differs', 'must not be more than "of"');
}

/** The member of an order without which its event says nothing. */
const NEEDED: Partial<Record<OrderEventType, 'payment' | 'charge' | 'edits'>> = {
  'order.paid': 'payment',
  'order.pending': 'charge',
  'order.expired': 'charge',
  'order.edited': 'edits',
};

function addOfOrder({ type, order }: Facts<OrderEvent>, faults: Faults): void {
  const member = NEEDED[type];
  if (member && (order[member] === undefined || (member === 'edits' && order.edits?.length === 0)))
    faults.add(`/order/${member}`, 'required', `is required with ${type}`);
  const { payment, payments, edits = [] } = order;
  if (payment && !payments.some(({ key }) => key === payment.key))
    faults.add('/order/payment/key', 'differs', 'must be the key of one of the payments');
  addOfSeries(
    'payments',
    payments.map(({ key, paidAt }) => [key, paidAt]),
    faults,
  );
  addOfSeries(
    'edits',
    edits.map(({ key, editedAt }) => [key, editedAt]),
    faults,
  );
}

/** Faults of a list whose elements each have a key of their own and are in the order of their times. */
function addOfSeries(
  name: keyof OrderFacts,
  items: readonly (readonly [key: string, at: Date])[],
  faults: Faults,
): void {
  const keys = new Set<string>();
  for (const [index, [key, at]] of items.entries()) {
    if (keys.has(key)) faults.add(`/order/${name}/${index}/key`, 'differs', 'must be in the list once');
    keys.add(key);
    const [, before] = items[index - 1] ?? [];
    if (before && before > at)
      faults.add(`/order/${name}/${index}`, 'differs', 'must not be before the one before it');
  }
}

function addOfPayout({ value, fee, lines = [] }: PayoutFacts, faults: Faults): void {
  const { currency } = value;
  const message = `must be ${currency}, as the payout is`;
  if (fee && fee.currency !== currency) faults.add('/payout/fee/currency', 'differs', message);
  for (const [index, line] of lines.entries())
    if (line.value.currency !== currency)
      faults.add(`/payout/lines/${index}/value/currency`, 'differs', message);
}
