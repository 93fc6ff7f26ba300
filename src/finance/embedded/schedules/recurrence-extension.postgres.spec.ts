import { Logger } from '@nestjs/common';
import { Company } from '../../../../test/support/company';
import { openTestReplicas } from '../../../../test/support/database';
import { SettableClock } from '../../../../test/support/settable-clock';
import type { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { RecurrenceExtension } from './recurrence-extension';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { SchedulesEmbedded } from './schedules.embedded';

const REPLICAS = 4;
const clock = new SettableClock('2026-01-31T15:00:00Z');
let replicas: Database[];
let company: Company;

beforeAll(async () => {
  // Connections are cut on purpose.
  Logger.overrideLogger(false);
  replicas = await openTestReplicas(REPLICAS);
});
beforeEach(async () => {
  clock.set('2026-01-31T15:00:00Z');
  company = await Company.found(replicas[0]!);
  // What other tests left for later is none of this one's business.
  await replicas[0]!.prisma.recurrence.updateMany({ data: { nextDueDate: null } });
});
afterEach(() => company.verify());
afterAll(() => Promise.all(replicas.map((database) => database.close())));

/** Monthly receivables of which the first one of 13 exists. */
async function recur(count: number): Promise<void> {
  const schedules = new SchedulesEmbedded(
    new EmbeddedBooks(replicas[0]!, new IdempotentTransaction(replicas[0]!), clock),
    replicas[0]!,
  );
  const stakeholderId = await company.customer();
  for (let made = 0; made < count; made += 1) {
    await schedules.createCredit(company.organization, {
      stakeholderId,
      value: Money.ofMinor(1_000n, 'BRL'),
      dueDate: CalendarDate.parse('2027-01-31'),
      recurrence: { intervalType: 'month' },
    });
  }
}

/** How many recurrences have their occurrences 1 to n, for each n. */
async function tally(): Promise<Record<number, number>> {
  const organizationId = company.organization.id;
  const recurrences = await replicas[0]!.prisma.recurrence.findMany({
    where: { organizationId },
    include: { schedules: { orderBy: { occurrence: 'asc' } } },
  });
  const counts: Record<number, number> = {};
  for (const { made, schedules } of recurrences) {
    expect(schedules.map(({ occurrence }) => occurrence)).toEqual(schedules.map((_, index) => index + 1));
    expect(schedules).toHaveLength(made);
    counts[made] = (counts[made] ?? 0) + 1;
  }
  return counts;
}

it('four replicas at once make each occurrence exactly once', async () => {
  await recur(120);
  clock.set('2027-01-31T15:00:00Z');
  const extensions = replicas.map((database) => new RecurrenceExtension(database, clock));
  const made = await Promise.all([...extensions, ...extensions].map((extension) => extension.extend()));
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(120 * 12);
  expect(await tally()).toEqual({ 13: 120 });
});

it('what a replica holds the others leave to it, and find done afterwards', async () => {
  await recur(3);
  clock.set('2026-02-28T15:00:00Z');
  const others = replicas.slice(1).map((database) => new RecurrenceExtension(database, clock));
  const holding = interrupted(replicas[0]!, async () => {
    // The schedules are written and not committed.
    expect(await Promise.all(others.map((other) => other.extend()))).toEqual([0, 0, 0]);
  });
  expect(await new RecurrenceExtension(holding, clock).extend()).toBe(3);
  expect(await Promise.all(others.map((other) => other.extend()))).toEqual([0, 0, 0]);
  expect(await tally()).toEqual({ 2: 3 });
});

it.each([
  ['throws', () => Promise.reject(new Error('the replica died'))],
  [
    'loses its connection',
    (tx: Transaction) => tx.$queryRaw`select pg_terminate_backend(pg_backend_pid())::text`,
  ],
])('a replica that %s before the commit loses and doubles nothing', async (_how, die) => {
  await recur(7);
  clock.set('2026-04-30T15:00:00Z');
  const dying = new RecurrenceExtension(interrupted(replicas[0]!, die), clock);
  await expect(dying.extend()).rejects.toThrow();
  expect(await tally()).toEqual({ 1: 7 });
  const survivors = replicas.slice(1).map((database) => new RecurrenceExtension(database, clock));
  const made = await Promise.all(survivors.map((survivor) => survivor.extend()));
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(7 * 3);
  expect(await tally()).toEqual({ 4: 7 });
});

it('the database itself refuses an occurrence twice', async () => {
  await recur(1);
  const organizationId = company.organization.id;
  // As if the progress had been lost while the schedules were not.
  clock.set('2026-02-28T15:00:00Z');
  const extension = new RecurrenceExtension(replicas[0]!, clock);
  expect(await extension.extend()).toBe(1);
  const nextDueDate = new Date('2027-02-28');
  await replicas[0]!.prisma.recurrence.updateMany({
    where: { organizationId },
    data: { made: 1, nextDueDate },
  });
  expect(await extension.extend()).toBe(0);
  await replicas[0]!.prisma.recurrence.updateMany({
    where: { organizationId },
    data: { made: 2, nextDueDate: null },
  });
  expect(await tally()).toEqual({ 2: 1 });
});

/** A replica on which something happens after the work of each transaction, before it is committed. */
function interrupted(database: Database, happening: (tx: Transaction) => Promise<unknown>): Database {
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      const result = await work(tx);
      await happening(tx);
      return result;
    });
  return Object.create(database, { transaction: { value: transaction } }) as Database;
}
