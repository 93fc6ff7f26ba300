import type { ClaimedDelivery } from './delivery-queue.repository';

/** Bytes of a body, from which on it waits for the smaller ones of its batch. */
const LARGE = 64 * 1024;
/** Milliseconds since its receipt, for which a large one does so every time. */
const YIELDS_MS = 30_000;

/**
 * Deliveries of one lane go one after another: the first of each lane, then the second of each, …; and in each round
 * those with large bodies last, for they may take what time there is. As long as there is more to do than a batch has time
 * for, they would never be reached: those that have waited for long go first in every other batch.
 * @param claimed in the order of their arrival
 * @param largeFirst whether those that have waited for long go first in this batch
 */
export function roundsOf<Delivery extends Pick<ClaimedDelivery, 'lane' | 'body' | 'receivedAt'>>(
  claimed: readonly Delivery[],
  now: Date,
  largeFirst: boolean,
): Delivery[][] {
  const seen = new Map<string, number>();
  const result: Delivery[][] = [];
  for (const delivery of claimed) {
    const round = seen.get(delivery.lane) ?? 0;
    seen.set(delivery.lane, round + 1);
    (result[round] ??= []).push(delivery);
  }
  const placeOf = ({ body, receivedAt }: Delivery): number => {
    if (body.length <= LARGE) return 0;
    return largeFirst && now.getTime() - receivedAt.getTime() >= YIELDS_MS ? -1 : 1;
  };
  return result.map((round) => round.toSorted((left, right) => placeOf(left) - placeOf(right)));
}
