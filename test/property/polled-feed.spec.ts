import fc from 'fast-check';
import { AccountsPort } from '../../src/finance/api/ports/accounts.port';
import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { CustomersPort } from '../../src/finance/api/ports/customers.port';
import { PaymentsPort } from '../../src/finance/api/ports/payments.port';
import { ReceiptsPort } from '../../src/finance/api/ports/receipts.port';
import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { Payables } from '../../src/finance/embedded/payables/payables';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import type { Organization } from '../../src/kernel/organization';
import type { Company } from '../support/company';
import type { FeedChange } from '../support/feed-changes';
import { payable } from '../support/payables';
import { PolledRemote } from '../support/polled-remote';
import { slowPropertyRuns } from '../support/property-runs';

const RUNS = slowPropertyRuns(6);

/** What may happen in the service's books, and a poll; the number chooses the record. */
const EVENTS = [
  'poll',
  'rename a cost center',
  'make a cost center',
  'delete a cost center',
  'restore a cost center',
  'make an account',
  'rename an account',
  'move an opening balance',
  'make a payable',
  'rename a schedule',
  'move a due date',
  'remove a schedule',
  'pay',
  'take a payment back',
  'receive',
] as const;

type Event = (typeof EVENTS)[number];
/** What is known of an organization's records, by subject: the fields that count. */
type Known = Map<string, unknown>;

const DAY = CalendarDate.parse('2026-03-10');
const LIST = { top: 500, skip: 0, fresh: true };

/** Of a schedule's fields, those that no announcement follows from are left out. */
function scheduleFields({ description, dueDate, value, openValue }: Record<string, unknown>): object {
  return { description, dueDate, value, openValue };
}

function fold(known: Known, { type, subject, data }: FeedChange): void {
  const [kind, id] = subject.split('/');
  if (type.endsWith('.removed')) known.delete(`${kind}/${id}`);
  else if (type === 'balance.changed') known.set(`balance/${id}`, data['balance']);
  else if (kind === 'debit-schedule' || kind === 'schedule')
    known.set(`schedule/${id}`, scheduleFields(data));
  else known.set(subject, data);
}

/** An announcement that says of a record what the one before it said already. */
function repeated(announced: readonly FeedChange[]): string[] {
  const last = new Map<string, string>();
  return announced.flatMap(({ type, subject, data }) => {
    const record = `${type === 'balance.changed' ? 'balance of ' : ''}${subject}`;
    const said = JSON.stringify([type, data]);
    if (last.get(record) === said) return [`${record}: ${said}`];
    last.set(record, said);
    return [];
  });
}

describe('a remote service’s books, changed behind Ponte’s back', () => {
  let remote: PolledRemote;

  beforeAll(async () => {
    remote = await PolledRemote.open();
    await remote.app.prepare();
    await remote.app.stopPolling(remote.organization.id);
  });
  afterAll(() => remote.close());

  const here = <T>(token: abstract new (...args: never[]) => T): T => remote.app.testing.app.get(token);
  const there = <T>(token: abstract new (...args: never[]) => T): T => remote.books.app.get(token);

  it('are announced in their last state after the last poll, and no state twice', async () => {
    const event = fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 8, maxLength: 30 }), async (events) => {
        const { company, organization } = await remote.found();
        const customers = await owingCustomers(organization);
        await payable(company, { dueDate: '2030-01-01' });
        await remote.app.poll();
        const known = await stateOf(organization, customers);
        await remote.app.changes(organization.id);
        const announced: FeedChange[] = [];
        const read = async () => announced.push(...(await remote.app.changes(organization.id)));
        for (const [name, number] of events) {
          if (name === 'poll') await remote.app.poll();
          else await happen(company, name, number);
          await read();
        }
        // What is missing counts as removed once two polls have not found it.
        for (let polls = 0; polls < 2; polls += 1) await remote.app.poll();
        await read();
        for (const change of announced) fold(known, change);
        expect(entriesOf(known)).toEqual(entriesOf(await stateOf(organization, customers)));
        expect(repeated(announced)).toEqual([]);
        await remote.app.poll();
        expect(await remote.app.changes(organization.id)).toEqual([]);
        await remote.app.stopPolling(organization.id);
      }),
      // Each case takes seconds, so that a smaller one is not searched for.
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);

  /** Made through Ponte, each with a receivable: Ponte polls the schedules of no others. */
  async function owingCustomers(organization: Organization): Promise<string[]> {
    const made: string[] = [];
    for (const name of ['Lia', 'Rui']) {
      const stakeholderId = await here(CustomersPort).create(organization, { name });
      const [value, dueDate] = [Money.parse('100.00', 'BRL'), CalendarDate.parse('2030-01-01')];
      await here(SchedulesPort).createCredit(organization, { stakeholderId, value, dueDate });
      made.push(stakeholderId);
    }
    return made;
  }

  async function stateOf(organization: Organization, customers: readonly string[]): Promise<Known> {
    const costCenters = await here(CostCentersPort).list(organization, LIST);
    const accounts = await here(AccountsPort).list(organization, LIST);
    const balances = await here(AccountsPort).listBalances(organization, LIST);
    const payables = await here(SchedulesPort).listDebit(organization, LIST);
    const receivables = await Promise.all(
      customers.map((id) => here(SchedulesPort).listOfCustomer(organization, id, LIST)),
    );
    return new Map<string, unknown>([
      ...costCenters.items.map((item) => [`cost-center/${item.costCenterId}`, { ...item }] as const),
      ...accounts.items.map((item) => [`account/${item.id}`, { ...item }] as const),
      ...balances.items.map((item) => [`balance/${item.accountId}`, item.balance] as const),
      ...[...payables.items, ...receivables.flat()].map(
        (item) => [`schedule/${item.scheduleId}`, scheduleFields({ ...item })] as const,
      ),
    ]);
  }

  function entriesOf(known: Known): [string, unknown][] {
    return [...known].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async function happen(company: Company, event: Exclude<Event, 'poll'>, number: number): Promise<void> {
    const { organization, database } = company;
    const { prisma } = database;
    const where = { organizationId: organization.id };
    const orderBy = { id: 'asc' } as const;
    const one = <T>(items: readonly T[]): T | undefined => items[number % Math.max(1, items.length)];
    const costCenter = one(await prisma.costCenter.findMany({ where, orderBy }));
    const account = one(await prisma.account.findMany({ where, orderBy }));
    const schedules = await prisma.schedule.findMany({ where, orderBy });
    const schedule = one(schedules);
    const text = `Number ${number % 4}`;
    const changeCostCenter = (data: object) =>
      costCenter && prisma.costCenter.update({ where: { id: costCenter.id }, data });
    const changeSchedule = (data: object) =>
      schedule && prisma.schedule.update({ where: { id: schedule.id }, data });
    const money = (open: bigint) => Money.ofMinor(number % 2 === 0 ? open : 1n, 'BRL');
    switch (event) {
      case 'rename a cost center':
        await changeCostCenter({ description: text });
        return;
      case 'make a cost center':
        await prisma.costCenter.create({
          data: { id: newId(), ...where, description: text, externalCode: newId() },
        });
        return;
      case 'delete a cost center':
        await changeCostCenter({ deletedAt: new Date() });
        return;
      case 'restore a cost center':
        await changeCostCenter({ deletedAt: null });
        return;
      case 'make an account': {
        const openBalance = Money.parse(number % 2 === 0 ? '12.34' : '0.00', 'BRL');
        await there(AccountsPort).create(organization, { name: text, openBalance, dateOfOpenBalance: DAY });
        return;
      }
      case 'rename an account':
        if (account) await there(AccountsPort).update(organization, account.id, { name: text });
        return;
      case 'move an opening balance': {
        const openBalance = Money.ofMinor(BigInt(number - 500), 'BRL');
        if (account) await there(AccountsPort).update(organization, account.id, { openBalance });
        return;
      }
      case 'make a payable':
        await payable(company, { dueDate: '2030-01-01', description: text });
        return;
      case 'rename a schedule':
        await changeSchedule({ description: text });
        return;
      case 'move a due date':
        await changeSchedule({ dueDate: new Date(`2030-01-0${1 + (number % 3)}`) });
        return;
      case 'remove a schedule':
        if (schedule) await prisma.schedule.delete({ where: { id: schedule.id } });
        return;
      case 'pay': {
        const debit = one(schedules.filter(({ kind, openMinor }) => kind === 'debit' && openMinor > 0n));
        if (!debit || !account) return;
        const payment = { accountId: account.id, date: DAY, value: money(debit.openMinor) };
        await database.transaction((tx) => there(Payables).pay(tx, organization, debit.id, payment));
        return;
      }
      case 'take a payment back': {
        const payments = { ...where, kind: 'payment', debitBook: 'payable' } as const;
        const taken = await prisma.entry.findMany({ where: { ...where, reversesId: { not: null } } });
        const entry = one(
          (await prisma.entry.findMany({ where: payments, orderBy })).filter(
            ({ id, debitId }) =>
              !taken.some(({ reversesId }) => reversesId === id) && schedules.some((s) => s.id === debitId),
          ),
        );
        if (entry) await there(PaymentsPort).remove(organization, entry.debitId, entry.id);
        return;
      }
      case 'receive': {
        const credit = one(schedules.filter(({ kind, openMinor }) => kind === 'credit' && openMinor > 0n));
        if (!credit || !account) return;
        const receipt = { scheduleId: credit.id, accountId: account.id, date: DAY };
        await there(ReceiptsPort).registerForSchedule(organization, credit.id, {
          ...receipt,
          value: money(credit.openMinor),
        });
      }
    }
  }
});
