import { newId } from '../../../src/kernel/identifier';
import { FinanceClient, refusalOf, xmlRefusalOf } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';
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

describe('replies in XML', () => {
  it('13 lists in ArrayOfScheduleFullView, optional fields left out', async () => {
    const customer = await client.company.customer({ name: 'Lia "Lu" & Cia <1>' });
    const [one] = await client.company.schedules({ customer, value: '0.10', dueDate: '2099-04-10' });
    const { scheduleDate } = await testing.database.prisma.schedule.findUniqueOrThrow({
      where: { id: one! },
    });
    const day = scheduleDate.toISOString().slice(0, 10);
    const json = (await client.get(`/customers/${customer}/schedules`)).body as Record<string, string>[];
    const reply = await client.getAs('application/xml', `/customers/${customer}/schedules`);
    expect([reply.status, reply.headers['content-type'], reply.headers['vary']]).toEqual([
      200,
      'application/xml; charset=utf-8',
      'Accept',
    ]);
    const { category, costCenter } = json[0] as unknown as Record<string, Record<string, string>>;
    expect(reply.text).toBe(
      `${DECLARATION}<ArrayOfScheduleFullView><item><scheduleId>${one}</scheduleId>` +
        `<description>Order 1</description><reference>${json[0]!['reference']}</reference>` +
        `<value>0.1</value><openValue>0.1</openValue><scheduleDate>${day}T00:00:00-03:00</scheduleDate>` +
        `<accrualDate>2099-04-10T00:00:00-03:00</accrualDate><dueDate>2099-04-10T00:00:00-03:00</dueDate>` +
        `<stakeholder><id>${customer}</id><name>Lia &quot;Lu&quot; &amp; Cia &lt;1&gt;</name>` +
        `<isDeleted>false</isDeleted></stakeholder>${fieldsXml('category', category!)}` +
        `${fieldsXml('costCenter', costCenter!)}<isDued>false</isDued><isPaid>false</isPaid>` +
        `<isFlagged>false</isFlagged><isEntry>false</isEntry><type>Credit</type></item></ArrayOfScheduleFullView>`,
    );
  });

  it('13 lists nothing as an empty element', async () => {
    const reply = await client.getAs('text/xml', `/customers/${await client.company.customer()}/schedules`);
    expect(reply.text).toBe(`${DECLARATION}<ArrayOfScheduleFullView/>`);
    expect(reply.headers['content-type']).toBe('text/xml; charset=utf-8');
  });

  it('14 pages cost centers', async () => {
    const id = await client.idByCode('costCenter', 'geral');
    await client.sendXml('put', `/costcenters/${id}`, '<c><description>A]]&gt;B</description></c>');
    expect((await client.getAs('application/xml', '/costcenters')).text).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item><costCenterId>${id}</costCenterId>` +
        '<description>A]]&gt;B</description><externalCode>geral</externalCode></item></items>' +
        '<nextPageLink xsi:nil="true"/><count>1</count></PageResult>',
    );
    expect((await client.getAs('application/xml', '/costcenters?$top=0')).text).toBe(
      `${DECLARATION}<PageResult ${XSI}><items/><nextPageLink xsi:nil="true"/><count>1</count></PageResult>`,
    );
  });

  it('15 pages balances, an account without a bank with an empty one', async () => {
    const id = await client.idByCode('account', 'main');
    expect((await client.getAs('application/xml', '/accounts/views/balance')).text).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item><accountId>${id}</accountId>` +
        '<accountName>Conta principal</accountName><balance>0</balance><bank/></item></items>' +
        '<nextPageLink xsi:nil="true"/><count>1</count></PageResult>',
    );
  });

  it('16 pages accounts, with amounts to the cent and a link in XML too', async () => {
    const xml =
      '<a><name>B</name><openBalance>-999999999999.99</openBalance><dateOfOpenBalance>2026-01-02</dateOfOpenBalance></a>';
    const created = await client.sendXml('post', '/accounts', xml);
    const [, id] = /<guid>(.*)<\/guid>/.exec(created.text) ?? [];
    const reply = await client.getAs('application/xml', '/accounts?$skip=1');
    expect(reply.text).toBe(
      `${DECLARATION}<PageResult ${XSI}><items><item><id>${id}</id><name>B</name>` +
        '<openBalance>-999999999999.99</openBalance><dateOfOpenBalance>2026-01-02T00:00:00-03:00</dateOfOpenBalance>' +
        '<isVirtual>false</isVirtual></item></items><nextPageLink xsi:nil="true"/><count>2</count></PageResult>',
    );
    const first = await client.getAs('application/xml', '/accounts?$top=1&Organization=');
    expect(first.text).toMatch(
      /<nextPageLink>http:\/\/127\.0\.0\.1:\d+\/v1\/accounts\?.*&amp;.*<\/nextPageLink><count>2<\/count>/,
    );
  });

  it('17 answers with Category', async () => {
    const id = await client.idByCode('category', '1.1.01');
    const { groupId } = await testing.database.prisma.category.findUniqueOrThrow({ where: { id } });
    expect((await client.getAs('application/xml', `/schedules/categories/${id}`)).text).toBe(
      `${DECLARATION}<Category><id>${id}</id><name>Vendas online</name><referenceCode>1.1.01</referenceCode>` +
        `<type>in</type><group><id>${groupId}</id><name>Receitas de vendas</name>` +
        '<referenceCode>1.1</referenceCode></group></Category>',
    );
  });
});

describe('the form of a reply', () => {
  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['text/xml', 'text/xml; charset=utf-8'],
    ['text/*', 'text/xml; charset=utf-8'],
    ['application/xml;q=0.5, application/json;q=0.4', 'application/xml; charset=utf-8'],
    ['application/xml;q=0.4, application/json;q=0.5', 'application/json; charset=utf-8'],
    ['application/json;q=0, */*;q=0.1', 'application/xml; charset=utf-8'],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'application/xml; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
  ])('for Accept %j is %s', async (accept, type) => {
    const { key } = client;
    for (const path of [
      '/v1/accounts',
      `/v1/schedules/categories/${await client.idByCode('category', '1.1.01')}`,
    ]) {
      const request = testing.http.get(path).set('apitoken', key);
      const reply = await (accept === undefined ? request : request.set('accept', accept));
      expect([reply.status, reply.headers['content-type'], reply.headers['vary']]).toEqual([
        200,
        type,
        'Accept',
      ]);
    }
    const created = await client.sendXml('post', '/customers', '<c><name>x</name></c>', {
      accept: accept ?? '',
    });
    expect([created.status, created.headers['content-type']]).toEqual([200, type]);
  });

  it.each([
    'text/html',
    'application/xml;q=0',
    'application/yaml, image/*',
    '*/*;q=0',
    'application/soap+xml',
  ])('for Accept %s is none, and nothing is done', async (accept) => {
    const where = { organizationId: client.company.organization.id };
    const before = await testing.database.prisma.stakeholder.count({ where });
    const reply = await testing.http
      .post('/v1/customers')
      .set({ apitoken: client.key, accept, 'content-type': 'application/json' })
      .send('{"name":"x"}');
    expect(refusalOf(reply)).toBe('406 not-acceptable');
    expect(reply.headers['vary']).toBe('Accept');
    expect(await testing.database.prisma.stakeholder.count({ where })).toBe(before);
  });
});

describe('problems in XML', () => {
  it('spell out everything that JSON says', async () => {
    const xml = '<c><name>x</name><address><number>x&amp;y</number></address><email>a&#10;b</email></c>';
    const reply = await client.sendXml('post', '/customers', xml);
    expect(reply.status).toBe(422);
    expect(reply.text).toMatch(
      new RegExp(
        '^<\\?xml version="1\\.0" encoding="utf-8"\\?>\\n<problem xmlns="urn:ietf:rfc:7807">' +
          '<type>urn:ponte:problem:validation-failed</type><title>Some fields are not acceptable</title>' +
          '<status>422</status><detail>2 fields are not acceptable</detail>' +
          '<instance>urn:uuid:[0-9a-f-]{36}</instance><errors>' +
          '<i><pointer>/email</pointer><code>text</code><message>must not hold control characters</message></i>' +
          '<i><pointer>/address/number</pointer><code>integer</code>' +
          '<message>must be a whole number from -2147483648 to 2147483647</message></i></errors>' +
          '<error>validation-failed</error>' +
          '<error_description>2 fields are not acceptable</error_description></problem>$',
      ),
    );
  });

  const asked = (method: 'get' | 'post' | 'patch' | 'delete', path: string, accept = 'application/xml') =>
    client.testing.http[method](path).set('accept', accept);

  it('401 of the guard', async () => {
    const reply = await asked('get', '/v1/accounts');
    expect([xmlRefusalOf(reply), reply.headers['www-authenticate']]).toEqual([
      '401 key-missing',
      'Bearer realm="ponte"',
    ]);
    expect(xmlRefusalOf(await asked('get', '/v1/accounts?apitoken=x'))).toBe('401 key-invalid');
  });

  it('403 of another organization and of a scope', async () => {
    const { key } = client;
    expect(xmlRefusalOf(await asked('get', `/v1/accounts?apitoken=${key}&Organization=other`))).toBe(
      '403 organization-mismatch',
    );
    const reader = await testing.makeKey(client.company.organization, 'finance:read');
    expect(xmlRefusalOf(await asked('post', `/v1/customers?apitoken=${reader.key}`))).toBe(
      '403 scope-missing',
    );
  });

  it.each(['/v1', '/v1/', '/v1/nowhere', '/v1/accounts/views/other/x', '/v1?x=1'])(
    '404 of the router: %s',
    async (path) => expect(xmlRefusalOf(await asked('get', path))).toBe('404 not-found'),
  );

  it('404 of a record', async () => {
    const reply = await client.getAs('application/xml', `/schedules/categories/${newId()}`);
    expect(xmlRefusalOf(reply)).toBe('404 not-found');
  });

  it('405 with what the path takes', async () => {
    const reply = await asked('patch', '/v1/schedules/credit/01890000-0000-7000-8000-000000000001/receipts');
    expect([xmlRefusalOf(reply), reply.headers['allow']]).toEqual(['405 method-not-allowed', 'POST']);
  });

  it('406 for one who takes problems in XML and nothing else', async () => {
    const reply = await client.getAs('application/problem+xml', '/accounts');
    expect(xmlRefusalOf(reply)).toBe('406 not-acceptable');
  });

  it('413 of a body that is too large', async () => {
    const reply = await client.sendXml(
      'post',
      '/customers',
      `<c><name>${'x'.repeat(1024 * 1024)}</name></c>`,
    );
    expect(xmlRefusalOf(reply)).toBe('413 body-too-large');
  });

  it('400 of an address that cannot be decoded', async () => {
    expect(xmlRefusalOf(await asked('get', '/v1/accounts/%zz'))).toBe('400 malformed-request');
  });

  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['text/html', 'json'],
    ['application/problem+json, application/xml', 'json'],
    ['application/json, application/xml', 'json'],
    ['application/xml, */*;q=0.1', 'xml'],
    ['application/problem+xml', 'xml'],
    ['text/xml', 'xml'],
    ['application/json;q=0.1, application/problem+xml', 'xml'],
  ])('for Accept %j come as problem+%s', async (accept, form) => {
    const request = testing.http.get('/v1/accounts');
    const reply = await (accept === undefined ? request : request.set('accept', accept));
    expect([reply.status, reply.headers['content-type']?.split(';')[0], reply.headers['vary']]).toEqual([
      401,
      `application/problem+${form}`,
      'Accept',
    ]);
  });

  it.each(['/nowhere', '/v10', '/v1x/accounts', '/hooks/x', '/health/nothing'])(
    'come in JSON where there is no XML: %s',
    async (path) => expect(refusalOf(await asked('get', path))).toBe('404 not-found'),
  );
});

function fieldsXml(name: string, fields: Record<string, string>): string {
  const content = Object.entries(fields).map(([field, value]) => `<${field}>${String(value)}</${field}>`);
  return content.length === 0 ? `<${name}/>` : `<${name}>${content.join('')}</${name}>`;
}
