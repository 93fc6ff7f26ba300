/** How long who is in hand may wait to be answered, in milliseconds. */
const WAIT_MS = 100;
/** So few at once say how soon one is answered, and little about how many could be. */
const MIN_SAMPLE = 32;
/** How long at least answers are counted for one measurement while there is always somebody in hand, in milliseconds. */
const WINDOW_MS = 100;
/** How much a new measurement counts. */
const WEIGHT = 0.3;
/** How long a measurement is believed, in milliseconds. */
const BELIEVED_MS = 10_000;

/** How many may be in hand, however slow answering is: what ordinary senders have under way at once. */
export const MIN_IN_FLIGHT = 64;
/** How many may be in hand while it is not known how fast they are answered. */
export const UNMEASURED_IN_FLIGHT = 512;
/** How many may be in hand, however fast they are answered. */
export const MAX_IN_FLIGHT = 1_024;

/**
 * How many webhooks are in hand, received whole and not answered, and how fast they are being answered; so how many may
 * be. Who has to wait for long is better told to come back: the sender's own time limit is not known here, and whoever
 * is answered late sends again. Only the time in which somebody is in hand counts; whatever else the process does in it
 * makes answers slower, and so is in the measurement. Times are milliseconds of the monotonic clock.
 */
export class AdmissionLimit {
  private count = 0;
  private perMs = 0;
  private measuredAt = -Infinity;
  /** Since when answers are counted, how many there were, and how many were in hand at once. */
  private since = 0;
  private answered = 0;
  private atOnce = 0;

  get inFlight(): number {
    return this.count;
  }

  /** One more is in hand. */
  taken(now: number): void {
    if (this.count === 0) this.begin(now);
    this.count += 1;
    this.atOnce = Math.max(this.atOnce, this.count);
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

  /** So many have been told that they could not be stored, which may be much faster than storing. */
  failed(count: number): void {
    this.count -= count;
  }

  /** How many may be in hand. */
  most(now: number): number {
    if (now - this.measuredAt >= BELIEVED_MS) return UNMEASURED_IN_FLIGHT;
    return Math.min(Math.max(Math.round(this.perMs * WAIT_MS), MIN_IN_FLIGHT), MAX_IN_FLIGHT);
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
