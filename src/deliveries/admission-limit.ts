/** Milliseconds that a webhook in flight may wait for its answer. */
const WAIT_MS = 100;
/** The same for a burst: what came while this process did something else. */
const BURST_WAIT_MS = 300;
/** Milliseconds after which it is no burst, but more than can be stored. */
const BURST_MS = 500;
/** With fewer in flight at once a measurement says how soon one is answered, and little about how many could be. */
const MIN_SAMPLE = 32;
/** Milliseconds for which answers are counted at least for one measurement, while any webhook is in flight. */
const WINDOW_MS = 100;
/** How much a new measurement counts. */
const WEIGHT = 0.3;
/** How long a measurement is believed, in milliseconds. */
const BELIEVED_MS = 10_000;

/** The least limit, however slow answering is: what ordinary senders have in flight at once. */
export const MIN_IN_FLIGHT = 64;
/** The limit while it is not measured how fast webhooks are answered. */
export const UNMEASURED_IN_FLIGHT = 512;
/** The highest limit, however fast webhooks are answered. */
export const MAX_IN_FLIGHT = 1_024;

/**
 * Counts the webhooks in flight (received whole and not answered), measures how fast they are answered, and derives how
 * many may be in flight. A sender that would wait for long is better refused: its own time limit is not known here, and
 * a sender that is answered late sends again. A burst is let in: what arrived during a pause of this process is stored soon
 * after it. Only the time in which a webhook is in flight counts; whatever else the process does in it
 * makes answers slower, and so is in the measurement. Times are milliseconds of the monotonic clock.
 */
export class AdmissionLimit {
  private count = 0;
  private perMs = 0;
  private measuredAt = -Infinity;
  /** Since when answers are counted, how many there were, and how many were in flight at once. */
  private since = 0;
  private answered = 0;
  private atOnce = 0;
  /** Since when as many are in flight as may be; undefined: they were down to half of that since. */
  private crowdedSince: number | undefined;

  get inFlight(): number {
    return this.count;
  }

  /** One more is in flight. */
  taken(now: number): void {
    if (this.count === 0) this.begin(now);
    this.count += 1;
    this.atOnce = Math.max(this.atOnce, this.count);
    const most = this.most(now);
    if (this.count >= most) this.crowdedSince ??= now;
    else if (this.count <= most / 2) this.crowdedSince = undefined;
  }

  /** So many have been answered that they are stored. */
  stored(count: number, now: number): void {
    this.count -= count;
    this.answered += count;
    const took = now - this.since;
    if (this.count > 0 && took < WINDOW_MS) return;
    if (this.atOnce >= MIN_SAMPLE) this.measure(this.answered / Math.max(took, 0.1), now);
    this.begin(now);
  }

  /** So many have been answered that they could not be stored, which may be much faster than storing. */
  failed(count: number): void {
    this.count -= count;
  }

  /** Whether one more would wait too long. */
  isFull(now: number): boolean {
    const most = this.most(now);
    if (this.count < most) return false;
    const lasts = this.crowdedSince !== undefined && now - this.crowdedSince >= BURST_MS;
    return lasts || this.count >= this.most(now, BURST_WAIT_MS);
  }

  /** How many may be in flight, each for so many milliseconds. */
  most(now: number, waitMs = WAIT_MS): number {
    if (now - this.measuredAt >= BELIEVED_MS) return UNMEASURED_IN_FLIGHT;
    return Math.min(Math.max(Math.round(this.perMs * waitMs), MIN_IN_FLIGHT), MAX_IN_FLIGHT);
  }

  private begin(now: number): void {
    this.since = now;
    this.answered = 0;
    this.atOnce = this.count;
  }

  private measure(perMs: number, now: number): void {
    const known = now - this.measuredAt < BELIEVED_MS;
    this.perMs = known ? this.perMs + WEIGHT * (perMs - this.perMs) : perMs;
    this.measuredAt = now;
  }
}
