import { Injectable } from '@nestjs/common';
import { type Counter, Metrics } from '../kernel/metrics';

/** Counts what arrives on the webhook addresses, by provider (never by source: its slugs are unbounded). */
@Injectable()
export class IntakeMetrics {
  private readonly webhooks: Counter;

  constructor(metrics: Metrics) {
    this.webhooks = metrics.counter('ponte_webhooks_total', 'Webhooks received, by what became of them', [
      'provider',
      'result',
    ]);
  }

  accepted(provider: string, duplicate: boolean): void {
    this.webhooks.add({ provider, result: duplicate ? 'duplicate' : 'stored' });
  }

  refused(provider: string): void {
    this.webhooks.add({ provider, result: 'signature-invalid' });
  }

  /** At an address that no source has. */
  unknownSource(): void {
    this.webhooks.add({ provider: 'none', result: 'source-unknown' });
  }

  /**
   * The sender was answered 503 with Retry-After: the source is paused, or nothing can be stored.
   * @param provider `none`: it was not known yet whose it is
   */
  putOff(provider: string): void {
    this.webhooks.add({ provider, result: 'put-off' });
  }
}
