import { openTestDatabase } from '../../../test/support/database';
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
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select o.id, gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
    from unnest(${[organizationId, other]}::uuid[]) as o(id), generate_series(1, ${SCHEDULES}::int) m,
      generate_series(1, ${CUSTOMERS}::int) n`;
});
afterAll(() => database.close());

describe('customers to poll', () => {
  const customers = new PolledCustomers();

  it.each([
    ['no statistics', () => Promise.resolve(0)],
    ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
  ])('are found one after another by an index, with %s', async (_name, prepare) => {
    await prepare();
    for (const after of [null, customer(150)]) {
      const steps = await database.transaction(async (tx) => {
        await alongAnIndex(tx);
        return planOf(tx, customers.customersAfter(organizationId, after));
      });
      expect(tablesScanned(steps)).toEqual([]);
      expect(steps.map((step) => step['Node Type'])).not.toContain('Sort');
      expect(rowsTouched(steps)).toBeLessThan(FEW);
    }
  });

  it('are taken in once each, so many at a time', async () => {
    await database.transaction(async (tx) => {
      const discover = (after: string | null) => customers.discover(tx, organizationId, after, true);
      expect(await discover(null)).toBe(customer(CHUNK));
      expect(await discover(customer(CHUNK))).toBeUndefined();
      expect(await discover(null)).toBe(customer(CHUNK));
      const found = await tx.polledCustomer.findMany({ orderBy: { customerId: 'asc' } });
      expect(found.map(({ customerId }) => customerId)).toEqual(
        Array.from({ length: CUSTOMERS }, (_, n) => customer(n + 1)),
      );
      await customers.forget(tx, organizationId);
    });
  });
});
