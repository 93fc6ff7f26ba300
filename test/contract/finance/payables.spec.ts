import { newId } from '../../../src/kernel/identifier';
import { v3 } from 'uuid';
import { Company } from '../../support/company';
import { refusalOf, FinanceClient } from '../../support/finance-client';
import { payable, supplier } from '../../support/payables';
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

const descriptions = (body: unknown): string[] =>
  (body as { items: { description: string }[] }).items.map(({ description }) => description);

describe('11. GET /schedules/debit', () => {
  it('lists what the organization owes, and nobody else', async () => {
    const { company } = client;
    const stakeholderId = await supplier(company, { name: 'Gráfica Aurora' });
    const categoryId = await client.idByCode('category', '2.1.01');
    const costCenterId = await client.idByCode('costCenter', 'geral');
    const scheduleId = await payable(company, {
      description: 'Paper',
      reference: 'nf/1',
      minor: 123_450n,
      paidMinor: 450n,
      scheduleDate: '2020-01-02',
      accrualDate: '2020-01-15',
      dueDate: '2020-01-31',
      isFlagged: true,
      stakeholderId,
      categoryId,
      costCenterId,
    });
    const bare = await payable(company, { dueDate: '2099-12-31', paidMinor: 5000n, stakeholderId });
    await company.schedules({ customer: await company.customer() });
    await payable(await Company.found(testing.database));
    const reply = await client.get('/schedules/debit');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      items: [
        {
          scheduleId,
          description: 'Paper',
          reference: 'nf/1',
          value: 1234.5,
          openValue: 1230,
          scheduleDate: '2020-01-02T00:00:00-03:00',
          accrualDate: '2020-01-15T00:00:00-03:00',
          dueDate: '2020-01-31T00:00:00-03:00',
          stakeholder: { id: stakeholderId, name: 'Gráfica Aurora', isDeleted: false },
          category: { id: categoryId, name: 'Compra de mercadorias', isDeleted: false },
          costCenter: { id: costCenterId, description: 'Geral', isDeleted: false },
          isDued: true,
          isPaid: false,
          isFlagged: true,
          isEntry: false,
          type: 'Debit',
        },
        {
          scheduleId: bare,
          description: 'Paper',
          value: 50,
          openValue: 0,
          scheduleDate: '2026-03-01T00:00:00-03:00',
          accrualDate: '2099-12-31T00:00:00-03:00',
          dueDate: '2099-12-31T00:00:00-03:00',
          stakeholder: { id: stakeholderId, name: 'Gráfica Aurora', isDeleted: false },
          category: {},
          costCenter: {},
          isDued: false,
          isPaid: true,
          isFlagged: false,
          isEntry: true,
          type: 'Debit',
        },
      ],
      nextPageLink: null,
      count: 2,
    });
  });

  it('says what was deleted since', async () => {
    const stakeholderId = await supplier(client.company, { deletedAt: new Date() });
    await payable(client.company, { stakeholderId });
    expect((await client.get('/schedules/debit')).body).toMatchObject({
      items: [{ stakeholder: { id: stakeholderId, isDeleted: true } }],
    });
  });
});

describe('18. GET /schedules/debit/opened', () => {
  it('is the open payable that is due first among those that match', async () => {
    await payable(client.company, { description: 'paid', dueDate: '2020-01-01', paidMinor: 5000n });
    await payable(client.company, { description: 'last', dueDate: '2020-03-01' });
    const first = await payable(client.company, { description: 'first', dueDate: '2020-02-01' });
    await payable(client.company, { description: 'as early, later made', dueDate: '2020-02-01' });
    const opened = await client.get('/schedules/debit/opened');
    expect(opened.status).toBe(200);
    expect(opened.body).toMatchObject({ scheduleId: first, openValue: 50, isDued: true, type: 'Debit' });
    const after = await client.get(
      '/schedules/debit/opened?$filter=dueDate%20gt%202020-02-01&$top=0&$skip=9',
    );
    expect(after.body).toMatchObject({ description: 'last' });
  });

  it('is not there when nothing that matches is open', async () => {
    expect(refusalOf(await client.get('/schedules/debit/opened'))).toBe('404 no-open-schedule');
    await payable(client.company, { paidMinor: 5000n });
    await payable(await Company.found(testing.database));
    expect(refusalOf(await client.get('/schedules/debit/opened'))).toBe('404 no-open-schedule');
    await payable(client.company);
    expect(refusalOf(await client.get('/schedules/debit/opened?$filter=isPaid'))).toBe(
      '404 no-open-schedule',
    );
  });
});

describe('12. GET /schedules/credit/dued', () => {
  const due = async (description: string, dueDate: string): Promise<string> => {
    const customer = await client.company.customer({ name: 'Lia Campos' });
    const [id] = await client.company.schedules({ customer, description, dueDate, value: '100.00' });
    return id!;
  };

  it('lists what is overdue as the entries it should have become', async () => {
    const { id: organizationId } = client.company.organization;
    const scheduleId = await due('late', '2020-01-31');
    await due('not yet', '2099-12-31');
    await payable(client.company, { dueDate: '2020-01-01' });
    const schedule = await testing.database.prisma.schedule.findUniqueOrThrow({ where: { id: scheduleId } });
    await testing.database.prisma.organization.update({
      where: { id: organizationId },
      data: { defaultAccountId: null },
    });
    const reply = await client.get('/schedules/credit/dued');
    expect(reply.status).toBe(200);
    const item = {
      entryId: v3('expected-entry', scheduleId),
      scheduleId,
      account: {},
      stakeholder: { id: schedule.stakeholderId, name: 'Lia Campos', isDeleted: false },
      category: {},
      date: '2020-01-31T00:00:00-03:00',
      value: 100,
      description: 'late',
      reference: schedule.reference,
      isReconciliated: false,
      isTransfer: false,
      isFlagged: false,
    };
    expect(reply.body).toEqual({ items: [item], nextPageLink: null, count: 1 });
    const accountId = await client.idByCode('account', 'main');
    await testing.database.prisma.organization.update({
      where: { id: organizationId },
      data: { defaultAccountId: accountId },
    });
    expect((await client.get(`/schedules/credit/dued?$filter=entryId%20eq%20${item.entryId}`)).body).toEqual({
      items: [{ ...item, account: { id: accountId, name: 'Conta principal', isDeleted: false } }],
      nextPageLink: null,
      count: 1,
    });
  });

  it('asks for what is open, and forgets what is paid', async () => {
    const scheduleId = await due('late', '2020-01-31');
    const accountId = await client.idByCode('account', 'main');
    const receive = (value: string) =>
      client.send(
        'post',
        `/schedules/credit/${scheduleId}/receipts`,
        `{"accountId":"${accountId}","date":"2026-03-01","value":${value}}`,
      );
    expect((await receive('99.99')).status).toBe(204);
    expect((await client.get('/schedules/credit/dued')).body).toMatchObject({ items: [{ value: 0.01 }] });
    expect((await receive('0.01')).status).toBe(204);
    expect((await client.get('/schedules/credit/dued')).body).toMatchObject({ items: [], count: 0 });
  });

  it('is ordered by anything it shows', async () => {
    await due('b', '2020-01-02');
    await due('a', '2020-01-03');
    expect(descriptions((await client.get('/schedules/credit/dued')).body)).toEqual(['b', 'a']);
    expect(descriptions((await client.get('/schedules/credit/dued?$orderby=date%20desc')).body)).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('13. GET /customers/{CustomerId}/schedules', () => {
  it('takes the options of a list, without a wrapper', async () => {
    const customer = await client.company.customer();
    for (const [description, dueDate] of [
      ['c', '2020-01-03'],
      ['a', '2020-01-01'],
      ['b', '2020-01-02'],
    ] as const)
      await client.company.schedules({ customer, description, dueDate });
    const shown = async (query: string) =>
      ((await client.get(`/customers/${customer}/schedules${query}`)).body as { description: string }[])
        .map(({ description }) => description)
        .join('');
    expect(await shown('')).toBe('abc');
    expect(await shown('?$orderby=dueDate%20desc')).toBe('cba');
    expect(await shown("?$filter=description%20ne%20'b'&$top=1&$skip=1")).toBe('c');
    expect(refusalOf(await client.get(`/customers/${newId()}/schedules`))).toBe('404 not-found');
    expect(refusalOf(await client.get(`/customers/${customer}/schedules?$filter=x`))).toBe(
      '400 malformed-request',
    );
  });
});

describe('19. GET /suppliers', () => {
  it('lists suppliers with every object they document, and no customers', async () => {
    const { company } = client;
    const full = await supplier(company, {
      name: 'gráfica  Aurora Ltda',
      email: 'a@aurora.example',
      phone: '11 5555-0000',
      document: '12ABC34501DE35',
      documentType: 'Cnpj',
      details: {
        communication: { contactName: 'Ana', webSite: null },
        address: { line1: 'Rua A', number: 12, zipCode: '01310-100', ibgeCode: '3550308' },
        bankAccountInformation: { bank: '341' },
        companyInformation: { companyName: 'Aurora' },
      },
    });
    const bare = await supplier(company, { name: 'Zé' });
    await supplier(company, { deletedAt: new Date() });
    await company.customer();
    await supplier(await Company.found(testing.database));
    const reply = await client.get('/suppliers');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      items: [
        {
          id: full,
          name: 'gráfica  Aurora Ltda',
          initialsName: 'GAL',
          email: 'a@aurora.example',
          phone: '11 5555-0000',
          document: { number: '12ABC34501DE35', type: 'Cnpj' },
          communication: { contactName: 'Ana' },
          address: { line1: 'Rua A', number: 12, zipCode: '01310-100', ibgeCode: '3550308' },
          bankAccountInformation: { bank: '341' },
          companyInformation: { companyName: 'Aurora' },
          type: 'Supplier',
        },
        {
          id: bare,
          name: 'Zé',
          initialsName: 'Z',
          document: {},
          communication: {},
          address: {},
          bankAccountInformation: {},
          companyInformation: {},
          type: 'Supplier',
        },
      ],
      nextPageLink: null,
      count: 2,
    });
  });

  it.each([
    ['address/number gt 11', 1],
    ["startswith(address/zipCode,'01310')", 1],
    ['address/number eq null', 1],
    ["initialsName eq 'Z'", 1],
    ["document/type in ('Cnpj','Cpf')", 1],
    ["not (document/type in ('Cnpj','Cpf'))", 1],
    ["type eq 'Supplier'", 2],
  ])('finds by %s', async (filter, count) => {
    await supplier(client.company, {
      document: '12ABC34501DE35',
      documentType: 'Cnpj',
      details: { address: { number: 12, zipCode: '01310-100' } },
    });
    await supplier(client.company, { name: 'Zé' });
    const reply = await client.get(`/suppliers?$filter=${encodeURIComponent(filter)}`);
    expect(reply.body).toMatchObject({ count });
  });
});
