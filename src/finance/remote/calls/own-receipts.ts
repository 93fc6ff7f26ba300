import { createHash } from 'node:crypto';

/*
 * What is open on a schedule, from what a service lists and from what Ponte itself applied: pure. A listing may be
 * older than Ponte's own receipts by as much as the connection's `settleMs`.
 */

/** A receipt that is, or may be, in effect, as far as its last attempt. */
export interface SentReceipt {
  readonly id: string;
  /** How often it was sent. */
  readonly attempts: number;
}

/** A receipt of Ponte's own for a schedule that is, or may be, in effect. Amounts are in minor units. */
export interface OwnReceipt extends SentReceipt {
  readonly minor: bigint;
  readonly state: 'intended' | 'unknown' | 'applied';
  /** Only a person decides about it: whatever it came to, a listing shows it once the service has settled. */
  readonly leftToPerson: boolean;
  readonly sentAt: Date;
  /** When its last attempt was over; without an end that is known, when it was last written. */
  readonly endedAt: Date;
  /** Of one that is under way: when it may be settled. */
  readonly nextAt: Date | null;
  /** What was open before it, where that is known. */
  readonly openMinorBefore: bigint | undefined;
}

/** What is open with everything that Ponte applied, or until when that cannot be told. */
export type OpenNow =
  | {
      /** At least 0. */
      readonly openMinor: bigint;
      /** What a listing that shows everything says; below 0 where more was received than was open. */
      readonly listedMinor: bigint;
    }
  | { readonly until: Date; readonly because: 'another receipt is under way' | 'the listing may be old' };

/**
 * @param listedMinor what the service lists as open
 * @param readAt when the service was asked for it
 * @param settleMs milliseconds after which a listing shows what Ponte applied
 * @param receipts all of Ponte's own for the schedule, read after the listing
 */
export function openNow(
  listedMinor: bigint,
  readAt: Date,
  settleMs: number,
  receipts: readonly OwnReceipt[],
): OpenNow {
  const underWay = receipts.find(({ state, leftToPerson }) => state !== 'applied' && !leftToPerson);
  if (underWay) return { until: underWay.nextAt ?? readAt, because: 'another receipt is under way' };
  const recent = receipts
    .filter(({ endedAt }) => endedAt.getTime() > readAt.getTime() - settleMs)
    .toSorted((left, right) => left.sentAt.getTime() - right.sentAt.getTime());
  const [first] = recent;
  if (!first) return open(listedMinor);
  const last = Math.max(...recent.map(({ endedAt }) => endedAt.getTime()));
  const mayBeOld = { until: new Date(last + settleMs), because: 'the listing may be old' } as const;
  // Nobody knows what those came to that are left to a person.
  if (recent.some(({ leftToPerson }) => leftToPerson)) return mayBeOld;
  // A listing shows the first of them, or the first few: every sum is another amount, as each receipt is more than 0.
  const shown = first.openMinorBefore === undefined ? [] : openAfterEach(first.openMinorBefore, recent);
  const all = shown.at(-1);
  if (all !== undefined && shown.includes(listedMinor)) return open(all);
  return mayBeOld;
}

/** Tells receipts apart from others, and from themselves after another attempt. */
export function digestOfReceipts(receipts: readonly SentReceipt[]): string {
  const names = receipts.map(({ id, attempts }) => `${id}:${attempts}`).toSorted();
  return createHash('sha256').update(names.join(' ')).digest('base64url');
}

function open(listedMinor: bigint): OpenNow {
  return { openMinor: listedMinor > 0n ? listedMinor : 0n, listedMinor };
}

/** What is open before any, after the first, and so on up to all. */
function openAfterEach(openMinor: bigint, receipts: readonly OwnReceipt[]): bigint[] {
  const open = [openMinor];
  let left = openMinor;
  for (const { minor } of receipts) open.push((left -= minor));
  return open;
}
