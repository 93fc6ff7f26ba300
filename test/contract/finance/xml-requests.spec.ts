import { newId } from '../../../src/kernel/identifier';
import { cpfNumber } from '../../support/documents';
import { expectDone, FinanceClient, idOf, idOfXml, xmlRefusalOf } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

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

const stakeholder = (id: string) => testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
const refused = async (path: string, xml: string): Promise<string> =>
  xmlRefusalOf(await client.sendXml('post', path, xml));

describe('1. POST /customers in XML', () => {
  it('registers a customer with everything', async () => {
    const cpf = cpfNumber(1);
    const reply = await client.sendXml(
      'post',
      '/customers',
      `<?xml version="1.0" encoding="utf-8"?>
      <Customer ${XSI}>
        <name>Lia &amp; Cia &lt;Itaú&gt;</name>
        <email>lia@example.com</email>
        <phone xsi:nil="true"/>
        <document><number>${cpf}</number></document>
        <address>
          <line1>Rua A, 1</line1>
          <number>42</number>
          <zipCode>01310100</zipCode>
          <ibgeCode>3550308</ibgeCode>
        </address>
        <communication/>
      </Customer>`,
    );
    const kept = await stakeholder(idOfXml(reply));
    expect(kept).toMatchObject({ name: 'Lia & Cia <Itaú>', email: 'lia@example.com', phone: null });
    expect(JSON.stringify(kept)).toContain('"01310100"');
    expect(JSON.stringify(kept)).toContain(cpf);
    expect(reply.headers['x-ignored-fields']).toBeUndefined();
  });

  it.each([
    ['a root of any name', '<anything><name>x</name></anything>', 'x'],
    ['a prefix', '<p:c xmlns:p="urn:x"><p:name>x</p:name></p:c>', 'x'],
    ['a default namespace', '<c xmlns="http://schemas.example/2004"><name>x</name></c>', 'x'],
    ['CDATA', '<c><name><![CDATA[a < b & c]]></name></c>', 'a < b & c'],
    ['comments', '<!-- a --><c><!-- b --><name>x<!-- c -->y</name></c>', 'xy'],
    ['references', '<c><name>Ita&#250; &#xE9; &quot;&apos;</name></c>', 'Itaú é "\''],
    ['a byte order mark', '\ufeff<c><name>x</name></c>', 'x'],
    ['single quotes', "<?xml version='1.0' encoding='UTF-8'?><c><name>x</name></c>", 'x'],
    ['digits that stay text', '<c><name>007</name></c>', '007'],
    ['text like a flag', '<c><name>true</name></c>', 'true'],
    ['spaces around', '<c><name>\n  x\n</name></c>', 'x'],
    ['no end tags where nothing is', '<c><name>x</name><email/><document/></c>', 'x'],
    ['letters beyond the basic plane', '<c><name>😀</name></c>', '😀'],
    ['nil that says no', `<c ${XSI}><name xsi:nil="false">x</name></c>`, 'x'],
  ])('takes %s', async (_what, xml, name) => {
    const id = idOfXml(await client.sendXml('post', '/customers', xml));
    expect((await stakeholder(id)).name).toBe(name);
  });

  it.each([
    'application/xml',
    'text/xml',
    'APPLICATION/XML',
    'application/xml; charset=utf-8',
    'text/xml;charset="UTF-8"',
  ])('takes the media type %s', async (type) => {
    idOfXml(await client.sendXml('post', '/customers', '<c><name>x</name></c>', { type }));
  });

  it.each([
    'application/xml; charset=iso-8859-1',
    'text/xml; charset=utf-16',
    'application/soap+xml',
    'application/xhtml+xml',
    'application/xml-dtd',
    'text/plain',
    'multipart/form-data; boundary=x',
  ])('does not take the media type %s', async (type) => {
    const reply = await client.sendXml('post', '/customers', '<c><name>x</name></c>', { type });
    expect(xmlRefusalOf(reply)).toBe('415 media-type-unsupported');
  });

  it('names what it ignores, read-only fields too', async () => {
    const reply = await client.sendXml(
      'post',
      '/customers',
      `<c><name>x</name><id>${newId()}</id><document><number/><type>Cpf</type></document>
        <tags><tag>a</tag><tag>b</tag></tags><__proto__><a/></__proto__></c>`,
    );
    idOfXml(reply);
    expect(reply.headers['x-ignored-fields']).toBe('id, tags, __proto__, document.type');
  });

  it.each([
    ['<c/>', '422 validation-failed /name'],
    ['<c><name/></c>', '422 validation-failed /name'],
    [`<c ${XSI}><name xsi:nil="true"/></c>`, '422 validation-failed /name'],
    [`<c ${XSI} xsi:nil="true"/>`, '422 validation-failed '],
    ['<c>just text</c>', '422 validation-failed '],
    ['<c><name><first>x</first></name></c>', '422 validation-failed /name'],
    ['<c><name>x</name><document>529</document></c>', '422 validation-failed /document'],
    ['<c><name>x</name><address><number>042</number></address></c>', '422 validation-failed /address/number'],
    [
      '<c><name>x</name><address><number>1e99</number></address></c>',
      '422 validation-failed /address/number',
    ],
    ['<c><name>x</name><address><number/></address></c>', '422 validation-failed /address/number'],
    [
      '<c><name>x</name><address><number>0x1F</number></address></c>',
      '422 validation-failed /address/number',
    ],
    ['<c><name>a&#9;b</name></c>', '422 validation-failed /name'],
    ['<c><name>x</name><name>y</name></c>', '400 malformed-request'],
    ['<c><name>x</name>y</c>', '400 malformed-request'],
    ['', '400 malformed-request'],
  ])('refuses %s', async (xml, refusal) => expect(await refused('/customers', xml)).toBe(refusal));

  it('says the same as JSON of a customer that exists', async () => {
    const document = `<document><number>${cpfNumber(2)}</number></document>`;
    const id = idOfXml(await client.sendXml('post', '/customers', `<c><name>x</name>${document}</c>`));
    const again = await client.sendXml('post', '/customers', `<c><name>y</name>${document}</c>`);
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining(`<customerId>${id}</customerId>`),
    ]);
  });
});

describe('2. POST /schedules/credit in XML', () => {
  it.each(['/schedules/credit/FormatType=json', '/schedules/credit'])(
    'takes instalments at %s',
    async (path) => {
      const stakeholderId = await client.company.customer();
      idOfXml(
        await client.sendXml(
          'post',
          path,
          `<CreditSchedule>
          <stakeholderId>${stakeholderId}</stakeholderId><description>Pedido 7</description>
          <value> 100.00 </value><dueDate>2026-04-10</dueDate><isFlagged>1</isFlagged>
          <instalment>
            <item><value>33.33</value><dueDate>2026-04-10</dueDate></item>
            <item><value>66.67</value><dueDate>2026-05-10</dueDate><description>a última</description></item>
          </instalment>
        </CreditSchedule>`,
        ),
      );
      expect((await client.get(`/customers/${stakeholderId}/schedules`)).body).toMatchObject([
        { description: 'Pedido 7 - 1/2', value: 33.33, isFlagged: true },
        { description: 'a última', value: 66.67, isFlagged: true },
      ]);
    },
  );

  it('keeps an amount to the last digit', async () => {
    const stakeholderId = await client.company.customer();
    const xml = `<c><stakeholderId>${stakeholderId}</stakeholderId><value>999999999999.99</value>
      <dueDate>2026-04-10</dueDate><isFlagged>false</isFlagged></c>`;
    const id = idOfXml(await client.sendXml('post', '/schedules/credit', xml));
    expect(await client.company.open([id])).toEqual([99_999_999_999_999n]);
  });

  it.each([
    ['<value>1,50</value>', '/value'],
    ['<value>01.50</value>', '/value'],
    ['<value>1.505</value>', '/value'],
    ['<value>NaN</value>', '/value'],
    ['<value>INF</value>', '/value'],
    ['<value>+1</value>', '/value'],
    ['<value>0</value>', '/value'],
    ['<value>1</value><isFlagged>yes</isFlagged>', '/isFlagged'],
    ['<value>1</value><isFlagged>SIM</isFlagged>', '/isFlagged'],
    ['<value>1</value><instalment><value>1</value></instalment>', '/instalment'],
    ['<value>1</value><instalment>1</instalment>', '/instalment'],
    ['<value>1</value><instalment><item/></instalment>', '/instalment/0/value /instalment/0/dueDate'],
    ['<value>1</value><instalment><item>1</item></instalment>', '/instalment/0'],
    [
      '<value>1</value><instalment><item><value>x</value></item></instalment>',
      '/instalment/0/dueDate /instalment/0/value',
    ],
  ])('refuses %s', async (fields, pointers) => {
    const stakeholderId = await client.company.customer();
    const xml = `<c><stakeholderId>${stakeholderId}</stakeholderId><dueDate>2026-04-10</dueDate>${fields}</c>`;
    const [status, code, ...found] = (await refused('/schedules/credit', xml)).split(' ');
    expect([status, code, ...found.sort()]).toEqual([
      '422',
      'validation-failed',
      ...pointers.split(' ').sort(),
    ]);
  });
});

describe('5, 6 and 10 in XML', () => {
  it('5 receives and answers with nothing', async () => {
    const [scheduleId] = await client.company.schedules({ customer: await client.company.customer() });
    const accountId = await client.idByCode('account', 'main');
    const reply = await client.sendXml(
      'post',
      `/schedules/credit/${scheduleId}/receipts`,
      `<r><scheduleId>${scheduleId}</scheduleId><accountId>${accountId}</accountId>
        <date>2026-03-10T10:00:00-03:00</date><value>40.5</value><identifier>0001</identifier></r>`,
    );
    expectDone(reply);
    expect(reply.headers['content-type']).toBeUndefined();
    expect(await client.company.open([scheduleId!])).toEqual([5950n]);
  });

  it('6 tells what is left out from what is cleared', async () => {
    const id = await client.idByCode('costCenter', 'geral');
    const put = (xml: string) => client.sendXml('put', `/costcenters/${id}`, xml);
    const find = () => testing.database.prisma.costCenter.findUniqueOrThrow({ where: { id } });
    expectDone(await put('<c><description>Matriz</description></c>'));
    expect(await find()).toMatchObject({ description: 'Matriz', externalCode: 'geral' });
    expectDone(await put(`<c ${XSI}><externalCode xsi:nil="true"/></c>`));
    expect(await find()).toMatchObject({ description: 'Matriz', externalCode: null });
    expectDone(await put('<c/>'));
    expect(await find()).toMatchObject({ description: 'Matriz', externalCode: null });
  });

  it('10 opens a virtual account with its details', async () => {
    const xml = (cpf: string) => `<Account><name>Carteira</name><openBalance>-0.01</openBalance>
      <bankAccountVerificationNumber>7</bankAccountVerificationNumber>
      <virtualAccountDetails><exibitionName>Loja</exibitionName><responsibleCpf>${cpf}</responsibleCpf>
        <address><cep>01310-100</cep></address>
        <configuration><bankSlip><enableFines>true</enableFines>
          <latePaymentFinePercent>1.5</latePaymentFinePercent></bankSlip></configuration>
      </virtualAccountDetails></Account>`;
    const id = idOfXml(await client.sendXml('post', '/accounts/FormatType=json', xml(cpfNumber(3))));
    const kept = await testing.database.prisma.account.findUniqueOrThrow({ where: { id } });
    expect(JSON.stringify(kept.virtualDetails)).toContain('"latePaymentFinePercent":1.5');
    expect((await client.get('/accounts')).body).toMatchObject({
      items: [{}, { id, name: 'Carteira', openBalance: -0.01, isVirtual: true }],
    });
    expect(await refused('/accounts', xml('11111111111'))).toBe(
      '422 validation-failed /virtualAccountDetails/responsibleCpf',
    );
  });

  it('takes XML and answers in JSON, and the other way round', async () => {
    const xml = '<c><name>x</name></c>';
    idOf(await client.sendXml('post', '/customers', xml, { accept: 'application/json' }));
    const reply = await client.sendXml('post', '/customers', '{"name":"x"}', { type: 'application/json' });
    idOfXml(reply);
  });
});
