import { openTestDatabase } from '../../../../test/support/database';
import { planOf, rowsTouched, tablesScanned } from '../../../../test/support/plans';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { ListReading } from '../lists/list.repository';
import { schedulesOf } from '../lists/schedule-lists.sql';

const CUSTOMERS = 3_000;
const PAGE = 20;
/** Each row of a page and what it names, in each step of the plan. */
const FEW = 20 * PAGE;
/** Tables that do not grow with the orders. */
const STANDING = ['category', 'cost_center'];

const organization: Organization = {
  ...{ id: newId(), slug: 'large', name: 'Large', timeZone: 'America/Sao_Paulo', currency: 'BRL' },
};
const today = CalendarDate.of(2026, 3, 10);
let database: Database;

const customer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Customer 1 has a thousand receivables, each other has three. */
beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.organization.create({ data: organization });
  await database.prisma.$executeRaw`
    insert into stakeholder (id, organization_id, kind, name)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${organization.id}::uuid, 'customer', 'C' || n
    from generate_series(1, ${CUSTOMERS}::int) n`;
  await database.prisma.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor, schedule_date,
      accrual_date, due_date, group_id)
    select gen_random_uuid(), ${organization.id}::uuid, 'credit', s.id, 'S', 100, 100 * (m % 2), '2026-01-01', '2026-01-01',
      date '2026-01-01' + m, gen_random_uuid()
    from stakeholder s, generate_series(1, 1000) m where m <= 3 or s.name = 'C1'`;
});
afterAll(() => database.close());

describe.each([
  ['no statistics', () => Promise.resolve(0)],
  ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
])("a customer's receivables, with %s,", (_name, prepare) => {
  beforeAll(prepare);

  it.each([
    ['all', customer(1500), undefined],
    ['those that are open', customer(1500), 'isPaid eq false'],
  ])('are found by the customer: %s', async (_what, customerId, filter) => {
    const list = schedulesOf(organization, today, customerId);
    const reading = new ListReading(organization, list, { top: PAGE, skip: 0, filter });
    const steps = await planOf(database.prisma, reading.pageStatement());
    expect(STANDING).toEqual(expect.arrayContaining(tablesScanned(steps)));
    expect(rowsTouched(steps)).toBeLessThan(FEW);
  });
});

it('are read to the end of the page alone, however many there are', async () => {
  await database.prisma.$executeRaw`analyze`;
  const reading = new ListReading(organization, schedulesOf(organization, today, customer(1)), {
    top: PAGE,
    skip: 0,
  });
  const steps = await planOf(database.prisma, reading.pageStatement());
  const read = steps.find((step) => step['Relation Name'] === 'schedule');
  expect(read).toMatchObject({
    'Index Name': 'schedule_organization_id_stakeholder_id_due_date_id_idx',
    'Actual Rows': PAGE + 1,
  });
});
