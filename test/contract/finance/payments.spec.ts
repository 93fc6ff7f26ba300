import { CalendarDate } from '../../../src/kernel/calendar-date';
import { newId } from '../../../src/kernel/identifier';
import type { Problem } from '../../../src/kernel/problem';
import { Books } from '../../support/books';
import { FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;
let books: Books;
let main: string;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
  books = new Books(client.company);
  main = await client.idByCode('account', 'main');
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

/** Code and pointers of what is thrown. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const problem = await work.then(
    () => undefined,
    (error: unknown) => error as Problem,
  );
  return [problem?.code, ...(problem?.extras.errors ?? []).map(({ pointer }) => pointer)].join(' ');
}

async function category(type: string): Promise<string> {
  const where = { organizationId: client.company.organization.id, type };
  return (await testing.database.prisma.category.findFirstOrThrow({ where })).id;
}

describe('payables', () => {
  it('are owed from their due date on, as an expense of their category', async () => {
    const stakeholderId = await books.supplier();
    const categoryId = await category('out');
    const id = await books.payable({ stakeholderId, categoryId, reference: 'NF 1', isFlagged: true });
    const { prisma } = testing.database;
    expect(await prisma.schedule.findUniqueOrThrow({ where: { id } })).toMatchObject({
      kind: 'debit',
      stakeholderId,
      categoryId,
      description: 'Rent',
      reference: 'NF 1',
      valueMinor: 30_000n,
      openMinor: 30_000n,
      scheduleDate: new Date('2026-03-10'),
      accrualDate: new Date('2026-04-10'),
      dueDate: new Date('2026-04-10'),
      isFlagged: true,
    });
    expect(await prisma.entry.findFirstOrThrow({ where: { creditId: id } })).toMatchObject({
      kind: 'payable',
      date: new Date('2026-04-10'),
      debitBook: 'expense',
      debitId: categoryId,
      creditBook: 'payable',
    });
  });

  it('may be owed to a partner, and not to a customer', async () => {
    await books.payable({ stakeholderId: await books.supplier('partner') });
    const stakeholderId = await books.supplier('customer');
    expect(await refusal(books.payable({ stakeholderId }))).toBe('validation-failed /stakeholderId');
  });

  it.each([
    ['no value', () => ({ value: books.money(0n) }), 'validation-failed /value'],
    ['an unknown stakeholder', () => ({ stakeholderId: newId() }), 'validation-failed /stakeholderId'],
    ['an unknown category', () => ({ categoryId: newId() }), 'validation-failed /categoryId'],
    ['an unknown cost center', () => ({ costCenterId: newId() }), 'validation-failed /costCenterId'],
  ])('are refused with %s', async (_name, fields, expected) => {
    expect(await refusal(books.payable(fields()))).toBe(expected);
  });

  it('are refused with a category for money that comes in', async () => {
    const categoryId = await category('in');
    expect(await refusal(books.payable({ categoryId }))).toBe('validation-failed /categoryId');
  });
});

describe('payments of a payable', () => {
  it('add up until nothing is open', async () => {
    const id = await books.payable();
    await books.pay(id, main, 29_999n);
    expect(await client.company.open([id])).toEqual([1n]);
    const payment = await books.pay(id, main, 1n, { identifier: 'pix-1', description: 'The last cent' });
    expect(await client.company.open([id])).toEqual([0n]);
    expect(await books.balance(main)).toBe(-30_000n);
    expect(await testing.database.prisma.entry.findUniqueOrThrow({ where: { id: payment } })).toMatchObject({
      kind: 'payment',
      debitBook: 'payable',
      debitId: id,
      creditBook: 'account',
      creditId: main,
      identifier: 'pix-1',
      description: 'The last cent',
    });
  });

  it('never reach more than is open', async () => {
    const id = await books.payable();
    expect(await refusal(books.pay(id, main, 30_001n))).toBe('exceeds-open-value /value');
    expect(await client.company.open([id])).toEqual([30_000n]);
  });

  it('are not dated before the account was opened', async () => {
    const id = await books.payable();
    const date = CalendarDate.of(2019, 12, 31);
    expect(await refusal(books.pay(id, main, 1n, { date }))).toBe('before-opening-date /date');
  });

  it('name an account and a payable that are there', async () => {
    const id = await books.payable();
    expect(await refusal(books.pay(id, newId(), 1n))).toBe('validation-failed /accountId');
    expect(await refusal(books.pay(newId(), main, 1n))).toBe('not-found');
    expect(await refusal(books.pay('rent', main, 1n))).toBe('not-found');
    const [receivable] = await client.company.schedules({ customer: await client.company.customer() });
    expect(await refusal(books.pay(receivable!, main, 1n))).toBe('not-found');
  });
});
