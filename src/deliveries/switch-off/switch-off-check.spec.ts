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
import { ORIGIN } from '../reserved-attributes';
import { SourceFailuresRepository } from './source-failures.repository';
import { SwitchOffCheck } from './switch-off-check';

const NOON = '2026-11-24T12:00:00Z';
const at = (minutes: number): Date => new Date(Date.parse(NOON) + minutes * 60_000);

let database: Database;
let organization: Organization;
let sourceId: string;
let rows: SourceFailuresRepository;
let metrics: PrometheusMetrics;
const clock = new SettableClock(NOON);

beforeAll(async () => {
  database = await openTestDatabase();
  rows = new SourceFailuresRepository(database);
});
afterAll(() => database.close());

beforeEach(async () => {
  clock.set(NOON);
  await database.prisma.sourceFailure.deleteMany();
  await database.prisma.sourceSwitchOff.deleteMany();
  ({ organization } = await Company.found(database));
  sourceId = newId();
  const names = { id: sourceId, organizationId: organization.id, slug: 'loja' };
  await database.prisma.source.create({ data: { ...names, provider: 'woocommerce', settings: {} } });
  metrics = new PrometheusMetrics();
});

function checker(role = 'all', own = new PrometheusMetrics()): SwitchOffCheck {
  const settings = new Settings({
    ...{ DATABASE_URL: 'postgresql://localhost/x', SECRETS_KEY: 'k'.repeat(43), ROLE: role },
  });
  const made = new SwitchOffCheck(
    ...([database, rows, new SourceProviders(), new AttentionRepository(), clock, own, settings] as const),
  );
  made.onModuleInit();
  return made;
}

const fail = (minutes: readonly number[], topic = '', acceptedAt?: Date): Promise<void> =>
  rows.add(sourceId, topic, { times: minutes.map(at), reason: 'it was refused', acceptedAt, most: 5 });

async function deliver(minutes: number, topic = 'order.created', attributes = {}): Promise<void> {
  const id = newId();
  const receivedAt = at(minutes);
  const names = { id, organizationId: organization.id, sourceId, topic, dedupeKey: id, lane: id };
  await database.prisma.delivery.create({ data: { ...names, attributes, receivedAt, readyAt: receivedAt } });
}

async function items() {
  const found = await database.prisma.attention.findMany({
    where: { organizationId: organization.id },
    orderBy: { createdAt: 'asc' },
  });
  return found.map(({ code, resolvedAt }) => [code, resolvedAt === null ? 'open' : 'resolved']);
}

async function announced(): Promise<number> {
  const changes = await feedChangesOf(database, organization.id);
  return changes.filter(({ type }) => type === 'attention.required').length;
}

describe('a source whose webhooks fail', () => {
  it('is warned of although another one cannot be noted', async () => {
    const otherId = newId();
    const names = { id: otherId, organizationId: organization.id, slug: 'outra' };
    await database.prisma.source.create({ data: { ...names, provider: 'woocommerce', settings: {} } });
    for (const id of [sourceId, otherId])
      await rows.add(id, '', {
        times: [3, 2, 1].map((minutes) => at(-minutes)),
        reason: 'it was refused',
        most: 5,
      });
    const warn = jest.spyOn(rows, 'warn').mockRejectedValueOnce(new Error('the database is away'));
    await checker().check();
    warn.mockRestore();
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
    await checker().check();
    expect(await items()).toHaveLength(2);
  });

  it('is warned of once, said to be switched off once, and resolved by a webhook that is accepted', async () => {
    const check = checker('all', metrics);
    const label = `ponte_source_switch_off{source="${organization.slug}/loja"}`;
    await fail([0, 1]);
    await check.check();
    expect(await items()).toEqual([]);
    expect(await metrics.read()).not.toContain(label);

    await fail([2]);
    clock.set('2026-11-24T12:03:00Z');
    await check.check();
    await fail([3]);
    await check.check();
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
    expect(await metrics.read()).toContain(`${label} 0.8`);

    await fail([4]);
    clock.set('2026-11-24T12:05:00Z');
    await check.check();
    await check.check();
    const both = [['source-near-switch-off', 'resolved']];
    expect(await items()).toEqual([...both, ['source-switched-off', 'open']]);
    expect(await metrics.read()).toContain(`${label} 1`);
    expect(await announced()).toBe(2);

    await deliver(6);
    await check.check();
    expect(await items()).toEqual([...both, ['source-switched-off', 'resolved']]);
    expect(await database.prisma.sourceFailure.count()).toBe(0);
    expect(await metrics.read()).not.toContain(label);

    await fail([7, 8, 9]);
    clock.set('2026-11-24T12:09:00Z');
    await check.check();
    expect((await items()).filter(([, state]) => state === 'open')).toEqual([
      ['source-near-switch-off', 'open'],
    ]);
  });

  it('is warned of by one of two replicas that check at once, and by workers alone', async () => {
    await fail([0, 1, 2]);
    await checker('api').tick();
    expect(await items()).toEqual([]);
    await Promise.all([checker().check(), checker('worker').tick()]);
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
    expect(await announced()).toBe(1);
  });

  it('is warned of also while it is paused, which is what its webhooks fail for', async () => {
    await database.prisma.source.update({ where: { id: sourceId }, data: { paused: true } });
    await fail([0, 1, 2]);
    await checker().check();
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
  });

  it('is not helped by webhooks of another topic, nor by what was imported', async () => {
    await fail([0, 1, 2], 'order.updated');
    await deliver(3, 'order.created');
    await deliver(4, 'order.updated', { [ORIGIN]: 'import' });
    await checker().check();
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
    await deliver(5, 'order.updated');
    await checker().check();
    expect(await items()).toEqual([['source-near-switch-off', 'resolved']]);
  });

  it('is forgotten when nothing was heard of it for a week', async () => {
    await fail([0, 1, 2]);
    await checker().check();
    clock.set('2026-12-01T12:02:00Z');
    await checker().check();
    expect(await items()).toEqual([['source-near-switch-off', 'open']]);
    clock.set('2026-12-01T12:02:01Z');
    await checker().check();
    expect(await items()).toEqual([['source-near-switch-off', 'resolved']]);
  });
});

describe('failures that several replicas add', () => {
  const stored = () => rows.of([sourceId]).then((found) => found.get(sourceId) ?? []);

  it('come together in their order, the newest of them are kept, and when they began', async () => {
    await fail([1, 3, 5]);
    await fail([0, 2, 4]);
    expect(await stored()).toEqual([
      {
        ...{ topic: '', since: at(0), failedAt: [1, 2, 3, 4, 5].map(at) },
        ...{ reason: 'it was refused', acceptedAt: null },
      },
    ]);
  });

  it('that came at the same moment are all counted', async () => {
    await fail([0, 0]);
    await fail([0]);
    expect(await stored()).toMatchObject([{ failedAt: [at(0), at(0), at(0)] }]);
  });

  it('begin anew after what a replica accepted', async () => {
    await fail([0, 1, 2]);
    await fail([4], '', at(3));
    expect(await stored()).toMatchObject([{ since: at(4), failedAt: [at(4)] }]);
    await fail([5], '', at(2));
    expect(await stored()).toMatchObject([{ since: at(4), failedAt: [at(4), at(5)] }]);
  });

  it('are forgotten when what was accepted came after them, and only then', async () => {
    await fail([0, 4]);
    await rows.settle(sourceId, '', at(3));
    expect(await stored()).toHaveLength(1);
    await rows.settle(sourceId, '', at(4));
    expect(await stored()).toEqual([]);
  });
});
