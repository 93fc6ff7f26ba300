import { openTestDatabase } from '../../../../test/support/database';
import { planOf, rowsTouched, tablesScanned } from '../../../../test/support/plans';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { overdueAfter, overdueStatement } from './overdue.repository';

/** Receivables that were due long ago and are paid, that are due later, and that are overdue. */
const PAID = 20_000;
const LATER = 10_000;
const OVERDUE = 1_500;
const PAGE = 200;
/** Each row of a page, in each step of the plan. */
const FEW = 6 * PAGE;

const organization: Organization = {
  ...{ id: newId(), slug: 'large', name: 'Large', timeZone: 'America/Sao_Paulo', currency: 'BRL' },
};
const today = CalendarDate.parse('2026-03-10');
let database: Database;

/** UUIDs end in their number: the smaller, the earlier due. */
const schedule = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.organization.create({ data: organization });
  await database.prisma.$executeRaw`
    insert into stakeholder (id, organization_id, kind, name)
    values (${organization.id}::uuid, ${organization.id}::uuid, 'customer', 'Ana')`;
  const add = (from: number, count: number, open: number, firstDue: string) => database.prisma.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor, schedule_date,
      accrual_date, due_date, group_id)
    select ('00000000-0000-4000-8000-' || lpad((${from}::int + n)::text, 12, '0'))::uuid, ${organization.id}::uuid,
      'credit', ${organization.id}::uuid, 'S', 100, ${open}::bigint, '2020-01-01', '2020-01-01',
      ${firstDue}::date + n / 1000, gen_random_uuid()
    from generate_series(0, ${count}::int - 1) n`;
  await add(0, OVERDUE, 100, '2026-03-01');
  await add(OVERDUE, PAID, 0, '2025-01-01');
  await add(OVERDUE + PAID, LATER, 100, '2026-03-10');
  // What was announced before, for the day on which it was due then.
  await database.prisma.$executeRaw`
    insert into overdue_announcement (schedule_id, organization_id, due_date)
    select id, organization_id, due_date from schedule where open_minor = 0`;
});
afterAll(() => database.close());

describe.each([
  ['no statistics', () => Promise.resolve(0)],
  ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
])('overdue schedules, with %s,', (_name, prepare) => {
  beforeAll(prepare);

  it.each([
    ['the first page', undefined],
    ['a later page', { id: schedule(999), dueDate: CalendarDate.parse('2026-03-01') }],
  ])('are found along the due-date index of what is open: %s', async (_page, after) => {
    const steps = await planOf(database.prisma, overdueStatement(organization, 'credit', today, after, PAGE));
    const read = steps.find((step) => step['Relation Name'] === 'schedule');
    expect(read).toMatchObject({
      'Index Name': 'schedule_open_organization_id_kind_due_date_id_idx',
      'Actual Rows': PAGE,
    });
    expect(tablesScanned(steps)).toEqual([]);
    expect(steps.map((step) => step['Node Type'])).not.toContain('Sort');
    expect(rowsTouched(steps)).toBeLessThan(FEW);
  });

  it('are read page by page, each once, and nothing else', async () => {
    const found: string[] = [];
    await database.transaction(async (tx) => {
      for (let after: { id: string; dueDate: CalendarDate } | undefined; ;) {
        const page = await overdueAfter(tx, organization, 'credit', today, after, PAGE);
        found.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (!after) break;
      }
    });
    expect(found).toEqual(Array.from({ length: OVERDUE }, (_, n) => schedule(n)));
  });
});
