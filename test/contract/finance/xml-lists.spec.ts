import { StoppedClock } from '../../support/company';
import { Books } from '../../support/books';
import { FinanceClient, xmlProblemOf } from '../../support/finance-client';
import { payable, supplier } from '../../support/payables';
import type { TestingApp } from '../../support/testing-app';

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const END = '<nextPageLink xsi:nil="true"/>';

let testing: TestingApp;
let client: FinanceClient;

// It is 10 March 2026.
beforeAll(async () => {
  testing = await FinanceClient.serve({ clock: new StoppedClock() });
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

async function xmlOf(path: string): Promise<string> {
  const reply = await client.getAs('application/xml', path);
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
  return reply.text;
}

describe('11. GET /schedules/debit and 18. GET /schedules/debit/opened in XML', () => {
  let owed: { supplierId: string; categoryId: string; costCenterId: string; id: string };
  let full: string;
  beforeEach(async () => {
    const supplierId = await supplier(client.company, { name: 'Papel & Cia' });
    const categoryId = await client.idByCode('category', '2.1.01');
    const costCenterId = await client.idByCode('costCenter', 'geral');
    const id = await payable(client.company, {
      stakeholderId: supplierId,
      description: 'Resma <A4>',
      reference: 'NF 0077',
      minor: 12_345n,
      paidMinor: 2_340n,
      scheduleDate: '2026-02-01',
      accrualDate: '2026-02-28',
      dueDate: '2026-03-09',
      categoryId,
      costCenterId,
      isFlagged: true,
    });
    owed = { supplierId, categoryId, costCenterId, id };
    const { name } = await testing.database.prisma.category.findUniqueOrThrow({ where: { id: categoryId } });
    full =
      `<scheduleId>${id}</scheduleId><description>Resma &lt;A4&gt;</description>` +
      '<reference>NF 0077</reference><value>123.45</value><openValue>100.05</openValue>' +
      '<scheduleDate>2026-02-01T00:00:00-03:00</scheduleDate>' +
      '<accrualDate>2026-02-28T00:00:00-03:00</accrualDate><dueDate>2026-03-09T00:00:00-03:00</dueDate>' +
      `<stakeholder><id>${supplierId}</id><name>Papel &amp; Cia</name><isDeleted>false</isDeleted></stakeholder>` +
      `<category><id>${categoryId}</id><name>${name}</name><isDeleted>false</isDeleted></category>` +
      `<costCenter><id>${costCenterId}</id><description>Geral</description><isDeleted>false</isDeleted></costCenter>` +
      '<isDued>true</isDued><isPaid>false</isPaid><isFlagged>true</isFlagged><isEntry>false</isEntry>' +
      '<type>Debit</type>';
  });

  it('11 pages payables; of what is not there, objects stay and fields go', async () => {
    const id = await payable(client.company, {
      stakeholderId: owed.supplierId,
      minor: 5_000n,
      paidMinor: 5_000n,
    });
    const bare =
      `<scheduleId>${id}</scheduleId><description>Paper</description><value>50</value><openValue>0</openValue>` +
      '<scheduleDate>2026-03-01T00:00:00-03:00</scheduleDate>' +
      '<accrualDate>2026-03-20T00:00:00-03:00</accrualDate><dueDate>2026-03-20T00:00:00-03:00</dueDate>' +
      `<stakeholder><id>${owed.supplierId}</id><name>Papel &amp; Cia</name><isDeleted>false</isDeleted></stakeholder>` +
      '<category/><costCenter/><isDued>false</isDued><isPaid>true</isPaid><isFlagged>false</isFlagged>' +
      '<isEntry>true</isEntry><type>Debit</type>';
    expect(await xmlOf('/schedules/debit')).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item>${full}</item><item>${bare}</item></items>${END}` +
        '<count>2</count></PageResult>',
    );
    expect(await xmlOf("/schedules/debit?$filter=reference eq 'NF 0077'")).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item>${full}</item></items>${END}<count>1</count></PageResult>`,
    );
  });

  it('11 links the next page, escaped', async () => {
    await payable(client.company);
    const first = await xmlOf('/schedules/debit?$top=1&$orderby=dueDate');
    const [, link = ''] = /<nextPageLink>(.*)<\/nextPageLink><count>2<\/count>/.exec(first) ?? [];
    expect(link).toContain('&amp;');
    const rest = await xmlOf(link.replace(/^.*\/v1/, '').replaceAll('&amp;', '&'));
    expect(rest).toContain('<description>Paper</description>');
    expect(rest).toContain(`</items>${END}<count>2</count>`);
  });

  it('18 answers with the one that is due first, in ScheduleFullView', async () => {
    await payable(client.company, { dueDate: '2026-03-08', paidMinor: 5_000n });
    await payable(client.company, { dueDate: '2026-03-10' });
    expect(await xmlOf('/schedules/debit/opened')).toBe(
      `${DECLARATION}<ScheduleFullView>${full}</ScheduleFullView>`,
    );
  });

  it('18 says that none is open', async () => {
    await new Books(client.company).pay(owed.id, await client.idByCode('account', 'main'), 10_005n);
    const reply = await client.getAs('application/xml', '/schedules/debit/opened');
    expect(reply.status).toBe(404);
    expect(xmlProblemOf(reply)).toBe(
      '<problem xmlns="urn:ietf:rfc:7807"><type>urn:ponte:problem:no-open-schedule</type>' +
        '<title>No schedule is open</title><status>404</status>' +
        '<detail>no payable that matches has anything open</detail><error>no-open-schedule</error>' +
        '<error_description>no payable that matches has anything open</error_description></problem>',
    );
  });
});

describe('12. GET /schedules/credit/dued in XML', () => {
  it('pages what should have come in, as entries', async () => {
    const customer = await client.company.customer({ name: 'Lia Campos' });
    const [id = ''] = await client.company.schedules({
      customer,
      value: '100.10',
      dueDate: '2026-03-09',
      description: 'Pedido 7',
      reference: 'shop/7',
      category: '1.1.01',
    });
    const category = await client.idByCode('category', '1.1.01');
    const main = await client.idByCode('account', 'main');
    await client.sendXml(
      'post',
      `/schedules/credit/${id}/receipts`,
      `<r><accountId>${main}</accountId><date>2026-03-10</date><value>0.1</value></r>`,
    );
    const xml = await xmlOf('/schedules/credit/dued');
    const [, entryId] =
      /<entryId>([0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})</.exec(xml) ?? [];
    expect(xml).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item><entryId>${entryId}</entryId><scheduleId>${id}</scheduleId>` +
        `<account><id>${main}</id><name>Conta principal</name><isDeleted>false</isDeleted></account>` +
        `<stakeholder><id>${customer}</id><name>Lia Campos</name><isDeleted>false</isDeleted></stakeholder>` +
        `<category><id>${category}</id><name>Vendas online</name>` +
        '<isDeleted>false</isDeleted></category><date>2026-03-09T00:00:00-03:00</date><value>100</value>' +
        '<description>Pedido 7</description><reference>shop/7</reference>' +
        '<isReconciliated>false</isReconciliated><isTransfer>false</isTransfer><isFlagged>false</isFlagged>' +
        `</item></items>${END}<count>1</count></PageResult>`,
    );
  });

  it('pages nothing as an empty element', async () => {
    expect(await xmlOf('/schedules/credit/dued')).toBe(
      `${DECLARATION}<PageResult ${XSI}><items/>${END}<count>0</count></PageResult>`,
    );
  });
});

describe('19. GET /suppliers in XML', () => {
  it('pages suppliers, objects always there', async () => {
    const full = await supplier(client.company, {
      name: 'Gráfica Aurora',
      email: 'g@example.com',
      phone: '+55 81 3333-0000',
      document: '12ABC34501DE35',
      documentType: 'Cnpj',
      details: {
        communication: { contactName: 'Bia', webSite: 'https://example.com/?a=1&b=2' },
        address: { line1: 'Rua A', number: 7, zipCode: '01310100', ibgeCode: '3550308' },
        bankAccountInformation: { bank: '033', agency: '0001' },
        companyInformation: { companyName: 'Aurora Ltda' },
      },
    });
    const bare = await supplier(client.company, { name: 'Luz' });
    expect(await xmlOf('/suppliers')).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item><id>${full}</id><name>Gráfica Aurora</name>` +
        '<initialsName>GA</initialsName><email>g@example.com</email><phone>+55 81 3333-0000</phone>' +
        '<document><number>12ABC34501DE35</number><type>Cnpj</type></document>' +
        '<communication><contactName>Bia</contactName><webSite>https://example.com/?a=1&amp;b=2</webSite></communication>' +
        '<address><line1>Rua A</line1><number>7</number><zipCode>01310100</zipCode>' +
        '<ibgeCode>3550308</ibgeCode></address>' +
        '<bankAccountInformation><bank>033</bank><agency>0001</agency></bankAccountInformation>' +
        '<companyInformation><companyName>Aurora Ltda</companyName></companyInformation><type>Supplier</type></item>' +
        `<item><id>${bare}</id><name>Luz</name><initialsName>L</initialsName><document/><communication/>` +
        '<address/><bankAccountInformation/><companyInformation/><type>Supplier</type></item></items>' +
        `${END}<count>2</count></PageResult>`,
    );
  });
});

it('a list that is asked for wrongly answers with a problem in XML', async () => {
  const reply = await client.getAs('application/xml', "/suppliers?$filter=nome eq 'x %26 y'");
  expect(reply.status).toBe(400);
  const detail =
    '$filter, character 1: there is no property &quot;nome&quot; here; did you mean &quot;name&quot;?';
  expect(xmlProblemOf(reply)).toBe(
    '<problem xmlns="urn:ietf:rfc:7807"><parameter>$filter</parameter><position>1</position>' +
      '<nearest>name</nearest><type>urn:ponte:problem:malformed-request</type>' +
      `<title>The request cannot be read</title><status>400</status><detail>${detail}</detail>` +
      `<error>malformed-request</error><error_description>${detail}</error_description></problem>`,
  );
});
