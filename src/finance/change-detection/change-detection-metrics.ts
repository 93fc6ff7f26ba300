import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Clock } from '../../kernel/clock';
import { Metrics } from '../../kernel/metrics';
import { PollLeases } from './poll-leases.repository';

/** Measures how old what is known of remote finance services is. */
@Injectable()
export class ChangeDetectionMetrics implements OnModuleInit {
  constructor(
    private readonly leases: PollLeases,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_watch_age_seconds',
      'Age of the oldest complete poll of a listing of a remote finance service; 0 where none are polled',
      async () => {
        if (this.settings.watchEverySeconds === 0) return 0;
        const oldest = await this.leases.oldestPoll();
        return oldest ? Math.max(0, this.clock.now().getTime() - oldest.getTime()) / 1000 : 0;
      },
    );
  }
}
