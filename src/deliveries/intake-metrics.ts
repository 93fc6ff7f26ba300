import { Injectable } from '@nestjs/common';
import { type Counter, Metrics } from '../kernel/metrics';

/**
 * `put-off`: the sender was answered 503 with Retry-After, because the source is paused or nothing can be stored.
 * `store-unknown`: it is about a store that nobody has connected.
 */
type WebhookResult =
  'stored' | 'duplicate' | 'signature-invalid' | 'source-unknown' | 'store-unknown' | 'put-off';

/** Counts what arrives on the webhook addresses, by provider (never by source: its slugs are unbounded). */
@Injectable()
export class IntakeMetrics {
  private readonly webhooks: Counter;

  constructor(metrics: Metrics) {
    const help = 'Webhooks received, by what became of them';
    this.webhooks = metrics.counter('ponte_webhooks_total', help, ['provider', 'result']);
  }

  /** @param provider `none`: no source has the address, or it was not known yet whose it is */
  count(provider: string, result: WebhookResult): void {
    this.webhooks.add({ provider, result });
  }
}
