import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { Books } from '../../support/books';
import { expectDone, idOf, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe('8. DELETE /schedules/debit/{ScheduleId}/payments/{PaymentId}', () => {
  let scheduleId: string;
  let paymentId: string;
  beforeEach(async () => {
    scheduleId = await books.payable();
    paymentId = await books.pay(scheduleId, main, 20_000n);
  });

  async function remove(schedule = scheduleId, payment = paymentId, json?: string): Promise<Response> {
    const request = testing.http
      .delete(`/v1/schedules/debit/${schedule}/payments/${payment}`)
      .set('apitoken', client.key);
    return json === undefined ? request : request.set('content-type', 'application/json').send(json);
  }

  async function expectPaid(): Promise<void> {
    expect(await client.company.open([scheduleId])).toEqual([10_000n]);
    expect(await books.balance(main)).toBe(-20_000n);
  }

  it('opens the schedule again and gives the money back, by an entry that mirrors the payment', async () => {
    await expectPaid();
    expectDone(await remove());
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
    expect(await books.balance(main)).toBe(0n);
    const { prisma } = testing.database;
    expect(await prisma.entry.findFirstOrThrow({ where: { reversesId: paymentId } })).toMatchObject({
      kind: 'reversal',
      date: new Date('2026-03-10'),
      amountMinor: 20_000n,
      debitBook: 'account',
      debitId: main,
      creditBook: 'payable',
      creditId: scheduleId,
    });
    expect(await prisma.entry.count({ where: { id: paymentId } })).toBe(1);
  });

  it('takes back one of several payments, and what is open can be paid anew', async () => {
    await books.pay(scheduleId, main, 10_000n);
    expect(await client.company.open([scheduleId])).toEqual([0n]);
    expectDone(await remove());
    expect(await client.company.open([scheduleId])).toEqual([20_000n]);
    await books.pay(scheduleId, main, 20_000n);
    expect(await client.company.open([scheduleId])).toEqual([0n]);
  });

  it.each([
    ['both identifiers', () => ({ paymentId, scheduleId: scheduleId.toUpperCase() })],
    ['one identifier', () => ({ paymentId })],
    ['nulls', () => ({ paymentId: null, scheduleId: null })],
    ['nothing', () => ({})],
  ])('takes a body with %s', async (_name, body) => {
    expectDone(await remove(scheduleId, paymentId, JSON.stringify(body())));
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
  });

  it.each([
    [{ paymentId: newId() }, '422 validation-failed /paymentId'],
    [{ scheduleId: newId() }, '422 validation-failed /scheduleId'],
    [{ paymentId: 'x' }, '422 validation-failed /paymentId'],
  ])('refuses the body %p that disagrees with the path', async (body, refusal) => {
    expect(refusalOf(await remove(scheduleId, paymentId, JSON.stringify(body)))).toBe(refusal);
    await expectPaid();
  });

  it('finds nothing the second time', async () => {
    expectDone(await remove());
    expect(refusalOf(await remove())).toBe('404 not-found');
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
  });

  it('reverses once, however many delete at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => remove()));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, ...Array<number>(7).fill(404)]);
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
  });

  it('refuses a payment that is reconciliated', async () => {
    await testing.database.prisma.entryReconciliation.create({ data: { entryId: paymentId } });
    const detail = 'The payment is reconciliated with the bank statement';
    expect(problemOf(await remove())).toEqual({
      type: 'urn:ponte:problem:entry-reconciliated',
      title: 'The entry is reconciliated and stays',
      status: 409,
      detail,
      error: 'entry-reconciliated',
      error_description: detail,
    });
    await expectPaid();
  });

  it.each([
    ['an unknown schedule', () => [newId(), paymentId]],
    ['an unknown payment', () => [scheduleId, newId()]],
    ['a schedule that is no UUID', () => ['rent', paymentId]],
    ['a payment that is no UUID', () => [scheduleId, 'first']],
  ])('finds nothing for %s', async (_name, path) => {
    const [schedule, payment] = path();
    expect(refusalOf(await remove(schedule, payment))).toBe('404 not-found');
    await expectPaid();
  });

  it("finds no payment of another schedule, nor another organization's", async () => {
    expect(refusalOf(await remove(await books.payable(), paymentId))).toBe('404 not-found');
    const other = await FinanceClient.of(testing);
    const reply = await testing.http
      .delete(`/v1/schedules/debit/${scheduleId}/payments/${paymentId}`)
      .set('apitoken', other.key);
    expect(refusalOf(reply)).toBe('404 not-found');
    await expectPaid();
  });

  it('finds no payment that belongs to no schedule, and no receivable', async () => {
    const body = `{"accountId":"${main}","value":1,"date":"2026-03-10"}`;
    const direct = idOf(await client.send('post', '/payments', body));
    expect(refusalOf(await remove(scheduleId, direct))).toBe('404 not-found');
    const [receivable] = await client.company.schedules({ customer: await client.company.customer() });
    expect(refusalOf(await remove(receivable, paymentId))).toBe('404 not-found');
  });
});
