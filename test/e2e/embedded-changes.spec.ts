import { AuditRepository } from '../../src/admin/audit.repository';
import { MasterRecords } from '../../src/admin/master-data/master-records';
import { COST_CENTER } from '../../src/admin/master-data/record-kind';
import { RecordsRepository } from '../../src/admin/master-data/records.repository';
import { AccountsPort } from '../../src/finance/api/ports/accounts.port';
import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { PaymentsPort } from '../../src/finance/api/ports/payments.port';
import { ReceiptsPort } from '../../src/finance/api/ports/receipts.port';
import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { applyChart } from '../../src/finance/embedded/chart/chart';
import { BalanceRollup } from '../../src/finance/embedded/accounts/balance-rollup';
import { Payables } from '../../src/finance/embedded/payables/payables';
import { OverdueRun } from '../../src/finance/embedded/schedules/overdue-run';
import { FinanceModule } from '../../src/finance/finance.module';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import { brazilianChart, Company, outputOf, receiptEffect, scheduleEffect } from '../support/company';
import { UnreadChanges } from '../support/feed-changes';
import { payable } from '../support/payables';
import { SettableClock } from '../support/settable-clock';
import { TestingApp } from '../support/testing-app';
import type { FeedChange } from '../support/feed-changes';

const DAY = CalendarDate.parse('2026-03-10');
const LIST = { top: 500, skip: 0 };
const brl = (text: string): Money => Money.parse(text, 'BRL');

/** Nothing here is polled: no schedule runs, and what is announced is in the feed when the writer has returned. */
describe('changes of Ponte’s own books', () => {
  let testing: TestingApp;
  let clock: SettableClock;
  let feed: UnreadChanges;
  let company: Company;
  let main: string;

  beforeAll(async () => {
    clock = new SettableClock('2026-03-10T15:00:00Z');
    testing = await TestingApp.open({ imports: [FinanceModule], clock });
    feed = new UnreadChanges(testing.database);
  });
  afterAll(() => testing.close());

  beforeEach(async () => {
    company = await Company.found(testing.database);
    main = await accountOf(company);
  });
  afterEach(() => company.verify());

  const get = <T>(token: abstract new (...args: never[]) => T): T => testing.app.get(token);
  const changeLines = () => feed.nextLines(company.organization.id);
  const newChanges = () => feed.next(company.organization.id);
  const rollUp = () => get(BalanceRollup).rollUp();

  async function accountOf({ database, organization }: Company): Promise<string> {
    const where = { organizationId: organization.id, code: 'main' };
    return (await database.prisma.account.findFirstOrThrow({ where })).id;
  }

  const pay = (scheduleId: string, value: string): Promise<string> =>
    testing.database.transaction((tx) =>
      get(Payables).pay(tx, company.organization, scheduleId, {
        accountId: main,
        date: DAY,
        value: brl(value),
      }),
    );

  describe('that settle schedules', () => {
    it('announce what is paid with the receipt that pays it, once, with its cause', async () => {
      const [first, second] = await company.schedules({
        customer: await company.customer(),
        instalments: [
          { value: '60.00', dueDate: '2026-04-10' },
          { value: '40.00', dueDate: '2026-05-10' },
        ],
      });
      await newChanges();
      const receipt = receiptEffect(newId(), { schedules: [first!, second!], value: '70.00' });
      const { all } = outputOf((await company.apply(receipt))[0]);
      const announced = await newChanges();
      expect(announced.map(({ type, subject, businessKey }) => [type, subject, businessKey])).toEqual([
        ['receipt.registered', `receipt/${all![0]}`, receipt.key],
        ['receipt.registered', `receipt/${all![1]}`, receipt.key],
        ['schedule.paid', `schedule/${first}`, receipt.key],
      ]);
      const { items } = await get(SchedulesPort).listCredit(company.organization, LIST);
      expect(announced[2]!.data).toEqual({ ...items.find(({ scheduleId }) => scheduleId === first) });
      await company.apply(receipt);
      expect(await newChanges()).toEqual([]);
    });

    it('announce what is paid in the transaction that makes it', async () => {
      const customer = await company.customer();
      await newChanges();
      const order = scheduleEffect(newId(), { customer });
      await testing.database.transaction(async (tx) => {
        const batch = company.applier.begin(tx);
        const [made] = await batch.apply([company.request(order)]);
        const schedules = outputOf(made).all!;
        await batch.apply([company.request(receiptEffect(newId(), { schedules, value: '100.00' }))]);
        await batch.finish();
      });
      expect((await newChanges()).map(({ type }) => type)).toEqual([
        'credit-schedule.created',
        'receipt.registered',
        'schedule.paid',
      ]);
    });

    it('announce what a closing receipt through /v1 writes off and pays', async () => {
      const [schedule = ''] = await company.schedules({ customer: await company.customer() });
      await newChanges();
      const receive = (value: string, payingType?: string) =>
        get(ReceiptsPort).registerForSchedule(company.organization, schedule, {
          accountId: main,
          date: DAY,
          value: brl(value),
          payingType,
        });
      await receive('10.00');
      expect((await newChanges()).map(({ type }) => type)).toEqual(['receipt.registered']);
      await receive('80.00', 'close');
      expect((await newChanges()).map(({ type }) => type)).toEqual([
        'receipt.registered',
        'discount.registered',
        'schedule.paid',
      ]);
    });

    it('announce a payable that is paid, and open again', async () => {
      const debit = await payable(company);
      await newChanges();
      const part = await pay(debit, '20.00');
      const rest = await pay(debit, '30.00');
      await get(PaymentsPort).remove(company.organization, debit, rest);
      await get(PaymentsPort).remove(company.organization, debit, part);
      expect(await changeLines()).toEqual([
        `payment.registered payment/${part}`,
        `payment.registered payment/${rest}`,
        `schedule.paid schedule/${debit}`,
        `payment.deleted payment/${rest}`,
        `schedule.reopened schedule/${debit}`,
        `payment.deleted payment/${part}`,
      ]);
    });
  });

  describe('of balances', () => {
    /** Of one account, in the order of the feed. */
    const balancesIn = (announced: readonly FeedChange[], accountId: string) =>
      announced.filter(
        ({ type, subject }) => type === 'balance.changed' && subject === `account/${accountId}`,
      );

    it('announce an account with its first balance at its commit', async () => {
      const id = await get(AccountsPort).create(company.organization, {
        name: 'New',
        openBalance: brl('12.34'),
        dateOfOpenBalance: DAY,
      });
      const announced = await newChanges();
      const { items } = await get(AccountsPort).listBalances(company.organization, LIST);
      expect(announced.map(({ type, subject }) => [type, subject])).toEqual([
        ['account.created', `account/${id}`],
        ['balance.changed', `account/${id}`],
      ]);
      expect(announced[1]!.data).toEqual({ ...items.find(({ accountId }) => accountId === id) });
      await rollUp();
      expect(await newChanges()).toEqual([]);
    });

    it('announce the balance before and after, once for whatever was booked together', async () => {
      const schedules = await company.schedules({ customer: await company.customer() });
      await company.apply(receiptEffect(newId(), { schedules, value: '70.00' }));
      await company.apply(receiptEffect(newId(), { schedules, value: '10.00' }));
      await newChanges();
      await rollUp();
      const [first, ...others] = await newChanges();
      expect([first!.type, first!.subject, others]).toEqual(['balance.changed', `account/${main}`, []]);
      const { items } = await get(AccountsPort).listBalances(company.organization, LIST);
      const listed = items.find(({ accountId }) => accountId === main);
      expect(first!.data).toEqual({ ...listed, balance: 80, balanceBefore: 0 });
      await rollUp();
      expect(await newChanges()).toEqual([]);
    });

    it('announce nothing of what comes to nothing', async () => {
      const debit = await payable(company);
      await get(PaymentsPort).remove(company.organization, debit, await pay(debit, '20.00'));
      await newChanges();
      await rollUp();
      expect(await newChanges()).toEqual([]);
    });

    it('announce every step from the first balance to the ledger’s', async () => {
      const schedules = await company.schedules({ customer: await company.customer(), value: '500.00' });
      await newChanges();
      const announced: FeedChange[] = [];
      for (let step = 1; step <= 8; step += 1) {
        await company.apply(receiptEffect(newId(), { schedules, value: `${step}.25` }));
        if (step % 3 === 0) await pay(await payable(company), '7.00');
        if (step % 2 === 0) await rollUp();
        announced.push(...balancesIn(await newChanges(), main));
      }
      let balance: unknown = 0;
      for (const { data } of announced) {
        expect(data['balanceBefore']).toBe(balance);
        balance = data['balance'];
      }
      expect(BigInt(Math.round(Number(balance) * 100))).toBe(await company.balance());
      expect(announced).toHaveLength(4);
    });
  });

  describe('of accounts and cost centers', () => {
    const caller = { keyId: newId(), isOperator: true };

    it('announce a cost center that operators make, change, delete and revive', async () => {
      const { database, organization } = company;
      const records = new MasterRecords(
        database,
        new RecordsRepository(database),
        new AuditRepository(database),
        clock,
      );
      const body = { description: 'Loja', externalCode: 'loja' } as never;
      const { id } = await records.create(COST_CENTER, { ...caller, organization }, body);
      const change = (fields: object) => records.change(COST_CENTER, { ...caller, organization }, id, fields);
      await change({ description: 'Loja 2' });
      await change({ description: 'Loja 2' });
      await records.remove(COST_CENTER, { ...caller, organization }, id);
      await change({ deleted: false });
      const data = { costCenterId: id, description: 'Loja 2', externalCode: 'loja' };
      expect((await newChanges()).map(({ type, subject, data: shown }) => [type, subject, shown])).toEqual([
        ['cost-center.created', `cost-center/${id}`, { ...data, description: 'Loja' }],
        ['cost-center.updated', `cost-center/${id}`, data],
        ['cost-center.removed', `cost-center/${id}`, data],
        ['cost-center.created', `cost-center/${id}`, data],
      ]);
    });

    it('announce what /v1 changes', async () => {
      const where = { organizationId: company.organization.id };
      const { id } = await testing.database.prisma.costCenter.findFirstOrThrow({ where });
      await get(CostCentersPort).update(company.organization, id, { description: 'Renamed' });
      await get(AccountsPort).update(company.organization, main, { name: 'Other' });
      expect(await changeLines()).toEqual([
        `cost-center.updated cost-center/${id}`,
        `account.updated account/${main}`,
      ]);
    });

    it('announce what a later chart makes and renames, and nothing of the first', async () => {
      expect(await newChanges()).toEqual([]);
      const chart = brazilianChart();
      const apply = () =>
        testing.database.transaction((tx) => applyChart(tx, company.organization, chart, clock.now()));
      chart.costCenters[0]!.description = 'Other';
      chart.costCenters.push({ code: 'new', description: 'New' });
      chart.accounts[0]!.name = 'Other';
      chart.accounts.push({ code: 'till', name: 'Till', openBalance: '10.00', openedOn: DAY });
      await apply();
      const lines = (await newChanges()).map(({ type, data }) => [type, data['description'] ?? data['name']]);
      expect(lines.sort()).toEqual([
        ['account.created', 'Till'],
        ['account.updated', 'Other'],
        ['balance.changed', undefined],
        ['cost-center.created', 'New'],
        ['cost-center.updated', 'Other'],
      ]);
      await apply();
      await rollUp();
      expect(await newChanges()).toEqual([]);
    });
  });

  describe('that a due date passes', () => {
    const run = () => get(OverdueRun).announce();
    const at = (instant: string) => clock.set(instant);
    afterEach(() => at('2026-03-10T15:00:00Z'));

    it('are announced once, on the day after where the organization is', async () => {
      const auckland = await Company.found(testing.database, { timeZone: 'Pacific/Auckland' });
      await run();
      const due = async (one: Company) => {
        const [credit] = await one.schedules({ customer: await one.customer(), dueDate: '2026-06-10' });
        return [credit!, await payable(one, { dueDate: '2026-06-10' })] as const;
      };
      const [credit, debit] = await due(company);
      const [there, owedThere] = await due(auckland);
      const paid = await payable(company, { dueDate: '2026-06-10', paidMinor: 5_000n });
      await newChanges();
      await feed.next(auckland.organization.id);
      const overdue = (ids: readonly string[]) => ids.map((id) => `schedule.overdue schedule/${id}`);
      const both = async () => [await changeLines(), await feed.nextLines(auckland.organization.id)];

      at('2026-06-10T11:59:59Z');
      await run();
      expect(await both()).toEqual([[], []]);
      at('2026-06-10T12:00:00Z');
      await run();
      expect(await both()).toEqual([[], overdue([there, owedThere])]);
      at('2026-06-11T02:59:59Z');
      await run();
      expect(await both()).toEqual([[], []]);
      at('2026-06-11T03:00:00Z');
      // As after a restart: nothing but the database knows what was announced.
      await Promise.all([run(), new OverdueRun(testing.database, clock).announce()]);
      await new OverdueRun(testing.database, clock).announce();
      expect(await both()).toEqual([overdue([credit, debit]), []]);
      at('2026-06-14T15:00:00Z');
      await run();
      expect(await both()).toEqual([[], []]);
      expect((await company.open([paid]))[0]).toBe(0n);
    });

    it('are announced with what the list of each shows, days later where nobody ran', async () => {
      await run();
      const [credit] = await company.schedules({ customer: await company.customer(), dueDate: '2026-03-11' });
      const debit = await payable(company, { dueDate: '2026-03-12' });
      await newChanges();
      at('2026-03-20T15:00:00Z');
      await run();
      const [first, second, ...others] = await newChanges();
      const list = get(SchedulesPort);
      const receivables = await list.listOverdueCredit(company.organization, LIST);
      const payables = await list.listDebit(company.organization, LIST);
      expect(others).toEqual([]);
      expect(first!.subject).toBe(`schedule/${credit}`);
      expect(first!.data).toEqual({ ...receivables.items[0] });
      expect(second!.data).toEqual({ ...payables.items.find(({ scheduleId }) => scheduleId === debit) });
    });

    it('are announced on the next day for what is opened again, once for each due date', async () => {
      const debit = await payable(company, { dueDate: '2026-03-09' });
      // The first run announces nothing: it was so before.
      await run();
      const late = await payable(company, { dueDate: '2026-03-08' });
      await run();
      expect((await changeLines()).filter((line) => line.startsWith('schedule'))).toEqual([]);
      at('2026-03-11T15:00:00Z');
      await get(PaymentsPort).remove(company.organization, debit, await pay(debit, '50.00'));
      await run();
      expect((await changeLines()).filter((line) => line.startsWith('schedule.overdue'))).toEqual([
        `schedule.overdue schedule/${late}`,
      ]);
    });

    it('are announced by more than a page', async () => {
      await run();
      await testing.database.prisma.$executeRaw`
        insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
          schedule_date, accrual_date, due_date, group_id)
        select gen_random_uuid(), ${company.organization.id}::uuid, 'credit', ${await company.customer()}::uuid, 'S', 100,
          100, '2026-01-01', '2026-03-10', '2026-03-10', gen_random_uuid()
        from generate_series(1, 1203)`;
      await newChanges();
      at('2026-03-11T15:00:00Z');
      expect(await run()).toBe(1_203);
      const lines = await changeLines();
      await testing.database.prisma.schedule.deleteMany({
        where: { organizationId: company.organization.id, description: 'S' },
      });
      expect([lines.length, new Set(lines).size]).toEqual([1_203, 1_203]);
    });
  });

  it('leave no trace of polling', async () => {
    expect(await testing.database.prisma.pollLease.count()).toBe(0);
  });
});
