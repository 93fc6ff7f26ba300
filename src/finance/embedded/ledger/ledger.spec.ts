import { Company } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { SystemClock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import { BalanceRollup } from '../accounts/balance-rollup';
import { NO_CATEGORY, type NewEntry } from './entry';
import { postEntries } from './posting';
import { verifyLedger } from './verify';

let database: Database;
let company: Company;
let main: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
  const account = await database.prisma.account.findFirstOrThrow({
    where: { organizationId: company.organization.id, code: 'main' },
  });
  main = account.id;
});
afterAll(() => database.close());

/** 1.00 received on the main account as income, unless said otherwise. */
function entry(fields: Partial<NewEntry> = {}): NewEntry {
  return {
    id: newId(),
    organizationId: company.organization.id,
    kind: 'receipt',
    date: CalendarDate.of(2026, 3, 10),
    amountMinor: 100n,
    debit: { book: 'account', id: main },
    credit: { book: 'income', id: NO_CATEGORY },
    ...fields,
  };
}

function post(...entries: NewEntry[]): Promise<void> {
  return database.transaction((tx) => postEntries(tx, entries));
}

describe('posting', () => {
  it('moves balances by debits and credits alike', async () => {
    await post(entry({ amountMinor: 500n }), entry({ amountMinor: 25n }));
    await post(
      entry({
        kind: 'payment',
        amountMinor: 75n,
        debit: { book: 'expense', id: NO_CATEGORY },
        credit: { book: 'account', id: main },
      }),
    );
    expect(await company.balance()).toBe(450n);
    await company.verify();
  });

  it('refuses a balance that could not be shown exactly, and whatever brings it back is welcome', async () => {
    const amountMinor = 99_999_999_999_999n;
    for (let count = 0; count < 10; count += 1) await post(entry({ amountMinor }));
    await expect(post(entry({ amountMinor }))).rejects.toMatchObject({
      code: 'validation-failed',
      message: expect.stringContaining('15 digits'),
    });
    expect(await company.balance()).toBe(10n * amountMinor);
    const taken = {
      debit: { book: 'expense', id: NO_CATEGORY },
      credit: { book: 'account', id: main },
    } as const;
    await post(entry({ ...taken, kind: 'payment', amountMinor }));
    await post(entry({ amountMinor }));
    await company.verify();
  });

  it('opens a payable by its credit and settles it by a debit', async () => {
    const supplier = await company.customer();
    const id = newId();
    const date = new Date('2026-04-10');
    await database.prisma.schedule.create({
      data: {
        id,
        organizationId: company.organization.id,
        kind: 'debit',
        stakeholderId: supplier,
        description: 'Rent',
        valueMinor: 300n,
        openMinor: 0n,
        scheduleDate: date,
        accrualDate: date,
        dueDate: date,
        groupId: id,
      },
    });
    const payable = { book: 'payable', id } as const;
    await post(
      entry({
        kind: 'payable',
        amountMinor: 300n,
        debit: { book: 'expense', id: NO_CATEGORY },
        credit: payable,
      }),
    );
    expect(await company.open([id])).toEqual([300n]);
    await post(
      entry({ kind: 'payment', amountMinor: 120n, debit: payable, credit: { book: 'account', id: main } }),
    );
    expect(await company.open([id])).toEqual([180n]);
    expect(await company.balance()).toBe(-120n);
    await company.verify();
  });

  it('settles a receivable by its credits', async () => {
    const [id] = await company.schedules({ customer: await company.customer() });
    const receivable = { book: 'receivable', id: id! } as const;
    await post(
      entry({ amountMinor: 30n, credit: receivable }),
      entry({ amountMinor: 12n, credit: receivable }),
    );
    expect(await company.open([id!])).toEqual([9_958n]);
    expect(await company.balance()).toBe(42n);
    await company.verify();
  });

  it('refuses to settle more than is open, whoever asks', async () => {
    const [id] = await company.schedules({ customer: await company.customer() });
    const tooMuch = entry({ amountMinor: 10_001n, credit: { book: 'receivable', id: id! } });
    await expect(post(tooMuch)).rejects.toThrow();
    expect(await company.open([id!])).toEqual([10_000n]);
    expect(await company.balance()).toBe(0n);
    await company.verify();
  });

  it('refuses an entry on a schedule that is not there', async () => {
    await expect(post(entry({ credit: { book: 'receivable', id: newId() } }))).rejects.toThrow(
      'does not exist',
    );
    expect(await company.balance()).toBe(0n);
  });

  it('takes no amount of zero and no movement from a book to itself', async () => {
    await expect(post(entry({ amountMinor: 0n }))).rejects.toThrow();
    const account = { book: 'account', id: main } as const;
    await expect(post(entry({ debit: account, credit: account }))).rejects.toThrow();
  });

  it('is final: entries can be neither changed nor deleted', async () => {
    const posted = entry();
    await post(posted);
    const { prisma } = database;
    await expect(
      prisma.entry.update({ where: { id: posted.id }, data: { amountMinor: 1n } }),
    ).rejects.toThrow();
    await expect(prisma.entry.delete({ where: { id: posted.id } })).rejects.toThrow();
    await company.verify();
  });
});

describe('the roll-up', () => {
  it('folds every delta and changes no balance', async () => {
    for (let count = 0; count < 30; count += 1) await post(entry({ amountMinor: 7n }));
    const rollup = new BalanceRollup(database, new SystemClock());
    expect(await rollup.rollUp()).toBeGreaterThanOrEqual(30);
    expect(await company.balance()).toBe(210n);
    expect(await database.prisma.accountBalanceDelta.count()).toBe(0);
    await post(entry({ amountMinor: 1n }));
    expect(await company.balance()).toBe(211n);
    expect(await rollup.rollUp()).toBe(1);
    expect(await company.balance()).toBe(211n);
    expect(await rollup.rollUp()).toBe(0);
    await company.verify();
  });

  it('has one delta to fold for each account that a transaction posted to', async () => {
    await new BalanceRollup(database, new SystemClock()).rollUp();
    const before = await company.balance();
    await post(...Array.from({ length: 30 }, () => entry({ amountMinor: 7n })));
    expect(await database.prisma.accountBalanceDelta.count()).toBe(1);
    expect(await company.balance()).toBe(before + 210n);
    await new BalanceRollup(database, new SystemClock()).rollUp();
    expect(await company.balance()).toBe(before + 210n);
  });

  it('takes more deltas than fit one batch', async () => {
    await new BalanceRollup(database, new SystemClock()).rollUp();
    const rows = 5_001;
    await database.prisma.$executeRaw`
      insert into account_balance_delta (account_id, delta_minor)
      select ${main}::uuid, 1 from generate_series(1, ${rows}::int)`;
    expect(await new BalanceRollup(database, new SystemClock()).rollUp()).toBe(rows);
    expect(await company.balance()).toBe(BigInt(rows));
    await database.prisma.accountBalance.delete({ where: { accountId: main } });
  });
});

describe('verification', () => {
  it('counts what it has read', async () => {
    const before = await verifyLedger(database.prisma);
    await company.schedules({ customer: await company.customer() });
    const after = await verifyLedger(database.prisma);
    expect(after).toEqual({ ...before, entries: before.entries + 1, schedules: before.schedules + 1 });
  });

  it('finds a balance that does not follow from the entries', async () => {
    await post(entry());
    const { seq } = await database.prisma.accountBalanceDelta.create({
      data: { accountId: main, deltaMinor: 1n },
    });
    expect((await verifyLedger(database.prisma)).difference).toEqual({
      what: 'account',
      id: main,
      expectedMinor: 100n,
      actualMinor: 101n,
    });
    await database.prisma.accountBalanceDelta.delete({ where: { seq } });
    await company.verify();
  });

  it('finds an open value, a schedule value and an opening balance that do not follow', async () => {
    const [id] = await company.schedules({ customer: await company.customer() });
    const { prisma } = database;
    const difference = async () => (await verifyLedger(prisma)).difference;

    await prisma.schedule.update({ where: { id }, data: { openMinor: 9_999n } });
    expect(await difference()).toMatchObject({ what: 'schedule', id, actualMinor: 9_999n });
    await prisma.schedule.update({ where: { id }, data: { openMinor: 10_000n, valueMinor: 10_001n } });
    expect(await difference()).toMatchObject({ what: 'schedule value', id, expectedMinor: 10_000n });
    await prisma.schedule.update({ where: { id }, data: { valueMinor: 10_000n } });
    await prisma.account.update({ where: { id: main }, data: { openBalanceMinor: 5n } });
    expect(await difference()).toMatchObject({ what: 'opening', id: main, expectedMinor: 0n });
    await prisma.account.update({ where: { id: main }, data: { openBalanceMinor: 0n } });
    await company.verify();
  });
});
