import type { CalendarDate } from '../../kernel/calendar-date';

/** What a payment may be spread over. */
export interface Settleable {
  readonly id: string;
  /** Minor units not settled yet; below zero where more was received than was open, which is nothing to settle. */
  readonly openMinor: bigint;
  readonly dueDate: CalendarDate;
}

/** What of a payment a schedule gets. */
export interface Share<S extends Settleable> {
  readonly schedule: S;
  /** Minor units, above zero. */
  readonly minor: bigint;
}

/** Whose turn it is: those due first, in the order of creation; or the reverse of that. */
export type AllocationOrder = 'oldest-first' | 'newest-first';

/**
 * In the order given; schedules that get nothing are left out. Shares never come to more than the payment, nor one of
 * them to more than is open on its schedule.
 */
export function allocate<S extends Settleable>(
  minor: bigint,
  schedules: readonly S[],
  order: AllocationOrder = 'oldest-first',
): Share<S>[] {
  let rest = minor;
  const shares: Share<S>[] = [];
  const sorted = schedules.toSorted(byDueDate);
  for (const schedule of order === 'oldest-first' ? sorted : sorted.toReversed()) {
    const share = rest < schedule.openMinor ? rest : schedule.openMinor;
    if (share <= 0n) continue;
    shares.push({ schedule, minor: share });
    rest -= share;
  }
  return shares;
}

function byDueDate(left: Settleable, right: Settleable): number {
  return left.dueDate.compare(right.dueDate) || (left.id < right.id ? -1 : 1);
}
