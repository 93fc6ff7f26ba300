import { migrate } from '../src/database/migrations';
import { newId } from '../src/kernel/identifier';
import { migrateUpTo } from './support/earlier-migrations';
import { type EmptyDatabase, openEmptyDatabase } from './support/empty-database';

const ORGANIZATIONS = [newId(), newId()] as const;

let database: EmptyDatabase;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrateUpTo(database.target, '20261123011652_record_counts');
  await database.target.transaction(async (session) => {
    const stakeholder = (organization: string, kind: string, deletedAt: string | null = null) =>
      session.rows(
        `insert into stakeholder (id, organization_id, kind, name, deleted_at)
        values ($1::uuid, $2::uuid, $3::stakeholder_kind, 'Ana', $4::timestamptz)`,
        [newId(), organization, kind, deletedAt],
      );
    const schedule = (organization: string, kind: string, open: number, due: string) =>
      session.rows(
        `insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
          schedule_date, accrual_date, due_date, group_id)
        values ($1::uuid, $2::uuid, $3::schedule_kind, $1::uuid, 'S', 100, $4::bigint, $5::date, $5::date, $5::date,
          $1::uuid)`,
        [newId(), organization, kind, open, due],
      );
    const [one, other] = ORGANIZATIONS;
    await session.rows(
      `insert into organization (id, slug, name, time_zone, currency)
      select id, 'company-' || place, 'Company', 'America/Sao_Paulo', 'BRL'
      from unnest($1::uuid[]) with ordinality as o(id, place)`,
      [ORGANIZATIONS],
    );
    await stakeholder(one, 'supplier');
    await stakeholder(one, 'supplier');
    await stakeholder(one, 'supplier', '2026-01-01T00:00:00Z');
    await stakeholder(one, 'customer');
    await stakeholder(other, 'supplier');
    await schedule(one, 'debit', 100, '2026-01-01');
    await schedule(one, 'debit', 0, '2026-01-02');
    await schedule(one, 'credit', 100, '2026-01-01');
    await schedule(one, 'credit', 50, '2026-01-01');
    await schedule(one, 'credit', 1, '2026-01-02');
    await schedule(one, 'credit', 0, '2026-01-03');
    await schedule(other, 'credit', 100, '2026-01-01');
  });
});
afterAll(() => database.close());

it('what was there before the counts is in them', async () => {
  expect(await migrate(database.target)).toContain('20261123011652_record_counts');
  const found = await database.target.transaction((session) =>
    session.rows(
      `select array_position($1::uuid[], organization_id) as company, counted::text, day::text, count::int
      from record_count order by company, record_count.counted, day`,
      [ORGANIZATIONS],
    ),
  );
  expect(found).toEqual([
    { company: 1, counted: 'supplier', day: '-infinity', count: 2 },
    { company: 1, counted: 'payable', day: '-infinity', count: 2 },
    { company: 1, counted: 'open_receivable', day: '2026-01-01', count: 2 },
    { company: 1, counted: 'open_receivable', day: '2026-01-02', count: 1 },
    { company: 2, counted: 'supplier', day: '-infinity', count: 1 },
    { company: 2, counted: 'open_receivable', day: '2026-01-01', count: 1 },
  ]);
});
