import { openTestDatabase } from '../../test/support/database';
import { planOf, type PlanStep, rowsTouched } from '../../test/support/plans';
import { type AuditFilter, walkOf as auditWalkOf } from '../admin/audit.repository';
import { alongAnIndex } from '../database/along-an-index';
import type { Prisma } from '../database/client/client';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { lockOldestDead, newestFirst } from '../database/index-walk';
import { type DeliveryFilter, DeliveryList, walksOf } from './delivery-list.repository';
import { DeliveryPeriods } from './delivery-period.repository';

const ROWS = 20_000;
const PAGE = 50;
/** A page reads its rows, and no more of the table than what stands between two of them by chance. */
const MOST_READ = 4 * PAGE;
/** Blocks of table and index: a few to come down, then one a row at worst. */
const MOST_BLOCKS = 4 * PAGE;

describe('lists of operators, on twenty thousand rows', () => {
  const organization: Organization = {
    ...{ id: newId(), slug: 'large', name: 'Large' },
    ...{ timeZone: 'America/Sao_Paulo', currency: 'BRL' },
  };
  const [busy, quiet] = [newId(), newId()];
  const slugs = new Map([
    [busy, 'busy'],
    [quiet, 'quiet'],
  ]);
  const actor = newId();
  let database: Database;

  /** Rare and old are the source `quiet`, the topic `rare`, each entity, the states but `done`, and its action. */
  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma } = database;
    await prisma.organization.create({ data: organization });
    for (const [id, slug] of slugs)
      await prisma.source.create({
        data: { id, slug, organizationId: organization.id, provider: 'shopify', settings: {} },
      });
    for (const table of ['delivery', 'open_delivery', 'entity_delivery', 'audit_entry'])
      await prisma.$executeRawUnsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  }, 120_000);

  afterAll(() => database.close());

  async function fill(): Promise<void> {
    await database.prisma.$executeRaw`
      insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at,
        state, reason, business_key, finished_at)
      select gen_random_uuid(), ${organization.id}::uuid,
        case when g % 1000 = 0 and g < ${ROWS / 2} then ${quiet}::uuid else ${busy}::uuid end,
        case when g % 1000 < 2 and g < ${ROWS / 2} then 'rare' else 'orders/paid' end,
        g::text, 'lane ' || g, '{}', timestamptz '2026-01-01Z' + g * interval '1 minute', now(),
        (case when g % 1000 = 2 then 'dead' when g % 1000 = 3 and g < ${ROWS / 2} then 'waiting'
          when g % 1000 = 4 then 'discarded' else 'done' end)::delivery_state, 'a reason', 'order/' || g / 3, now()
      from generate_series(1, ${ROWS}::int) g`;
    await database.prisma.$executeRaw`
      insert into audit_entry (id, organization_id, at, actor, action, subject)
      select gen_random_uuid(), ${organization.id}::uuid, timestamptz '2026-01-01Z' + g * interval '1 minute',
        case when g % 1000 = 0 and g < ${ROWS / 2} then ${actor} else 'somebody' end,
        case when g % 1000 = 1 and g < ${ROWS / 2} then 'rare.action' else 'key.create' end, 'subject ' || g / 20
      from generate_series(1, ${ROWS}::int) g`;
  }

  async function alongAnIndexPlanOf(statement: Prisma.Sql): Promise<PlanStep[]> {
    return database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return planOf(tx, statement);
    });
  }

  /** What was read, by which indexes, and that nothing was read as a whole; what is sorted is pages of several walks. */
  async function expectWalks(statement: Prisma.Sql, indexes: readonly string[]): Promise<void> {
    const nodes = await alongAnIndexPlanOf(statement);
    const walks = nodes.filter((node) => /^Index (Only )?Scan$/.test(node['Node Type']));
    expect(walks.map((node) => node['Index Name'])).toEqual(indexes);
    const others = new Set(nodes.filter((node) => !walks.includes(node)).map((node) => node['Node Type']));
    const severalPages =
      indexes[0] === indexes[1] ? ['Append', 'Merge Append', 'Result', 'Sort', 'Subquery Scan'] : [];
    expect(['Limit', ...severalPages]).toEqual(expect.arrayContaining([...others]));
    for (const { 'Node Type': type, 'Actual Rows': rows } of nodes)
      if (type === 'Sort') expect(rows).toBeLessThanOrEqual(indexes.length * PAGE);
    const [top] = nodes;
    expect((top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0)).toBeLessThan(MOST_BLOCKS);
    for (const walk of walks)
      expect(walk['Actual Rows'] + (walk['Rows Removed by Filter'] ?? 0)).toBeLessThan(MOST_READ);
  }

  const AT = new Date('2026-01-08T00:00:00Z');
  const BY_STATE = 'open_delivery_organization_id_state_received_at_id_idx';
  const BY_SOURCE = 'delivery_source_id_received_at_id_idx';
  const BY_TOPIC = 'delivery_source_id_topic_received_at_id_idx';
  // A delivery of an entity is looked up by its key.
  const BY_ENTITY = ['entity_delivery_pkey', 'delivery_pkey'];
  const DELIVERIES: [DeliveryFilter, string[]][] = [
    [{}, [BY_SOURCE, BY_SOURCE]],
    [{ from: AT, to: new Date('2026-01-09T00:00:00Z') }, [BY_SOURCE, BY_SOURCE]],
    [{ state: 'done' }, [BY_SOURCE, BY_SOURCE]],
    [{ state: 'dead' }, [BY_STATE]],
    [{ state: 'waiting' }, [BY_STATE]],
    [{ state: 'discarded', to: AT }, [BY_STATE]],
    [{ source: 'quiet' }, [BY_SOURCE]],
    [{ source: 'busy', to: AT }, [BY_SOURCE]],
    [{ topic: 'rare' }, [BY_TOPIC, BY_TOPIC]],
    [{ topic: 'rare', from: AT }, [BY_TOPIC, BY_TOPIC]],
    [{ topic: 'orders/paid', state: 'done' }, [BY_TOPIC, BY_TOPIC]],
    [{ topic: 'never' }, [BY_TOPIC, BY_TOPIC]],
    [{ source: 'busy', topic: 'rare' }, [BY_TOPIC]],
    [{ source: 'quiet', topic: 'rare' }, [BY_TOPIC]],
    [{ source: 'busy', topic: 'never', to: AT }, [BY_TOPIC]],
    [{ businessKey: 'order/77' }, BY_ENTITY],
    [{ businessKey: 'order/77', state: 'done', source: 'busy', topic: 'orders/paid' }, BY_ENTITY],
    [{ businessKey: 'order/never' }, BY_ENTITY],
  ];
  const RECORDS: [AuditFilter, string][] = [
    [{}, 'audit_entry_organization_id_at_id_idx'],
    [{ from: AT, to: new Date('2026-01-09T00:00:00Z') }, 'audit_entry_organization_id_at_id_idx'],
    [{ action: 'rare.action' }, 'audit_entry_organization_id_action_at_id_idx'],
    [{ subject: 'subject 77' }, 'audit_entry_organization_id_subject_at_id_idx'],
    [{ actor }, 'audit_entry_organization_id_actor_at_id_idx'],
  ];
  const STATISTICS: [string, () => Promise<void>][] = [
    ['no statistics', fill],
    [
      'statistics of a table in which all is alike',
      async () => {
        await database.prisma.$executeRaw`truncate delivery`;
        await database.prisma.$executeRaw`
          insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at,
            business_key, state, reason)
          select gen_random_uuid(), ${organization.id}::uuid, ${quiet}::uuid, 'rare', g::text, 'lane', '{}', now(), now(),
            'order/77', 'dead', 'a reason'
          from generate_series(1, 1000) g`;
        await database.prisma.$executeRaw`analyze delivery, open_delivery, entity_delivery`;
        await database.prisma.$executeRaw`truncate delivery`;
        await database.prisma.$executeRaw`alter table audit_entry disable trigger audit_entry_append_only`;
        await database.prisma.$executeRaw`truncate audit_entry`;
        await database.prisma.$executeRaw`
          insert into audit_entry (id, organization_id, at, actor, action, subject)
          select gen_random_uuid(), ${organization.id}::uuid, now(), ${actor}, 'rare.action', 'subject 77'
          from generate_series(1, 1000) g`;
        await database.prisma.$executeRaw`analyze audit_entry`;
        await database.prisma.$executeRaw`truncate audit_entry`;
        await fill();
      },
    ],
    [
      'fresh statistics',
      async () => {
        await database.prisma.$executeRaw`analyze delivery, open_delivery, entity_delivery`;
        await database.prisma.$executeRaw`analyze audit_entry`;
      },
    ],
  ];

  describe.each(STATISTICS)('with %s', (_name, prepare) => {
    beforeAll(prepare, 120_000);

    it.each(DELIVERIES)('deliveries by %j are walks of one index', async (filter, indexes) => {
      const walks = walksOf(organization, filter, slugs);
      await expectWalks(newestFirst(walks, PAGE), indexes);
      await expectWalks(newestFirst(walks, PAGE, { at: AT, id: newId() }), indexes);
    });

    it.each<[DeliveryFilter]>([[{}], [{ topic: 'rare' }], [{ businessKey: 'order/334' }]])(
      'dead letters by %j are locked by a walk that looks each up',
      async (filter) => {
        const [walk] = walksOf(organization, { ...filter, state: 'dead' }, slugs);
        const nodes = await alongAnIndexPlanOf(lockOldestDead(walk!, PAGE));
        expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
        expect(rowsTouched(nodes)).toBeLessThan(MOST_READ);
      },
    );

    it.each(RECORDS)('the audit log by %j is one walk of one index', async (filter, index) => {
      const walk = auditWalkOf(organization.id, filter);
      await expectWalks(newestFirst([walk], PAGE), [index]);
      await expectWalks(newestFirst([walk], PAGE, { at: AT, id: newId() }), [index]);
    });
  });

  it('come page by page, each delivery once, newest first', async () => {
    const list = new DeliveryList(database);
    const seen: string[] = [];
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const page = await list.list(organization, { topic: 'rare' }, { limit: 4, ...(after && { after }) });
      seen.push(...page.map(({ id }) => id));
      if (page.length < 4) break;
    }
    const all = await database.prisma.delivery.findMany({
      where: { topic: 'rare' },
      orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
    });
    expect(all.map(({ sourceId }) => sourceId)).toEqual(expect.arrayContaining([busy, quiet]));
    expect(all.length).toBe(19);
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  it('of a period come in the order of receipt, page by page, each once, of one source or of all', async () => {
    const periods = new DeliveryPeriods();
    const [from, to] = [new Date('2026-01-08T00:00:00Z'), new Date('2026-01-08T03:00:00Z')];
    for (const sourceId of [undefined, busy]) {
      const seen: string[] = [];
      for (let after: { at: Date; id: string } | undefined; ;) {
        const page = await database.transaction((tx) =>
          periods.page(tx, organization, { from, to, ...(sourceId && { sourceId }) }, { limit: 7, after }),
        );
        seen.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        if (!last || page.length < 7) break;
        after = { at: last.receivedAt, id: last.id };
      }
      const all = await database.prisma.delivery.findMany({
        where: { receivedAt: { gte: from, lt: to }, ...(sourceId && { sourceId }) },
        orderBy: [{ receivedAt: 'asc' }, { id: 'asc' }],
      });
      expect(all.length).toBeGreaterThan(20);
      expect(seen).toEqual(all.map(({ id }) => id));
    }
  });

  it('page below a time as fast as from the top', async () => {
    const last = await database.prisma.delivery.findFirstOrThrow({ where: { receivedAt: AT } });
    const list = new DeliveryList(database);
    const [next] = await list.list(organization, {}, { limit: 1, after: last.id });
    expect(next?.receivedAt).toBe('2026-01-07T23:59:00.000Z');
  });
});
