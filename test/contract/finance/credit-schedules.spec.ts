import { newId } from '../../../src/kernel/identifier';
import { Company } from '../../support/company';
import { idOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe('2. POST /schedules/credit/FormatType=json and 13. GET /customers/{CustomerId}/schedules', () => {
  it('registers a receivable that is read back as it was sent', async () => {
    const stakeholderId = await client.company.customer({ name: 'Lia Campos' });
    const categoryId = await client.idByCode('category', '1.1.01');
    const costCenterId = await client.idByCode('costCenter', 'geral');
    const reply = await client.send(
      'post',
      '/schedules/credit/FormatType=json',
      `{
        "stakeholderId": "${stakeholderId.toUpperCase()}", "description": "Order 7", "reference": "shop/order/7",
        "value": 1234.5, "scheduleDate": "2020-03-01", "dueDate": "2020-04-11T01:30:00Z",
        "categoryId": "${categoryId}", "costCenterId": "${costCenterId}", "isFlagged": true
      }`,
    );
    const scheduleId = idOf(reply);
    const list = await client.get(`/customers/${stakeholderId}/schedules`);
    expect(list.status).toBe(200);
    expect(list.body).toEqual([
      {
        scheduleId,
        description: 'Order 7',
        reference: 'shop/order/7',
        value: 1234.5,
        openValue: 1234.5,
        scheduleDate: '2020-03-01T00:00:00-03:00',
        accrualDate: '2020-04-10T00:00:00-03:00',
        dueDate: '2020-04-10T00:00:00-03:00',
        stakeholder: { id: stakeholderId, name: 'Lia Campos', isDeleted: false },
        category: { id: categoryId, name: 'Vendas online', isDeleted: false },
        costCenter: { id: costCenterId, description: 'Geral', isDeleted: false },
        isDued: true,
        isPaid: false,
        isFlagged: true,
        isEntry: false,
        type: 'Credit',
      },
    ]);
  });

  it('is also reached without the last segment, and leaves out what was left out', async () => {
    const stakeholderId = await client.company.customer();
    const json = `{"stakeholderId":"${stakeholderId}","value":0.01,"dueDate":"2099-12-31"}`;
    idOf(await client.send('post', '/schedules/credit', json));
    const [schedule] = (await client.get(`/customers/${stakeholderId}/schedules`)).body;
    expect(schedule).toMatchObject({
      description: '',
      value: 0.01,
      category: {},
      costCenter: {},
      isDued: false,
    });
    expect(schedule).not.toHaveProperty('reference');
  });

  it('makes a schedule of each instalment, by due date', async () => {
    const stakeholderId = await client.company.customer();
    const reply = await client.send(
      'post',
      '/schedules/credit/FormatType=json',
      `{"stakeholderId":"${stakeholderId}","description":"Order 8","reference":"r8","value":100,
        "dueDate":"2099-01-31","instalment":[
          {"value":33.34,"dueDate":"2099-01-31"},
          {"value":33.33,"dueDate":"2099-02-28","description":"the second"},
          {"value":33.33,"dueDate":"2099-03-31"}]}`,
    );
    const list = (await client.get(`/customers/${stakeholderId}/schedules`)).body as Record<
      string,
      unknown
    >[];
    expect(list[0]!['scheduleId']).toBe(idOf(reply));
    expect(list.map(({ description, value, reference }) => [description, value, reference])).toEqual([
      ['Order 8 - 1/3', 33.34, 'r8'],
      ['the second', 33.33, 'r8'],
      ['Order 8 - 3/3', 33.33, 'r8'],
    ]);
    const page = (await client.get(`/customers/${stakeholderId}/schedules?$TOP=1&$skip=1`)).body as unknown[];
    expect(page).toEqual([list[1]]);
  });

  it('says by how much instalments miss the value', async () => {
    const stakeholderId = await client.company.customer();
    const reply = await client.send(
      'post',
      '/schedules/credit/FormatType=json',
      `{"stakeholderId":"${stakeholderId}","value":100,"dueDate":"2099-01-31",
        "instalment":[{"value":50,"dueDate":"2099-01-31"},{"value":49.99,"dueDate":"2099-02-28"}]}`,
    );
    expect(refusalOf(reply)).toBe('422 instalments-mismatch /instalment');
    expect(reply.body).toMatchObject({ difference: 0.01 });
  });

  it.each([
    ['value 10.001', '"value":10.001', '422 validation-failed /value'],
    ['value 1000000000000', '"value":1000000000000', '422 validation-failed /value'],
    ['value 1e400', '"value":1e400', '422 validation-failed /value'],
    ['value 0', '"value":0', '422 validation-failed /value'],
    ['value -1', '"value":-1', '422 validation-failed /value'],
    ['value as text that is not exact', '"value":"10,00"', '422 validation-failed /value'],
    ['value null', '"value":null', '422 validation-failed /value'],
    ['a day that is none', '"value":1,"dueDate":"2026-02-30"', '422 validation-failed /dueDate'],
    ['an unknown customer', `"value":1,"stakeholderId":"${newId()}"`, '422 validation-failed /stakeholderId'],
    ['no identifier', '"value":1,"stakeholderId":"x"', '422 validation-failed /stakeholderId'],
    ['an unknown category', `"value":1,"categoryId":"${newId()}"`, '422 validation-failed /categoryId'],
    [
      'an unknown cost center',
      `"value":1,"costCenterId":"${newId()}"`,
      '422 validation-failed /costCenterId',
    ],
    [
      'an instalment without date',
      '"value":1,"instalment":[{"value":1}]',
      '422 validation-failed /instalment/0/dueDate',
    ],
    [
      'a recurrence with instalments',
      '"value":1,"recurrence":{"intervalType":"Month"},"instalment":[{"value":1,"dueDate":"2026-01-01"}]',
      '422 validation-failed /recurrence',
    ],
  ])('refuses %s', async (_name, fields, refusal) => {
    const stakeholderId = await client.company.customer();
    const [ofSchedule = ''] = fields.split('[');
    const others = Object.entries({ stakeholderId, dueDate: '2026-04-10' })
      .filter(([name]) => !ofSchedule.includes(`"${name}"`))
      .map(([name, value]) => `"${name}":"${value}"`);
    const json = `{${[...others, fields].join(',')}}`;
    expect(refusalOf(await client.send('post', '/schedules/credit/FormatType=json', json))).toBe(refusal);
    expect((await client.get(`/customers/${stakeholderId}/schedules`)).body).toEqual([]);
  });

  it('takes the largest amount, and an exponent that says the same exactly', async () => {
    const stakeholderId = await client.company.customer();
    const body = (value: string) =>
      `{"stakeholderId":"${stakeholderId}","value":${value},"dueDate":"2099-01-31"}`;
    idOf(await client.send('post', '/schedules/credit', body('999999999999.99')));
    idOf(await client.send('post', '/schedules/credit', body('1.23456789E7')));
    const { text } = await client.get(`/customers/${stakeholderId}/schedules`);
    expect(text).toContain('"value":999999999999.99,"openValue":999999999999.99');
    expect(text).toContain('"value":12345678.9,');
  });

  it('refuses a category for money that goes out', async () => {
    const stakeholderId = await client.company.customer();
    const categoryId = await client.idByCode('category', '2.1.01');
    const json = JSON.stringify({ stakeholderId, categoryId, value: 1, dueDate: '2026-04-10' });
    expect(refusalOf(await client.send('post', '/schedules/credit', json))).toBe(
      '422 validation-failed /categoryId',
    );
  });

  it('knows no customer of another organization, and none that is no UUID', async () => {
    const theirs = await (await Company.found(testing.database)).customer();
    expect(refusalOf(await client.get(`/customers/${theirs}/schedules`))).toBe('404 not-found');
    expect(refusalOf(await client.get('/customers/x/schedules'))).toBe('404 not-found');
    const json = JSON.stringify({ stakeholderId: theirs, value: 1, dueDate: '2026-04-10' });
    expect(refusalOf(await client.send('post', '/schedules/credit', json))).toBe(
      '422 validation-failed /stakeholderId',
    );
  });
});
