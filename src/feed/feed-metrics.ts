import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../kernel/clock';
import { Metrics } from '../kernel/metrics';
import { FeedCursors } from './feed-cursors.repository';
import { FeedOrder } from './feed-order.repository';

/** Measures how far behind connectors are, and whether the feed itself is. */
@Injectable()
export class FeedMetrics implements OnModuleInit {
  constructor(
    private readonly cursors: FeedCursors,
    private readonly order: FeedOrder,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_feed_lag_seconds',
      'Age of the oldest change that some named cursor has not acknowledged',
      async () => this.ageOf(await this.cursors.oldestUnacknowledged()),
    );
    this.metrics.gauge(
      'ponte_feed_unplaced_seconds',
      'Age of the oldest committed change that readers of the feed cannot see yet',
      async () => this.ageOf(await this.order.oldestUnplaced()),
    );
  }

  private ageOf(at: Date | undefined): number {
    return at ? Math.max(0, this.clock.now().getTime() - at.getTime()) / 1000 : 0;
  }
}
