import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';

const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds of the monotonic clock. */
  at: number;
}

/**
 * A bucket of requests for each API key: a minute's worth to begin with, refilled evenly. Counts are of this
 * process alone. @nestjs/throttler was left out: its memory store keeps a timer for every single request.
 */
@Injectable()
export class RequestRates {
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt = 0;

  constructor(private readonly settings: Settings) {}

  /**
   * Counts one request.
   * @param who names a key without being one
   * @returns seconds until there is room for it; 0: there is
   */
  take(who: string, now = performance.now()): number {
    const limit = this.settings.financeRateLimit;
    if (limit === 0) return 0;
    const perMs = limit / MINUTE_MS;
    const { tokens, at } = this.buckets.get(who) ?? { tokens: limit, at: now };
    const left = Math.min(limit, tokens + (now - at) * perMs);
    const granted = left >= 1;
    this.buckets.set(who, { tokens: granted ? left - 1 : left, at: now });
    if (now - this.sweptAt > MINUTE_MS) this.sweep(limit, perMs, now);
    return granted ? 0 : (1 - left) / perMs / 1000;
  }

  /** A bucket that is full again says nothing. */
  private sweep(limit: number, perMs: number, now: number): void {
    this.sweptAt = now;
    for (const [who, { tokens, at }] of this.buckets)
      if (tokens + (now - at) * perMs >= limit) this.buckets.delete(who);
  }
}
