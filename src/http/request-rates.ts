import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { TokenBuckets } from './token-buckets';

/** How many requests each API key has sent of late: to the APIs of organizations, and to the operators'. */
@Injectable()
export class RequestRates {
  private readonly requests: TokenBuckets;
  private readonly adminRequests: TokenBuckets;

  constructor({ financeRateLimit, adminRateLimit }: Settings) {
    this.requests = new TokenBuckets(financeRateLimit);
    this.adminRequests = new TokenBuckets(adminRateLimit);
  }

  /**
   * Counts one request to the finance interface or the feed.
   * @param who names a key without being one
   * @returns seconds until it may be served; 0: now
   */
  take(who: string, now = performance.now()): number {
    return this.requests.take(who, now);
  }

  /** As {@link take}, of requests to the operators' API. */
  takeAdmin(who: string, now = performance.now()): number {
    return this.adminRequests.take(who, now);
  }
}
