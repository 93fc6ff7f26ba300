import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { Books } from '../../support/books';
import { expectDone, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe('7. POST /accounts/transfer', () => {
  let savings: string;
  beforeEach(async () => {
    savings = await books.account({ openedOn: '2026-03-01' });
  });

  function transfer(fields: Record<string, unknown> = {}): Promise<Response> {
    const body = {
      originAccountId: main,
      destinyAccountId: savings,
      date: '2026-03-10',
      value: 250.75,
      ...fields,
    };
    return client.send('post', '/accounts/transfer', JSON.stringify(body));
  }

  it('takes from one account what it gives the other, in one entry', async () => {
    expectDone(await transfer());
    expect(await books.balance(main)).toBe(-25_075n);
    expect(await books.balance(savings)).toBe(25_075n);
    const organizationId = client.company.organization.id;
    const entries = await testing.database.prisma.entry.findMany({
      where: { organizationId, kind: 'transfer' },
    });
    expect(entries).toMatchObject([
      { date: new Date('2026-03-10'), amountMinor: 25_075n, debitId: savings, creditId: main },
    ]);
  });

  it('may be dated before the accounts were opened', async () => {
    expectDone(await transfer({ date: '2019-12-31' }));
    expect(await books.balance(savings)).toBe(25_075n);
  });

  it('moves the money back', async () => {
    expectDone(await transfer());
    expectDone(await transfer({ originAccountId: savings, destinyAccountId: main }));
    expect([await books.balance(main), await books.balance(savings)]).toEqual([0n, 0n]);
  });

  it('needs two accounts', async () => {
    const message = 'the two accounts must be different';
    expect(problemOf(await transfer({ destinyAccountId: main.toUpperCase() }))).toEqual({
      type: 'urn:ponte:problem:validation-failed',
      title: 'Some fields are not acceptable',
      status: 422,
      detail: message,
      error: 'validation-failed',
      error_description: message,
      errors: [{ pointer: '/destinyAccountId', code: 'same-account', message }],
    });
  });

  it.each([
    [{ originAccountId: undefined }, '422 validation-failed /originAccountId'],
    [{ originAccountId: newId() }, '422 validation-failed /originAccountId'],
    [{ destinyAccountId: newId() }, '422 validation-failed /destinyAccountId'],
    [{ destinyAccountId: null }, '422 validation-failed /destinyAccountId'],
    [{ value: 0 }, '422 validation-failed /value'],
    [{ value: -5 }, '422 validation-failed /value'],
    [{ value: 1.005 }, '422 validation-failed /value'],
    [{ date: null }, '422 validation-failed /date'],
    [{ date: 'soon' }, '422 validation-failed /date'],
  ])('refuses %p and moves nothing', async (fields, refusal) => {
    expect(refusalOf(await transfer(fields))).toBe(refusal);
    expect([await books.balance(main), await books.balance(savings)]).toEqual([0n, 0n]);
  });

  it("knows no other organization's account", async () => {
    const stranger = new Books((await FinanceClient.of(testing)).company);
    const theirs = await stranger.account();
    expect(refusalOf(await transfer({ destinyAccountId: theirs }))).toMatch(/\/destinyAccountId$/);
    expect(refusalOf(await transfer({ originAccountId: theirs }))).toMatch(/\/originAccountId$/);
  });
});
