import { organizationsOn } from './organizations';
import { Settings } from '../../src/config/settings';
import type { Database } from '../../src/database/database';
import { BodyMonths } from '../../src/deliveries/body-months.repository';
import { BodyRetention } from '../../src/deliveries/body-retention';
import { DeliveryBodies } from '../../src/deliveries/delivery-bodies.repository';
import type { SharedClock } from '../../src/kernel/clock';
import { Metrics } from '../../src/kernel/metrics';
import { DAY_MS } from '../../src/retention/retained-kind';
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
  const progress = new RetentionProgress(database);
  const organizations = organizationsOn(database);
  const settings = { role } as Settings;
  const retention = new Retention(settings, database, organizations, progress, clock, metrics);
  retention.onModuleInit();
  return { retention, progress };
}
