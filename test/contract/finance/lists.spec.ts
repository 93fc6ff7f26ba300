import type { Response } from 'supertest';
import { refusalOf, FinanceClient, type PageOf } from '../../support/finance-client';
import { payable, supplier } from '../../support/payables';
import type { TestingApp } from '../../support/testing-app';

interface Item {
  description: string;
}

let testing: TestingApp;
let client: FinanceClient;
let firstId: string;

/** Five payables A to E of two suppliers; D is paid, E in part. */
beforeAll(async () => {
  testing = await FinanceClient.serve();
  client = await FinanceClient.of(testing);
  const { company } = client;
  const stakeholderId = await supplier(company, { name: "O'Hara & Filhos", document: '11222333000181' });
  const categoryId = await client.idByCode('category', '2.1.01');
  const costCenterId = await client.idByCode('costCenter', 'geral');
  firstId = await payable(company, {
    description: 'Alpha',
    reference: 'nf/1',
    minor: 1234n,
    dueDate: '2020-01-31',
    stakeholderId,
    categoryId,
  });
  await payable(company, { description: 'beta 100%', minor: 1235n, dueDate: '2020-02-29', isFlagged: true });
  await payable(company, { description: ' Gamma ', reference: '', minor: 100_000n, dueDate: '2099-03-01' });
  await payable(company, {
    description: 'délta',
    reference: 'NF/4',
    minor: 5000n,
    paidMinor: 5000n,
    dueDate: '2020-02-29',
    costCenterId,
  });
  await payable(company, { description: 'E_', minor: 5000n, paidMinor: 1n, dueDate: '2099-12-31' });
});
afterAll(async () => {
  await client.company.verify();
  await testing.close();
});

const ask = (options: Record<string, string>, path = '/schedules/debit'): Promise<Response> =>
  client.get(`${path}?${new URLSearchParams(options).toString()}`);

/** The first letters of what came back. */
async function letters(options: Record<string, string>): Promise<string> {
  const reply = await ask(options);
  expect(reply.status).toBe(200);
  const { items } = reply.body as PageOf<Item>;
  return items.map(({ description }) => description.trim().charAt(0).toUpperCase()).join('');
}

it.each([
  ["description eq 'Alpha'", 'A'],
  ["DESCRIPTION EQ 'Alpha'", 'A'],
  ["description eq 'alpha'", ''],
  ["description ne 'Alpha'", 'BGDE'],
  ["tolower(description) eq 'alpha'", 'A'],
  ["ToUpper(description) eq 'ALPHA'", 'A'],
  ["trim(description) eq 'Gamma'", 'G'],
  ["description eq 'Gamma'", ''],
  ['length(description) eq 7', 'G'],
  ['length(description) gt 5', 'BG'],
  ["contains(description,'l')", 'AD'],
  ["contains(description,'%')", 'B'],
  ["contains(description,'_')", 'E'],
  ["contains(description,'')", 'ABGDE'],
  ["contains(tolower(description),'é')", 'D'],
  ["contains(toupper(description),'DÉLTA')", 'D'],
  ["startswith(description,'d')", 'D'],
  ["startswith(description,'é')", ''],
  ["endswith(description,'a')", 'AD'],
  ["endswith(description,'')", 'ABGDE'],
  ["contains(description,'l') eq true", 'AD'],
  ["contains(description,'l') eq false", 'BGE'],
  ["stakeholder/name eq 'O''Hara & Filhos'", 'A'],
  ["Stakeholder/Name ne 'O''Hara & Filhos'", 'BGDE'],
  ["category/name eq 'Compra de mercadorias'", 'A'],
  ['category/id eq null', 'BGDE'],
  ['category/isDeleted eq false', 'A'],
  ['not category/isDeleted', 'ABGDE'],
  ["costCenter/description eq 'Geral'", 'D'],
  ['reference eq null', 'BE'],
  ['reference ne null', 'AGD'],
  ["reference eq ''", 'G'],
  ["reference ne 'nf/1'", 'BGDE'],
  ["not (reference eq 'nf/1')", 'BGDE'],
  ["not (reference ne 'nf/1')", 'A'],
  ["not contains(reference,'/')", 'BGE'],
  ["reference gt 'a'", 'A'],
  ["reference lt 'a'", 'GD'],
  ['reference gt null', ''],
  ['null eq null', 'ABGDE'],
  ["reference in ('nf/1','NF/4')", 'AD'],
  ["reference in ('nf/1',null)", 'ABE'],
  ["not (reference in ('nf/1','NF/4'))", 'BGE'],
  ['value eq 12.34', 'A'],
  ['value eq 12.340', 'A'],
  ['12.34 eq value', 'A'],
  ['value eq 12.345', ''],
  ['value gt 12.345', 'BGDE'],
  ['value ge 12.35 and value lt 1e3', 'BDE'],
  ['value in (12.34, 1000)', 'AG'],
  ['value eq openValue', 'ABG'],
  ['openValue eq 0', 'D'],
  ['openValue eq 49.99', 'E'],
  ['value gt -1', 'ABGDE'],
  ['value lt 99999999999999999999999999', 'ABGDE'],
  ['isPaid', 'D'],
  ['not isPaid', 'ABGE'],
  ['isPaid eq false', 'ABGE'],
  ['isDued', 'AB'],
  ['isDued eq true and isFlagged', 'B'],
  ['isFlagged or isPaid', 'BD'],
  ['isFlagged OR isPaid AND value eq 1', 'B'],
  ['(isFlagged OR isPaid) AND value eq 50', 'D'],
  ["type eq 'Debit'", 'ABGDE'],
  ["type eq 'Credit'", ''],
  ['dueDate eq 2020-02-29', 'BD'],
  ['dueDate ne 2020-02-29', 'AGE'],
  ['dueDate lt 2020-02-29', 'A'],
  ['2020-02-29 ge dueDate', 'ABD'],
  ['dueDate eq 2020-02-29T00:00:00-03:00', 'BD'],
  ['dueDate eq 2020-02-29T03:00:00Z', 'BD'],
  ['dueDate eq 2020-02-29T00:00:00', 'BD'],
  ['dueDate eq 2020-02-29T00:00:01', ''],
  ['dueDate ne 2020-02-29T00:00:01', 'ABGDE'],
  ['dueDate eq 2020-02-29T00:00:00Z', 'BD'],
  ['dueDate eq 2020-02-29T00:00:00.000+00:00', 'BD'],
  ['dueDate lt 2020-02-29T00:00:00Z', 'A'],
  ['dueDate in (2020-02-29T00:00:00Z)', 'BD'],
  ['dueDate eq 2020-02-29T00:00:01Z', ''],
  ["dueDate eq datetime'2020-02-29T00:00:00'", 'BD'],
  ["dueDate ge datetimeoffset'2020-02-29T00:00:00Z'", 'BGDE'],
  ["dueDate eq '2020-02-29'", 'BD'],
  ["value eq '12.34'", 'A'],
  ["value in ('12.34','1000')", 'AG'],
  ["isPaid eq 'true'", 'D'],
  ["substringof('l', description)", 'AD'],
  ["substringof('l',description) eq true", 'AD'],
  ["category/type eq 'out'", 'A'],
  ["category/type eq 'in'", ''],
  ["category/referenceCode eq '2.1.01'", 'A'],
  ["costCenter/externalCode eq 'geral'", 'D'],
  ["client/name eq 'O''Hara & Filhos'", 'A'],
  ["stakeholder/cpfCnpj eq '11222333000181'", 'A'],
  ['stakeholder/cpfCnpj eq null', 'BGDE'],
  ['hasInvoice', ''],
  ['hasInvoice eq false and isArchived eq false', 'ABGDE'],
  ['dueDate lt now()', 'ABD'],
  ['now() le dueDate', 'GE'],
  ['dueDate ge date(now())', 'GE'],
  ['date(createDate) eq date(now())', 'ABGDE'],
  ['createDate le now()', 'ABGDE'],
  ['createDate gt now()', ''],
  ['createDate ge 2020-01-01', 'ABGDE'],
  ["createDate ge datetime'2020-01-01T00:00:00' and createDate lt 2098-01-01T00:00:00Z", 'ABGDE'],
  ['createDate lt 2020-01-01T00:00:00-03:00', ''],
  ['createDate in (2020-01-01, 2020-01-01T10:00:00)', ''],
  ['updateDate ge createDate', 'ABGDE'],
  ['createDate ne null', 'ABGDE'],
  ['year(createDate) ge 2024', 'ABGDE'],
  ['createDate gt dueDate', 'ABD'],
  ['dueDate ge 2020-02-29T12:00:00', 'GE'],
  ['dueDate gt 2020-02-29T12:00:00', 'GE'],
  ['dueDate lt 2020-02-29T12:00:00', 'ABD'],
  ['dueDate le 2020-02-29T12:00:00', 'ABD'],
  ['2020-02-29T12:00:00 gt dueDate', 'ABD'],
  ['dueDate ge 2020-02-29T03:00:00Z', 'BGDE'],
  ['dueDate in (2020-01-31, 2020-02-29T12:00:00)', 'A'],
  ['year(dueDate) eq 2099 and month(dueDate) eq 12', 'E'],
  ['day(dueDate) in (29, 31)', 'ABDE'],
  ["description eq ''' or true --'", ''],
  ["description eq '''; drop table schedule; --'", ''],
  ["contains(description,'$1') or startswith(description,'\\')", ''],
])('$filter=%s', async (filter, expected) => {
  expect(await letters({ $filter: filter })).toBe(expected);
});

it('finds a record by its identifier', async () => {
  expect(await letters({ $filter: `scheduleId eq '${firstId}'` })).toBe('A');
  expect(await letters({ $filter: `scheduleId eq guid'${firstId.toUpperCase()}'` })).toBe('A');
  expect(await letters({ $filter: `scheduleId in ('${firstId}')` })).toBe('A');
  expect(await letters({ $filter: `scheduleId eq ${firstId.toUpperCase()}` })).toBe('A');
  expect(await letters({ $filter: `scheduleId in (${firstId})` })).toBe('A');
});

it.each([
  ['description', 'GAEBD'],
  ['description desc', 'DBEAG'],
  ['DueDate', 'ABDGE'],
  ['dueDate desc', 'EGDBA'],
  ['dueDate desc, description', 'EGBDA'],
  ['reference', 'BEGDA'],
  ['reference desc', 'ADGEB'],
  ['reference desc, value', 'ADGBE'],
  ['value desc, dueDate asc', 'GDEBA'],
  ['isPaid', 'ABGED'],
  ['stakeholder/name desc, isFlagged desc', 'ABEDG'],
  ['category/type', 'BGDEA'],
  ['scheduleId', 'ABGDE'],
  ['isPaid desc, scheduleId desc, description', 'DEGBA'],
  ['createDate desc', 'EDGBA'],
  ['updateDate, createDate', 'ABGDE'],
  ['stakeholder/cpfCnpj desc', 'AEDGB'],
  ['', 'ABGDE'],
])('$orderby=%s', async (orderby, expected) => {
  expect(await letters({ $orderby: orderby })).toBe(expected);
  let page = (await ask({ $orderby: orderby, $top: '1' })).body as PageOf<Item>;
  let walked = '';
  for (;;) {
    expect(page.count).toBe(5);
    walked += page.items.map(({ description }) => description.trim().charAt(0).toUpperCase()).join('');
    if (page.nextPageLink === null) break;
    page = await client.follow(page.nextPageLink);
  }
  expect(walked).toBe(expected);
});

it('counts what matches, whatever part of it is asked for', async () => {
  const options = { $filter: 'value ge 12.35', $count: 'false' };
  for (const part of [{}, { $top: '0' }, { $top: '2' }, { $skip: '3' }, { $skip: '99' }] as Record<
    string,
    string
  >[]) {
    expect((await ask({ ...options, ...part })).body).toMatchObject({ count: 4 });
  }
  expect((await ask({ $top: '0' })).body).toEqual({ items: [], nextPageLink: null, count: 5 });
});

it('gives a link that begins with the host asked and keeps the rest of the query', async () => {
  const reply = await ask({ $filter: "value ge 12.35 and description ne 'x'", $top: '2', $skip: '1' });
  const { nextPageLink } = reply.body as PageOf<Item>;
  const link = new URL(nextPageLink ?? '');
  expect(link.origin).toBe(await testing.app.getUrl());
  expect(link.pathname).toBe('/v1/schedules/debit');
  expect(link.searchParams.get('$filter')).toBe("value ge 12.35 and description ne 'x'");
  expect(link.searchParams.get('$top')).toBe('2');
  expect(link.searchParams.has('$skip')).toBe(false);
  const next = await client.follow<Item>(nextPageLink ?? '');
  expect(next).toMatchObject({ items: [{ description: 'E_' }], count: 4, nextPageLink: null });
});

it('takes a token only with the list, filter and order it was made for', async () => {
  const { nextPageLink } = (await ask({ $top: '1' })).body as PageOf<Item>;
  const token = new URL(nextPageLink ?? '').searchParams.get('$skiptoken') ?? '';
  expect((await ask({ $skiptoken: token })).body).toMatchObject({ count: 5, items: { length: 4 } });
  expect((await ask({ $SKIPTOKEN: token, $skip: '3' })).body).toMatchObject({ items: { length: 1 } });
  const refused = async (options: Record<string, string>, path?: string) =>
    expect(refusalOf(await ask(options, path))).toBe('400 malformed-request');
  await refused({ $skiptoken: token, $filter: 'isPaid' });
  await refused({ $skiptoken: token, $orderby: 'value' });
  await refused({ $skiptoken: token }, '/suppliers');
  await refused({ $skiptoken: 'x' });
  await refused({ $skiptoken: '' });
  await refused({ $skiptoken: '~' });
  await refused({ $skiptoken: `~${Buffer.from('[]').toString('base64url')}` });
  const [digest, count] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
  for (const forged of [
    [digest, count],
    [digest, count, 'no uuid'],
    [digest, count, null],
    [digest, count, firstId, firstId],
    [digest, -1, firstId],
    [digest, 'x', firstId],
    { digest },
    null,
  ]) {
    await refused({ $skiptoken: Buffer.from(JSON.stringify(forged)).toString('base64url') });
  }
});

it.each([
  ['/schedules/debit', '$filter', "descripton eq 'x'", 1, 'description'],
  ['/schedules/debit', '$orderby', 'value, duedat', 8, 'dueDate'],
  ['/schedules/debit/opened', '$filter', 'isPayd', 1, 'isPaid'],
  ['/schedules/credit/dued', '$filter', 'entryid eq null and acount/name eq null', 21, 'account/name'],
  ['/costcenters', '$filter', "contans(description,'x')", 1, 'contains'],
  ['/accounts', '$orderby', 'nam', 1, 'name'],
  ['/accounts/views/balance', '$filter', 'balanc gt 1', 1, 'balance'],
  ['/suppliers', '$filter', 'address/ciy eq null', 1, 'address/city'],
])('%s says where %s=%s is wrong and what was meant', async (path, option, text, position, nearest) => {
  const reply = await ask({ [option]: text }, path);
  expect(refusalOf(reply)).toBe('400 malformed-request');
  expect(reply.body).toMatchObject({ parameter: option, position, nearest });
});

it.each([
  ['/costcenters', "externalCode eq 'geral'", 1],
  ['/costcenters', "startswith(description,'Z')", 0],
  ['/accounts', 'openBalance eq 0 and not isVirtual', 1],
  ['/accounts', 'dateOfOpenBalance gt 2020-01-01', 0],
  ['/accounts/views/balance', 'balance eq -50.01', 1],
  ['/accounts/views/balance', 'balance gt 0', 0],
  ['/accounts/views/balance', 'bank/scrapingEnabled eq null', 1],
])('%s?$filter=%s finds %d', async (path, filter, count) => {
  expect((await ask({ $filter: filter }, path)).body).toMatchObject({ count });
});

describe('what a record has and its item does not show', () => {
  const found = async (path: string, filter: string): Promise<number> => {
    const reply = await ask({ $filter: filter }, path);
    expect([filter, reply.status]).toEqual([filter, 200]);
    return (reply.body as PageOf<object>).count;
  };

  it.each([
    ['/accounts', 'isVirtual eq false and isArchived eq false and isReconcilable'],
    ['/accounts', 'bankBalance eq balance and bankBalance lt 1000000'],
    ['/accounts', "createDate le now() and updateDate ge createDate and bank/code ne 'x'"],
    ['/accounts/views/balance', 'bankBalance eq balance and isVirtual eq false and name eq accountName'],
    ['/suppliers', 'isArchived eq false and isDeleted eq false and createDate le now()'],
    ['/suppliers', "cpfCnpj eq '11222333000181'"],
    ['/costcenters', "isArchived eq false and id ne null and name eq 'Geral'"],
  ])('can be asked for: %s?$filter=%s', async (path, filter) => {
    expect(await found(path, filter)).toBeGreaterThan(0);
    expect(await found(path, `not (${filter})`)).toBe(
      (await found(path, '1 eq 1')) - (await found(path, filter)),
    );
  });

  it('of an overdue receivable is what a schedule has', async () => {
    const customer = await client.company.customer({ name: 'Lia Campos', document: '52998224725' });
    await client.company.schedules({ customer, dueDate: '2020-05-04', description: 'late' });
    for (const filter of [
      'dueDate eq 2020-05-04T00:00:00Z',
      "dueDate lt now() and category/type ne 'out'",
      "stakeholder/cpfCnpj eq '52998224725' and client/name eq 'Lia Campos' and openValue gt 0",
    ])
      expect(await found('/schedules/credit/dued', filter)).toBe(1);
    expect((await ask({ $orderby: 'dueDate desc' }, '/schedules/credit/dued')).status).toBe(200);
  });

  it('is not shown', async () => {
    const { items } = (await ask({ $top: '1', $orderby: 'createDate' })).body as PageOf<object>;
    expect(Object.keys(items[0] ?? {})).not.toContain('createDate');
  });

  it('of a supplier who was changed tells when', async () => {
    const before = new Date(Date.now() - 1).toISOString();
    const id = await supplier(client.company, { name: 'Changed' });
    const filter = `id eq ${id} and updateDate gt createDate and updateDate ge ${before}`;
    expect(await found('/suppliers', filter)).toBe(0);
    await client.company.database.prisma.stakeholder.update({ where: { id }, data: { name: 'Changed' } });
    expect(await found('/suppliers', filter)).toBe(0);
    await client.company.database.prisma.stakeholder.update({
      where: { id },
      data: { name: 'Changed again' },
    });
    expect(await found('/suppliers', filter)).toBe(1);
  });

  it('of a schedule that was paid in part tells when', async () => {
    const paid = "description eq 'E_' and updateDate ge createDate";
    expect(await found('/schedules/debit', paid)).toBe(1);
  });
});

describe('what is the same for every record', () => {
  it.each([
    ['/receipts', 'isTransfer'],
    ['/payments', 'isTransfer'],
    ['/schedules/credit/dued', 'isReconciliated'],
    ['/schedules/credit/dued', 'isTransfer'],
    ['/schedules/credit', 'hasInvoice'],
    ['/schedules/debit', 'isArchived'],
    ['/schedules/categories', 'isArchived'],
    ['/accounts', 'isDeleted'],
    ['/costcenters', 'isArchived'],
    ['/suppliers', 'isArchived'],
    ['/customers', 'isArchived'],
  ])('orders %s by %s as by nothing', async (path, name) => {
    for (const order of [name, `${name} desc`, `${name},${name}`]) {
      const { status, body } = await ask({ $orderby: order, $top: '1' }, path);
      expect([order, status]).toEqual([order, 200]);
      const { nextPageLink } = body as PageOf<object>;
      if (nextPageLink !== null) await client.follow(nextPageLink);
    }
  });
});
