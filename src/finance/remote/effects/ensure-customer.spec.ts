import { listenForAlarms } from '../../../../test/support/alarms';
import { customerEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { cpfNumber } from '../../../../test/support/documents';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';

const NUMBER = cpfNumber(1).replace(/\D/g, '');
const effect = customerEffect('customer/1', { document: NUMBER });
const [ID, OTHER] = [newId(), newId()];

let database: Database;
let service: StubService;
let finance: RemoteFinance;
/** What the service answers, by method. */
let answers: Record<string, { status?: number; body?: unknown }>;

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await StubService.start();
  answers = { POST: { body: ID } };
  service.answer = (response, { method }) => {
    const { status = 200, body } = answers[method] ?? { status: 404 };
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(body) ?? '');
  };
  finance = await open();
});
afterEach(() => service.stop());
afterAll(() => database.close());

function open(customerListing?: string): Promise<RemoteFinance> {
  const connection = connectionTo({ url: service.url() }, customerListing ? { customerListing } : {});
  return RemoteFinance.open(database, httpWire(), connection);
}

const listed = (id: string, number = NUMBER) => ({ id: id.toUpperCase(), document: { number } });
const requests = () => service.requests.map(({ method }) => method);

it('makes a customer where there is no listing', async () => {
  expect(await finance.apply(effect)).toEqual({ state: 'applied', output: { id: ID }, attention: [] });
  expect(JSON.parse(service.requests[0]!.body)).toMatchObject({ document: { number: NUMBER } });
});

it.each([409, 422])('takes the customer that a refusal names, if it is a conflict: %i', async (status) => {
  answers['POST'] = { status, body: { error: 'customer-exists', customerId: OTHER.toUpperCase() } };
  const found = { state: 'existing', output: { id: OTHER }, attention: [] };
  const refused = { state: 'refused', code: 'customer-exists' };
  expect(await finance.apply(effect)).toMatchObject(status === 409 ? found : refused);
  answers['POST'] = { body: ID };
  expect(await finance.apply(effect)).toMatchObject({ output: { id: status === 409 ? OTHER : ID } });
});

it.each(['cut off', 'there twice'])(
  'asks again when the reply that names the customer is %s',
  async (how) => {
    const text = JSON.stringify({ error: 'customer-exists', customerId: OTHER });
    const plain = service.answer;
    service.answer = (response) => {
      response.writeHead(409, { 'content-length': String(2 * text.length) });
      if (how === 'cut off') response.write(text, () => response.socket?.destroy());
      else response.end(text + text);
    };
    expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
    service.answer = plain;
    answers['POST'] = { status: 409, body: JSON.parse(text) as object };
    finance.pass(60_000);
    // On another replica, which does not leave the service alone for a while.
    const other = finance.on(database, httpWire());
    expect(await other.apply(effect)).toMatchObject({ state: 'existing', output: { id: OTHER } });
  },
);

it.each([{}, { customerId: 'somebody' }])(
  'is refused with a conflict that names nobody: %j',
  async (body) => {
    answers['POST'] = { status: 409, body: { error: 'customer-exists', ...body } };
    expect(await finance.apply(effect)).toMatchObject({ state: 'refused', code: 'customer-exists' });
  },
);

describe('a service that refuses a second customer with the same document', () => {
  /** Customers that the service tells one by one. */
  let customers: Record<string, string>;

  beforeEach(async () => {
    customers = { [OTHER]: NUMBER, [ID]: cpfNumber(2) };
    finance = await RemoteFinance.open(
      database,
      httpWire(),
      connectionTo({ url: service.url() }, { uniqueDocuments: true }),
    );
  });

  /** @param headers with the refusal */
  function refuse(body: string, headers: Record<string, string> = {}): void {
    service.answer = (response, { method, url }) => {
      if (method === 'POST') return void response.writeHead(409, headers).end(body);
      const id = /\/customers\/([0-9a-f-]+)/.exec(url)?.[1] ?? '';
      const number = customers[id];
      response
        .writeHead(number === undefined ? 404 : 200)
        .end(JSON.stringify(number === undefined ? {} : { id, document: { number } }));
    };
  }

  it.each<[string, object | string, Record<string, string>]>([
    ['customerId', { customerId: OTHER }, {}],
    ['id', { id: OTHER.toUpperCase() }, {}],
    ['customer.id', { error: 'conflict', customer: { id: OTHER, name: 'Lia' } }, {}],
    ['existingId', { existingId: OTHER }, {}],
    [
      'details',
      { error: { code: 'duplicate', details: [{ field: 'document', existing: { id: OTHER } }] } },
      {},
    ],
    ['errors', { errors: [{ code: 'taken', customer_id: OTHER }] }, {}],
    ['a sentence', { detail: `customer ${OTHER} has this document` }, {}],
    ['a self link', { _links: { self: { href: `/api/v1/customers/${OTHER}` } } }, {}],
    ['Location', {}, { location: `/api/v1/customers/${OTHER}` }],
    ['XML', `<problem><detail>taken</detail><customer><id>${OTHER}</id></customer></problem>`, {}],
    ['plain text', `taken by ${OTHER}`, {}],
    ['one of two', { id: ID, traceId: newId(), existing: [newId(), OTHER] }, {}],
  ])('is understood by %s', async (_how, body, headers) => {
    refuse(typeof body === 'string' ? body : JSON.stringify(body), headers);
    expect(await finance.apply(effect)).toMatchObject({ state: 'existing', output: { id: OTHER } });
  });

  it.each<[string, object]>([
    ['names nobody', { error: 'conflict' }],
    ['names a customer with another document', { customerId: ID }],
    ['names who cannot be read back, and not as documented', { id: newId() }],
  ])('is left to a person, who adopts, where it %s', async (_how, body) => {
    refuse(JSON.stringify(body));
    const result = await finance.apply(effect);
    const [row] = await finance.rows();
    expect(row).toMatchObject({ state: 'unknown', needsReviewAt: finance.clock.now() });
    const reason = `an operator has to adopt, repeat or abandon effect ${row!.id}: ${row!.reason}`;
    expect(result).toEqual({ state: 'refused', code: 'effect-unknown', reason });
    // As long as nobody decides, it is asked for again and says the same.
    expect(await finance.apply(effect)).toEqual(result);
    await database.transaction((tx) =>
      finance.decisions.adopt(tx, finance.organization.id, row!.id, OTHER, 'it is this one'),
    );
    expect(await finance.apply(effect)).toMatchObject({ output: { id: OTHER } });
  });

  it.each<[string, number, Record<string, string>, string]>([
    ['a web page', 200, { 'content-type': 'text/html' }, '<html>Sign in</html>'],
    ['a redirection', 302, { location: '/login' }, ''],
    ['nothing of the kind', 501, {}, ''],
  ])('is understood as documented where single customers are %s', async (_what, status, headers, body) => {
    service.answer = (response, { method }) => {
      if (method === 'POST') response.writeHead(409).end(JSON.stringify({ customerId: OTHER }));
      else response.writeHead(status, headers).end(body);
    };
    expect(await finance.apply(effect)).toMatchObject({ state: 'existing', output: { id: OTHER } });
  });

  it('waits where single customers cannot be read for now', async () => {
    service.answer = (response, { method }) => {
      if (method === 'POST') response.writeHead(409).end(JSON.stringify({ customerId: OTHER }));
      else response.writeHead(503).end();
    };
    expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
  });

  it('can be adopted where it was refused, too', async () => {
    finance = await open();
    refuse('{}');
    expect(await finance.apply(effect)).toMatchObject({ state: 'refused' });
    const [row] = await finance.rows();
    expect(row).toMatchObject({ state: 'refused' });
    await database.transaction((tx) =>
      finance.decisions.adopt(tx, finance.organization.id, row!.id, OTHER, 'it is this one'),
    );
    expect(await finance.apply(effect)).toMatchObject({ output: { id: OTHER } });
  });

  it('is understood by the listing where it names nobody', async () => {
    finance = await RemoteFinance.open(
      database,
      httpWire(),
      connectionTo({ url: service.url() }, { uniqueDocuments: true, customerListing: '/customers' }),
    );
    let asked = 0;
    service.answer = (response, { method }) => {
      if (method === 'POST') return void response.writeHead(409).end('{}');
      // Somebody else made it between the first reading and the request.
      asked += 1;
      response.writeHead(200).end(JSON.stringify(asked > 1 ? [listed(OTHER)] : []));
    };
    expect(await finance.apply(effect)).toMatchObject({ state: 'existing', output: { id: OTHER } });
  });
});

describe('where the service lists customers', () => {
  beforeEach(async () => (finance = await open('/customers')));

  it('takes the one with the document, and sends nothing', async () => {
    answers['GET'] = { body: [listed(OTHER), listed(newId(), cpfNumber(2))] };
    expect(await finance.apply(effect)).toMatchObject({ state: 'existing', output: { id: OTHER } });
    expect(requests()).not.toContain('POST');
  });

  it('makes one where there is none', async () => {
    answers['GET'] = { body: [] };
    expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output: { id: ID } });
  });

  it('leaves two with the document to a person', async () => {
    answers['GET'] = { body: [listed(ID), listed(OTHER)] };
    expect(await finance.apply(effect)).toMatchObject({ state: 'refused', code: 'conflict' });
    expect(requests()).not.toContain('POST');
  });

  it('does not look for a customer without a document', async () => {
    expect(await finance.apply(customerEffect('customer/2'))).toMatchObject({ state: 'applied' });
    expect(requests()).toEqual(['POST']);
  });

  it('waits while the listing cannot be read', async () => {
    answers['GET'] = { status: 500 };
    expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
    expect(requests()).not.toContain('POST');
  });

  it('does not take what its own lost call may have made for somebody else: that is looked into', async () => {
    answers = { GET: { body: [] }, POST: { status: 202 } };
    expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
    answers['GET'] = { body: [listed(OTHER)] };
    expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
    await finance.laterOn();
    expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output: { id: OTHER } });
    expect(requests().filter((method) => method === 'POST')).toHaveLength(1);
  });
});
