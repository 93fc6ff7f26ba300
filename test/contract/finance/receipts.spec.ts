import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { Company } from '../../support/company';
import { expectDone, idOf, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

async function makeSchedule(fields: Record<string, unknown> = {}): Promise<string> {
  const stakeholderId = await client.company.customer();
  const body = { stakeholderId, value: 100, dueDate: '2099-01-31', ...fields };
  return idOf(await client.send('post', '/schedules/credit/FormatType=json', JSON.stringify(body)));
}

describe('5. POST /schedules/credit/{ScheduleId}/receipts', () => {
  let scheduleId: string;
  let accountId: string;
  beforeEach(async () => {
    scheduleId = await makeSchedule();
    accountId = await client.idByCode('account', 'main');
  });

  function receive(fields: Record<string, unknown>, path = scheduleId): Promise<Response> {
    const body = { scheduleId, accountId, date: '2026-03-10', value: 10, ...fields };
    return client.send('post', `/schedules/credit/${path}/receipts`, JSON.stringify(body));
  }

  async function view(): Promise<Record<string, unknown>> {
    const { stakeholderId } = await testing.database.prisma.schedule.findUniqueOrThrow({
      where: { id: scheduleId },
    });
    const [schedule] = (await client.get(`/customers/${stakeholderId}/schedules`)).body as Record<
      string,
      unknown
    >[];
    return schedule!;
  }

  it('books nothing where the body holds two values, in JSON as in XML', async () => {
    const receipts = `/schedules/credit/${scheduleId}/receipts`;
    const fields = `"accountId":"${accountId}","date":"2026-03-10"`;
    const said = await client.send('post', receipts, `{${fields},"value":10,"value":90}`);
    expect(problemOf(said).detail).toBe('The body is JSON with the same member twice in one object');
    expect(refusalOf(said)).toBe('400 malformed-request');
    expect(await view()).toMatchObject({ openValue: 100 });
  });

  it('adds up partial receipts until nothing is open', async () => {
    expectDone(await receive({ value: 99.99, identifier: 'pix-1' }));
    expect(await view()).toMatchObject({ openValue: 0.01, isPaid: false, isEntry: false });
    expectDone(await receive({ value: 0.01, scheduleId: undefined }));
    expect(await view()).toMatchObject({
      value: 100,
      openValue: 0,
      isPaid: true,
      isEntry: true,
      isDued: false,
    });
    expect(await client.company.balance()).toBe(10_000n);
  });

  it('refuses more than is open and says how much is', async () => {
    await receive({ value: 40 });
    const reply = await receive({ value: 60.01 });
    expect(problemOf(reply)).toEqual({
      type: 'urn:ponte:problem:exceeds-open-value',
      title: 'The value is more than what is open',
      status: 422,
      detail: 'the value 60.01 is more than the 60.00 that is open',
      error: 'exceeds-open-value',
      error_description: 'the value 60.01 is more than the 60.00 that is open',
      errors: [{ pointer: '/value', code: 'exceeds-open-value', message: 'must be at most 60.00' }],
      openValue: 60,
    });
    expect(await client.company.balance()).toBe(4_000n);
  });

  it('writes off the rest as a discount with payingType close', async () => {
    expectDone(await receive({ value: 95.5, payingType: 'Close' }));
    expect(await view()).toMatchObject({ openValue: 0, isPaid: true });
    expect(await client.company.balance()).toBe(9_550n);
    const [discount] = await testing.database.prisma.entry.findMany({
      where: { creditId: scheduleId, kind: 'discount' },
    });
    expect(discount).toMatchObject({ amountMinor: 450n, debitBook: 'expense', creditBook: 'receivable' });
  });

  it('lets thirty-two clients settle at once without settling more than is open', async () => {
    const replies = await Promise.all(Array.from({ length: 32 }, () => receive({ value: 7 })));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(14);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(18);
    expect(await view()).toMatchObject({ openValue: 2 });
    expect(await client.company.balance()).toBe(9_800n);
  });

  it.each([
    ['another schedule in the body', { scheduleId: newId() }, '422 validation-failed /scheduleId'],
    ['an unknown account', { accountId: newId() }, '422 validation-failed /accountId'],
    ['a date before the account was opened', { date: '2019-12-31' }, '422 before-opening-date /date'],
    ['no value', { value: undefined }, '422 validation-failed /value'],
    ['a value of zero', { value: 0 }, '422 validation-failed /value'],
    ['no date', { date: undefined }, '422 validation-failed /date'],
  ])('refuses %s', async (_name, fields, refusal) => {
    expect(refusalOf(await receive(fields))).toBe(refusal);
    expect(await client.company.balance()).toBe(0n);
  });

  it('knows no schedule that is absent, of another organization or no UUID', async () => {
    const stranger = await Company.found(testing.database);
    const [theirs] = await stranger.schedules({ customer: await stranger.customer() });
    for (const path of [newId(), theirs!, 'x']) {
      expect(refusalOf(await receive({ scheduleId: undefined }, path))).toBe('404 not-found');
    }
    expect(await stranger.open([theirs!])).toEqual([10_000n]);
  });
});
