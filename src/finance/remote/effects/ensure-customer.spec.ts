import { listenForAlarms } from '../../../../test/support/alarms';
import { customerEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { cpfNumber } from '../../../../test/support/documents';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
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
    await until(async () => (await finance.apply(effect)).state === 'existing');
  },
);

it.each([{}, { customerId: 'somebody' }])(
  'is refused with a conflict that names nobody: %j',
  async (body) => {
    answers['POST'] = { status: 409, body: { error: 'customer-exists', ...body } };
    expect(await finance.apply(effect)).toMatchObject({ state: 'refused', code: 'customer-exists' });
  },
);

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
