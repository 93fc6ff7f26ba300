import { FinanceClient } from '../../support/finance-client';
import { type RawReply, sendRaw } from '../../support/raw-http';
import { StubFront } from '../../support/stub-front';
import { StubService } from '../../support/stub-service';
import type { TestingApp } from '../../support/testing-app';

/*
 * Requests as clients in the wild write them, to the letter. What stands in braces is a record of the company.
 */

const PREFIX = '/empresas/v1';
const PAGE = 'https://painel.example';
const MADE = '"01a1ff90-6fa5-70b9-b12d-29885e79080c"';

type Names = Readonly<Record<'key' | 'customer' | 'account' | 'in' | 'out' | 'center', string>>;

function filled(text: string, names: Names): string {
  return text.replace(/\{(key|customer|account|in|out|center)\}/g, (_, name: keyof Names) => names[name]);
}

/** Status, code and pointers: `422 validation-failed /value`. */
function outcomeOf({ status, body }: RawReply): string {
  if (status < 400) return String(status);
  const { error, errors = [] } = JSON.parse(body) as { error: string; errors?: { pointer: string }[] };
  return [status, error, ...errors.map(({ pointer }) => pointer)].join(' ');
}

describe.each([
  ['on books of its own', undefined],
  ['before a finance service', 'json'],
] as const)('%s', (_backend, loop) => {
  let testing: TestingApp;
  let address: string;
  let client: FinanceClient;
  let names: Names;

  beforeAll(async () => {
    const env = { FINANCE_PATH_PREFIX: PREFIX, FINANCE_CORS_ORIGINS: `${PAGE},http://localhost:5173` };
    testing = await FinanceClient.serve({ env }, loop);
    address = await testing.app.getUrl();
  });
  beforeEach(async () => {
    client = await FinanceClient.of(testing);
    names = {
      key: client.key,
      customer: await client.company.customer(),
      account: await client.idByCode('account', 'main'),
      in: await client.idByCode('category', '1.1.01'),
      out: await client.idByCode('category', '2.1.01'),
      center: await client.idByCode('costCenter', 'geral'),
    };
  });
  afterAll(() => client.company.verify());
  afterAll(() => testing.close());

  const send = (text: string): Promise<RawReply> => sendRaw(address, filled(text, names));
  const post = (path: string, body: string): Promise<RawReply> =>
    send(`POST /v1${path} HTTP/1.1
          apitoken: {key}
          Content-Type: application/json

          ${body}`);
  const put = (path: string, body: string): Promise<RawReply> =>
    send(`PUT /v1${path} HTTP/1.1
          apitoken: {key}
          Content-Type: application/json

          ${body}`);

  async function schedules(): Promise<Record<string, unknown>[]> {
    return (await client.get(`/customers/${names.customer}/schedules`)).body as Record<string, unknown>[];
  }
  const entries = () =>
    testing.database.prisma.entry.findMany({
      where: { organizationId: client.company.organization.id, kind: { in: ['payment', 'receipt'] } },
    });
  const recurrences = () =>
    testing.database.prisma.recurrence.findMany({
      where: { organizationId: client.company.organization.id },
    });

  describe('a receivable', () => {
    it('of a web shop names its category in a list, beside the value, and its day at midnight in UTC', async () => {
      const reply = await send(`POST /v1/schedules/credit/FormatType=json HTTP/1.1
        apitoken: {key}
        Content-Type: application/json
        Accept: application/json

        {"stakeholderId":"{customer}","dueDate":"2026-12-30T00:00:00Z","scheduleDate":"2026-12-30T00:00:00.000Z",
         "accrualDate":"2026-11-01T00:00:00Z",
         "categories":[{"categoryId":"{in}","value":197,"description":"Curso"}],"value":197,
         "description":"Curso (#8812)","reference":"8812","serviceProfileId":"none"}`);
      expect(outcomeOf(reply)).toBe('200');
      expect(reply.headers.get('x-ignored-fields')?.split(', ').sort()).toEqual([
        'categories.0.description',
        'serviceProfileId',
      ]);
      expect(await schedules()).toMatchObject([
        {
          scheduleId: JSON.parse(reply.body),
          value: 197,
          dueDate: '2026-12-30T00:00:00-03:00',
          scheduleDate: '2026-12-30T00:00:00-03:00',
          accrualDate: '2026-11-01T00:00:00-03:00',
          category: { id: names.in },
          reference: '8812',
        },
      ]);
    });

    it('of a client with names in PascalCase and values as text', async () => {
      const reply = await post(
        '/schedules/credit',
        `{"StakeholderId":"{customer}","Description":"Mensalidade","Value":"100.50","DueDate":"30/12/2026",
          "IsFlagged":"True","Categories":[{"CategoryId":"{in}","Value":"100.50"}],
          "CostCenters":[{"CostCenterId":"{center}","Value":"100.5"}]}`,
      );
      expect(outcomeOf(reply)).toBe('200');
      expect(await schedules()).toMatchObject([
        {
          value: 100.5,
          description: 'Mensalidade',
          dueDate: '2026-12-30T00:00:00-03:00',
          accrualDate: '2026-12-30T00:00:00-03:00',
          isFlagged: true,
          category: { id: names.in },
          costCenter: { id: names.center },
        },
      ]);
    });

    it('takes its value from its only line', async () => {
      const reply = await post(
        '/schedules/credit/FormatType=json',
        '{"stakeholderId":"{customer}","dueDate":"2026-12-30","categories":[{"categoryid":"{in}","value":7}]}',
      );
      expect(outcomeOf(reply)).toBe('200');
      expect(await schedules()).toMatchObject([{ value: 7, category: { id: names.in } }]);
    });

    it('in XML names its category in a list as well', async () => {
      const reply = await send(`POST /v1/schedules/credit HTTP/1.1
        apitoken: {key}
        Content-Type: application/xml

        <Schedule><StakeholderId>{customer}</StakeholderId><DueDate>30/12/2026</DueDate><Value>7</Value>
        <Categories><item><CategoryId>{in}</CategoryId><Value>7.00</Value></item></Categories></Schedule>`);
      expect(reply.status).toBe(200);
      expect(await schedules()).toMatchObject([{ value: 7, category: { id: names.in } }]);
    });

    it.each([
      ['"value":8,"categories":[{"categoryId":"{in}","value":7}]', '/categories/0/value'],
      ['"value":7,"categoryId":"{out}","categories":[{"categoryId":"{in}"}]', '/categories/0/categoryId'],
      ['"value":7,"categories":[{"value":7}]', '/categories/0/categoryId'],
      ['"value":7,"categories":[{"categoryId":"{in}"},{"categoryId":"{in}"}]', '/categories'],
      ['"value":7,"costCenters":[{"costCenterId":"{center}","value":6}]', '/costCenters/0/value'],
      ['"categories":[{"categoryId":"{in}"}]', '/value'],
      ['"value":7,"Value":7', '/Value'],
      ['"value":"1.000"', '/value'],
      ['"value":"1.234,56"', '/value'],
    ])('with %s is refused at %s', async (fields, pointer) => {
      const reply = await post(
        '/schedules/credit/FormatType=json',
        `{"stakeholderId":"{customer}","dueDate":"2026-12-30",${fields}}`,
      );
      expect(outcomeOf(reply)).toBe(`422 validation-failed ${pointer}`);
      expect(await schedules()).toEqual([]);
    });

    it('says why several lines are refused', async () => {
      const reply = await post(
        '/schedules/credit/FormatType=json',
        `{"stakeholderId":"{customer}","dueDate":"2026-12-30","value":10,
          "categories":[{"categoryId":"{in}","value":4},{"categoryId":"{in}","value":6}]}`,
      );
      expect(JSON.parse(reply.body)).toMatchObject({
        errors: [{ code: 'several', message: expect.stringContaining('one request for each line') }],
      });
    });

    it('counts all its instalments on the day given', async () => {
      const reply = await post(
        '/schedules/credit/FormatType=json',
        `{"stakeholderId":"{customer}","value":2,"dueDate":"2026-04-10","accrualDate":"2026-03-01",
          "instalment":[{"value":1,"dueDate":"2026-04-10"},{"value":1,"dueDate":"2026-05-10"}]}`,
      );
      expect(outcomeOf(reply)).toBe('200');
      const days = (await schedules()).map(({ dueDate, accrualDate }) => [dueDate, accrualDate]);
      expect(days).toEqual([
        ['2026-04-10T00:00:00-03:00', '2026-03-01T00:00:00-03:00'],
        ['2026-05-10T00:00:00-03:00', '2026-03-01T00:00:00-03:00'],
      ]);
      const opening = await testing.database.prisma.entry.findMany({
        where: { organizationId: client.company.organization.id, kind: 'receivable' },
      });
      expect(opening.map(({ date }) => date)).toEqual(Array(2).fill(new Date('2026-03-01')));
    });
  });

  describe('a recurrence', () => {
    const recur = (recurrence: string): Promise<RawReply> =>
      post(
        '/schedules/credit/FormatType=json',
        `{"stakeholderId":"{customer}","value":10,"dueDate":"2026-03-31","accrualDate":"2026-02-28",
          "recurrence":${recurrence}}`,
      );

    it.each([
      ['{"enabled":true,"intervalType":"Month","interval":1,"maxOccurrences":3}'],
      ['{"enabled":"true","intervalType":2,"recurrenceEndType":"ByOccurrences","maxOccurrences":"3"}'],
      ['{"intervalType":"Month","recurrenceEndType":"maxOccurrences","occurrences":3}'],
      ['{"intervalType":"Month","occurrences":3}'],
      ['{"enabled":true,"intervalType":"Month","recurrenceEndType":"ByDate","endDate":"31/05/2026"}'],
      ['{"intervalType":"Month","endDate":"2026-05-31T00:00:00Z"}'],
    ])('%s ends after three', async (recurrence) => {
      expect(outcomeOf(await recur(recurrence))).toBe('200');
      const days = (await schedules()).map(({ dueDate, accrualDate }) => [dueDate, accrualDate]);
      expect(days).toEqual([
        ['2026-03-31T00:00:00-03:00', '2026-02-28T00:00:00-03:00'],
        ['2026-04-30T00:00:00-03:00', '2026-03-28T00:00:00-03:00'],
        ['2026-05-31T00:00:00-03:00', '2026-04-28T00:00:00-03:00'],
      ]);
      expect(await recurrences()).toMatchObject([{ made: 3, nextDueDate: null }]);
    });

    it('that is switched off is none', async () => {
      expect(outcomeOf(await recur('{"enabled":false,"intervalType":null,"maxOccurrences":0}'))).toBe('200');
      expect(await schedules()).toHaveLength(1);
      expect(await recurrences()).toEqual([]);
    });

    it('has no end where it says so', async () => {
      const text =
        '{"enabled":true,"intervalType":"Month","recurrenceEndType":"Undefined","maxOccurrences":0}';
      expect(outcomeOf(await recur(text))).toBe('200');
      expect(await recurrences()).toMatchObject([{ occurrences: null, endDate: null }]);
    });

    it.each([
      ['{"enabled":true,"intervalType":"Month"}', '/recurrence/type'],
      ['{"intervalType":"Month","recurrenceEndDate":"2026-12-31"}', '/recurrence/type'],
      ['{"intervalType":"Month","occurrences":3,"endDate":"2026-12-31"}', '/recurrence/type'],
      ['{"intervalType":"Month","type":"Undefined","maxOccurrences":3}', '/recurrence/type'],
      ['{"intervalType":"Month","recurrenceEndType":"Undefined","occurrences":3}', '/recurrence/type'],
      ['{"intervalType":"Month","recurrenceEndType":"AfterAWhile"}', '/recurrence/recurrenceEndType'],
      [
        '{"intervalType":"Month","type":"ByDate","recurrenceEndType":"ByOccurrences","maxOccurrences":3}',
        '/recurrence/recurrenceEndType',
      ],
      ['{"intervalType":"Month","occurrences":3,"maxOccurrences":4}', '/recurrence/maxOccurrences'],
      ['{"enabled":true,"maxOccurrences":3}', '/recurrence/intervalType'],
    ])('%s is refused at %s', async (recurrence, pointer) => {
      expect(outcomeOf(await recur(recurrence))).toBe(`422 validation-failed ${pointer}`);
      expect(await schedules()).toEqual([]);
    });
  });

  describe.each([
    ['payments', 'out', 'payment'],
    ['receipts', 'in', 'receipt'],
  ] as const)('POST /%s', (path, category, kind) => {
    it('takes category and cost center from lists of one', async () => {
      const reply = await post(
        `/${path}`,
        `{"accountId":"{account}","stakeholderId":"{customer}","date":"2026-03-10T00:00:00Z","isFlag":"false",
          "categories":[{"categoryid":"{${category}}","value":12.34}],"costCenters":[{"costCenterId":"{center}"}]}`,
      );
      expect(outcomeOf(reply)).toBe('200');
      expect(await entries()).toMatchObject([
        {
          id: JSON.parse(reply.body),
          kind,
          amountMinor: 1234n,
          categoryId: names[category],
          costCenterId: names.center,
          date: new Date('2026-03-10'),
        },
      ]);
    });

    it.each([
      [`"value":2,"categories":[{"categoryId":"{${category}}","value":1}]`, '/categories/0/value'],
      [
        `"categories":[{"categoryId":"{${category}}","value":1},{"categoryId":"{${category}}","value":1}]`,
        '/categories /value',
      ],
    ])('refuses %s at %s', async (fields, pointers) => {
      const body = `{"accountId":"{account}","date":"2026-03-10",${fields}}`;
      expect(outcomeOf(await post(`/${path}`, body))).toBe(`422 validation-failed ${pointers}`);
      expect(await entries()).toEqual([]);
    });
  });

  describe('a change', () => {
    it('knows its fields in any letter case', async () => {
      expect(outcomeOf(await put('/costcenters/{center}', '{"Description":"Matriz"}'))).toBe('204');
      expect(outcomeOf(await put('/accounts/{account}', '{"Name":"Caixa","OpenBalance":"7"}'))).toBe('204');
      const accounts = await client.get('/accounts');
      expect(accounts.body).toMatchObject({ items: [{ name: 'Caixa', openBalance: 7 }] });
      const centers = await client.get('/costcenters');
      expect(centers.body).toMatchObject({ items: [{ description: 'Matriz' }] });
    });

    it.each([
      ['/costcenters/{center}', '{"descricao":"Matriz"}', 'descricao'],
      ['/costcenters/{center}', '{"costCenterId":"{center}","isActive":true}', 'isActive'],
      ['/accounts/{account}', '{"nome":"Caixa","virtualAccountDetails":{"nome":"x"}}', 'nome'],
    ])('of %s with nothing known in it, %s, is refused', async (path, body, ignored) => {
      const reply = await put(path, body);
      expect(outcomeOf(reply)).toBe('422 validation-failed ');
      expect(reply.headers.get('x-ignored-fields')).toContain(ignored);
    });

    it('with one field that is known is done, and names the others', async () => {
      const reply = await put('/costcenters/{center}', '{"description":"Matriz","isActive":true}');
      expect([outcomeOf(reply), reply.headers.get('x-ignored-fields')]).toEqual(['204', 'isActive']);
    });
  });

  describe('paths', () => {
    const body = '{"name":"Lia"}';
    it.each([
      ['/v1/customers/'],
      ['/v1/customers/FormatType=json'],
      ['/v1/customers/FormatType=json/'],
      ['/v1/customers/FormatType%3Djson'],
      [`${PREFIX}/customers`],
      [`${PREFIX}/customers/`],
      [`${PREFIX}/customers/FormatType=json/?Organization=`],
      ['/v1/customers/?a=b'],
    ])('POST %s registers a customer', async (path) => {
      const reply = await send(`POST ${path} HTTP/1.1
        apitoken: {key}
        Content-Type: application/json

        ${body}`);
      expect(outcomeOf(reply)).toBe('200');
    });

    it.each([
      ['POST', '/v1/schedules/credit/FormatType=json/'],
      ['POST', `${PREFIX}/schedules/credit/FormatType=json/`],
      ['POST', `${PREFIX}/payments/FormatType=json/`],
      ['POST', `${PREFIX}/receipts/FormatType=json/`],
      ['POST', `${PREFIX}/accounts/FormatType=json/`],
      ['POST', `${PREFIX}/accounts/transfer/`],
      ['PUT', `${PREFIX}/costcenters/{center}/`],
    ])('%s %s reaches the operation', async (method, path) => {
      const reply = await send(`${method} ${path} HTTP/1.1
        apitoken: {key}
        Content-Type: application/json

        {"nothing":"known"}`);
      expect(outcomeOf(reply)).toMatch(/^422 validation-failed /);
    });

    it.each([['/v1x/customers'], ['/empresas/customers'], ['/empresas/v1x/customers'], ['/v1/customers//']])(
      'POST %s reaches nothing',
      async (path) => {
        const reply = await send(`POST ${path} HTTP/1.1
          apitoken: {key}
          Content-Type: application/json

          ${body}`);
        expect(reply.status).toBe(404);
      },
    );

    it('says below the prefix too which methods there are', async () => {
      const reply = await send(`DELETE ${PREFIX}/customers/ HTTP/1.1
        apitoken: {key}`);
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    });

    it('links to the next page where the client found the first', async () => {
      for (const name of ['B', 'C']) await post('/accounts', `{"name":"${name}"}`);
      const reply = await send(`GET ${PREFIX}/accounts/?$top=1 HTTP/1.1
        apitoken: {key}`);
      const { nextPageLink } = JSON.parse(reply.body) as { nextPageLink: string };
      expect(nextPageLink).toMatch(`${address}${PREFIX}/accounts/?`);
      expect((await client.follow(nextPageLink)).items).toHaveLength(1);
    });

    it('knows the same request again at its other addresses', async () => {
      const ask = (path: string) =>
        send(`POST ${path} HTTP/1.1
          apitoken: {key}
          Idempotency-Key: order-7
          Content-Type: application/json

          ${body}`);
      const first = await ask('/v1/customers');
      const second = await ask(`${PREFIX}/customers/`);
      expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    });
  });

  describe('pages of other origins', () => {
    const preflight = (path: string, origin: string): Promise<RawReply> =>
      send(`OPTIONS ${path} HTTP/1.1
        Origin: ${origin}
        Access-Control-Request-Method: POST
        Access-Control-Request-Headers: apitoken,content-type`);

    it.each([['/v1/customers'], [`${PREFIX}/customers/`]])(
      'may call %s once they are named',
      async (path) => {
        const { status, headers, body } = await preflight(path, PAGE);
        expect([status, body]).toEqual([204, '']);
        expect(Object.fromEntries(headers)).toMatchObject({
          'access-control-allow-origin': PAGE,
          'access-control-allow-methods': expect.stringContaining('POST'),
          'access-control-allow-headers': expect.stringMatching(/Authorization, ApiToken, Content-Type/),
          'access-control-max-age': '600',
          vary: expect.stringContaining('Origin'),
        });
        expect(headers.has('access-control-allow-credentials')).toBe(false);
      },
    );

    it.each([[PAGE.replace('https', 'http')], ['https://evil.example'], ['null'], [`${PAGE}.evil.example`]])(
      'are not let in as %s',
      async (origin) => {
        const { status, headers } = await preflight('/v1/customers', origin);
        expect([status, headers.get('vary')]).toEqual([405, 'Accept, Origin']);
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      },
    );

    it('are not let in anywhere else', async () => {
      for (const path of ['/feed', '/admin/organizations', '/health/live', '/metrics', '/hooks/main/shop']) {
        const { headers } = await preflight(path, PAGE);
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });

    it('may read replies, refusals too, and what no page asked for says that it differs by origin', async () => {
      const ask = (key: string, origin = '') =>
        send(`GET /v1/accounts HTTP/1.1
          ApiToken: ${key}${origin && `\nOrigin: ${origin}`}`);
      const good = await ask('{key}', PAGE);
      expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
      expect(good.headers.get('access-control-expose-headers')).toContain('X-Ignored-Fields');
      const bad = await ask('wrong', PAGE);
      expect([bad.status, bad.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
      const plain = await ask('{key}');
      expect(plain.headers.get('vary')).toBe('Accept, Origin');
      expect(plain.headers.has('access-control-allow-origin')).toBe(false);
    });
  });
});

describe('where nothing is set', () => {
  let testing: TestingApp;
  beforeAll(async () => (testing = await FinanceClient.serve()));
  afterAll(() => testing.close());

  it('no page of another origin is let in, and nothing is served at other paths', async () => {
    const reply = await testing.http
      .options('/v1/customers')
      .set({ origin: PAGE, 'access-control-request-method': 'POST' });
    expect(reply.status).toBe(405);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await testing.http.get(`${PREFIX}/accounts`)).status).toBe(404);
  });
});

describe('a finance service elsewhere', () => {
  let service: StubService;
  let testing: TestingApp;
  let front: StubFront;

  beforeAll(async () => {
    service = await StubService.start();
    testing = await StubFront.open(service.url());
    front = await StubFront.of(testing);
    service.answer = (response, { method }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(method === 'GET' ? '[]' : MADE);
  });
  beforeEach(() => void (service.requests.length = 0));
  afterAll(async () => {
    await testing.close();
    await service.stop();
  });

  async function passedOn(path: string, body: string): Promise<unknown> {
    const names = {
      ...front.names,
      key: front.key,
      in: front.names.categoryIn,
      out: front.names.categoryOut,
    };
    const text = filled(
      `POST /v1${path} HTTP/1.1
       apitoken: {key}
       Content-Type: application/json

       ${body}`,
      { ...names, center: names.costCenter },
    );
    expect(outcomeOf(await sendRaw(await testing.app.getUrl(), text))).toBe('200');
    const sent = service.requests.filter(({ method }) => method === 'POST');
    expect(sent).toHaveLength(1);
    return JSON.parse(sent[0]!.body) as unknown;
  }

  it('is sent a receivable as the interface documents it', async () => {
    const sent = await passedOn(
      '/schedules/credit/',
      `{"StakeholderId":"{customer}","DueDate":"2026-12-30T00:00:00Z","accrualDate":"01/11/2026","isFlagged":"false",
        "categories":[{"categoryid":"{in}","value":"197.00"}],"costCenters":[{"costCenterId":"{center}"}],
        "recurrence":{"enabled":true,"intervalType":2,"interval":"1","maxOccurrences":"12"},"serviceProfileId":"none"}`,
    );
    expect(sent).toEqual({
      stakeholderId: front.names.customer,
      value: 197,
      dueDate: '2026-12-30T00:00:00-03:00',
      accrualDate: '2026-11-01T00:00:00-03:00',
      categoryId: front.names.categoryIn,
      costCenterId: front.names.costCenter,
      isFlagged: false,
      recurrence: { intervalType: 'month', interval: 1, type: 'ByOccurrences', occurrences: 12 },
    });
  });

  it.each([
    ['payments', 'out', 'categoryOut'],
    ['receipts', 'in', 'categoryIn'],
  ] as const)('is sent one of %s as the interface documents it', async (path, category, name) => {
    const sent = await passedOn(
      `/${path}/FormatType=json`,
      `{"accountId":"{account}","date":"30/12/2026","categories":[{"categoryId":"{${category}}","value":1}]}`,
    );
    expect(sent).toEqual({
      accountId: front.names.account,
      value: 1,
      date: '2026-12-30T00:00:00-03:00',
      categoryId: front.names[name],
    });
  });
});
