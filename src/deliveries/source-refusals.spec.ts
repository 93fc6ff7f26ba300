import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import { Company } from '../../test/support/company';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { PrometheusMetrics } from '../ops/prometheus-metrics';
import { SourceRefusals } from './source-refusals.repository';

let database: Database;
let refusals: SourceRefusals;
let metrics: PrometheusMetrics;
let sourceId: string;
const clock = new SettableClock('2026-11-23T12:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
  const { organization } = await Company.found(database);
  sourceId = newId();
  await database.prisma.source.create({
    data: { id: sourceId, organizationId: organization.id, slug: 'shop', provider: 'shopify', settings: {} },
  });
  metrics = new PrometheusMetrics();
  refusals = new SourceRefusals(database, clock, metrics);
  refusals.onModuleInit();
});
afterAll(() => database.close());

async function stored() {
  await refusals.beforeApplicationShutdown();
  const { refusedAt, refusedReason } = await database.prisma.source.findUniqueOrThrow({
    where: { id: sourceId },
  });
  return [refusedAt?.toISOString(), refusedReason];
}

it('writes the last refusal of a source once a minute at most, however many there are', async () => {
  refusals.note(sourceId, 'first');
  expect(await stored()).toEqual(['2026-11-23T12:00:00.000Z', 'first']);
  clock.set('2026-11-23T12:00:59Z');
  refusals.note(sourceId, 'second');
  expect(await stored()).toEqual(['2026-11-23T12:00:00.000Z', 'first']);
  clock.set('2026-11-23T12:01:00Z');
  refusals.note(sourceId, 'third');
  expect(await stored()).toEqual(['2026-11-23T12:01:00.000Z', 'third']);
});

it('is measured for a day', async () => {
  clock.set('2026-11-24T12:00:59Z');
  expect(await metrics.read()).toMatch(/ponte_source_refused_seconds\{source="[^"]+\/shop"\} 86399/);
  clock.set('2026-11-24T12:01:00Z');
  expect(await metrics.read()).not.toContain('ponte_source_refused_seconds{');
});
