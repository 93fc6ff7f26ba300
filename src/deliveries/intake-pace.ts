/** How long what waits may take to be stored, in milliseconds. */
const WAIT_MS = 100;
/** A batch smaller than this says how soon one is stored, and little about how many could be. */
const TELLING = 32;
/** How much a new measurement counts. */
const WEIGHT = 0.3;
/** How long a measurement is believed, in milliseconds. */
const BELIEVED_MS = 10_000;

/** How many may wait, however slow storing is: what ordinary senders have under way at once. */
export const LEAST_WAITING = 64;
/** How many may wait while it is not known how fast storing is. */
export const UNMEASURED_WAITING = 512;
/** How many may wait, however fast storing is. */
export const MOST_WAITING = 4_096;

/**
 * How fast deliveries are being stored, and so how many may wait. Who has to wait for long is better told to come
 * back: the sender's own time limit is not known here, and whoever is answered late sends again.
 */
export class IntakePace {
  private perMs = 0;
  private measuredAt = -Infinity;

  /**
   * Takes note of a batch that was stored.
   * @param count deliveries in it
   * @param together batches at work at once
   * @param startedAt milliseconds of the monotonic clock, as is `now`
   */
  stored(count: number, together: number, startedAt: number, now: number): void {
    if (count < TELLING) return;
    const measured = (count * together) / Math.max(now - startedAt, 0.1);
    const known = now - this.measuredAt < BELIEVED_MS;
    this.perMs = known ? this.perMs + WEIGHT * (measured - this.perMs) : measured;
    this.measuredAt = now;
  }

  /** How many may wait. @param now milliseconds of the monotonic clock */
  mostWaiting(now: number): number {
    if (now - this.measuredAt >= BELIEVED_MS) return UNMEASURED_WAITING;
    return Math.min(Math.max(Math.round(this.perMs * WAIT_MS), LEAST_WAITING), MOST_WAITING);
  }
}
