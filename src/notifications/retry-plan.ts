const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** Milliseconds after each failed try until the next: three days in all. */
const DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS],
  ...[10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 21 * HOUR_MS],
];

/**
 * Milliseconds until the next try, with up to a tenth more at random, so that what failed together does not come back
 * together.
 * @param attempts tries that failed before the one that failed now
 * @param askedMs what the receiver asked for; absent: it did not
 * @param random from 0 to 1
 * @returns undefined when it is given up
 */
export function nextTryMs(attempts: number, askedMs: number | undefined, random: number): number | undefined {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return undefined;
  return Math.round(Math.max(delay, askedMs ?? 0) * (1 + random / 10));
}
