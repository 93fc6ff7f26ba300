import { Company } from '../../../test/support/company';
import { openTestReplicas } from '../../../test/support/database';
import { feedChangesOf } from '../../../test/support/feed-changes';
import { SettableClock } from '../../../test/support/settable-clock';
import { Settings } from '../../config/settings';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import { PrometheusMetrics } from '../../ops/prometheus-metrics';
import { SourceProviders } from '../../sources/source-providers';
import { AttentionRepository } from '../../workflows/attention.repository';
import { SourceHealthCheck } from './source-health-check';
import { SourceHealthRepository } from './source-health.repository';
import { UsualGaps } from './usual-gaps.repository';

const SOURCES = 20;

let replicas: Database[];
const clock = new SettableClock('2026-11-24T12:00:00Z');

beforeAll(async () => {
  replicas = await openTestReplicas(3);
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

function checkerOf(database: Database): SourceHealthCheck {
  const settings = new Settings({ DATABASE_URL: 'postgresql://localhost/x', SECRETS_KEY: 'k'.repeat(43) });
  return new SourceHealthCheck(
    database,
    new UsualGaps(database),
    new SourceHealthRepository(database, new SourceProviders()),
    new AttentionRepository(),
    clock,
    new PrometheusMetrics(),
    settings,
  );
}

it('of three replicas that check at once one says of each silent source that it is, and one that it is no more', async () => {
  const [database] = replicas as [Database];
  const { organization } = await Company.found(database);
  const organizationId = organization.id;
  const sources = Array.from({ length: SOURCES }, (_, index) => ({
    ...{ id: newId(), organizationId, slug: `shop-${index}`, provider: 'shopify' },
    settings: { silentAfterHours: 1 },
  }));
  await database.prisma.source.createMany({ data: sources });
  const deliver = async (): Promise<void> => {
    const receivedAt = clock.now();
    const data = sources.map(({ id: sourceId }) => {
      const id = newId();
      const names = { id, organizationId, sourceId, topic: 't', dedupeKey: id, lane: id };
      return { ...names, attributes: {}, receivedAt, readyAt: receivedAt };
    });
    await database.prisma.delivery.createMany({ data });
  };
  const checkers = replicas.map(checkerOf);
  const checkAtOnce = async (): Promise<void> => {
    await Promise.all(checkers.map((checker) => checker.check()));
  };
  const open = () => database.prisma.attention.count({ where: { organizationId, resolvedAt: null } });

  await deliver();
  await checkAtOnce();
  expect(await open()).toBe(0);
  clock.set('2026-11-24T13:00:01Z');
  await checkAtOnce();
  expect(await open()).toBe(SOURCES);
  const changes = await feedChangesOf(database, organizationId);
  expect(changes.filter(({ type }) => type === 'attention.required')).toHaveLength(SOURCES);
  await deliver();
  await checkAtOnce();
  expect(await open()).toBe(0);
  expect(await database.prisma.attention.count({ where: { organizationId } })).toBe(SOURCES);
});
