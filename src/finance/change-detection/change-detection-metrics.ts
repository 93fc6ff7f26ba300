import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Clock } from '../../kernel/clock';
import { Metrics } from '../../kernel/metrics';
import { PollLeases } from './poll-leases.repository';

/** Tells how old what is known of the finance system is. */
@Injectable()
export class ChangeDetectionMetrics implements OnModuleInit {
  constructor(
    private readonly turns: PollLeases,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_watch_age_seconds',
      'Age of the oldest of the last complete looks at the listings of remote finance services; 0 where none are wanted',
      async () => {
        if (this.settings.watchEverySeconds === 0) return 0;
        const oldest = await this.turns.oldestLook();
        return oldest ? Math.max(0, this.clock.now().getTime() - oldest.getTime()) / 1000 : 0;
      },
    );
  }
}
