import { BoundedMap } from '../kernel/bounded-map';

const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds of the monotonic clock. */
  at: number;
}

/** How many callers are remembered at most; whoever called longest ago is forgotten first, and begins anew. */
const MOST_CALLERS = 10_000;

/**
 * A bucket for each caller: a minute's worth to begin with, refilled evenly. Counts are of this process alone.
 * @nestjs/throttler was left out: its memory store keeps a timer for every single request.
 */
export class TokenBuckets {
  private readonly buckets = new BoundedMap<string, Bucket>(MOST_CALLERS);

  /**
   * @param perMinute 0: no limit
   * @param debt how far below nothing {@link charge} may bring a bucket
   */
  constructor(
    private readonly perMinute: number,
    private readonly debt = 0,
  ) {}

  /**
   * Takes a token if there is one.
   * @param now milliseconds of the monotonic clock
   * @returns seconds until there is one; 0: it was taken
   */
  take(who: string, now: number): number {
    if (this.perMinute === 0) return 0;
    const seconds = this.wait(who, now);
    if (seconds === 0) this.charge(who, now);
    return seconds;
  }

  /** @returns seconds until there is a token; 0: there is one */
  wait(who: string, now: number): number {
    const left = this.left(who, now);
    return this.perMinute === 0 || left >= 1 ? 0 : ((1 - left) * MINUTE_MS) / this.perMinute / 1000;
  }

  /** Takes a token, also one that is not there yet. */
  charge(who: string, now: number): void {
    const tokens = Math.max(this.left(who, now) - 1, -this.debt);
    this.buckets.set(who, { tokens, at: now });
  }

  private left(who: string, now: number): number {
    const { tokens, at } = this.buckets.get(who) ?? { tokens: this.perMinute, at: now };
    return Math.min(this.perMinute, tokens + ((now - at) * this.perMinute) / MINUTE_MS);
  }
}
