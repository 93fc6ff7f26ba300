import { Logger } from '@nestjs/common';
import { Company } from '../../../../test/support/company';
import { feedChangesOf } from '../../../../test/support/feed-changes';
import { openTestDatabase } from '../../../../test/support/database';
import { SettableClock } from '../../../../test/support/settable-clock';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import { Money } from '../../../kernel/money';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { RecurrenceExtension } from './recurrence-extension';
import type { RecurrenceShape } from '../../api/shapes/schedules.dto';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { SchedulesEmbedded } from './schedules.embedded';

const NOON = '2026-01-31T15:00:00Z';
const clock = new SettableClock(NOON);
let database: Database;
let extension: RecurrenceExtension;

beforeAll(async () => {
  // One test lets recurrences fail, which is logged at length.
  Logger.overrideLogger(false);
  database = await openTestDatabase();
  extension = new RecurrenceExtension(database, clock);
});
beforeEach(async () => {
  clock.set(NOON);
  // What other tests left for later is none of this one's business.
  await database.prisma.recurrence.updateMany({ data: { nextDueDate: null } });
});
afterAll(() => database.close());

/** A receivable of 10.00 that recurs. @returns the identifier of its recurrence */
async function recur(
  company: Company,
  firstDueDate: string,
  recurrence: RecurrenceShape = { intervalType: 'month' },
  more: { categoryId?: string; accrualDate?: CalendarDate } = {},
): Promise<string> {
  const schedules = new SchedulesEmbedded(
    new EmbeddedBooks(database, new IdempotentTransaction(database), clock),
    database,
  );
  return schedules.createCredit(company.organization, {
    stakeholderId: await company.customer(),
    value: Money.ofMinor(1_000n, company.organization.currency),
    dueDate: CalendarDate.parse(firstDueDate),
    recurrence,
    ...more,
  });
}

async function datesOf(recurrenceId: string): Promise<string[]> {
  const rows = await database.prisma.schedule.findMany({
    where: { recurrenceId },
    orderBy: { occurrence: 'asc' },
  });
  expect(rows.map(({ occurrence }) => occurrence)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.every(({ openMinor, groupId }) => openMinor === 1_000n && groupId === recurrenceId)).toBe(true);
  return rows.map(({ dueDate }) => dueDate.toISOString().slice(0, 10));
}

it('makes what has come within the year, as the first ones were made, and no more', async () => {
  const company = await Company.found(database);
  const id = await recur(company, '2026-12-31');
  expect(await extension.extend()).toBe(0);
  clock.set('2026-02-28T15:00:00Z');
  expect(await extension.extend()).toBe(1);
  clock.set('2026-04-30T15:00:00Z');
  expect(await extension.extend()).toBe(2);
  expect(await extension.extend()).toBe(0);
  expect(await datesOf(id)).toEqual(['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
  const [first, ...others] = await database.prisma.schedule.findMany({
    where: { recurrenceId: id },
    orderBy: { occurrence: 'asc' },
    omit: { id: true, dueDate: true, accrualDate: true, occurrence: true, createdAt: true },
  });
  expect(others).toEqual(Array(4).fill(first));
  await company.verify();
});

it('counts each occurrence from the day that its first one counts from, an interval later each time', async () => {
  const company = await Company.found(database);
  const accrualDate = CalendarDate.parse('2026-12-01');
  const id = await recur(company, '2026-12-31', { intervalType: 'month' }, { accrualDate });
  clock.set('2026-02-28T15:00:00Z');
  expect(await extension.extend()).toBe(1);
  const rows = await database.prisma.schedule.findMany({
    where: { recurrenceId: id },
    orderBy: { occurrence: 'asc' },
  });
  const days = rows.map((row) => [row.dueDate, row.accrualDate].map((day) => day.toISOString().slice(0, 10)));
  expect(days).toEqual([
    ['2026-12-31', '2026-12-01'],
    ['2027-01-31', '2027-01-01'],
    ['2027-02-28', '2027-02-01'],
  ]);
  const entries = await database.prisma.entry.findMany({
    where: { organizationId: company.organization.id, kind: 'receivable' },
    orderBy: { date: 'asc' },
  });
  expect(entries.map(({ date }) => date.toISOString().slice(0, 10))).toEqual(
    days.map(([, accrual]) => accrual),
  );
  await company.verify();
});

it('tells the feed of each occurrence it makes, once', async () => {
  const company = await Company.found(database);
  const id = await recur(company, '2026-12-31');
  clock.set('2026-04-30T15:00:00Z');
  await extension.extend();
  await extension.extend();
  const schedules = await database.prisma.schedule.findMany({
    where: { recurrenceId: id },
    orderBy: { occurrence: 'asc' },
  });
  const changes = await feedChangesOf(database, company.organization.id);
  const own = changes.filter(({ type }) => type === 'credit-schedule.created');
  expect(own.map(({ data }) => data['scheduleId'])).toEqual(schedules.map((schedule) => schedule.id));
  expect(own.at(-1)?.data).toMatchObject({ dueDate: '2027-04-30T00:00:00-03:00', openValue: 10 });
});

it('ends a recurrence with its last occurrence', async () => {
  const company = await Company.found(database);
  const numbered = await recur(company, '2026-12-31', {
    intervalType: 'month',
    type: 'ByOccurrences',
    occurrences: 3,
  });
  const endDate = CalendarDate.parse('2027-03-30');
  const dated = await recur(company, '2026-12-31', { intervalType: 'month', type: 'ByDate', endDate });
  clock.set('2029-01-01T15:00:00Z');
  expect(await extension.extend()).toBe(2);
  expect(await datesOf(numbered)).toEqual(['2026-12-31', '2027-01-31', '2027-02-28']);
  expect(await datesOf(dated)).toEqual(['2026-12-31', '2027-01-31', '2027-02-28']);
  expect(await database.prisma.recurrence.count({ where: { nextDueDate: { not: null } } })).toBe(0);
});

it.each([
  ['America/Sao_Paulo', '2026-03-10T02:59:59Z', '2026-03-10T03:00:00Z'],
  ['Europe/Berlin', '2026-03-09T22:59:59Z', '2026-03-09T23:00:00Z'],
  ['America/New_York', '2026-03-10T03:59:59Z', '2026-03-10T04:00:00Z'],
  ['Pacific/Apia', '2026-03-09T10:59:59Z', '2026-03-09T11:00:00Z'],
])('in %s the day comes at local midnight', async (timeZone, before, midnight) => {
  const company = await Company.found(database, { timeZone });
  const id = await recur(company, '2027-02-10');
  clock.set(before);
  expect(await extension.extend()).toBe(0);
  clock.set(midnight);
  expect(await extension.extend()).toBe(1);
  expect(await datesOf(id)).toEqual(['2027-02-10', '2027-03-10']);
});

it('looks ahead to the last of February from a leap day', async () => {
  const id = await recur(await Company.found(database), '2029-02-27', { intervalType: 'day' });
  clock.set('2028-02-29T15:00:00Z');
  expect(await extension.extend()).toBe(1);
  clock.set('2028-03-01T15:00:00Z');
  expect(await extension.extend()).toBe(1);
  expect(await datesOf(id)).toEqual(['2029-02-27', '2029-02-28', '2029-03-01']);
});

it('goes on when the customer and the category were deleted meanwhile', async () => {
  const company = await Company.found(database);
  const { id: organizationId } = company.organization;
  const category = await database.prisma.category.findFirstOrThrow({
    where: { organizationId, referenceCode: '1.1.01' },
  });
  const id = await recur(company, '2027-01-31', undefined, { categoryId: category.id });
  const deleted = { where: { organizationId }, data: { deletedAt: clock.now() } };
  await database.prisma.category.updateMany(deleted);
  await database.prisma.stakeholder.updateMany(deleted);
  clock.set('2026-02-28T15:00:00Z');
  expect(await extension.extend()).toBe(1);
  expect(await datesOf(id)).toEqual(['2027-01-31', '2027-02-28']);
  expect(await database.prisma.schedule.count({ where: { categoryId: category.id } })).toBe(2);
});

it('leaves out what cannot be extended, and nothing beside it', async () => {
  const companies = [
    await Company.found(database),
    await Company.found(database),
    await Company.found(database),
    await Company.found(database),
  ] as const;
  const ids: string[] = [];
  for (const company of companies) ids.push(await recur(company, '2027-01-31'));
  // The second one's next occurrence is there already, the third one's clock is unknown.
  const first = await database.prisma.schedule.findFirstOrThrow({ where: { recurrenceId: ids[1]! } });
  const there = await database.prisma.schedule.create({ data: { ...first, id: newId(), occurrence: 2 } });
  const third = { id: companies[2].organization.id };
  await database.prisma.organization.update({ where: third, data: { timeZone: 'Atlantis/Poseidonis' } });
  clock.set('2026-02-28T15:00:00Z');
  expect(await extension.extend()).toBe(2);
  const counts = () => Promise.all(ids.map(async (id) => (await datesOf(id)).length));
  expect(await counts()).toEqual([2, 2, 1, 2]);

  await database.prisma.schedule.delete({ where: { id: there.id } });
  await database.prisma.organization.update({ where: third, data: { timeZone: 'America/Sao_Paulo' } });
  expect(await extension.extend()).toBe(2);
  expect(await counts()).toEqual([2, 2, 2, 2]);
  await companies[0].verify();
});

it('extends more recurrences than one batch holds', async () => {
  const company = await Company.found(database);
  for (let count = 0; count < 120; count += 1) await recur(company, '2027-01-31');
  clock.set('2026-02-28T15:00:00Z');
  expect(await extension.extend()).toBe(120);
  expect(await extension.extend()).toBe(0);
  await company.verify();
});

it('makes up for years in runs of at most a thousand', async () => {
  const id = await recur(await Company.found(database), '2027-01-31', { intervalType: 'day' });
  clock.set('2030-01-31T15:00:00Z');
  expect(await extension.extend()).toBe(1_000);
  expect(await extension.extend()).toBe(461);
  expect(await extension.extend()).toBe(0);
  expect((await datesOf(id)).at(-1)).toBe('2031-01-31');
});
