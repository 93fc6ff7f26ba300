import { FinanceClient, type PageOf } from '../support/finance-client';
import type { TestingApp } from '../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => testing.close());

describe('the largest amounts', () => {
  it('are shown exactly as long as they are taken, and refused by name from there on', async () => {
    const accountId = await client.idByCode('account', 'main');
    const receipt = `{"accountId": "${accountId}", "date": "2026-03-10", "value": 999999999999.99}`;
    for (let count = 0; count < 10; count += 1)
      expect((await client.send('post', '/receipts', receipt)).status).toBe(200);
    const refused = await client.send('post', '/receipts', receipt);
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ code: 'balance-range' })] }),
    ]);
    const reply = await client.get('/accounts/views/balance');
    expect(reply.status).toBe(200);
    const { items } = reply.body as PageOf<{ accountId: string; balance: number }>;
    expect(items.find((item) => item.accountId === accountId)?.balance).toBe(9_999_999_999_999.9);
  });
});

describe('the first and the last day', () => {
  it.each([
    ['1900-01-01', 'America/Sao_Paulo'],
    ['1900-01-01', 'Asia/Kathmandu'],
    ['2011-12-30', 'Pacific/Apia'],
    ['2018-11-04', 'America/Sao_Paulo'],
    ['9999-12-31', 'Pacific/Kiritimati'],
  ])('%s is taken in %s, shown as it was given, and found again', async (dueDate, timeZone) => {
    const { id } = client.company.organization;
    await testing.database.prisma.organization.update({ where: { id }, data: { timeZone } });
    const stakeholderId = await client.company.customer();
    const made = await client.send(
      'post',
      '/schedules/credit/FormatType=json',
      JSON.stringify({ stakeholderId, value: 1, dueDate, scheduleDate: dueDate }),
    );
    expect(made.status).toBe(200);
    const listed = await client.get(`/customers/${stakeholderId}/schedules`);
    const [{ dueDate: shown } = { dueDate: '' }] = listed.body as { dueDate: string }[];
    expect(shown.slice(0, 10)).toBe(dueDate);
    const filter = encodeURIComponent(`dueDate eq ${shown}`);
    const found = await client.get(`/customers/${stakeholderId}/schedules?$filter=${filter}`);
    expect([found.status, found.body]).toEqual([200, [expect.objectContaining({ dueDate: shown })]]);
    expect((await client.get('/schedules/credit/dued')).status).toBe(200);
    const again = await client.send(
      'post',
      '/schedules/credit/FormatType=json',
      JSON.stringify({ stakeholderId, value: 1, dueDate: shown }),
    );
    expect(again.status).toBe(200);
    const days = await testing.database.prisma.schedule.findMany({ where: { stakeholderId } });
    expect(days.map((row) => row.dueDate.toISOString().slice(0, 10))).toEqual([dueDate, dueDate]);
  });
});
