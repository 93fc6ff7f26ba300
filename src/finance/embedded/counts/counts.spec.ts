import fc from 'fast-check';
import { openTestDatabase } from '../../../../test/support/database';
import { planOf, rowsTouched } from '../../../../test/support/plans';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { ListReading, readList } from '../lists/list.repository';
import { debitSchedules, openDebitSchedules, overdueCredit } from '../lists/schedule-lists.sql';
import { suppliers } from '../lists/supplier-list.sql';
import { CountRollup } from './count-rollup';
import { verifyCounts } from './counts.repository';
import { slowPropertyRuns } from '../../../../test/support/property-runs';

const today = CalendarDate.of(2026, 3, 10);
const LISTS = [
  ['payables', debitSchedules],
  ['overdue receivables', overdueCredit],
  ['suppliers', suppliers],
] as const;

let database: Database;
let organization: Organization;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  organization = await newCompany();
});

async function newCompany(): Promise<Organization> {
  const id = newId();
  const company = { id, slug: `s${id}`, name: 'Company', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
  await database.prisma.organization.create({ data: company });
  return company;
}

type Kind = 'credit' | 'debit';

function schedule(kind: Kind, openMinor: bigint, day: number) {
  const id = newId();
  const dueDate = new Date(Date.UTC(2026, 2, day));
  const days = { scheduleDate: dueDate, accrualDate: dueDate, dueDate };
  const names = { id, organizationId: organization.id, stakeholderId: id, groupId: id };
  return { ...names, ...days, kind, description: 'S', valueMinor: 100n, openMinor };
}

function stakeholder(kind: 'customer' | 'supplier') {
  return { id: newId(), organizationId: organization.id, kind, name: 'Ana' };
}

/** As the lists tell it. */
async function counted(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, list] of LISTS) {
    const request = { top: 0, skip: 0 };
    counts[name] = (await readList(database.prisma, organization, list(organization, today), request)).count;
  }
  return counts;
}

const changes = (): Promise<number> =>
  database.prisma.recordCountDelta.count({ where: { organizationId: organization.id } });

describe('what a company has many of', () => {
  /** Yesterday, today and tomorrow. */
  const day = fc.integer({ min: 9, max: 11 });
  const kind = fc.constantFrom<Kind>('credit', 'debit');
  const open = fc.constantFrom(0n, 1n, 100n);
  const acts = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant('open' as const), kind, open, day }) },
      {
        weight: 4,
        arbitrary: fc.record({ act: fc.constant('change' as const), which: fc.nat(), kind, open, day }),
      },
      fc.record({ act: fc.constant('remove' as const), which: fc.nat() }),
      fc.record({
        act: fc.constant('meet' as const),
        kind: fc.constantFrom('customer' as const, 'supplier' as const),
      }),
      fc.record({ act: fc.constant('delete' as const), which: fc.nat(), deleted: fc.boolean() }),
      fc.record({ act: fc.constant('fail' as const) }),
      fc.record({ act: fc.constant('roll up' as const) }),
    ),
    { maxLength: 25 },
  );

  /** What a list without a filter is to tell, counted one by one. */
  async function there(): Promise<Record<string, number>> {
    const organizationId = organization.id;
    const { schedule: schedules, stakeholder: stakeholders } = database.prisma;
    const dueDate = { lt: new Date('2026-03-10') };
    return {
      payables: await schedules.count({ where: { organizationId, kind: 'debit' } }),
      'overdue receivables': await schedules.count({
        where: { organizationId, kind: 'credit', openMinor: { gt: 0 }, dueDate },
      }),
      suppliers: await stakeholders.count({ where: { organizationId, kind: 'supplier', deletedAt: null } }),
    };
  }

  it('is told as it is, whatever became of it', async () => {
    const { prisma } = database;
    await fc.assert(
      fc.asyncProperty(acts, async (story) => {
        const schedules: string[] = [];
        const people: string[] = [];
        for (const act of story) {
          if (act.act === 'open') {
            const data = schedule(act.kind, act.open, act.day);
            await prisma.schedule.create({ data });
            schedules.push(data.id);
          } else if (act.act === 'change' && schedules.length > 0) {
            const { kind, openMinor, dueDate } = schedule(act.kind, act.open, act.day);
            const id = schedules[act.which % schedules.length]!;
            await prisma.schedule.update({ where: { id }, data: { kind, openMinor, dueDate } });
          } else if (act.act === 'remove' && schedules.length > 0) {
            const [id] = schedules.splice(act.which % schedules.length, 1);
            await prisma.schedule.delete({ where: { id } });
          } else if (act.act === 'meet') {
            const data = stakeholder(act.kind);
            await prisma.stakeholder.create({ data });
            people.push(data.id);
          } else if (act.act === 'delete' && people.length > 0) {
            const id = people[act.which % people.length]!;
            const deletedAt = act.deleted ? new Date() : null;
            await prisma.stakeholder.update({ where: { id }, data: { deletedAt } });
          } else if (act.act === 'fail') {
            const failing = database.transaction(async (tx) => {
              await tx.schedule.create({ data: schedule('debit', 1n, 9) });
              throw new Error('taken back');
            });
            await expect(failing).rejects.toThrow('taken back');
          } else if (act.act === 'roll up') {
            await new CountRollup(database).rollUp();
          }
        }
        expect(await counted()).toEqual(await there());
        expect(await verifyCounts(prisma)).toBeUndefined();
      }),
      { numRuns: slowPropertyRuns(10) },
    );
  });
});

it('a paid order changes no count', async () => {
  await database.prisma.stakeholder.create({ data: stakeholder('customer') });
  const data = [1, 2, 3].map((day) => schedule('credit', 0n, day));
  await database.prisma.schedule.createMany({ data });
  await database.prisma.schedule.updateMany({
    where: { organizationId: organization.id },
    data: { reference: 'paid' },
  });
  expect(await changes()).toBe(0);
});

it('what is paid in parts changes a count once, with the last part', async () => {
  const data = schedule('credit', 100n, 1);
  await database.prisma.schedule.create({ data });
  await new CountRollup(database).rollUp();
  await database.prisma.schedule.update({ where: { id: data.id }, data: { openMinor: 40n } });
  expect(await changes()).toBe(0);
  expect(await counted()).toMatchObject({ 'overdue receivables': 1 });
  await database.prisma.schedule.update({ where: { id: data.id }, data: { openMinor: 0n } });
  expect(await changes()).toBe(1);
  expect(await counted()).toMatchObject({ 'overdue receivables': 0 });
});

it('a company is told of its own records alone', async () => {
  await database.prisma.schedule.create({ data: schedule('debit', 1n, 1) });
  await database.prisma.stakeholder.create({ data: stakeholder('supplier') });
  const own = await counted();
  organization = { ...organization, id: newId() };
  expect(own).toEqual({ payables: 1, 'overdue receivables': 0, suppliers: 1 });
  expect(await counted()).toEqual({ payables: 0, 'overdue receivables': 0, suppliers: 0 });
});

it('what a filter leaves is counted', async () => {
  await database.prisma.schedule.createMany({ data: [schedule('debit', 1n, 1), schedule('debit', 0n, 1)] });
  const request = { top: 0, skip: 0, filter: 'isPaid eq false' };
  const list = debitSchedules(organization, today);
  expect(await readList(database.prisma, organization, list, request)).toMatchObject({ count: 1 });
});

it('payables that are open are not told as all payables are', async () => {
  await database.prisma.schedule.createMany({ data: [schedule('debit', 1n, 1), schedule('debit', 0n, 1)] });
  const list = openDebitSchedules(organization, today);
  const request = { top: 0, skip: 0 };
  expect(await readList(database.prisma, organization, list, request)).toMatchObject({ count: 1 });
});

describe('the roll-up', () => {
  it('takes more changes than fit one batch, and changes no count', async () => {
    const rollup = new CountRollup(database);
    await rollup.rollUp();
    const rows = 5_001;
    await database.prisma.$executeRaw`
      insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
        schedule_date, accrual_date, due_date, group_id)
      select gen_random_uuid(), ${organization.id}::uuid, 'debit', gen_random_uuid(), 'S', 100, 0, '2026-01-01',
        '2026-01-01', '2026-01-01', gen_random_uuid()
      from generate_series(1, ${rows}::int)`;
    expect(await counted()).toMatchObject({ payables: rows });
    expect(await rollup.rollUp()).toBe(rows);
    expect(await changes()).toBe(0);
    expect(await counted()).toMatchObject({ payables: rows });
    expect(await rollup.rollUp()).toBe(0);
  });
});

it('a count that is not what there is, is found', async () => {
  const { seq } = await database.prisma.recordCountDelta.create({
    data: { organizationId: organization.id, counted: 'payable', day: new Date('2026-01-01'), change: 2 },
  });
  expect(await verifyCounts(database.prisma)).toEqual({
    organizationId: organization.id,
    counted: 'payable',
    day: '2026-01-01',
    expected: 0n,
    actual: 2n,
  });
  await database.prisma.recordCountDelta.delete({ where: { seq } });
  expect(await verifyCounts(database.prisma)).toBeUndefined();
});

/** One receivable in a dozen is overdue: neither all of them nor all that are open may be read for a page. */
describe('of a company with thousands', () => {
  const MANY = 3_000;
  const TOP = 20;
  /** Each row of a page and what it names, in each step of the plan. */
  const FEW = 15 * TOP;
  let large: Organization;

  beforeAll(async () => {
    large = await newCompany();
    await database.prisma.$executeRaw`
      insert into stakeholder (id, organization_id, kind, name)
      select gen_random_uuid(), ${large.id}::uuid, 'supplier', 'S' || n from generate_series(1, ${MANY}::int) n`;
    await database.prisma.$executeRaw`
      insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
        schedule_date, accrual_date, due_date, group_id)
      select gen_random_uuid(), ${large.id}::uuid, k.kind::schedule_kind, t.id, 'S', 100, 100, '2026-01-01',
        '2026-01-01', date '2026-03-01' + (row_number() over ())::int % 120, gen_random_uuid()
      from stakeholder t, (values ('credit'), ('debit')) as k(kind) where t.organization_id = ${large.id}::uuid`;
    await new CountRollup(database).rollUp();
  });

  describe.each([
    ['no statistics', () => Promise.resolve(0)],
    ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
  ])('and %s,', (_name, prepare) => {
    beforeAll(prepare);

    it.each(LISTS)('%s are listed and counted by reading a few rows', async (_what, list) => {
      const reading = new ListReading(large, list(large, today), { top: TOP, skip: 0 });
      for (const statement of [reading.countStatement(), reading.pageStatement()])
        expect(rowsTouched(await planOf(database.prisma, statement))).toBeLessThan(FEW);
    });
  });
});
