import { brazilianChart, Company } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { SettingError } from '../../../config/settings';
import { CalendarDate } from '../../../kernel/calendar-date';
import { applyChart, type Chart } from './chart';
import { readChart } from './read-chart';

describe('applying a chart', () => {
  let database: Database;
  let company: Company;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    company = await Company.found(database);
  });
  afterEach(() => company.verify());
  afterAll(() => database.close());

  /** Every row of the chart, with the transaction that last wrote it. */
  function rows(): Promise<unknown[]> {
    return database.prisma.$queryRaw`
      select 'bank' as kind, xmin::text, to_jsonb(t) as row from bank t
      union all select 'group', xmin::text, to_jsonb(t) from category_group t
      union all select 'category', xmin::text, to_jsonb(t) from category t
      union all select 'cost center', xmin::text, to_jsonb(t) from cost_center t
      union all select 'account', xmin::text, to_jsonb(t) from account t
      union all select 'organization', xmin::text, to_jsonb(t) from organization t
      union all select 'entry', xmin::text, to_jsonb(t) from entry t
      order by 1, 3`;
  }

  function apply(chart: Chart): Promise<void> {
    return database.transaction((tx) => applyChart(tx, company.organization, chart, new Date()));
  }

  it('makes everything the document names', async () => {
    const organizationId = company.organization.id;
    const { prisma } = database;
    const chart = brazilianChart();
    expect(await prisma.bank.count({ where: { organizationId } })).toBe(chart.banks.length);
    expect(await prisma.category.count({ where: { organizationId } })).toBe(
      chart.groups.flatMap(({ categories }) => categories).length,
    );
    const category = await prisma.category.findFirstOrThrow({
      where: { organizationId, referenceCode: '1.1.01' },
      include: { group: true },
    });
    expect(category).toMatchObject({ name: 'Vendas online', type: 'in', group: { referenceCode: '1.1' } });
    const account = await prisma.account.findFirstOrThrow({ where: { organizationId, code: 'main' } });
    const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
    expect(organization.defaultAccountId).toBe(account.id);
  });

  it('writes nothing at all the second time', async () => {
    const before = await rows();
    await apply(brazilianChart());
    expect(await rows()).toEqual(before);
  });

  it('writes a changed name and leaves the identifier', async () => {
    const chart = brazilianChart();
    const where = { organizationId: company.organization.id, referenceCode: '1.1.01' };
    const before = await database.prisma.category.findFirstOrThrow({ where });
    chart.groups[0]!.categories[0]!.name = 'Loja virtual';
    chart.accounts[0]!.bank = '341';
    await apply(chart);
    const after = await database.prisma.category.findFirstOrThrow({ where });
    expect(after).toEqual({ ...before, name: 'Loja virtual' });
    const account = await database.prisma.account.findFirstOrThrow({
      where: { organizationId: company.organization.id, code: 'main' },
    });
    const bank = await database.prisma.bank.findUniqueOrThrow({ where: { id: account.bankId! } });
    expect(bank.code).toBe('341');
  });

  it('books an opening balance once, also a negative one', async () => {
    const chart = brazilianChart();
    const openedOn = CalendarDate.of(2026, 1, 1);
    chart.accounts.push({ code: 'till', name: 'Till', openBalance: '150.25', openedOn });
    chart.accounts.push({ code: 'loan', name: 'Loan', openBalance: '-20.00', openedOn });
    await apply(chart);
    chart.accounts.at(-1)!.openBalance = '-99.00';
    await apply(chart);
    expect(await company.balance('till')).toBe(15_025n);
    expect(await company.balance('loan')).toBe(-2_000n);
  });

  it('leaves another default account that a person chose', async () => {
    const { id } = company.organization;
    const chosen = await database.prisma.account.create({
      data: {
        id: company.organization.id,
        organizationId: id,
        name: 'Other',
        openBalanceMinor: 0n,
        openedOn: new Date('2026-01-01'),
      },
    });
    await database.prisma.organization.update({ where: { id }, data: { defaultAccountId: chosen.id } });
    await apply(brazilianChart());
    const after = await database.prisma.organization.findUniqueOrThrow({ where: { id } });
    expect(after.defaultAccountId).toBe(chosen.id);
  });
});

describe('reading a chart', () => {
  const account = { code: 'main', name: 'Main', openedOn: '2026-01-01' };

  it('takes an empty document as an empty chart', () => {
    expect(readChart({}, 'c')).toEqual({ banks: [], groups: [], costCenters: [], accounts: [] });
  });

  it.each([
    [[], 'c must be a mapping'],
    [
      { bank: [] },
      'c.bank is not known here; known are banks, groups, costCenters, accounts, defaultAccount',
    ],
    [{ banks: {} }, 'c.banks must be a list'],
    [{ banks: [{ code: '1', name: 'B' }] }, 'c.banks[0].code must be three digits in quotes (COMPE)'],
    [{ banks: [{ code: 341, name: 'B' }] }, 'c.banks[0].code must be text; put numbers in quotes'],
    [
      { groups: [{ code: '1', name: 'G', categories: [{ code: '1', name: 'C', type: 'IN' }] }] },
      'c.groups[0].categories[0].type must be in or out',
    ],
    [{ costCenters: [{ code: 'a' }] }, 'c.costCenters[0].description is missing'],
    [
      {
        costCenters: [
          { code: 'a', description: 'A' },
          { code: 'a', description: 'B' },
        ],
      },
      'c.costCenters hold the code a twice',
    ],
    [{ accounts: [{ ...account, openedOn: '2026-02-30' }] }, 'c.accounts[0].openedOn is no such day'],
    [
      { accounts: [{ ...account, openBalance: '1,00' }] },
      'c.accounts[0].openBalance is not a decimal amount',
    ],
    [
      { accounts: [{ ...account, bank: '341' }] },
      'c.accounts name the bank 341, which the chart does not have',
    ],
    [{ accounts: [account], defaultAccount: 'x' }, 'c.defaultAccount names no account of the chart'],
  ])('names the first thing wrong: %#', (document, message) => {
    expect(() => readChart(document, 'c')).toThrow(new SettingError(message));
  });
});
