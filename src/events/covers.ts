import type { CanonicalEvent, OrderFacts } from './event';

/**
 * Whether a message says all that an earlier one said, so that what was to be done for the earlier one is done with it. A
 * message may tell of one payment of its order alone, and shops send older states late.
 */
export function covers(later: readonly CanonicalEvent[], earlier: readonly CanonicalEvent[]): boolean {
  return earlier.every((event) => later.some((other) => saysAllOf(other, event)));
}

function saysAllOf(later: CanonicalEvent, earlier: CanonicalEvent): boolean {
  if (later.type !== earlier.type || later.key !== earlier.key) return false;
  if (!('order' in later) || !('order' in earlier))
    return later.occurredAt >= earlier.occurredAt && (feeIn(later) || !feeIn(earlier));
  const [newer, older] = [later.order, earlier.order];
  if (newer.payment?.key !== older.payment?.key) return false;
  if (newer.updatedAt && older.updatedAt && newer.updatedAt < older.updatedAt) return false;
  const said = new Set(keysIn(newer));
  return keysIn(older).every((key) => said.has(key));
}

/** What of an order is booked under a key of its own: also what was kept of a payment, which one message may say and another not. */
function keysIn({ key, payments, refunds, edits = [], commission }: OrderFacts): string[] {
  const settlements = payments.flatMap((payment) => payment.settlements ?? []);
  const kept = [...payments, ...settlements].filter(({ fee }) => fee?.isPositive);
  return [
    ...[...payments, ...settlements, ...refunds, ...edits].map((part) => part.key),
    ...kept.map((part) => `${part.key}/fee`),
    ...(commission?.isPositive ? [`${key}/commission`] : []),
  ];
}

/** Whether it says that something was kept, which is booked for itself. */
function feeIn(event: CanonicalEvent): boolean {
  const subject = 'settlement' in event ? event.settlement : 'dispute' in event ? event.dispute : undefined;
  return subject?.fee?.isPositive ?? false;
}
