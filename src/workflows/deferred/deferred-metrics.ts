import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../kernel/metrics';
import { DeferredList } from './deferred-list.repository';

/** Says how many effects are deferred, and whether their worker keeps up with their days. */
@Injectable()
export class DeferredMetrics implements OnModuleInit {
  constructor(
    private readonly list: DeferredList,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_deferred_effects',
      'Effects that are applied later (waiting) or were refused on their day (refused); 10000 means at least so many',
      'state',
      () => this.list.counts(),
    );
    this.metrics.gauge(
      'ponte_deferred_overdue_seconds',
      'How long ago the oldest deferred effect that is not applied yet was due',
      async () => (await this.list.overdueMs()) / 1000,
    );
  }
}
