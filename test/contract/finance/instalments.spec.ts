import { idOf, refusalOf, FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;
let stakeholderId: string;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
  stakeholderId = await client.company.customer();
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

function send(value: string, instalment: string, description = '"description":"Order 8",') {
  const json = `{"stakeholderId":"${stakeholderId}",${description}"reference":"r8","value":${value},
    "dueDate":"2099-01-31","instalment":${instalment}}`;
  return client.send('post', '/schedules/credit/FormatType=json', json);
}

async function listed(): Promise<Record<string, unknown>[]> {
  const reply = await client.get(`/customers/${stakeholderId}/schedules`);
  expect(reply.status).toBe(200);
  return reply.body as Record<string, unknown>[];
}

const many = (count: number) => JSON.stringify(Array(count).fill({ value: 0.01, dueDate: '2099-01-31' }));

it('makes 120 instalments that share the reference, and refuses 121', async () => {
  const id = idOf(await send('1.2', many(120)));
  const schedules = await listed();
  expect(schedules).toHaveLength(120);
  expect(schedules.every(({ reference, value }) => reference === 'r8' && value === 0.01)).toBe(true);
  const names = schedules.map(({ description }) => description);
  expect(new Set(names)).toEqual(new Set(Array.from({ length: 120 }, (_, at) => `Order 8 - ${at + 1}/120`)));
  expect(schedules.find(({ scheduleId }) => scheduleId === id)!['description']).toBe('Order 8 - 1/120');
  expect(refusalOf(await send('1.21', many(121)))).toBe('422 validation-failed /instalment');
  expect(await listed()).toHaveLength(120);
});

it('leaves the description of a single instalment as it is, and numbers those without one', async () => {
  idOf(await send('5', '[{"value":5,"dueDate":"2099-01-31"}]'));
  const two = '[{"value":2,"dueDate":"2099-02-28"},{"value":3,"dueDate":"2099-03-31","description":null}]';
  idOf(await send('5', two, ''));
  expect((await listed()).map(({ description }) => description)).toEqual(['Order 8', '1/2', '2/2']);
});

it.each([
  ['a cent too little', '10', '[5,4.99]', 0.01],
  ['a cent too much', '10', '[5,5.01]', -0.01],
  ['one that is not the value', '999999999999.99', '[0.01]', 999_999_999_999.98],
])('refuses %s and says the difference', async (_name, value, values, difference) => {
  const parts = (JSON.parse(values) as number[]).map((part) => ({ value: part, dueDate: '2099-01-31' }));
  const reply = await send(value, JSON.stringify(parts));
  expect(refusalOf(reply)).toBe('422 instalments-mismatch /instalment');
  expect(reply.body).toMatchObject({ difference });
  expect(await listed()).toEqual([]);
});

it.each([
  ['a part of a cent', '[{"value":9.995,"dueDate":"2099-01-31"}]', '/instalment/0/value'],
  ['nothing', '[{"value":0,"dueDate":"2099-01-31"}]', '/instalment/0/value'],
  [
    'less than nothing',
    '[{"value":11,"dueDate":"2099-01-31"},{"value":-1,"dueDate":"2099-01-31"}]',
    '/instalment/1/value',
  ],
  ['no value', '[{"dueDate":"2099-01-31"}]', '/instalment/0/value'],
  ['a day that is none', '[{"value":10,"dueDate":"2099-02-29"}]', '/instalment/0/dueDate'],
  ['what is no list', '{"value":10,"dueDate":"2099-01-31"}', '/instalment'],
])('refuses an instalment of %s', async (_name, instalment, pointer) => {
  expect(refusalOf(await send('10', instalment))).toBe(`422 validation-failed ${pointer}`);
  expect(await listed()).toEqual([]);
});
