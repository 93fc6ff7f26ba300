import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import { Company } from '../../test/support/company';
import { until } from '../../test/support/until';
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
  const { refusedAt, refusedReason } = await database.prisma.source.findUniqueOrThrow({
    where: { id: sourceId },
  });
  return [refusedAt?.toISOString(), refusedReason];
}

async function counted() {
  const rows = await database.prisma.sourceRefusalCount.findMany({ orderBy: { since: 'asc' } });
  return rows.map(({ since, count }) => [since.toISOString(), count]);
}

it('writes the last refusal of a source once a minute at most, and how many there were', async () => {
  refusals.note(sourceId, 'first');
  await refusals.flush();
  expect(await stored()).toEqual(['2026-11-23T12:00:00.000Z', 'first']);
  clock.set('2026-11-23T12:00:59Z');
  refusals.note(sourceId, 'second');
  refusals.note(sourceId, 'third');
  expect(await stored()).toEqual(['2026-11-23T12:00:00.000Z', 'first']);
  clock.set('2026-11-23T12:01:00Z');
  refusals.note(sourceId, 'fourth');
  await until(async () => (await stored())[1] === 'fourth');
  expect(await counted()).toEqual([['2026-11-23T12:00:00.000Z', 4]]);
});

it('writes what nothing followed, too, when the time comes or the process ends', async () => {
  clock.set('2026-11-23T12:01:30Z');
  refusals.note(sourceId, 'fifth');
  await refusals.flush();
  expect(await counted()).toEqual([['2026-11-23T12:00:00.000Z', 5]]);
  clock.set('2026-11-23T12:10:00Z');
  refusals.note(sourceId, 'sixth');
  clock.set('2026-11-23T12:10:01Z');
  refusals.note(sourceId, 'seventh');
  await refusals.beforeApplicationShutdown();
  const both = [
    ['2026-11-23T12:00:00.000Z', 5],
    ['2026-11-23T12:10:00.000Z', 2],
  ];
  expect(await counted()).toEqual(both);
  await refusals.flush();
  expect(await counted()).toEqual(both);
});

it('forgets counts of the day before', async () => {
  clock.set('2026-11-24T12:05:00Z');
  refusals.note(sourceId, 'eighth');
  await refusals.flush();
  expect(await counted()).toEqual([
    ['2026-11-23T12:10:00.000Z', 2],
    ['2026-11-24T12:00:00.000Z', 1],
  ]);
});

it('is measured for a day', async () => {
  clock.set('2026-11-25T12:04:59Z');
  expect(await metrics.read()).toMatch(/ponte_source_refused_seconds\{source="[^"]+\/shop"\} 86399/);
  clock.set('2026-11-25T12:05:00Z');
  expect(await metrics.read()).not.toContain('ponte_source_refused_seconds{');
});
