import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { DeliveryCounts } from './delivery-counts.repository';
import { Inbox } from './inbox';

/** A backlog this old is no burst: no worker runs, or the workers are too slow. */
const TOO_LONG_MS = 300_000;

/**
 * Says how far behind the work on deliveries is. It is the same for all replicas, and each of them receives webhooks as
 * well as ever: none of them may be taken out of service for it.
 */
@Injectable()
export class WorkerLag implements HealthSource, OnModuleInit {
  readonly name = 'worker';
  readonly when = 'degraded';

  constructor(
    private readonly counts: DeliveryCounts,
    private readonly inbox: Inbox,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
    this.metrics.gauge(
      'ponte_worker_lag_seconds',
      'Age of the oldest delivery that could be worked on',
      async () => (await this.counts.oldestReadyMs()) / 1000,
    );
    this.metrics.gauge(
      'ponte_oldest_waiting_seconds',
      'Age of the oldest delivery that has not ended, whether it is ready or waits for its next try',
      async () => (await this.counts.oldestWaitingMs()) / 1000,
    );
    this.metrics.gauges(
      'ponte_deliveries',
      'Deliveries that wait for a worker (waiting), for a person (dead) or for a record (waiting-for-record); 10000 means at least so many',
      'state',
      () => this.counts.open(),
    );
    this.metrics.gauge(
      'ponte_attention_open',
      'Open attention items: nothing failed, but a person must act; 10000 means at least so many',
      () => this.counts.openAttention(),
    );
    this.metrics.gauge(
      'ponte_inbox_backlog',
      'Webhooks received and not yet committed',
      () => this.inbox.inFlight,
    );
  }

  async check(): Promise<string | undefined> {
    const lag = await this.counts.oldestReadyMs();
    return lag > TOO_LONG_MS ? `deliveries have been waiting for ${Math.round(lag / 1000)} s` : undefined;
  }
}
