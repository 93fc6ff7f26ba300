import fc from 'fast-check';
import { AccountsPort } from '../../src/finance/api/ports/accounts.port';
import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { Payables } from '../../src/finance/embedded/payables/payables';
import { PaymentsPort } from '../../src/finance/api/ports/payments.port';
import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import { Company } from '../support/company';
import { payable, supplier } from '../support/payables';
import type { ToldChange } from '../support/told';
import { Watching } from '../support/watching';
import { propertyRuns } from '../support/property-runs';

const RUNS = propertyRuns(5);

/** What may happen, by Ponte (`own`) or without it; the number chooses the record. */
const EVENTS = [
  'look',
  'look in the midst of a change of Ponte’s own',
  'rename',
  'own rename',
  'make',
  'delete',
  'restore',
  'rename an account',
  'own account',
  'owe',
  'own payable',
  'own payment',
  'own part payment',
  'own payment back',
  'describe',
  'put off',
] as const;

type Event = (typeof EVENTS)[number];
type Item = Record<string, unknown>;

/** What a connector knows of an organization. */
interface Known {
  readonly costCenters: Map<string, Item>;
  readonly accounts: Map<string, Item>;
  readonly balances: Map<string, unknown>;
  readonly payables: Map<string, Item>;
}

const LIST = { top: 500, skip: 0 };

describe('a connector that folds the feed over what was there at first', () => {
  let watching: Watching;

  beforeAll(async () => {
    watching = await Watching.open();
  });
  afterAll(() => watching.close());

  const get = <T>(token: abstract new (...args: never[]) => T): T => watching.testing.app.get(token);

  it('knows at last what the books say', async () => {
    const event = fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 30 }), async (events) => {
        const company = await Company.found(watching.testing.database);
        await payable(company, { dueDate: '2030-01-01' });
        await watching.ready();
        await watching.testing.database.prisma.watchTurn.updateMany({
          where: { kind: { in: ['customer-schedules', 'overdue-credit'] } },
          data: { dueAt: new Date('2100-01-01T00:00:00Z') },
        });
        await watching.look();
        const known = await stateOf(company);
        await watching.news(company.organization.id);
        for (const [name, number] of events) await happen(company, name, number);
        for (let time = 0; time < 3; time += 1) await watching.look();
        const told = await watching.news(company.organization.id);
        for (const change of told) fold(known, change);
        await watching.leave(company.organization.id);
        expect(plain(known)).toEqual(plain(await stateOf(company)));
        expectTurns(told);
        await watching.look();
        expect(await watching.news(company.organization.id)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  async function stateOf({ organization }: Company): Promise<Known> {
    const costCenters = await get(CostCentersPort).list(organization, LIST);
    const accounts = await get(AccountsPort).list(organization, LIST);
    const balances = await get(AccountsPort).listBalances(organization, LIST);
    const payables = await get(SchedulesPort).listDebit(organization, LIST);
    return {
      costCenters: new Map(costCenters.items.map((item) => [item.costCenterId, { ...item }])),
      accounts: new Map(accounts.items.map((item) => [item.id, { ...item }])),
      balances: new Map(balances.items.map((item) => [item.accountId, item.balance])),
      payables: new Map(payables.items.map((item) => [item.scheduleId, { ...item }])),
    };
  }

  async function happen(company: Company, event: Event, number: number): Promise<void> {
    const { organization, database } = company;
    const { id: organizationId } = organization;
    const { prisma } = database;
    const one = <T>(items: readonly T[]): T | undefined => items[number % Math.max(1, items.length)];
    const where = { organizationId };
    const costCenter = one(await prisma.costCenter.findMany({ where, orderBy: { id: 'asc' } }));
    const listed = one(
      await prisma.costCenter.findMany({ where: { ...where, deletedAt: null }, orderBy: { id: 'asc' } }),
    );
    const account = one(await prisma.account.findMany({ where, orderBy: { id: 'asc' } }));
    const debit = one(await prisma.schedule.findMany({ where, orderBy: { id: 'asc' } }));
    const text = `Number ${number % 4}`;
    switch (event) {
      case 'look':
        return watching.look();
      case 'look in the midst of a change of Ponte’s own': {
        const port = get(CostCentersPort);
        const list = port.list.bind(port);
        port.list = async (asked, request) => {
          const page = await list(asked, request);
          if (listed && asked.id === organizationId)
            await port.update(asked, listed.id, { description: text });
          return page;
        };
        await watching.look();
        port.list = list;
        return;
      }
      case 'rename':
        if (costCenter)
          await prisma.costCenter.update({ where: { id: costCenter.id }, data: { description: text } });
        return;
      case 'own rename':
        if (listed) await get(CostCentersPort).update(organization, listed.id, { description: text });
        return;
      case 'make':
        await prisma.costCenter.create({
          data: { id: newId(), organizationId, description: text, externalCode: newId() },
        });
        return;
      case 'delete':
      case 'restore': {
        const deletedAt = event === 'delete' ? watching.clock.now() : null;
        if (costCenter) await prisma.costCenter.update({ where: { id: costCenter.id }, data: { deletedAt } });
        return;
      }
      case 'rename an account':
        if (account) await prisma.account.update({ where: { id: account.id }, data: { name: text } });
        return;
      case 'own account':
        await get(AccountsPort).create(organization, {
          name: text,
          openBalance: Money.parse('12.34', 'BRL'),
          dateOfOpenBalance: CalendarDate.parse('2026-03-01'),
        });
        return;
      case 'owe':
        await payable(company, { dueDate: '2030-01-01', paidMinor: number % 2 === 0 ? 5000n : undefined });
        return;
      case 'own payable': {
        const stakeholderId = await supplier(company);
        const value = Money.parse('50.00', 'BRL');
        const dueDate = CalendarDate.parse('2030-01-01');
        await database.transaction((tx) =>
          get(Payables).create(tx, organization, { stakeholderId, value, dueDate }),
        );
        return;
      }
      case 'own payment':
      case 'own part payment': {
        if (!debit || debit.openMinor === 0n || !account) return;
        const part = event === 'own payment' ? debit.openMinor : 1n;
        const payment = {
          accountId: account.id,
          date: CalendarDate.parse('2026-03-10'),
          value: Money.ofMinor(part, 'BRL'),
        };
        await database.transaction((tx) => get(Payables).pay(tx, organization, debit.id, payment));
        return;
      }
      case 'own payment back': {
        const paid = await prisma.entry.findMany({
          where: { ...where, kind: 'payment', debitBook: 'payable' },
          orderBy: { id: 'asc' },
        });
        const taken = await prisma.entry.findMany({ where: { ...where, reversesId: { not: null } } });
        const entry = one(paid.filter(({ id }) => !taken.some(({ reversesId }) => reversesId === id)));
        if (entry) await get(PaymentsPort).remove(organization, entry.debitId, entry.id);
        return;
      }
      case 'describe':
        if (debit) await prisma.schedule.update({ where: { id: debit.id }, data: { description: text } });
        return;
      case 'put off':
        if (debit) {
          const dueDate = new Date(Date.UTC(2030, 0, 1 + (number % 5)));
          await prisma.schedule.update({ where: { id: debit.id }, data: { dueDate } });
        }
    }
  }
});

function fold(known: Known, { type, subject, data }: ToldChange): void {
  const id = subject.split('/')[1]!;
  switch (type) {
    case 'cost-center.created':
    case 'cost-center.updated':
      known.costCenters.set(id, data);
      break;
    case 'cost-center.removed':
      known.costCenters.delete(id);
      break;
    case 'account.created':
    case 'account.updated':
      known.accounts.set(id, data);
      break;
    case 'balance.changed':
      if (known.balances.has(id)) expect([id, data['balanceBefore']]).toEqual([id, known.balances.get(id)]);
      known.balances.set(id, data['balance']);
      break;
    case 'debit-schedule.created':
    case 'schedule.changed':
    case 'schedule.paid':
    case 'schedule.reopened':
      known.payables.set(id, data);
      break;
    case 'payment.registered':
    case 'payment.deleted':
      break;
    default:
      throw new Error(`nothing brings about ${type} here`);
  }
}

/** As values; of what is open on a payable, whether anything is: parts that Ponte paid are told as payments. */
function plain({ costCenters, accounts, balances, payables }: Known): object {
  const paid = ({ scheduleId, description, dueDate, value, openValue }: Item): Item => {
    return { scheduleId, description, dueDate, value, isPaid: openValue === 0 };
  };
  const byId = (a: Item, b: Item): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    costCenters: [...costCenters.values()].sort(byId),
    accounts: [...accounts.values()].sort(byId),
    balances: Object.fromEntries([...balances].sort()),
    payables: [...payables.values()].map(paid).sort(byId),
  };
}

/** What is paid was open, what is open again was paid. */
function expectTurns(told: readonly ToldChange[]): void {
  const last = new Map<string, string>();
  for (const { type, subject } of told) {
    if (type !== 'schedule.paid' && type !== 'schedule.reopened') continue;
    expect([subject, last.get(subject)]).not.toEqual([subject, type]);
    last.set(subject, type);
  }
}
