/** Milliseconds of planning, from which on a delivery is suspected before the others of its batch. */
const SLOW_MS = 1_000;

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
