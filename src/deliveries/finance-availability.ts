import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { RemoteWorkflowEngine } from '../workflows/remote-workflow-engine';
import { SourceDirectory } from './source-directory';

/** Reports, in readiness and metrics, that deliveries wait for finance services which cannot be reached or which throttle. */
@Injectable()
export class FinanceAvailability implements HealthSource, OnModuleInit {
  readonly name = 'finance';
  readonly when = 'degraded';

  constructor(
    private readonly sources: SourceDirectory,
    private readonly engine: RemoteWorkflowEngine,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
    this.metrics.gauge(
      'ponte_finance_resting_organizations',
      'Organizations whose remote finance service is down or asked for a pause',
      () => this.unavailable,
    );
  }

  check(): string | undefined {
    const { unavailable } = this;
    if (unavailable === 0) return undefined;
    return `the finance service of ${unavailable} ${unavailable === 1 ? 'organization' : 'organizations'} is down or asked for a pause`;
  }

  private get unavailable(): number {
    return [...this.sources.organizationIds()].filter(
      (id) => this.engine.isDown(id) || this.engine.backoffMs(id) > 0,
    ).length;
  }
}
