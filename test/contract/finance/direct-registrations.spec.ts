import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { Books } from '../../support/books';
import { idOf, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe.each([
  { name: '3. POST /payments', path: '/payments', kind: 'payment', type: 'out', other: 'in' },
  { name: '4. POST /receipts', path: '/receipts', kind: 'receipt', type: 'in', other: 'out' },
] as const)('$name', ({ path, kind, type, other }) => {
  const sign = kind === 'payment' ? -1n : 1n;

  function register(fields: Record<string, unknown> = {}): Promise<Response> {
    const body = { accountId: main, value: 12.34, date: '2026-03-10', ...fields };
    return client.send('post', path, JSON.stringify(body));
  }

  async function category(wanted: string): Promise<string> {
    const where = { organizationId: client.company.organization.id, type: wanted };
    return (await testing.database.prisma.category.findFirstOrThrow({ where })).id;
  }

  it('moves the money and keeps everything the body brings', async () => {
    const stakeholderId = await client.company.customer();
    const categoryId = await category(type);
    const { id: costCenterId } = await testing.database.prisma.costCenter.findFirstOrThrow({
      where: { organizationId: client.company.organization.id },
    });
    const id = idOf(
      await client.send(
        'post',
        path,
        `{"accountId":"${main}","stakeholderId":"${stakeholderId}","categoryId":"${categoryId}",
          "costCenterId":"${costCenterId}","value":1500.5,"date":"2026-03-10","description":" Frete ",
          "reference":"NF 77","isFlag":true}`,
      ),
    );
    expect(await testing.database.prisma.entry.findUniqueOrThrow({ where: { id } })).toMatchObject({
      kind,
      date: new Date('2026-03-10'),
      amountMinor: 150_050n,
      stakeholderId,
      categoryId,
      costCenterId,
      description: 'Frete',
      reference: 'NF 77',
      isFlagged: true,
      ...(kind === 'payment'
        ? { debitBook: 'expense', debitId: categoryId, creditBook: 'account', creditId: main }
        : { debitBook: 'account', debitId: main, creditBook: 'income', creditId: categoryId }),
    });
    expect(await books.balance(main)).toBe(sign * 150_050n);
  });

  it('needs no more than an account, a value and a date', async () => {
    const id = idOf(await register({ categoryId: null, stakeholderId: null, costCenterId: null }));
    expect(await testing.database.prisma.entry.findUniqueOrThrow({ where: { id } })).toMatchObject({
      categoryId: null,
      stakeholderId: null,
      isFlagged: false,
    });
    expect(await books.balance(main)).toBe(sign * 1234n);
  });

  it('is reached with the trailing segment, too', async () => {
    const body = `{"accountId":"${main}","value":1,"date":"2026-03-10"}`;
    idOf(await client.send('post', `${path}/FormatType=json`, body));
    expect(await books.balance(main)).toBe(sign * 100n);
  });

  it.each(['customer', 'supplier', 'partner'] as const)('takes a %s as stakeholder', async (kindOf) => {
    idOf(await register({ stakeholderId: await books.supplier(kindOf) }));
  });

  it('takes the day of the opening', async () => {
    const accountId = await books.account({ openedOn: '2026-03-10' });
    idOf(await register({ accountId }));
    expect(await books.balance(accountId)).toBe(sign * 1234n);
  });

  it('refuses the day before the opening', async () => {
    const accountId = await books.account({ openedOn: '2026-03-11' });
    const message = 'the date 2026-03-10 is before 2026-03-11, when the account was opened';
    expect(problemOf(await register({ accountId }))).toEqual({
      type: 'urn:ponte:problem:before-opening-date',
      title: "The date is before the account's opening balance",
      status: 422,
      detail: message,
      error: 'before-opening-date',
      error_description: message,
      errors: [{ pointer: '/date', code: 'before-opening-date', message }],
    });
    expect(await books.balance(accountId)).toBe(0n);
  });

  it('refuses a category for the other direction', async () => {
    const problem = problemOf(await register({ categoryId: await category(other) }));
    const message = `the category is for money that ${other === 'in' ? 'comes in' : 'goes out'}`;
    expect(problem['errors']).toEqual([{ pointer: '/categoryId', code: 'category-type', message }]);
  });

  it.each([
    [{ accountId: undefined }, '422 validation-failed /accountId'],
    [{ accountId: 'main' }, '422 validation-failed /accountId'],
    [{ accountId: newId() }, '422 validation-failed /accountId'],
    [{ stakeholderId: newId() }, '422 validation-failed /stakeholderId'],
    [{ categoryId: newId() }, '422 validation-failed /categoryId'],
    [{ costCenterId: newId() }, '422 validation-failed /costCenterId'],
    [{ value: 0 }, '422 validation-failed /value'],
    [{ value: -1 }, '422 validation-failed /value'],
    [{ value: 0.001 }, '422 validation-failed /value'],
    [{ value: '12,00' }, '422 validation-failed /value'],
    [{ date: undefined }, '422 validation-failed /date'],
    [{ date: '2026-02-30' }, '422 validation-failed /date'],
    [{ isFlag: 'yes' }, '422 validation-failed /isFlag'],
  ])('refuses %p', async (fields, refusal) => {
    expect(refusalOf(await register(fields))).toBe(refusal);
    expect(await books.balance(main)).toBe(0n);
  });

  it('knows no record of another organization, and none that was deleted', async () => {
    const stranger = new Books((await FinanceClient.of(testing)).company);
    expect(refusalOf(await register({ accountId: await stranger.account() }))).toMatch(/\/accountId$/);
    expect(refusalOf(await register({ stakeholderId: await stranger.supplier() }))).toMatch(
      /\/stakeholderId$/,
    );
    const id = await books.supplier();
    await testing.database.prisma.stakeholder.update({ where: { id }, data: { deletedAt: new Date() } });
    expect(refusalOf(await register({ stakeholderId: id }))).toMatch(/\/stakeholderId$/);
  });
});
