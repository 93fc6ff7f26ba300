import type { Response } from 'supertest';
import { FinanceModule } from '../../src/finance/finance.module';
import { OPERATIONS } from '../../src/finance/operations';
import { newId } from '../../src/kernel/identifier';
import { Company } from '../support/company';
import { cpfNumber } from '../support/documents';
import { TestingApp } from '../support/testing-app';

const UUID = /^"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/;

let testing: TestingApp;
let company: Company;
let key: string;

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [FinanceModule] });
});
beforeEach(async () => {
  company = await Company.found(testing.database);
  ({ key } = await testing.makeKey(company.organization, 'finance:read', 'finance:write'));
});
afterEach(() => company.verify());
afterAll(() => testing.close());

/** Sends literal JSON text below `/v1`. */
function send(method: 'post' | 'put' | 'delete', path: string, json: string): Promise<Response> {
  return Promise.resolve(
    testing.http[method](`/v1${path}`)
      .set('apitoken', key)
      .set('content-type', 'application/json')
      .send(json),
  );
}

function get(path: string): Promise<Response> {
  return Promise.resolve(testing.http.get(`/v1${path}`).set('apitoken', key));
}

/** The identifier that a creation answered with. */
function idOf(reply: Response): string {
  expect(reply.text).toMatch(UUID);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  return JSON.parse(reply.text) as string;
}

function expectDone(reply: Response): void {
  expect(reply.text).toBe('');
  expect(reply.status).toBe(204);
}

/** The problem document, less what differs every time. */
function problemOf(reply: Response): Record<string, unknown> {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  const { instance, ...problem } = reply.body as Record<string, unknown>;
  expect(instance).toMatch(/^urn:uuid:/);
  expect(problem['status']).toBe(reply.status);
  return problem;
}

/** Code and pointers of a refusal: `422 validation-failed /value`. */
function refusalOf(reply: Response): string {
  const { status, error, errors } = problemOf(reply) as {
    status: number;
    error: string;
    errors?: { pointer: string }[];
  };
  return [status, error, ...(errors ?? []).map(({ pointer }) => pointer)].join(' ');
}

async function idByCode(model: 'category' | 'costCenter' | 'account', code: string): Promise<string> {
  const { prisma } = testing.database;
  const organizationId = company.organization.id;
  const found =
    model === 'category'
      ? await prisma.category.findFirstOrThrow({ where: { organizationId, referenceCode: code } })
      : model === 'costCenter'
        ? await prisma.costCenter.findFirstOrThrow({ where: { organizationId, externalCode: code } })
        : await prisma.account.findFirstOrThrow({ where: { organizationId, code } });
  return found.id;
}

async function makeSchedule(fields: Record<string, unknown> = {}): Promise<string> {
  const stakeholderId = await company.customer();
  const body = { stakeholderId, value: 100, dueDate: '2099-01-31', ...fields };
  return idOf(await send('post', '/schedules/credit/FormatType=json', JSON.stringify(body)));
}

describe('1. POST /customers', () => {
  it('registers a customer with everything the interface knows', async () => {
    const reply = await send(
      'post',
      '/customers',
      `{
        "name": " Padaria Pão Quente ", "email": "caixa@example.com", "phone": "+55 11 4000-0000",
        "document": { "number": "12.ABC.345/01DE-35" },
        "communication": { "contactName": "Lia", "cellPhone": "11 99999-0000", "webSite": "https://example.com" },
        "address": { "line1": "Rua A", "number": 12, "city": "São Paulo", "state": "SP", "zipCode": "01310-100",
          "country": "Brasil", "ibgeCode": "3550308" },
        "bankAccountInformation": { "bank": "341", "agency": "0001", "accountNumber": "12345-6" },
        "companyInformation": { "companyName": "Padaria Pão Quente Ltda.", "municipalInscription": "1.234" }
      }`,
    );
    const id = idOf(reply);
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({
      organizationId: company.organization.id,
      kind: 'customer',
      name: 'Padaria Pão Quente',
      document: '12ABC34501DE35',
      documentType: 'Cnpj',
      details: {
        address: { number: 12, zipCode: '01310-100', ibgeCode: '3550308' },
        bankAccountInformation: { bank: '341', agency: '0001', accountNumber: '12345-6' },
      },
    });
  });

  it('is also reached with a trailing /FormatType=json', async () => {
    idOf(await send('post', '/customers/FormatType=json', '{"name":"Lia"}'));
  });

  it('answers a second customer with one document with the first', async () => {
    const body = JSON.stringify({ name: 'Lia', document: { number: cpfNumber(3) } });
    const customerId = idOf(await send('post', '/customers', body));
    const second = await send('post', '/customers', body.replace('Lia', 'Rui'));
    expect(problemOf(second)).toEqual({
      type: 'urn:ponte:problem:customer-exists',
      title: 'A customer with this document exists',
      status: 409,
      detail: 'a customer with this document is registered already',
      error: 'customer-exists',
      error_description: 'a customer with this document is registered already',
      customerId,
    });
  });

  it('ignores what it does not know and what only the service sets, and says so', async () => {
    const reply = await send(
      'post',
      '/customers',
      `{"id":"1","name":"Lia","nickname":"L","document":{"number":"${cpfNumber(4)}","type":"Foreign"},"__proto__":{"x":1}}`,
    );
    expect(reply.headers['x-ignored-fields']).toBe('id, nickname, __proto__, document.type');
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id: idOf(reply) } });
    expect(row.documentType).toBe('Cpf');
  });

  it.each([
    ['{}', '422 validation-failed /name'],
    ['{"name":null}', '422 validation-failed /name'],
    ['{"name":"   "}', '422 validation-failed /name'],
    ['{"name":7}', '422 validation-failed /name'],
    ['{"name":"a\\u0007b"}', '422 validation-failed /name'],
    [`{"name":"${'x'.repeat(501)}"}`, '422 validation-failed /name'],
    ['{"name":"Lia","document":{"number":"123.456.789-00"}}', '422 validation-failed /document/number'],
    ['{"name":"Lia","document":"1"}', '422 validation-failed /document'],
    ['{"name":"Lia","address":{"number":1.5}}', '422 validation-failed /address/number'],
    ['{"name":"Lia","address":{"ibgeCode":"355030"}}', '422 validation-failed /address/ibgeCode'],
    ['{"email":1,"phone":2}', '422 validation-failed /email /phone /name'],
    ['[]', '422 validation-failed '],
    ['{"name":', '400 malformed-request'],
    ['', '400 malformed-request'],
  ])('refuses %s', async (json, refusal) => {
    const reply = await send('post', '/customers', json);
    const [status, code, ...pointers] = refusalOf(reply).split(' ');
    const [expectedStatus, expectedCode, ...expectedPointers] = refusal.split(' ');
    expect([status, code, pointers.sort()]).toEqual([expectedStatus, expectedCode, expectedPointers.sort()]);
  });

  it('takes a foreign document with an address abroad', async () => {
    const foreign = (country: string) =>
      send(
        'post',
        '/customers',
        `{"name":"Ana","document":{"number":"9.123.456-7"},"address":{"country":"${country}"}}`,
      );
    expect(refusalOf(await foreign('Brazil'))).toBe('422 validation-failed /document/number');
    const id = idOf(await foreign('Uruguay'));
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ document: '91234567', documentType: 'Foreign' });
  });
});

describe('2. POST /schedules/credit/FormatType=json and 13. GET /customers/{CustomerId}/schedules', () => {
  it('registers a receivable that is read back as it was sent', async () => {
    const stakeholderId = await company.customer({ name: 'Lia Campos' });
    const categoryId = await idByCode('category', '1.1.01');
    const costCenterId = await idByCode('costCenter', 'geral');
    const reply = await send(
      'post',
      '/schedules/credit/FormatType=json',
      `{
        "stakeholderId": "${stakeholderId.toUpperCase()}", "description": "Order 7", "reference": "shop/order/7",
        "value": 1234.5, "scheduleDate": "2020-03-01", "dueDate": "2020-04-11T01:30:00Z",
        "categoryId": "${categoryId}", "costCenterId": "${costCenterId}", "isFlagged": true
      }`,
    );
    const scheduleId = idOf(reply);
    const list = await get(`/customers/${stakeholderId}/schedules`);
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
    const stakeholderId = await company.customer();
    const json = `{"stakeholderId":"${stakeholderId}","value":0.01,"dueDate":"2099-12-31"}`;
    idOf(await send('post', '/schedules/credit', json));
    const [schedule] = (await get(`/customers/${stakeholderId}/schedules`)).body;
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
    const stakeholderId = await company.customer();
    const reply = await send(
      'post',
      '/schedules/credit/FormatType=json',
      `{"stakeholderId":"${stakeholderId}","description":"Order 8","reference":"r8","value":100,
        "dueDate":"2099-01-31","instalment":[
          {"value":33.34,"dueDate":"2099-01-31"},
          {"value":33.33,"dueDate":"2099-02-28","description":"the second"},
          {"value":33.33,"dueDate":"2099-03-31"}]}`,
    );
    const list = (await get(`/customers/${stakeholderId}/schedules`)).body as Record<string, unknown>[];
    expect(list[0]!['scheduleId']).toBe(idOf(reply));
    expect(list.map(({ description, value, reference }) => [description, value, reference])).toEqual([
      ['Order 8 - 1/3', 33.34, 'r8'],
      ['the second', 33.33, 'r8'],
      ['Order 8 - 3/3', 33.33, 'r8'],
    ]);
    const page = (await get(`/customers/${stakeholderId}/schedules?$TOP=1&$skip=1`)).body as unknown[];
    expect(page).toEqual([list[1]]);
  });

  it('says by how much instalments miss the value', async () => {
    const stakeholderId = await company.customer();
    const reply = await send(
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
    ['value as text', '"value":"10"', '422 validation-failed /value'],
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
      'a recurrence',
      '"value":1,"recurrence":{"type":"byoccurrences","occurrences":3}',
      '501 not-implemented',
    ],
    [
      'a recurrence with instalments',
      '"value":1,"recurrence":{},"instalment":[{"value":1,"dueDate":"2026-01-01"}]',
      '422 validation-failed /recurrence',
    ],
  ])('refuses %s', async (_name, fields, refusal) => {
    const stakeholderId = await company.customer();
    const json = `{"stakeholderId":"${stakeholderId}","dueDate":"2026-04-10",${fields}}`;
    expect(refusalOf(await send('post', '/schedules/credit/FormatType=json', json))).toBe(refusal);
    expect((await get(`/customers/${stakeholderId}/schedules`)).body).toEqual([]);
  });

  it('takes the largest amount, and an exponent that says the same exactly', async () => {
    const stakeholderId = await company.customer();
    const body = (value: string) =>
      `{"stakeholderId":"${stakeholderId}","value":${value},"dueDate":"2099-01-31"}`;
    idOf(await send('post', '/schedules/credit', body('999999999999.99')));
    idOf(await send('post', '/schedules/credit', body('1.23456789E7')));
    const { text } = await get(`/customers/${stakeholderId}/schedules`);
    expect(text).toContain('"value":999999999999.99,"openValue":999999999999.99');
    expect(text).toContain('"value":12345678.9,');
  });

  it('refuses a category for money that goes out', async () => {
    const stakeholderId = await company.customer();
    const categoryId = await idByCode('category', '2.1.01');
    const json = JSON.stringify({ stakeholderId, categoryId, value: 1, dueDate: '2026-04-10' });
    expect(refusalOf(await send('post', '/schedules/credit', json))).toBe(
      '422 validation-failed /categoryId',
    );
  });

  it('knows no customer of another organization, and none that is no UUID', async () => {
    const theirs = await (await Company.found(testing.database)).customer();
    expect(refusalOf(await get(`/customers/${theirs}/schedules`))).toBe('404 not-found');
    expect(refusalOf(await get('/customers/x/schedules'))).toBe('404 not-found');
    const json = JSON.stringify({ stakeholderId: theirs, value: 1, dueDate: '2026-04-10' });
    expect(refusalOf(await send('post', '/schedules/credit', json))).toBe(
      '422 validation-failed /stakeholderId',
    );
  });
});

describe('5. POST /schedules/credit/{ScheduleId}/receipts', () => {
  let scheduleId: string;
  let accountId: string;
  beforeEach(async () => {
    scheduleId = await makeSchedule();
    accountId = await idByCode('account', 'main');
  });

  function receive(fields: Record<string, unknown>, path = scheduleId): Promise<Response> {
    const body = { scheduleId, accountId, date: '2026-03-10', value: 10, ...fields };
    return send('post', `/schedules/credit/${path}/receipts`, JSON.stringify(body));
  }

  async function view(): Promise<Record<string, unknown>> {
    const { stakeholderId } = await testing.database.prisma.schedule.findUniqueOrThrow({
      where: { id: scheduleId },
    });
    const [schedule] = (await get(`/customers/${stakeholderId}/schedules`)).body as Record<string, unknown>[];
    return schedule!;
  }

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
    expect(await company.balance()).toBe(10_000n);
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
    expect(await company.balance()).toBe(4_000n);
  });

  it('writes off the rest as a discount with payingType close', async () => {
    expectDone(await receive({ value: 95.5, payingType: 'Close' }));
    expect(await view()).toMatchObject({ openValue: 0, isPaid: true });
    expect(await company.balance()).toBe(9_550n);
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
    expect(await company.balance()).toBe(9_800n);
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
    expect(await company.balance()).toBe(0n);
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

describe('6. PUT /costcenters/{CostCenterId} and 14. GET /costcenters', () => {
  it('changes what the body brings and lists it', async () => {
    const costCenterId = await idByCode('costCenter', 'geral');
    expectDone(await send('put', `/costcenters/${costCenterId}`, '{"description":"Matriz"}'));
    const list = await get('/costcenters');
    expect(list.status).toBe(200);
    expect(list.text).toBe(
      `{"items":[{"costCenterId":"${costCenterId}","description":"Matriz","externalCode":"geral"}],"nextPageLink":null,"count":1}`,
    );
    expectDone(
      await send(
        'put',
        `/costcenters/${costCenterId}`,
        `{"costCenterId":"${costCenterId}","externalCode":null}`,
      ),
    );
    expect((await get('/costcenters')).body).toMatchObject({
      items: [{ costCenterId, description: 'Matriz' }],
    });
  });

  it('refuses what does not fit', async () => {
    const id = await idByCode('costCenter', 'geral');
    const stranger = await Company.found(testing.database);
    const theirs = await testing.database.prisma.costCenter.findFirstOrThrow({
      where: { organizationId: stranger.organization.id },
    });
    const put = async (path: string, json: string) =>
      refusalOf(await send('put', `/costcenters/${path}`, json));
    expect(await put(id, `{"costCenterId":"${newId()}"}`)).toBe('422 validation-failed /costCenterId');
    expect(await put(id, '{"description":null}')).toBe('422 validation-failed /description');
    expect(await put(theirs.id, '{"description":"mine"}')).toBe('404 not-found');
    expect(await put(newId(), '{}')).toBe('404 not-found');
    await testing.database.prisma.costCenter.create({
      data: { id: newId(), organizationId: company.organization.id, description: 'B', externalCode: 'b' },
    });
    expect(await put(id, '{"externalCode":"b"}')).toBe('409 conflict');
  });

  it('pages with links that work as they stand', async () => {
    const organizationId = company.organization.id;
    await testing.database.prisma.costCenter.createMany({
      data: Array.from({ length: 4 }, (_, index) => ({
        id: newId(),
        organizationId,
        description: `C${index}`,
      })),
    });
    const seen: string[] = [];
    let link: string | null = '/v1/costcenters?$Top=2&Organization=' + organizationId;
    while (link) {
      const { body } = (await testing.http.get(link).set('apitoken', key).expect(200)) as {
        body: { items: { description: string }[]; nextPageLink: string | null; count: number };
      };
      expect(body.count).toBe(5);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ description }) => description));
      link = body.nextPageLink;
    }
    expect(seen).toEqual(['Geral', 'C0', 'C1', 'C2', 'C3']);
  });

  it.each(["$filter=description eq 'x'", '$orderby=description', '%24Filter=1'])(
    'says that %s is not built instead of ignoring it',
    async (query) => {
      expect(refusalOf(await get(`/costcenters?${encodeURI(query).replaceAll('%25', '%')}`))).toBe(
        '501 not-implemented',
      );
    },
  );

  it('refuses a page that cannot be read', async () => {
    expect(refusalOf(await get('/costcenters?$top=-1'))).toBe('400 malformed-request');
    expect(refusalOf(await get('/costcenters?$skip=x'))).toBe('400 malformed-request');
  });
});

describe('10. POST /accounts, 15. GET /accounts/views/balance and 16. GET /accounts', () => {
  it('opens an account with its balance, at a bank', async () => {
    const { prisma } = testing.database;
    const bank = await prisma.bank.findFirstOrThrow({
      where: { organizationId: company.organization.id, code: '341' },
    });
    const reply = await testing.http
      .post(`/v1/accounts?apitoken=${key}`)
      .set('content-type', 'application/json')
      .send(
        `{"bankId":"${bank.id}","name":"Conta Itaú","openBalance":-1500.75,"dateOfOpenBalance":"2026-01-02",
          "bankAgency":"0001","bankAccount":"12345","bankAccountVerificationNumber":6,"type":"Checking"}`,
      );
    const id = idOf(reply);
    const main = await idByCode('account', 'main');
    expect((await get('/accounts')).body).toEqual({
      items: [
        {
          id: main,
          name: 'Conta principal',
          openBalance: 0,
          dateOfOpenBalance: '2020-01-01T00:00:00-03:00',
          isVirtual: false,
        },
        {
          id,
          name: 'Conta Itaú',
          openBalance: -1500.75,
          dateOfOpenBalance: '2026-01-02T00:00:00-03:00',
          isVirtual: false,
        },
      ],
      nextPageLink: null,
      count: 2,
    });
    expect((await get('/accounts/views/balance')).body).toEqual({
      items: [
        { accountId: main, accountName: 'Conta principal', balance: 0, bank: {} },
        {
          accountId: id,
          accountName: 'Conta Itaú',
          balance: -1500.75,
          bank: {
            id: bank.id,
            code: '341',
            name: 'Itaú Unibanco',
            color: '#EC7000',
            scrapingEnabled: false,
            bankNumber: '341',
          },
        },
      ],
      nextPageLink: null,
      count: 2,
    });
  });

  it('opens a virtual account and keeps its details', async () => {
    const cpf = cpfNumber(5);
    const reply = await send(
      'post',
      '/accounts',
      `{"name":"Carteira","virtualAccountDetails":{"exibitionName":"Loja","responsibleCpf":"${cpf}",
        "address":{"cep":"01310-100","isValid":true},"configuration":{"bankSlip":{"enableFines":true,"latePaymentFinePercent":2}}}}`,
    );
    expect(reply.headers['x-ignored-fields']).toBe('virtualAccountDetails.address.isValid');
    const row = await testing.database.prisma.account.findUniqueOrThrow({ where: { id: idOf(reply) } });
    expect(row.virtualDetails).toEqual({
      exibitionName: 'Loja',
      responsibleCpf: cpf,
      address: { cep: '01310-100' },
      configuration: { bankSlip: { enableFines: true, latePaymentFinePercent: 2 } },
    });
    expect((await get('/accounts?$skip=1')).body).toMatchObject({ items: [{ isVirtual: true }], count: 2 });
  });

  it.each([
    ['{}', '422 validation-failed /name'],
    ['{"name":"A","openBalance":0.001}', '422 validation-failed /openBalance'],
    [`{"name":"A","bankId":"${newId()}"}`, '422 validation-failed /bankId'],
    [
      '{"name":"A","bankAccountVerificationNumber":2147483648}',
      '422 validation-failed /bankAccountVerificationNumber',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"cpfCnpj":"1"}}',
      '422 validation-failed /virtualAccountDetails/cpfCnpj',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"responsibleCpf":"11222333000181"}}',
      '422 validation-failed /virtualAccountDetails/responsibleCpf',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"address":{"cep":"123"}}}',
      '422 validation-failed /virtualAccountDetails/address/cep',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"configuration":{"bankSlip":{"latePaymentFinePercent":2.01}}}}',
      '422 validation-failed /virtualAccountDetails/configuration/bankSlip/latePaymentFinePercent',
    ],
  ])('refuses %s', async (json, refusal) => {
    expect(refusalOf(await send('post', '/accounts', json))).toBe(refusal);
    expect((await get('/accounts')).body).toMatchObject({ count: 1 });
  });
});

describe('17. GET /schedules/categories/{CategoryId}', () => {
  it('answers with the category and its group', async () => {
    const id = await idByCode('category', '1.1.01');
    const { groupId } = await testing.database.prisma.category.findUniqueOrThrow({ where: { id } });
    const reply = await get(`/schedules/categories/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id,
      name: 'Vendas online',
      referenceCode: '1.1.01',
      type: 'in',
      group: { id: groupId, name: 'Receitas de vendas', referenceCode: '1.1' },
    });
  });

  it('knows no category of another organization', async () => {
    const stranger = await Company.found(testing.database);
    const theirs = await testing.database.prisma.category.findFirstOrThrow({
      where: { organizationId: stranger.organization.id },
    });
    expect(refusalOf(await get(`/schedules/categories/${theirs.id}`))).toBe('404 not-found');
    expect(refusalOf(await get(`/schedules/categories/${newId()}`))).toBe('404 not-found');
  });
});

describe('every operation', () => {
  const concrete = (path: string): string => `/v1${path.replace(/\{\w+\}/g, newId())}`;

  it.each(OPERATIONS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs a key',
    async (_name, row) => {
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path));
      expect(refusalOf(reply)).toBe('401 key-missing');
    },
  );

  it.each(OPERATIONS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs its scope',
    async (_name, row) => {
      const other = await testing.makeKey(
        company.organization,
        row.effect === 'read' ? 'finance:write' : 'finance:read',
      );
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path)).set(
        'apitoken',
        other.key,
      );
      expect(refusalOf(reply)).toBe('403 scope-missing');
    },
  );

  const notBuilt = OPERATIONS.filter(({ built }) => !built);
  it.each(notBuilt.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s says that it is not built, whatever the body',
    async (_name, row) => {
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path)).set(
        'apitoken',
        key,
      );
      const detail = `${row.method} ${row.path} (operation ${row.number}, ${row.id}) is not built yet`;
      expect(problemOf(reply)).toEqual({
        type: 'urn:ponte:problem:not-implemented',
        title: 'This operation is not built yet',
        status: 501,
        detail,
        error: 'not-implemented',
        error_description: detail,
        operation: row.id,
      });
    },
  );
});
