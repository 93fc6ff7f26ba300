import { Company } from '../../../test/support/company';
import { openTestDatabase } from '../../../test/support/database';
import { feedChangesOf } from '../../../test/support/feed-changes';
import { SettableClock } from '../../../test/support/settable-clock';
import { Settings } from '../../config/settings';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { PrometheusMetrics } from '../../ops/prometheus-metrics';
import { SourceProviders } from '../../sources/source-providers';
import { AttentionRepository } from '../../workflows/attention.repository';
import { SourceHealthCheck } from './source-health-check';
import { SourceHealthRepository } from './source-health.repository';
import { ORIGIN } from '../reserved-attributes';
import { UsualGaps } from './usual-gaps.repository';

const NOON = '2026-11-24T12:00:00Z';

let database: Database;
let organization: Organization;
let slug: string;
let sourceId: string;
let metrics: PrometheusMetrics;
const clock = new SettableClock(NOON);

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  clock.set(NOON);
  await database.prisma.$executeRaw`update source set paused = true`;
  ({ organization } = await Company.found(database));
  [sourceId, slug] = [newId(), 'shop'];
  const data = { id: sourceId, organizationId: organization.id, slug, provider: 'shopify', settings: {} };
  await database.prisma.source.create({ data });
  metrics = new PrometheusMetrics();
});

/** @param own where it is measured; what is asked for a second time is measured by itself */
function checker(role = 'all', own = new PrometheusMetrics()): SourceHealthCheck {
  const parts = [
    new UsualGaps(database),
    new SourceHealthRepository(database, new SourceProviders()),
  ] as const;
  const settings = new Settings({
    DATABASE_URL: 'postgresql://localhost/x',
    SECRETS_KEY: 'k'.repeat(43),
    ROLE: role,
  });
  const made = new SourceHealthCheck(database, ...parts, new AttentionRepository(), clock, own, settings);
  made.onModuleInit();
  return made;
}

async function deliver(at: string, count = 1, everySeconds = 0): Promise<void> {
  await database.prisma.$executeRaw`
    insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at, state)
    select gen_random_uuid(), ${organization.id}::uuid, ${sourceId}::uuid, 't', ${newId()} || n, 'l', '{}', at, at, 'waiting'
    from generate_series(0, ${count - 1}::int) n
    cross join lateral (select ${at}::timestamptz - make_interval(secs => n * ${everySeconds}::int) as at) times`;
}

/** Every half an hour for ten days: it may be quiet for four hours. */
const usuallySends = (): Promise<void> => deliver(NOON, 480, 1_800);

async function refused(count: number, since: string): Promise<void> {
  await database.prisma.sourceRefusalCount.create({ data: { sourceId, since: new Date(since), count } });
}

async function items() {
  const rows = await database.prisma.attention.findMany({
    where: { organizationId: organization.id },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ code, businessKey, detail, resolvedAt }) => ({
    ...{ code, businessKey, detail },
    open: resolvedAt === null,
  }));
}

async function announced(): Promise<number> {
  const changes = await feedChangesOf(database, organization.id);
  return changes.filter(({ type }) => type === 'attention.required').length;
}

describe('a source that usually sends', () => {
  const silent = (since: string, open: boolean) => ({
    ...{ code: 'source-silent', businessKey: 'shop/source', open },
    detail: `The source shop has sent nothing since ${since}; something is expected within 4 hours.`,
  });

  it('and is quiet is said once, and again when it is quiet again', async () => {
    await usuallySends();
    const health = checker('all', metrics);
    await health.check();
    expect(await items()).toEqual([]);
    clock.set('2026-11-24T16:00:01Z');
    await health.check();
    await health.check();
    clock.set('2026-11-25T16:00:00Z');
    await health.check();
    expect(await items()).toEqual([silent('2026-11-24T12:00:00.000Z', true)]);
    expect(await announced()).toBe(1);
    const label = `${organization.slug}/shop`;
    expect(await metrics.read()).toContain(`ponte_source_silent_seconds{source="${label}"} 100800`);

    await deliver('2026-11-25T16:01:00Z');
    clock.set('2026-11-25T16:05:00Z');
    await health.check();
    expect(await items()).toEqual([silent('2026-11-24T12:00:00.000Z', false)]);
    expect(await metrics.read()).not.toContain(`ponte_source_silent_seconds{source="${label}"}`);

    clock.set('2026-11-26T16:05:00Z');
    await health.check();
    expect(await items()).toEqual([
      silent('2026-11-24T12:00:00.000Z', false),
      silent('2026-11-25T16:01:00.000Z', true),
    ]);
  });

  it('and of which deliveries come by a comparison alone is quiet: its webhooks do not come', async () => {
    await usuallySends();
    const health = checker();
    await health.check();
    await deliver('2026-11-24T16:30:00Z');
    await database.prisma.$executeRaw`
      update delivery set attributes = ${JSON.stringify({ [ORIGIN]: 'comparison' })}::jsonb
      where source_id = ${sourceId}::uuid and received_at > ${NOON}::timestamptz`;
    clock.set('2026-11-24T17:00:00Z');
    await health.check();
    expect(await items()).toMatchObject([{ code: 'source-silent', open: true }]);
  });

  it('is said by one of two replicas that check at once', async () => {
    await usuallySends();
    const [one, other] = [checker(), checker()];
    await one.check();
    clock.set('2026-11-24T17:00:00Z');
    await Promise.all([one.check(), other.check()]);
    expect(await items()).toHaveLength(1);
    expect(await announced()).toBe(1);
  });

  it('is not said again while it is quiet after a person took it off the list', async () => {
    await usuallySends();
    const health = checker();
    await health.check();
    clock.set('2026-11-24T17:00:00Z');
    await health.check();
    await database.prisma.attention.updateMany({ data: { resolvedAt: new Date(NOON) } });
    clock.set('2026-11-24T22:00:00Z');
    await health.check();
    expect((await items()).map(({ open }) => open)).toEqual([false]);
  });

  it('stays silent, although what was usual passes out of what is learned from', async () => {
    await usuallySends();
    const health = checker();
    await health.check();
    clock.set('2026-11-25T12:00:00Z');
    await health.check();
    clock.set('2027-02-01T12:00:00Z');
    await health.check();
    expect(await items()).toMatchObject([{ open: true }]);
  });

  it('is nobody’s business while it is paused, or where the operator does not want to know', async () => {
    await usuallySends();
    const health = checker();
    await health.check();
    clock.set('2026-11-25T12:00:00Z');
    await health.check();
    expect(await items()).toMatchObject([{ open: true }]);
    await database.prisma.source.update({ where: { id: sourceId }, data: { paused: true } });
    await health.check();
    expect(await items()).toMatchObject([{ open: false }]);
    const settings = { silentAfterHours: 0 };
    await database.prisma.source.update({ where: { id: sourceId }, data: { paused: false, settings } });
    await health.check();
    expect(await items()).toMatchObject([{ open: false }]);
  });

  it('is said before its provider removes the webhook, whatever was usual', async () => {
    await database.prisma.source.update({ where: { id: sourceId }, data: { provider: 'vtex' } });
    await deliver(NOON);
    const health = checker();
    clock.set('2026-11-26T12:00:00Z');
    await health.check();
    expect(await items()).toEqual([]);
    clock.set('2026-11-26T12:00:01Z');
    await health.check();
    expect(await items()).toMatchObject([
      { detail: expect.stringContaining('expected within 48 hours') as string, open: true },
    ]);
  });

  it('is said although another one, that comes before it, cannot be noted', async () => {
    const { prisma } = database;
    await usuallySends();
    const broken = '00000000-0000-7000-8000-000000000001';
    const data = { id: broken, organizationId: organization.id, slug: 'broken', provider: 'shopify' };
    await prisma.source.create({ data: { ...data, settings: { silentAfterHours: 1 } } });
    await prisma.$executeRaw`
      update delivery set source_id = ${broken}::uuid
      where id = (select id from delivery where source_id = ${sourceId}::uuid order by received_at limit 1)`;
    await prisma.$executeRaw`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''not this one''; end'`;
    await prisma.$executeRaw`
      create trigger refuse before update on source_health for each row
      when (old.source_id = '00000000-0000-7000-8000-000000000001') execute function refuse()`;
    clock.set('2026-11-25T12:00:00Z');
    await checker().check();
    expect(await items()).toMatchObject([{ businessKey: 'shop/source' }]);
    await prisma.$executeRaw`drop function refuse cascade`;
    await checker().check();
    expect((await items()).map(({ businessKey }) => businessKey).sort()).toEqual([
      'broken/source',
      'shop/source',
    ]);
  });

  it('is checked by workers alone, when the time comes', async () => {
    await usuallySends();
    await checker().check();
    clock.set('2026-11-25T12:00:00Z');
    await checker('api').tick();
    expect(await items()).toEqual([]);
    await checker('worker').tick();
    expect(await items()).toHaveLength(1);
  });
});

describe('a source whose webhooks are refused', () => {
  it('fails when they are more than the accepted ones, until they are not', async () => {
    const health = checker('all', metrics);
    await deliver('2026-11-24T11:50:00Z', 11);
    await refused(11, '2026-11-24T11:10:00Z');
    await health.check();
    expect(await items()).toEqual([]);
    await refused(1, '2026-11-24T11:50:00Z');
    await health.check();
    expect(await items()).toEqual([
      {
        ...{ code: 'source-failing', businessKey: 'shop/source', open: true },
        detail:
          'In the hour before 2026-11-24T12:00:00.000Z 12 webhooks to the source shop were refused and 11 accepted: the reason is not known.',
      },
    ]);
    expect(await metrics.read()).toContain(`ponte_source_failing{source="${organization.slug}/shop"} 12`);
    clock.set('2026-11-24T12:10:00Z');
    await health.check();
    expect(await items()).toMatchObject([{ open: false }]);
  });

  it('is shown, and no item is made, where nothing ever came that it could name', async () => {
    const health = checker('all', metrics);
    await refused(10, '2026-11-24T11:50:00Z');
    await health.check();
    expect(await items()).toEqual([]);
    expect(await metrics.read()).toContain(`ponte_source_failing{source="${organization.slug}/shop"} 10`);
  });
});
