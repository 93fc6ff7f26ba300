import { AccountsPort } from '../../src/finance/api/ports/accounts.port';
import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { Payables } from '../../src/finance/embedded/payables/payables';
import { PaymentsPort } from '../../src/finance/api/ports/payments.port';
import { type PollLease, PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import { Company, outputOf, receiptEffect } from '../support/company';
import { payable, supplier } from '../support/payables';
import { Watching } from '../support/watching';

describe('looking at Ponte’s own books', () => {
  let watching: Watching;
  let company: Company;
  let main: string;

  beforeAll(async () => {
    watching = await Watching.open();
  });
  afterAll(() => watching.close());

  beforeEach(async () => {
    company = await Company.found(watching.testing.database);
    const where = { organizationId: company.organization.id, code: 'main' };
    main = (await company.database.prisma.account.findFirstOrThrow({ where })).id;
  });

  afterEach(() => watching.leave(company.organization.id));

  const news = () => watching.headlines(company.organization.id);
  const get = <T>(token: abstract new (...args: never[]) => T): T => watching.testing.app.get(token);
  const prisma = () => watching.testing.database.prisma;

  it('tells nothing of what was there at the first look', async () => {
    const customer = await company.customer();
    await company.schedules({ customer, dueDate: '2026-01-10' });
    await payable(company, { dueDate: '2026-01-20' });
    await news();
    await watching.look();
    expect(await news()).toEqual([]);
    await watching.look();
    expect(await news()).toEqual([]);
  });

  it('tells that a receivable is paid, once, however often it is looked at', async () => {
    await watching.look();
    const customer = await company.customer();
    const [open, paid] = [await company.schedules({ customer }), await company.schedules({ customer })];
    await company.apply(receiptEffect(newId(), { schedules: paid, value: '100.00' }));
    await watching.look();
    await news();
    await watching.look();
    expect(await news()).toEqual([]);
    await company.apply(receiptEffect(newId(), { schedules: open, value: '40.00' }));
    await watching.look();
    expect((await news()).filter((line) => line.startsWith('schedule.'))).toEqual([]);
    await company.apply(receiptEffect(newId(), { schedules: open, value: '60.00' }));
    await watching.look();
    expect((await news()).sort()).toEqual([
      `balance.changed account/${main}`,
      expect.stringMatching(/^receipt.registered/),
      `schedule.paid schedule/${open[0]}`,
    ]);
    await watching.look();
    await watching.look();
    expect(await news()).toEqual([]);
  });

  it('tells that a receivable is paid which came and was paid between two looks', async () => {
    await watching.look();
    const customer = await company.customer();
    const [paid] = await company.schedules({ customer });
    outputOf((await company.apply(receiptEffect(newId(), { schedules: [paid!], value: '100.00' })))[0]);
    await watching.look();
    expect(await news()).toContain(`schedule.paid schedule/${paid}`);
  });

  it('tells that something is overdue on the day after it was due, once for each due date', async () => {
    const customer = await company.customer();
    const [credit] = await company.schedules({ customer, dueDate: '2026-06-10' });
    const debit = await payable(company, { dueDate: '2026-06-10' });
    await watching.look();
    await news();
    // 23:59 of the day itself in São Paulo, and two minutes later.
    watching.clock.set('2026-06-11T02:58:59Z');
    await watching.look(0);
    expect(await news()).toEqual([]);
    watching.clock.set('2026-06-11T02:59:00Z');
    await watching.look(301);
    const both = [`schedule.overdue schedule/${credit}`, `schedule.overdue schedule/${debit}`];
    expect((await news()).sort()).toEqual(both.sort());
    await watching.look(86_400);
    expect(await news()).toEqual([]);
    await prisma().schedule.updateMany({
      where: { id: { in: [credit!, debit] } },
      data: { dueDate: new Date('2026-06-05') },
    });
    await watching.look();
    expect((await news()).filter((line) => line.startsWith('schedule.overdue')).sort()).toEqual(both.sort());
  });

  it('tells nothing of a receivable that is overdue again for the same day', async () => {
    const debit = await payable(company, { dueDate: '2026-02-01' });
    await watching.look();
    await news();
    const value = Money.parse('50.00', 'BRL');
    const paid = await watching.testing.database.transaction((tx) =>
      get(Payables).pay(tx, company.organization, debit, {
        accountId: main,
        date: CalendarDate.parse('2026-03-10'),
        value,
      }),
    );
    await watching.look();
    expect(await news()).toContain(`schedule.paid schedule/${debit}`);
    await get(PaymentsPort).remove(company.organization, debit, paid);
    await watching.look();
    expect((await news()).filter((line) => line.startsWith('schedule'))).toEqual([
      `schedule.reopened schedule/${debit}`,
    ]);
  });

  it('tells once of what Ponte made and changed itself: when it did', async () => {
    await watching.look();
    await news();
    const costCenter = await prisma().costCenter.findFirstOrThrow({
      where: { organizationId: company.organization.id },
    });
    await get(CostCentersPort).update(company.organization, costCenter.id, { description: 'Renamed' });
    const account = await get(AccountsPort).create(company.organization, {
      name: 'New',
      openBalance: Money.parse('0.00', 'BRL'),
      dateOfOpenBalance: CalendarDate.parse('2026-03-01'),
    });
    const stakeholderId = await supplier(company);
    const debit = await watching.testing.database.transaction((tx) =>
      get(Payables).create(tx, company.organization, {
        stakeholderId,
        value: Money.parse('50.00', 'BRL'),
        dueDate: CalendarDate.parse('2030-03-20'),
      }),
    );
    await watching.look();
    await watching.look();
    expect((await news()).sort()).toEqual([
      `account.created account/${account}`,
      `balance.changed account/${account}`,
      `cost-center.updated cost-center/${costCenter.id}`,
      `debit-schedule.created debit-schedule/${debit}`,
    ]);
  });

  it('tells what nobody told: records made, changed and removed beside Ponte', async () => {
    const debit = await payable(company, { dueDate: '2030-01-01' });
    await watching.look();
    await news();
    const { id: organizationId } = company.organization;
    const made = await prisma().costCenter.create({
      data: { id: newId(), organizationId, description: 'Made', externalCode: 'made' },
    });
    const found = await payable(company, { dueDate: '2030-01-01' });
    await prisma().schedule.update({ where: { id: debit }, data: { description: 'Other' } });
    await prisma().account.update({ where: { id: main }, data: { name: 'Other' } });
    await watching.look();
    expect((await news()).sort()).toEqual([
      `account.updated account/${main}`,
      `cost-center.created cost-center/${made.id}`,
      `debit-schedule.created debit-schedule/${found}`,
      `schedule.changed schedule/${debit}`,
    ]);
    await prisma().costCenter.update({ where: { id: made.id }, data: { deletedAt: new Date() } });
    await watching.look();
    expect(await news()).toEqual([]);
    await watching.look();
    expect(await news()).toEqual([`cost-center.removed cost-center/${made.id}`]);
    await prisma().costCenter.update({ where: { id: made.id }, data: { deletedAt: null } });
    await watching.look();
    expect(await news()).toEqual([`cost-center.created cost-center/${made.id}`]);
  });

  it('tells the balance before and after', async () => {
    await watching.look();
    const customer = await company.customer();
    const schedules = await company.schedules({ customer });
    await company.apply(receiptEffect(newId(), { schedules, value: '100.00' }));
    await watching.look();
    const changed = (await watching.news(company.organization.id)).find(
      ({ type }) => type === 'balance.changed',
    );
    expect(changed).toMatchObject({
      subject: `account/${main}`,
      data: { accountId: main, accountName: 'Conta principal', balance: 100, balanceBefore: 0 },
    });
  });

  it('writes nothing when its turn was taken over meanwhile', async () => {
    await watching.look();
    watching.pass(301);
    const turns = get(PollLeases);
    const mine = await turns.take(watching.clock.now());
    expect(await turns.take(watching.clock.now())).toBeUndefined();
    watching.pass(121);
    const others = await turns.take(watching.clock.now());
    expect({ ...others, number: mine!.number }).toEqual(mine);
    const hold = (turn: PollLease) => watching.testing.database.transaction((tx) => turns.hold(tx, turn));
    await expect(hold(mine!)).rejects.toThrow('taken the turn over');
    expect(await hold(others!)).toMatchObject({ service: 'embedded' });
  });
});
