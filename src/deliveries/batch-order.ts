import type { ChosenDelivery, ClaimedDelivery } from './delivery-queue.repository';

/** Bytes of a body, from which on it waits for the smaller ones of its batch. */
const LARGE = 64 * 1024;
/** Milliseconds since its receipt, for which a large one does so every time. */
const YIELDS_MS = 30_000;

/** Milliseconds of planning, from which on a delivery is suspected before the others of its batch. */
const SLOW_MS = 1_000;

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

/** Divides rounds so that none has more than so many deliveries; all stay in their order. */
export function piecesOf<Delivery>(
  rounds: readonly (readonly Delivery[])[],
  most: number,
): readonly Delivery[][] {
  return rounds.flatMap((round) =>
    Array.from({ length: Math.ceil(round.length / most) }, (_, piece) =>
      round.slice(piece * most, (piece + 1) * most),
    ),
  );
}

/**
 * Divides what failed together: by halves, or, where one took long to be planned, into the others and that one.
 * @param batch two or more, in order, each with the milliseconds that planning it took
 */
export function partsOf<Delivery extends { lane: string }>(
  batch: ReadonlyMap<Delivery, number>,
): Delivery[][] {
  const all = [...batch.keys()];
  const [slowest] = [...batch].toSorted(([, left], [, right]) => right - left);
  if (slowest && slowest[1] > SLOW_MS) {
    const others = all.filter((delivery) => delivery !== slowest[0]);
    // What stands behind it in its lane finds that it cannot be claimed yet.
    return [others, [slowest[0]]];
  }
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}

/**
 * Which of the claimed deliveries are worked on in one transaction. One that work did not end on before is worked on by
 * itself, so that what it does to a process is done to no other and is known to be its doing. Nothing passes what stands
 * before it in its lane.
 * @param claimed in the order of their arrival
 * @param aloneFirst whether one that goes alone goes before those that can go together
 */
export function workedTogether<Delivery extends ChosenDelivery>(
  claimed: readonly Delivery[],
  aloneFirst: boolean,
): Delivery[] {
  const closed = new Set<string>();
  const together: Delivery[] = [];
  const alone: Delivery[] = [];
  for (const delivery of claimed) {
    if (closed.has(delivery.lane)) continue;
    if (delivery.interrupted === 0) together.push(delivery);
    else {
      closed.add(delivery.lane);
      if (!together.some(({ lane }) => lane === delivery.lane)) alone.push(delivery);
    }
  }
  const [mostHopeful] = alone.toSorted((left, right) => left.interrupted - right.interrupted);
  return mostHopeful && (aloneFirst || together.length === 0) ? [mostHopeful] : together;
}
