import { Books } from '../../../../test/support/books';
import { Company } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { reversalOf } from './reversal';
import { postEntries } from './posting';
import { verifyLedger, type LedgerDifference } from './verify';

let database: Database;
let company: Company;
let books: Books;
let account: string;
let payable: string;
let payment: string;

beforeEach(async () => {
  database = await openTestDatabase();
  company = await Company.found(database);
  books = new Books(company);
  account = await books.account();
  payable = await books.payable();
  payment = await books.pay(payable, account, 12_000n);
});
afterEach(() => database.close());

async function difference(): Promise<LedgerDifference | undefined> {
  return (await verifyLedger(database.prisma)).difference;
}

async function reverse(id: string): Promise<void> {
  const entry = await database.prisma.entry.findUniqueOrThrow({ where: { id } });
  await database.transaction((tx) => postEntries(tx, [reversalOf(entry)]));
}

it('finds nothing wrong with payables, payments and payments taken back', async () => {
  expect(await difference()).toBeUndefined();
  await reverse(payment);
  expect(await company.open([payable])).toEqual([30_000n]);
  expect(await difference()).toBeUndefined();
});

it('counts nothing that was reversed to what is open of a payable', async () => {
  await reverse(payment);
  await database.prisma.schedule.update({ where: { id: payable }, data: { openMinor: 18_000n } });
  expect(await difference()).toEqual({
    what: 'schedule',
    id: payable,
    expectedMinor: 30_000n,
    actualMinor: 18_000n,
  });
});

it('names the balance that somebody changed', async () => {
  await database.prisma.accountBalance.create({ data: { accountId: account, balanceMinor: 500n } });
  expect(await difference()).toEqual({
    what: 'account',
    id: account,
    expectedMinor: -12_000n,
    actualMinor: -11_500n,
  });
});

it('names the opening balance that somebody changed', async () => {
  await database.prisma.account.update({ where: { id: account }, data: { openBalanceMinor: 7n } });
  expect(await difference()).toEqual({ what: 'opening', id: account, expectedMinor: 0n, actualMinor: 7n });
});

it('names the reversal that does not mirror its entry', async () => {
  const id = newId();
  const stranger = await books.account({ name: 'Another' });
  await database.prisma.$executeRaw`alter table entry disable trigger entry_reversal_mirrors`;
  // Between two accounts, as it stands in its own balances: only what it claims to take back is wrong.
  await database.prisma.$transaction([
    database.prisma.entry.create({
      data: {
        id,
        organizationId: company.organization.id,
        kind: 'reversal',
        date: new Date('2026-03-10'),
        amountMinor: 12_000n,
        debitBook: 'account',
        debitId: stranger,
        creditBook: 'account',
        creditId: account,
        reversesId: payment,
      },
    }),
    database.prisma.accountBalanceDelta.createMany({
      data: [
        { accountId: stranger, deltaMinor: 12_000n },
        { accountId: account, deltaMinor: -12_000n },
      ],
    }),
  ]);
  expect(await difference()).toEqual({ what: 'reversal', id, expectedMinor: 0n, actualMinor: 12_000n });
});
