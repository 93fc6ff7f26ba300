import { Global, Module } from '@nestjs/common';
import { Health } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { DatabaseHealth } from './database-health';
import { ListenerPool } from './listener-pool';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { PrometheusMetrics } from './prometheus-metrics';
import { Readiness } from './readiness';
import { RequestRecord } from './request-record';
import { RequestTrace } from './request-trace';
import { Shutdown } from './shutdown';
import { Tracing } from './tracing';

/** Health, metrics, the request log and shutting down. Needs `Database`. */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    DatabaseHealth,
    ListenerPool,
    PrometheusMetrics,
    { provide: Metrics, useExisting: PrometheusMetrics },
    Readiness,
    { provide: Health, useExisting: Readiness },
    RequestRecord,
    RequestTrace,
    Shutdown,
    Tracing,
  ],
  exports: [ListenerPool, Health, Metrics, Shutdown, Tracing],
})
export class OpsModule {}
