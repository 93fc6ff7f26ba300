/** What stands in the books of what is compared. `other`: what a rule of one's own books besides. */
export const ASPECTS = [
  'schedule',
  'receipt',
  'refund',
  'fee',
  'payout',
  'chargeback',
  'chargeback-won',
  'bill',
  'other',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** How the books differ from what the shop says. A code stays for ever. */
export const DIFFERENCE_CODES = [
  'waiting',
  'dead-letter',
  'waits-for-record',
  'missing',
  'approval-pending',
  'outcome-unknown',
  'amount-differs',
  'extra',
  'removed-in-books',
  'changed-in-books',
  'left-over',
] as const;

export type DifferenceCode = (typeof DIFFERENCE_CODES)[number];

/** What people decided, or rules do not book: no difference, and counted apart. */
export const APART = ['not-booked', 'given-up', 'declined', 'discarded'] as const;

export type Apart = (typeof APART)[number];

/** One difference. Amounts are minor units of the organization's currency. */
export interface Difference {
  readonly code: DifferenceCode;
  /** Null: it is about a delivery as a whole. */
  readonly aspect: Aspect | null;
  /** What it has to be; undefined: no amount is known. */
  readonly expected?: bigint;
  /** What it is. */
  readonly found?: bigint;
  /** Business key of the effect; null: of several, or none. */
  readonly effect: string | null;
  /** The delivery that has to be worked on again, or that stands for it; null: none does. */
  readonly deliveryId: string | null;
  /** A sentence. */
  readonly cause: string;
  /** Whether a repair puts {@link deliveryId} back to work. */
  readonly repairable: boolean;
}

/** What is no difference, of one entity. */
export interface SetApart {
  readonly why: Apart;
  readonly aspect: Aspect;
  /** Minor units. */
  readonly value: bigint;
}

/** How often, and how much in minor units. */
export interface Tally {
  count: number;
  minor: bigint;
}

/** One aspect, side by side. */
export interface AspectTotals {
  /** What the shop says. */
  readonly shop: Tally;
  /** What Ponte booked, by the records of its effects. */
  readonly booked: Tally;
  /** Of that, what stands in the books as they are. */
  readonly inBooks: Tally;
  /** What is to be booked on a later day. */
  readonly later: Tally;
}

export function emptyTotals(): AspectTotals {
  const none = (): Tally => ({ count: 0, minor: 0n });
  return { shop: none(), booked: none(), inBooks: none(), later: none() };
}

/** An order, payout, dispute or bill, compared. */
export interface ComparedEntity {
  readonly totals: ReadonlyMap<Aspect, AspectTotals>;
  readonly differences: readonly Difference[];
  readonly apart: readonly SetApart[];
}
