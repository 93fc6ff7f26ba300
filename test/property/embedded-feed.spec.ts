import fc from 'fast-check';
import { AuditRepository } from '../../src/admin/audit.repository';
import { CostCenterChangeBody, NewCostCenterBody } from '../../src/admin/master-data/bodies.dto';
import { MasterRecords } from '../../src/admin/master-data/master-records';
import { COST_CENTER } from '../../src/admin/master-data/record-kind';
import { RecordsRepository } from '../../src/admin/master-data/records.repository';
import { BalanceRollup } from '../../src/finance/embedded/accounts/balance-rollup';
import { FinanceModule } from '../../src/finance/finance.module';
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
import type { FeedChange } from '../support/feed-changes';
import { UnreadChanges } from '../support/feed-changes';
import { SettableClock } from '../support/settable-clock';
import { TestingApp } from '../support/testing-app';

import { slowPropertyRuns } from '../support/property-runs';

const RUNS = slowPropertyRuns(5);

/** What may happen; the number chooses the record. */
const EVENTS = [
  'roll up',
  'rename',
  'make',
  'delete',
  'revive',
  'account',
  'rename an account',
  'move an opening balance',
  'transfer',
  'payable',
  'payment',
  'part payment',
  'payment back',
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

const DAY = CalendarDate.parse('2026-03-10');
const LIST = { top: 500, skip: 0 };

describe('a connector that folds the feed over what was there at first', () => {
  const clock = new SettableClock('2026-03-10T15:00:00Z');
  const caller = { keyId: newId(), isOperator: true };
  let testing: TestingApp;
  let feed: UnreadChanges;
  let records: MasterRecords;

  beforeAll(async () => {
    testing = await TestingApp.open({ imports: [FinanceModule], clock });
    const { database } = testing;
    feed = new UnreadChanges(database);
    records = new MasterRecords(
      database,
      new RecordsRepository(database),
      new AuditRepository(database),
      clock,
    );
  });
  afterAll(() => testing.close());

  const get = <T>(token: abstract new (...args: never[]) => T): T => testing.app.get(token);
  const rollUp = () => get(BalanceRollup).rollUp();

  it('knows at last what the books say', async () => {
    const event = fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 30 }), async (events) => {
        const company = await Company.found(testing.database);
        await payable(company, { dueDate: '2030-01-01' });
        const known = await stateOf(company);
        await feed.next(company.organization.id);
        for (const [name, number] of events) await happen(company, name, number);
        await rollUp();
        const announced = await feed.next(company.organization.id);
        for (const change of announced) fold(known, change);
        expect(plain(known)).toEqual(plain(await stateOf(company)));
        expectAlternation(announced);
        await rollUp();
        expect(await feed.next(company.organization.id)).toEqual([]);
        await company.verify();
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
    const accounts = await prisma.account.findMany({ where, orderBy: { id: 'asc' } });
    const account = one(accounts);
    const debit = one(await prisma.schedule.findMany({ where, orderBy: { id: 'asc' } }));
    const text = `Number ${number % 4}`;
    const change = (id: string, fields: object) =>
      records.change(COST_CENTER, { ...caller, organization }, id, {
        ...new CostCenterChangeBody(),
        ...fields,
      });
    switch (event) {
      case 'roll up':
        await rollUp();
        return;
      case 'rename':
        if (listed && number % 2 === 0) await change(listed.id, { description: text });
        else if (listed) await get(CostCentersPort).update(organization, listed.id, { description: text });
        return;
      case 'make':
        await records.create(
          COST_CENTER,
          { ...caller, organization },
          {
            ...new NewCostCenterBody(),
            ...{ description: text, externalCode: newId() },
          },
        );
        return;
      case 'delete':
        if (listed) await records.remove(COST_CENTER, { ...caller, organization }, listed.id);
        return;
      case 'revive':
        if (costCenter) await change(costCenter.id, { deleted: false });
        return;
      case 'account':
        await get(AccountsPort).create(organization, {
          name: text,
          openBalance: Money.parse(number % 2 === 0 ? '12.34' : '0.00', 'BRL'),
          dateOfOpenBalance: DAY,
        });
        return;
      case 'rename an account':
        if (account) await get(AccountsPort).update(organization, account.id, { name: text });
        return;
      case 'move an opening balance':
        if (account)
          await get(AccountsPort).update(organization, account.id, {
            openBalance: Money.ofMinor(BigInt(number - 500), 'BRL'),
          });
        return;
      case 'transfer': {
        const [origin, destiny] = [account, accounts.find(({ id }) => id !== account?.id)];
        if (!origin || !destiny) return;
        await get(AccountsPort).transfer(organization, {
          originAccountId: origin.id,
          destinyAccountId: destiny.id,
          date: DAY,
          value: Money.ofMinor(BigInt(number + 1), 'BRL'),
        });
        return;
      }
      case 'payable': {
        const stakeholderId = await supplier(company);
        const value = Money.parse('50.00', 'BRL');
        const dueDate = CalendarDate.parse('2030-01-01');
        await database.transaction((tx) =>
          get(Payables).create(tx, organization, { stakeholderId, value, dueDate }),
        );
        return;
      }
      case 'payment':
      case 'part payment': {
        if (!debit || debit.openMinor === 0n || !account) return;
        const part = event === 'payment' ? debit.openMinor : 1n;
        const payment = { accountId: account.id, date: DAY, value: Money.ofMinor(part, 'BRL') };
        await database.transaction((tx) => get(Payables).pay(tx, organization, debit.id, payment));
        return;
      }
      case 'payment back': {
        const paid = await prisma.entry.findMany({
          where: { ...where, kind: 'payment', debitBook: 'payable' },
          orderBy: { id: 'asc' },
        });
        const taken = await prisma.entry.findMany({ where: { ...where, reversesId: { not: null } } });
        const entry = one(paid.filter(({ id }) => !taken.some(({ reversesId }) => reversesId === id)));
        if (entry) await get(PaymentsPort).remove(organization, entry.debitId, entry.id);
      }
    }
  }
});

function fold(known: Known, { type, subject, data }: FeedChange): void {
  const id = subject.split('/')[1]!;
  switch (type) {
    case 'cost-center.created':
    case 'cost-center.updated':
      known.costCenters.set(id, data);
      break;
    case 'cost-center.removed':
      expect(known.costCenters.get(id)).toEqual(data);
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
    case 'schedule.paid':
    case 'schedule.reopened':
      known.payables.set(id, data);
      break;
    case 'transfer.made':
    case 'payment.registered':
    case 'payment.deleted':
      break;
    default:
      throw new Error(`nothing brings about ${type} here`);
  }
}

/** As values; of what is open on a payable, whether anything is: parts are announced as payments. */
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
function expectAlternation(announced: readonly FeedChange[]): void {
  const last = new Map<string, string>();
  for (const { type, subject } of announced) {
    if (type !== 'schedule.paid' && type !== 'schedule.reopened') continue;
    expect([subject, last.get(subject)]).not.toEqual([subject, type]);
    last.set(subject, type);
  }
}
