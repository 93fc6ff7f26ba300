import { expectDone, idOf, refusalOf, FinanceClient } from '../../support/finance-client';
import { SettableClock } from '../../support/settable-clock';
import type { TestingApp } from '../../support/testing-app';

// Noon of 31 January 2026 in São Paulo: a year ahead is 31 January 2027.
const NOON = '2026-01-31T15:00:00Z';
const clock = new SettableClock(NOON);
let testing: TestingApp;
let client: FinanceClient;
let stakeholderId: string;

beforeAll(async () => {
  testing = await FinanceClient.serve({ clock });
});
beforeEach(async () => {
  clock.set(NOON);
  client = await FinanceClient.of(testing);
  stakeholderId = await client.company.customer({ name: 'Lia Campos' });
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

/** A receivable of 10.00 that recurs. */
function send(dueDate: string, recurrence: string, more = '') {
  const json = `{"stakeholderId":"${stakeholderId}","value":10,"dueDate":"${dueDate}",
    "recurrence":${recurrence}${more}}`;
  return client.send('post', '/schedules/credit/FormatType=json', json);
}

interface Listed {
  scheduleId: string;
  dueDate: string;
  [field: string]: unknown;
}

async function listed(): Promise<Listed[]> {
  const reply = await client.get(`/customers/${stakeholderId}/schedules?$top=500`);
  expect(reply.status).toBe(200);
  return reply.body as Listed[];
}

async function dueDates(): Promise<string[]> {
  return (await listed()).map(({ dueDate }) => dueDate.slice(0, 10));
}

function stored() {
  return testing.database.prisma.recurrence.findMany({
    where: { organizationId: client.company.organization.id },
  });
}

it('registers every occurrence of a year, each a receivable of its own', async () => {
  const categoryId = await client.idByCode('category', '1.1.01');
  const costCenterId = await client.idByCode('costCenter', 'geral');
  const reply = await client.send(
    'post',
    '/schedules/credit/FormatType=json',
    `{"stakeholderId":"${stakeholderId}","description":"Rent","reference":"contract/7","value":1234.56,
      "scheduleDate":"2026-01-15","dueDate":"2026-02-05","categoryId":"${categoryId}",
      "costCenterId":"${costCenterId}","isFlagged":true,
      "recurrence":{"intervalType":"Month","interval":1,"type":"ByOccurrences","occurrences":2}}`,
  );
  const common = {
    description: 'Rent',
    reference: 'contract/7',
    value: 1234.56,
    openValue: 1234.56,
    scheduleDate: '2026-01-15T00:00:00-03:00',
    stakeholder: { id: stakeholderId, name: 'Lia Campos', isDeleted: false },
    category: { id: categoryId, name: 'Vendas online', isDeleted: false },
    costCenter: { id: costCenterId, description: 'Geral', isDeleted: false },
    isDued: false,
    isPaid: false,
    isFlagged: true,
    isEntry: false,
    type: 'Credit',
  };
  expect(await listed()).toEqual([
    {
      ...common,
      scheduleId: idOf(reply),
      accrualDate: '2026-02-05T00:00:00-03:00',
      dueDate: '2026-02-05T00:00:00-03:00',
    },
    {
      ...common,
      scheduleId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      accrualDate: '2026-03-05T00:00:00-03:00',
      dueDate: '2026-03-05T00:00:00-03:00',
    },
  ]);
});

it.each([
  [
    'months',
    '2026-01-31',
    '{"intervalType":"Month","type":"ByOccurrences","occurrences":4}',
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
  ],
  [
    'an interval of three months',
    '2026-01-31',
    '{"intervalType":"Month","interval":3}',
    ['2026-01-31', '2026-04-30', '2026-07-31', '2026-10-31', '2027-01-31'],
  ],
  [
    'weeks',
    '2026-02-25',
    '{"intervalType":"Week","interval":2,"type":"ByOccurrences","occurrences":3}',
    ['2026-02-25', '2026-03-11', '2026-03-25'],
  ],
  [
    'days',
    '2026-02-27',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":3}',
    ['2026-02-27', '2026-02-28', '2026-03-01'],
  ],
  [
    'years from a leap day',
    '2020-02-29',
    '{"intervalType":"Year","type":"ByOccurrences","occurrences":6}',
    ['2020-02-29', '2021-02-28', '2022-02-28', '2023-02-28', '2024-02-29', '2025-02-28'],
  ],
  [
    'a last day that is due',
    '2026-03-10',
    '{"intervalType":"Month","type":"ByDate","endDate":"2026-05-10"}',
    ['2026-03-10', '2026-04-10', '2026-05-10'],
  ],
  [
    'a last day before the next one',
    '2026-03-10',
    '{"intervalType":"Month","type":"ByDate","endDate":"2026-05-09"}',
    ['2026-03-10', '2026-04-10'],
  ],
  [
    'a last day with an offset',
    '2026-03-10',
    '{"intervalType":"Day","type":"ByDate","endDate":"2026-03-12T01:00:00Z"}',
    ['2026-03-10', '2026-03-11'],
  ],
  [
    'an end on the first day',
    '2026-03-10',
    '{"intervalType":"Day","type":"ByDate","endDate":"2026-03-10"}',
    ['2026-03-10'],
  ],
  [
    'one occurrence',
    '2026-03-10',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":1}',
    ['2026-03-10'],
  ],
  [
    'no end',
    '2026-09-30',
    '{"intervalType":"Month","type":"Undefined"}',
    ['2026-09-30', '2026-10-30', '2026-11-30', '2026-12-30', '2027-01-30'],
  ],
  ['a first date beyond the year', '2028-05-01', '{"intervalType":"Day"}', ['2028-05-01']],
  ['the last day of the calendar', '9999-12-31', '{"intervalType":"Day"}', ['9999-12-31']],
  [
    'an interval beyond the calendar',
    '2026-03-10',
    '{"intervalType":"Year","interval":2147483647}',
    ['2026-03-10'],
  ],
  [
    'limits that its type does not use',
    '2026-12-31',
    '{"intervalType":"Month","type":"Undefined","occurrences":0,"endDate":"2020-01-01"}',
    ['2026-12-31', '2027-01-31'],
  ],
  [
    'an end date beside a number',
    '2026-03-10',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":2,"endDate":"2020-01-01"}',
    ['2026-03-10', '2026-03-11'],
  ],
  [
    'nulls',
    '2026-12-31',
    '{"intervalType":"Month","interval":null,"type":null,"occurrences":null,"endDate":null}',
    ['2026-12-31', '2027-01-31'],
  ],
])('makes the dates of %s', async (_name, dueDate, recurrence, dates) => {
  const id = idOf(await send(dueDate, recurrence));
  expect(await dueDates()).toEqual(dates);
  expect((await listed())[0]!.scheduleId).toBe(id);
});

it.each([
  ['"Day"', '2026-03-02'],
  ['"day"', '2026-03-02'],
  ['"WEEK"', '2026-03-08'],
  ['" mOnTh "', '2026-04-01'],
  ['"Year"', '2027-03-01'],
  ['"0"', '2026-03-02'],
  ['"1"', '2026-03-08'],
  ['"2"', '2026-04-01'],
  ['"3"', '2027-03-01'],
  ['0', '2026-03-02'],
  ['1', '2026-03-08'],
  ['2', '2026-04-01'],
  ['3', '2027-03-01'],
])('reads the interval type %s', async (intervalType, second) => {
  const recurrence = `{"intervalType":${intervalType},"type":"BYOCCURRENCES","occurrences":2}`;
  idOf(await send('2026-03-01', recurrence));
  const rows = await testing.database.prisma.schedule.findMany({
    where: { stakeholderId },
    orderBy: { dueDate: 'asc' },
  });
  const [kept] = await stored();
  // A second one that lies beyond the year is still to come.
  const last = rows.length === 2 ? rows[1]!.dueDate : kept?.nextDueDate;
  expect(last?.toISOString().slice(0, 10)).toBe(second);
});

it.each([
  ['no interval type', '{}', '/recurrence/intervalType'],
  ['an interval type of null', '{"intervalType":null}', '/recurrence/intervalType'],
  ['an unknown interval type', '{"intervalType":"Fortnight"}', '/recurrence/intervalType'],
  ['an empty interval type', '{"intervalType":""}', '/recurrence/intervalType'],
  ['interval type 4', '{"intervalType":4}', '/recurrence/intervalType'],
  ['interval type -1', '{"intervalType":-1}', '/recurrence/intervalType'],
  ['interval type 0.5', '{"intervalType":0.5}', '/recurrence/intervalType'],
  ['interval type "4"', '{"intervalType":"4"}', '/recurrence/intervalType'],
  ['an interval type that is an object', '{"intervalType":{}}', '/recurrence/intervalType'],
  ['interval 0', '{"intervalType":"Day","interval":0}', '/recurrence/interval'],
  ['a negative interval', '{"intervalType":"Day","interval":-1}', '/recurrence/interval'],
  ['half an interval', '{"intervalType":"Day","interval":1.5}', '/recurrence/interval'],
  ['an interval beyond 32 bits', '{"intervalType":"Day","interval":2147483648}', '/recurrence/interval'],
  ['an unknown type', '{"intervalType":"Day","type":"Forever"}', '/recurrence/type'],
  ['no number of occurrences', '{"intervalType":"Day","type":"ByOccurrences"}', '/recurrence/occurrences'],
  [
    'an end date instead of a number',
    '{"intervalType":"Day","type":"ByOccurrences","endDate":"2027-01-01"}',
    '/recurrence/occurrences',
  ],
  [
    'no occurrences',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":0}',
    '/recurrence/occurrences',
  ],
  [
    '361 occurrences',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":361}',
    '/recurrence/occurrences',
  ],
  [
    'occurrences as text that is not exact',
    '{"intervalType":"Day","type":"ByOccurrences","occurrences":"3.000"}',
    '/recurrence/occurrences',
  ],
  ['no end date', '{"intervalType":"Day","type":"ByDate"}', '/recurrence/endDate'],
  [
    'a number instead of an end date',
    '{"intervalType":"Day","type":"ByDate","occurrences":3}',
    '/recurrence/endDate',
  ],
  [
    'an end before the first day',
    '{"intervalType":"Day","type":"ByDate","endDate":"2026-03-09"}',
    '/recurrence/endDate',
  ],
  [
    'an end that is no day',
    '{"intervalType":"Day","type":"ByDate","endDate":"2026-02-30"}',
    '/recurrence/endDate',
  ],
  [
    'several at once',
    '{"intervalType":"x","interval":0,"type":"y"}',
    '/recurrence/intervalType /recurrence/interval /recurrence/type',
  ],
  ['a recurrence that is no object', '"Month"', '/recurrence'],
  ['a recurrence that is a list', '[]', '/recurrence'],
])('refuses %s', async (_name, recurrence, pointers) => {
  expect(refusalOf(await send('2026-03-10', recurrence))).toBe(`422 validation-failed ${pointers}`);
  expect(await listed()).toEqual([]);
  expect(await stored()).toEqual([]);
});

it('refuses a recurrence beside instalments', async () => {
  const instalments = ',"instalment":[{"value":10,"dueDate":"2026-03-10"}]';
  const reply = await send('2026-03-10', '{"intervalType":"Month"}', instalments);
  expect(refusalOf(reply)).toBe('422 validation-failed /recurrence');
  expect(await listed()).toEqual([]);
});

it('takes an empty list of instalments for none, and null for no recurrence', async () => {
  idOf(await send('2026-12-31', '{"intervalType":"Month"}', ',"instalment":[]'));
  idOf(await send('2026-12-31', 'null'));
  expect(await dueDates()).toEqual(['2026-12-31', '2026-12-31', '2027-01-31']);
});

it('makes a thousand schedules at once, and refuses one more', async () => {
  // 1,000 days up to 31 January 2027, both included.
  idOf(await send('2024-05-07', '{"intervalType":"Day"}'));
  expect(await testing.database.prisma.schedule.count({ where: { stakeholderId } })).toBe(1_000);
  const reply = await send('2024-05-06', '{"intervalType":"Day"}');
  expect(refusalOf(reply)).toBe('422 validation-failed /recurrence');
  expect(reply.body).toMatchObject({
    detail: 'the recurrence would make more than 1000 schedules at once; let it begin later',
  });
  expect(await testing.database.prisma.schedule.count({ where: { stakeholderId } })).toBe(1_000);
});

it('takes 360 occurrences', async () => {
  idOf(await send('2026-02-01', '{"intervalType":"Day","type":"ByOccurrences","occurrences":360}'));
  const dates = await dueDates();
  expect([dates.length, dates.at(0), dates.at(-1)]).toEqual([360, '2026-02-01', '2027-01-26']);
  expect(await stored()).toMatchObject([{ made: 360, nextDueDate: null }]);
});

it('keeps what is to come, under the identifier of the first schedule', async () => {
  const id = idOf(await send('2026-09-30', '{"intervalType":2}', ',"reference":"r"'));
  expect(await stored()).toMatchObject([
    { id, intervalType: 'month', interval: 1, made: 5, nextDueDate: new Date('2027-02-28') },
  ]);
  const rows = await testing.database.prisma.schedule.findMany({
    where: { stakeholderId },
    orderBy: { dueDate: 'asc' },
  });
  expect(rows.map(({ occurrence }) => occurrence)).toEqual([1, 2, 3, 4, 5]);
  for (const row of rows) {
    expect(row).toMatchObject({
      recurrenceId: id,
      groupId: id,
      instalment: 1,
      instalmentCount: 1,
      reference: 'r',
    });
  }
});

it('reckons the year ahead from the day it is in the organization', async () => {
  // 22:00 of 31 January in São Paulo, though 1 February elsewhere.
  clock.set('2026-02-01T01:00:00Z');
  idOf(await send('2027-01-30', '{"intervalType":"Day"}'));
  expect(await dueDates()).toEqual(['2027-01-30', '2027-01-31']);
});

it('stores nothing of a recurrence for a customer there is not', async () => {
  const json = `{"stakeholderId":"019b0000-0000-7000-8000-000000000000","value":10,"dueDate":"2026-03-10",
    "recurrence":{"intervalType":"Month"}}`;
  const reply = await client.send('post', '/schedules/credit', json);
  expect(refusalOf(reply)).toBe('422 validation-failed /stakeholderId');
  expect(await stored()).toEqual([]);
});

it('lets one occurrence be received alone', async () => {
  const id = idOf(
    await send('2026-03-10', '{"intervalType":"Month","type":"ByOccurrences","occurrences":2}'),
  );
  const accountId = await client.idByCode('account', 'main');
  const json = `{"accountId":"${accountId}","date":"2026-03-10","value":10}`;
  expectDone(await client.send('post', `/schedules/credit/${id}/receipts`, json));
  expect((await listed()).map(({ openValue }) => openValue)).toEqual([0, 10]);
});
