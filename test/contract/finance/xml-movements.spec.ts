import { newId } from '../../../src/kernel/identifier';
import { Books } from '../../support/books';
import { expectDone, FinanceClient, idOfXml, xmlProblemOf, xmlRefusalOf } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

let testing: TestingApp;
let client: FinanceClient;
let books: Books;
let main: string;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
  books = new Books(client.company);
  main = await client.idByCode('account', 'main');
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

const entry = (id: string) => testing.database.prisma.entry.findUniqueOrThrow({ where: { id } });

async function refused(path: string, xml: string): Promise<string> {
  return xmlRefusalOf(await client.sendXml('post', path, xml));
}

describe.each([
  { name: '3. POST /payments', path: '/payments', kind: 'payment', category: '2.1.01', balance: -150_050n },
  { name: '4. POST /receipts', path: '/receipts', kind: 'receipt', category: '1.1.01', balance: 150_050n },
])('$name in XML', ({ path, kind, category, balance }) => {
  it('moves the money and keeps everything the body brings', async () => {
    const stakeholderId = await client.company.customer();
    const categoryId = await client.idByCode('category', category);
    const costCenterId = await client.idByCode('costCenter', 'geral');
    const reply = await client.sendXml(
      'post',
      path,
      `<?xml version="1.0" encoding="utf-8"?>
      <Registration>
        <accountId>${main}</accountId>
        <stakeholderId>${stakeholderId.toUpperCase()}</stakeholderId>
        <categoryId>${categoryId}</categoryId>
        <costCenterId>${costCenterId}</costCenterId>
        <value>1500.50</value>
        <date>2026-03-11T01:30:00Z</date>
        <description>Frete &amp; seguro</description>
        <reference>0077</reference>
        <isFlag>true</isFlag>
      </Registration>`,
    );
    const id = idOfXml(reply);
    expect(reply.headers['x-ignored-fields']).toBeUndefined();
    expect(await entry(id)).toMatchObject({
      kind,
      // Half past ten in the evening of the tenth in São Paulo.
      date: new Date('2026-03-10'),
      amountMinor: 150_050n,
      stakeholderId,
      categoryId,
      costCenterId,
      description: 'Frete & seguro',
      reference: '0077',
      isFlagged: true,
    });
    expect(await books.balance(main)).toBe(balance);
  });

  it('takes the least there must be, and nil for what is not', async () => {
    const xml = `<r ${XSI}><accountId>${main}</accountId><stakeholderId xsi:nil="true"/>
      <value>0.01</value><date>2026-03-10</date><isFlag>0</isFlag></r>`;
    expect(await entry(idOfXml(await client.sendXml('post', path, xml)))).toMatchObject({
      amountMinor: 1n,
      stakeholderId: null,
      isFlagged: false,
    });
  });

  it.each([
    ['', '/value /date'],
    ['<value/><date/>', '/value /date'],
    ['<value>-1</value><date>2026-03-10</date>', '/value'],
    ['<value>1</value><date>2026/03/10</date>', '/date'],
    ['<value>1</value><date>2026-03-10</date><categoryId/>', '/categoryId'],
    [`<value>1</value><date>2026-03-10</date><categoryId>${newId()}</categoryId>`, '/categoryId'],
  ])('refuses %j beside the account, and moves nothing', async (fields, pointers) => {
    const xml = `<r><accountId>${main}</accountId>${fields}</r>`;
    const [status, code, ...found] = (await refused(path, xml)).split(' ');
    expect([status, code, found.sort()]).toEqual(['422', 'validation-failed', pointers.split(' ').sort()]);
    expect(await books.balance(main)).toBe(0n);
  });
});

describe('7. POST /accounts/transfer in XML', () => {
  const transfer = (to: string, value: string): string =>
    `<Transfer><originAccountId>${main}</originAccountId><destinyAccountId>${to}</destinyAccountId>
      <date>2026-03-10T00:00:00-03:00</date><value>${value}</value></Transfer>`;

  it('moves money and answers with nothing', async () => {
    const safe = await books.account({ name: 'Cofre' });
    const reply = await client.sendXml('post', '/accounts/transfer', transfer(safe, '0.1'));
    expectDone(reply);
    expect(reply.headers['content-type']).toBeUndefined();
    expect([await books.balance(main), await books.balance(safe)]).toEqual([-10n, 10n]);
  });

  it('spells out a refusal, pointer and all', async () => {
    const problem = xmlProblemOf(await client.sendXml('post', '/accounts/transfer', transfer(main, '0.1')));
    const message = 'the two accounts must be different';
    expect(problem).toBe(
      '<problem xmlns="urn:ietf:rfc:7807"><type>urn:ponte:problem:validation-failed</type>' +
        `<title>Some fields are not acceptable</title><status>422</status><detail>${message}</detail>` +
        `<errors><i><pointer>/destinyAccountId</pointer><code>same-account</code><message>${message}</message></i>` +
        `</errors><error>validation-failed</error><error_description>${message}</error_description></problem>`,
    );
    expect(await books.balance(main)).toBe(0n);
  });
});

describe('8. DELETE /schedules/debit/{ScheduleId}/payments/{PaymentId} in XML', () => {
  let scheduleId: string;
  let paymentId: string;
  beforeEach(async () => {
    scheduleId = await books.payable();
    paymentId = await books.pay(scheduleId, main, 20_000n);
  });

  const remove = (xml: string) =>
    client.sendXml('delete', `/schedules/debit/${scheduleId}/payments/${paymentId}`, xml);

  it.each([
    [
      'both identifiers',
      (payment: string, schedule: string) =>
        `<PaymentDeletion><paymentId>${payment}</paymentId><scheduleId>${schedule.toUpperCase()}</scheduleId></PaymentDeletion>`,
    ],
    ['one identifier', (payment: string) => `<d><paymentId>${payment}</paymentId></d>`],
    ['nil', () => `<d ${XSI}><paymentId xsi:nil="true"/></d>`],
    ['an empty element', () => '<d/>'],
  ])('takes a body with %s', async (_name, body) => {
    const reply = await remove(body(paymentId, scheduleId));
    expectDone(reply);
    expect(reply.headers['content-type']).toBeUndefined();
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
    expect(await books.balance(main)).toBe(0n);
    expect(xmlRefusalOf(await remove(body(paymentId, scheduleId)))).toBe('404 not-found');
  });

  it.each([
    [`<d><paymentId>${newId()}</paymentId></d>`, '422 validation-failed /paymentId'],
    [`<d><scheduleId>${newId()}</scheduleId></d>`, '422 validation-failed /scheduleId'],
    ['<d><scheduleId>x</scheduleId></d>', '422 validation-failed /scheduleId'],
    ['<d><scheduleId></d>', '400 malformed-request'],
  ])('refuses %s, and the payment stays', async (xml, refusal) => {
    expect(xmlRefusalOf(await remove(xml))).toBe(refusal);
    expect(await books.balance(main)).toBe(-20_000n);
  });
});

describe('9. PUT /accounts/{AccountId} in XML', () => {
  const put = (xml: string) => client.sendXml('put', `/accounts/${main}`, xml);
  const kept = () => testing.database.prisma.account.findUniqueOrThrow({ where: { id: main } });

  it('replaces what the body brings, to the last detail', async () => {
    const { id: bankId } = await testing.database.prisma.bank.findFirstOrThrow({
      where: { organizationId: client.company.organization.id, code: '341' },
    });
    const reply = await put(
      `<?xml version="1.0"?>
      <Account>
        <accountId>${main}</accountId><bankId>${bankId}</bankId><name>Banco</name>
        <openBalance>-12.30</openBalance><dateOfOpenBalance>2026-01-02</dateOfOpenBalance>
        <bankAgency>0001</bankAgency><bankAccount>00777</bankAccount>
        <bankAccountVerificationNumber>9</bankAccountVerificationNumber><type>Checking</type>
        <virtualAccountDetails>
          <exibitionName>Loja</exibitionName>
          <address>
            <isValid>true</isValid><address>Rua A, 1</address><city>Recife</city><state>PE</state><cep>50030-230</cep>
          </address>
          <accountToTransfer><agency>0042</agency><accountWithDrawId>${main}</accountWithDrawId></accountToTransfer>
          <configuration><bankSlip>
            <enableFines>1</enableFines><latePaymentFinePercent>1.50</latePaymentFinePercent>
          </bankSlip></configuration>
        </virtualAccountDetails>
      </Account>`,
    );
    expectDone(reply);
    expect(reply.headers['x-ignored-fields']).toBe('virtualAccountDetails.address.isValid');
    expect(await kept()).toMatchObject({
      bankId,
      name: 'Banco',
      openBalanceMinor: -1230n,
      openedOn: new Date('2026-01-02'),
      agency: '0001',
      number: '00777',
      verificationNumber: 9,
      type: 'Checking',
      virtualDetails: {
        exibitionName: 'Loja',
        address: { address: 'Rua A, 1', city: 'Recife', state: 'PE', cep: '50030-230', isValid: true },
        accountToTransfer: { agency: '0042', accountWithDrawId: main },
        configuration: { bankSlip: { enableFines: true, latePaymentFinePercent: 1.5 } },
      },
    });
    expect(await books.balance(main)).toBe(-1230n);
  });

  it('tells what is left out from what is cleared', async () => {
    expectDone(await put('<a><bankAgency>0001</bankAgency><bankAccount>777</bankAccount></a>'));
    expectDone(await put(`<a ${XSI}><bankAgency xsi:nil="true"/></a>`));
    expect(await kept()).toMatchObject({ name: 'Conta principal', agency: null, number: '777' });
    expectDone(await put('<a/>'));
    expect(await kept()).toMatchObject({ name: 'Conta principal', agency: null, number: '777' });
  });

  it.each([
    [`<a><accountId>${newId()}</accountId></a>`, '/accountId'],
    [`<a ${XSI}><name xsi:nil="true"/></a>`, '/name'],
    [
      '<a><bankAccountVerificationNumber>09</bankAccountVerificationNumber></a>',
      '/bankAccountVerificationNumber',
    ],
    ['<a><virtualAccountDetails>x</virtualAccountDetails></a>', '/virtualAccountDetails'],
  ])('refuses %s, and the account stays', async (xml, pointer) => {
    const before = await kept();
    expect(xmlRefusalOf(await put(xml))).toBe(`422 validation-failed ${pointer}`);
    expect(await kept()).toEqual(before);
  });
});
