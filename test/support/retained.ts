import { organizationsOn } from './organizations';
import { Settings } from '../../src/config/settings';
import type { Database } from '../../src/database/database';
import { BodyMonths } from '../../src/deliveries/body-months.repository';
import { BodyRetention } from '../../src/deliveries/body-retention';
import { DeliveryBodies } from '../../src/deliveries/delivery-bodies.repository';
import type { SharedClock } from '../../src/kernel/clock';
import { Metrics } from '../../src/kernel/metrics';
import { AttentionRetention } from '../../src/retention/attention.repository';
import { CallRetention } from '../../src/retention/calls.repository';
import { DeferredRetention } from '../../src/retention/deferred.repository';
import { FeedRetention } from '../../src/retention/feed.repository';
import { IdempotencyRetention } from '../../src/retention/idempotency.repository';
import { PlanRetention } from '../../src/retention/plans.repository';
import { DAY_MS } from '../../src/retention/retained-kind';
import { RetainedKinds } from '../../src/retention/retained-kinds';
import { Retention } from '../../src/retention/retention';
import { RetentionProgress } from '../../src/retention/retention-progress.repository';
import { OrganizationsRepository } from '../../src/organizations/organizations.repository';
import { CountedMetrics } from './counted-metrics';
import type { TestService } from './service';
import { SettableClock } from './settable-clock';

/** Removes what a service no longer keeps, as it would so many days from now. @returns how much, bodies apart */
export async function removeAfter(service: TestService, days: number): Promise<number> {
  const clock = new SettableClock(new Date(Date.now() + days * DAY_MS).toISOString());
  const { database } = service;
  const [bodies, months, metrics] = [
    service.part(DeliveryBodies),
    service.part(BodyMonths),
    service.part(Metrics),
  ];
  await new BodyRetention(database, bodies, months, clock, metrics).purge();
  const retention = new Retention(
    service.part(Settings),
    database,
    service.part(OrganizationsRepository),
    service.part(RetainedKinds),
    service.part(RetentionProgress),
    clock,
    metrics,
  );
  return retention.run();
}

/** One process's retention on a database, apart from any service. */
export function retentionOn(
  database: Database,
  clock: SharedClock,
  { role = 'all', metrics = new CountedMetrics() }: { role?: string; metrics?: Metrics } = {},
): { retention: Retention; progress: RetentionProgress } {
  const kinds = new RetainedKinds(
    new PlanRetention(),
    new CallRetention(),
    new DeferredRetention(),
    new AttentionRetention(),
    new IdempotencyRetention(),
    new FeedRetention(),
  );
  const progress = new RetentionProgress(database);
  const organizations = organizationsOn(database);
  const settings = { role } as Settings;
  const retention = new Retention(settings, database, organizations, kinds, progress, clock, metrics);
  retention.onModuleInit();
  return { retention, progress };
}
