import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { ActiveRules } from '../workflows/active-rules';
import type { ClaimedDelivery, ClaimLimits } from './delivery-queue.repository';
import { SourceDirectory } from './source-directory';

/**
 * Which deliveries this process does not work on because a newer version of Ponte wrote what they need: their source's
 * provider, or a rule of their organization, is unknown to this one. They wait for a replica that knows them.
 */
@Injectable()
export class UnsupportedDeliveries implements HealthSource, OnModuleInit {
  readonly name = 'version';
  readonly when = 'degraded';

  constructor(
    private readonly sources: SourceDirectory,
    private readonly rules: ActiveRules,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
    this.metrics.gauges(
      'ponte_left_to_newer_versions',
      'Sources whose provider, and organizations whose rules, this version of Ponte does not know: their deliveries wait for a newer one',
      'kind',
      () => this.counts(),
    );
  }

  /** What a claim leaves alone. */
  get limits(): Required<Pick<ClaimLimits, 'except' | 'exceptSources'>> {
    return { except: [...this.rules.unreadOrganizations], exceptSources: this.sources.unknownIds };
  }

  /** Whether a delivery that was claimed before its source and rules were read anew must be left. */
  has({ organizationId, sourceId }: Pick<ClaimedDelivery, 'organizationId' | 'sourceId'>): boolean {
    return this.rules.unreadOrganizations.has(organizationId) || this.sources.unknownIds.includes(sourceId);
  }

  check(): string | undefined {
    const { sources, organizations } = this.counts();
    if (sources + organizations === 0) return undefined;
    return `deliveries of ${sources} sources and ${organizations} organizations need a newer version of Ponte`;
  }

  private counts(): { sources: number; organizations: number } {
    return { sources: this.sources.unknownIds.length, organizations: this.rules.unreadOrganizations.size };
  }
}
