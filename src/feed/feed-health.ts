import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { FeedOrder } from './feed-order.repository';

/** Milliseconds for which committed changes may lack their place before it is shown. */
const TOO_LONG_MS = 3_000;

/** Shows that readers of the feed do not see what is committed: another transaction keeps the feed's end locked. */
@Injectable()
export class FeedHealth implements HealthSource, OnModuleInit {
  readonly name = 'feed';
  readonly when = 'degraded';

  constructor(
    private readonly order: FeedOrder,
    private readonly health: Health,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
  }

  check(): Promise<string | undefined> {
    const { stuckMs } = this.order;
    const seconds = Math.floor(stuckMs / 1_000);
    return Promise.resolve(
      stuckMs < TOO_LONG_MS
        ? undefined
        : `committed changes cannot be put in order for ${seconds} s: readers do not see them yet`,
    );
  }
}
