import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Histogram, Metrics } from '../../../kernel/metrics';
import { CallStore } from './call-store.repository';

/** Seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures the calls to remote finance services, and counts those that are not decided. */
@Injectable()
export class CallMetrics implements OnModuleInit {
  private readonly seconds: Histogram;

  constructor(
    private readonly calls: CallStore,
    private readonly metrics: Metrics,
  ) {
    this.seconds = metrics.histogram(
      'ponte_finance_call_duration_seconds',
      'Time that requests to remote finance services took, by operation and what is known after them',
      ['operation', 'outcome'],
      BUCKETS,
    );
  }

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_finance_calls_open',
      'Calls under way (intended), being read back (unknown) and left to a person (parked); 10000 means at least so many',
      'state',
      () => this.calls.countOpen(),
    );
  }

  /** @param seconds from the first byte sent to the last received, or to giving up */
  readonly onCall = (operation: string, outcome: string, seconds: number): void =>
    this.seconds.observe({ operation, outcome }, seconds);
}
