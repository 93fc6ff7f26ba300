import { openTestDatabase, testSettings } from '../../../test/support/database';
import { planOf, rowsTouched, tablesScanned } from '../../../test/support/plans';
import { alongAnIndex } from '../../database/along-an-index';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import { PolledCustomers } from './polled-customers.repository';

/** Customers of each of two organizations, and schedules of each customer. */
const CUSTOMERS = 700;
const SCHEDULES = 10;
/** As many as are looked up at once. */
const CHUNK = 500;
/** Each customer found, in each step of the plan; not the schedules. */
const FEW = 8 * CHUNK;

const [organizationId, other] = [newId(), newId()];
let database: Database;

/** Customers' UUIDs end in their number. */
const customer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

beforeAll(async () => {
  database = await openTestDatabase();
  for (const id of [organizationId, other])
    await database.prisma.organization.create({
      data: { id, slug: id, name: id, timeZone: 'America/Sao_Paulo', currency: 'BRL' },
    });
  await database.prisma.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor, schedule_date,
      accrual_date, due_date, group_id)
    select gen_random_uuid(), o.id, case when m = 1 and n % 7 = 0 then 'debit' else 'credit' end::schedule_kind,
      ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'S', 100, 0, '2026-01-01', '2026-01-01',
      date '2026-01-01' + m, gen_random_uuid()
    from unnest(${[organizationId, other]}::uuid[]) as o(id), generate_series(1, ${SCHEDULES}::int) m,
      generate_series(1, ${CUSTOMERS}::int) n`;
  await database.prisma.$executeRaw`
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select organization_id, id, stakeholder_id from schedule`;
});
afterAll(() => database.close());

describe.each(['embedded', 'remote'])('customers to look at, of the %s finance system', (backend) => {
  const customers = (): PolledCustomers =>
    new PolledCustomers(testSettings({ FINANCE_BACKEND: backend, FINANCE_BASE_URL: 'https://finance.test' }));

  it.each([
    ['no statistics', () => Promise.resolve(0)],
    ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
  ])('are found one after another by an index, with %s', async (_name, prepare) => {
    await prepare();
    for (const after of [null, customer(150)]) {
      const steps = await database.transaction(async (tx) => {
        await alongAnIndex(tx);
        return planOf(tx, customers().customersAfter(organizationId, after));
      });
      expect(tablesScanned(steps)).toEqual([]);
      expect(steps.map((step) => step['Node Type'])).not.toContain('Sort');
      expect(rowsTouched(steps)).toBeLessThan(FEW);
    }
  });

  it('are taken in once each, so many at a time', async () => {
    await database.transaction(async (tx) => {
      const discover = (after: string | null) => customers().discover(tx, organizationId, after, true);
      expect(await discover(null)).toBe(customer(CHUNK));
      expect(await discover(customer(CHUNK))).toBeUndefined();
      expect(await discover(null)).toBe(customer(CHUNK));
      const found = await tx.watchCustomer.findMany({ orderBy: { customerId: 'asc' } });
      expect(found.map(({ customerId }) => customerId)).toEqual(
        Array.from({ length: CUSTOMERS }, (_, n) => customer(n + 1)),
      );
      await customers().forget(tx, organizationId);
    });
  });
});
