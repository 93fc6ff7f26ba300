import type { Response } from 'supertest';
import { EXTENSIONS } from '../../../src/finance/api/operations/operations';
import { openBooks, type Names } from '../../support/books-of-one';
import { FinanceClient, idOf, type PageOf, problemOf, refusalOf } from '../../support/finance-client';
import { StubFront } from '../../support/stub-front';
import { StubService } from '../../support/stub-service';
import type { TestingApp } from '../../support/testing-app';

type Json = Record<string, unknown>;

describe.each([
  ['its own books', undefined],
  ['a finance service that has them', 'json'],
  ['a finance service that has them, in XML', 'xml'],
] as const)('what whole clients read besides, on %s', (_backend, loop) => {
  let testing: TestingApp;
  let client: FinanceClient;
  let names: Names;

  beforeAll(async () => {
    testing = await FinanceClient.serve({}, loop);
    const books = await openBooks(testing, 'mine');
    names = books.names;
    const { key } = await testing.makeKey(books.company.organization, 'finance:read', 'finance:write');
    client = new FinanceClient(testing, books.company, key);
  });
  afterAll(async () => {
    await client.company.verify();
    await testing.close();
  });

  const read = async <T = Json>(path: string): Promise<T> => {
    const reply = await client.get(path);
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.body as T;
  };
  const items = async (path: string): Promise<Json[]> => (await read<PageOf<Json>>(path)).items;

  it('GET /customers and GET /customers/{id}: as suppliers are shown', async () => {
    const [customer, ...others] = await items('/customers');
    expect(others).toEqual([]);
    expect(customer).toEqual({
      id: names.customer,
      name: 'mine customer',
      initialsName: 'MC',
      document: { number: '12ABC34501DE35', type: 'Cnpj' },
      communication: {},
      address: {},
      bankAccountInformation: {},
      companyInformation: {},
      type: 'Customer',
    });
    expect(await read(`/customers/${names.customer}`)).toEqual(customer);
    expect(await items("/customers?$filter=document/number eq '12ABC34501DE35'")).toEqual([customer]);
    expect(await items("/customers?$filter=substringof('nobody', name) eq true")).toEqual([]);
  });

  it('PUT /customers/{id}: what is left out stays, null clears, a part is replaced whole', async () => {
    const id = idOf(
      await client.send(
        'post',
        '/customers',
        '{"name":"Lia","email":"lia@example.com","document":{"number":"529.982.247-25"},' +
          '"address":{"city":"Santos","state":"SP"}}',
      ),
    );
    const put = (json: string): Promise<Response> => client.send('put', `/customers/${id}`, json);
    expect((await put('{"name":"Lia Campos","email":null,"address":{"city":"Recife"}}')).status).toBe(204);
    expect(await read(`/customers/${id}`)).toMatchObject({
      name: 'Lia Campos',
      document: { number: '52998224725', type: 'Cpf' },
      address: { city: 'Recife' },
    });
    const changed = await read<{ address: Json }>(`/customers/${id}`);
    expect(changed).not.toHaveProperty('email');
    expect(changed.address).not.toHaveProperty('state');
    expect((await put('{"phone":"11 5555-0101"}')).status).toBe(204);
    expect(await read(`/customers/${id}`)).toMatchObject({ name: 'Lia Campos', phone: '11 5555-0101' });
    expect(refusalOf(await put('{"name":null}'))).toBe('422 validation-failed /name');
    expect(refusalOf(await put('{"document":{"number":"1"}}'))).toBe(
      '422 validation-failed /document/number',
    );
    const taken = await put('{"document":{"number":"12ABC34501DE35"}}');
    expect(problemOf(taken)).toMatchObject({ error: 'customer-exists', customerId: names.customer });
    expect((await put('{"document":{"number":"52998224725"}}')).status).toBe(204);
    expect((await put('{"document":null}')).status).toBe(204);
    expect(await read(`/customers/${id}`)).toMatchObject({ document: {} });
  });

  it('GET /schedules/credit, …/opened and …/{id}: as payables are shown', async () => {
    const schedule = await read(`/schedules/credit/${names.receivable}`);
    expect(schedule).toMatchObject({
      scheduleId: names.receivable,
      stakeholder: { id: names.customer, name: 'mine customer', isDeleted: false },
      isPaid: false,
      type: 'Credit',
    });
    expect(await items('/schedules/credit')).toEqual([schedule]);
    expect(await items("/schedules/credit?$filter=stakeholder/id eq guid'" + names.customer + "'")).toEqual([
      schedule,
    ]);
    expect(await items('/schedules/credit/opened')).toEqual([schedule]);
    const body = JSON.stringify({
      accountId: names.account,
      date: '2026-03-10',
      value: 1,
      payingType: 'close',
    });
    expect((await client.send('post', `/schedules/credit/${names.receivable}/receipts`, body)).status).toBe(
      204,
    );
    expect(await items('/schedules/credit/opened')).toEqual([]);
    expect(await items('/schedules/credit?$filter=isPaid eq true')).toHaveLength(1);
    expect(refusalOf(await client.get(`/schedules/credit/${names.payable}`))).toBe('404 not-found');
  });

  it('GET /schedules/credit/opened: the one due first in front, page by page', async () => {
    for (const day of ['03', '01', '02'])
      idOf(
        await client.send(
          'post',
          '/schedules/credit',
          `{"stakeholderId":"${names.customer}","description":"${day}","value":5,"dueDate":"2099-01-${day}"}`,
        ),
      );
    const walked: unknown[] = [];
    let page = await read<PageOf<Json>>('/schedules/credit/opened?$top=1&$filter=value eq 5');
    for (;;) {
      walked.push(...page.items.map(({ description }) => description));
      if (page.nextPageLink === null) break;
      page = await client.follow<Json>(page.nextPageLink);
    }
    expect([walked, page.count]).toEqual([['01', '02', '03'], 3]);
  });

  it('GET /schedules/debit/{id}', async () => {
    const [payable] = await items('/schedules/debit');
    expect(await read(`/schedules/debit/${names.payable}`)).toEqual(payable);
    expect(refusalOf(await client.get(`/schedules/debit/${names.receivable}`))).toBe('404 not-found');
  });

  it('GET /schedules/categories: as one is shown', async () => {
    const [category] = await items(`/schedules/categories?$filter=id eq ${names.categoryIn}`);
    expect(await read(`/schedules/categories/${names.categoryIn}`)).toEqual(category);
    const ingoing = await items("/schedules/categories?$filter=type eq 'in'&$orderby=group/name,name");
    expect(ingoing.length).toBeGreaterThan(1);
    expect(new Set(ingoing.map(({ type }) => type))).toEqual(new Set(['in']));
  });

  it('GET /costcenters/{id}', async () => {
    const centers = await items('/costcenters');
    const listed = centers.find(({ costCenterId }) => costCenterId === names.costCenter);
    expect(await read(`/costcenters/${names.costCenter}`)).toEqual(listed);
  });

  it('GET /receipts and GET /payments: what was registered, without what was taken back', async () => {
    const direct = (value: number): string =>
      JSON.stringify({ accountId: names.account, stakeholderId: names.customer, value, date: '2026-03-10' });
    const receipt = idOf(await client.send('post', '/receipts', direct(7.5)));
    const payment = idOf(await client.send('post', '/payments', direct(2.5)));
    const [received] = await items(`/receipts?$filter=entryId eq ${receipt}`);
    expect(received).toMatchObject({
      entryId: receipt,
      account: { id: names.account, isDeleted: false },
      stakeholder: { id: names.customer, name: 'mine customer', isDeleted: false },
      value: 7.5,
      isReconciliated: false,
      isTransfer: false,
    });
    expect((await items('/receipts')).some(({ entryId }) => entryId === payment)).toBe(false);
    expect((await items('/payments')).map(({ entryId }) => entryId)).toEqual([names.payment, payment]);
    const path = `/v1/schedules/debit/${names.payable}/payments/${names.payment}`;
    await testing.http.delete(path).set('apitoken', client.key).expect(204);
    expect((await items('/payments')).map(({ entryId }) => entryId)).toEqual([payment]);
  });

  it('GET /discounts: what a receipt that closed a receivable wrote off, and on no account', async () => {
    const [discount, ...others] = await items('/discounts');
    expect(others).toEqual([]);
    expect(discount).toMatchObject({
      scheduleId: names.receivable,
      account: {},
      date: '2026-03-10T00:00:00-03:00',
    });
    const { value } = await read(`/schedules/credit/${names.receivable}`);
    expect(Number(discount?.['value'])).toBe(Number(value) - 1);
    expect(await items('/discounts?$skip=1')).toEqual([]);
  });

  it('GET /transfers: explains with receipts and payments what an account has', async () => {
    const opened = async (name: string): Promise<string> =>
      idOf(
        await client.send(
          'post',
          '/accounts',
          `{"name":"${name}","openBalance":100,"dateOfOpenBalance":"2026-03-01"}`,
        ),
      );
    const [one, other] = [await opened('one'), await opened('other')];
    const moved = (from: string, to: string, value: number): string =>
      JSON.stringify({ originAccountId: from, destinyAccountId: to, date: '2026-03-11', value });
    for (const body of [moved(one, other, 30.25), moved(other, one, 5)])
      expect((await client.send('post', '/accounts/transfer', body)).status).toBe(204);
    const direct = `{"accountId":"${one}","stakeholderId":"${names.customer}","value":7.5,"date":"2026-03-10"}`;
    idOf(await client.send('post', '/receipts', direct));

    const left = await items(`/transfers?$filter=originAccountId eq ${one}`);
    expect(left).toEqual([
      {
        entryId: expect.any(String),
        originAccountId: one,
        destinyAccountId: other,
        date: '2026-03-11T00:00:00-03:00',
        value: 30.25,
        description: '',
      },
    ]);
    const came = await items(`/transfers?$filter=destinyAccountId eq ${one}`);
    const received = await items(`/receipts?$filter=account/id eq ${one}`);
    const sum = (of: Json[]): number => of.reduce((total, { value }) => total + Number(value), 0);
    const [balance] = await items(`/accounts/views/balance?$filter=accountId eq ${one}`);
    expect(balance).toMatchObject({ balance: 100 + sum(came) + sum(received) - sum(left) });
    const all = await items('/transfers');
    expect(all).toHaveLength(2);
    expect(await items('/transfers?$skip=1&$top=1')).toEqual([all[1]]);
  });

  it('GET /organizations: the one that the key opens', async () => {
    const [organization, ...others] = await items('/organizations');
    expect(others).toEqual([]);
    expect(organization).toMatchObject({ name: expect.any(String), currency: 'BRL' });
    if (!loop) expect(organization).toMatchObject({ id: client.company.organization.id });
  });
});

describe('before a service that has none of them', () => {
  let service: StubService;
  let testing: TestingApp;

  beforeAll(async () => {
    service = await StubService.start();
    testing = await StubFront.open(service.url());
  });
  afterAll(async () => {
    await testing.close();
    await service.stop();
  });

  it.each(EXTENSIONS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is 501, and the service is not taken for down',
    async (_name, row) => {
      const client = await StubFront.of(testing);
      for (const [status, body] of [
        [405, ''],
        [404, ''],
        ...(row.effect === 'read' ? ([[501, '']] as const) : []),
      ] as const) {
        service.replies(status, body);
        expect(refusalOf(await client.send(row))).toBe('501 not-implemented');
      }
      for (let time = 0; time < 10; time += 1) await client.send(row);
      service.replies(200, '[]');
      expect((await client.ask('GET', '/accounts')).status).toBe(200);
    },
  );

  it('one record that a service does not have is 404', async () => {
    service.replies(404, '{"error":"unknown","error_description":"there is no such customer"}');
    const client = await StubFront.of(testing);
    expect(refusalOf(await client.ask('GET', `/customers/${client.names.customer}`))).toBe('404 not-found');
  });
});
