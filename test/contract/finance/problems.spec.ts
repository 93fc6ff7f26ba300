import type { Response, Test } from 'supertest';
import { FinanceModule } from '../../../src/finance/finance.module';
import { problemOf, FinanceClient } from '../../support/finance-client';
import { DelayedController } from '../../support/delayed-controller';
import { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
  client = await FinanceClient.of(testing);
});
afterAll(() => testing.close());

interface Sent {
  method?: 'get' | 'post' | 'put' | 'delete' | 'patch';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Without the client's key. */
  anonymous?: boolean;
}

function send({ method = 'get', path, headers = {}, body, anonymous = false }: Sent): Test {
  const request = testing.http[method](path).set(headers);
  if (!anonymous) void request.set('apitoken', client.key);
  if (body === undefined) return request;
  return request.set('content-type', headers['content-type'] ?? 'application/json').send(body);
}

const customer = (body: string, headers: Record<string, string> = {}): Sent => ({
  method: 'post',
  path: '/v1/customers',
  body,
  headers,
});

const NO_CUSTOMER = '/v1/customers/01890000-0000-7000-8000-000000000001/schedules';
const SENTENCE = expect.stringMatching(/^[A-Z].*\w/) as string;

describe('every problem is one document', () => {
  it.each<[status: number, code: string, title: string, detail: string, sent: Sent, more?: object]>([
    [
      400,
      'malformed-request',
      'The request cannot be read',
      'The body is empty',
      { method: 'post', path: '/v1/customers' },
    ],
    [
      400,
      'malformed-request',
      'The request cannot be read',
      'Idempotency-Key must be 1 to 255 visible ASCII characters',
      customer('{"name":"Lia"}', { 'idempotency-key': 'two words' }),
    ],
    [
      401,
      'key-missing',
      'An API key is needed',
      'Send the key as Authorization: Bearer, as the header ApiToken or as the query parameter apitoken',
      { path: '/v1/accounts', anonymous: true },
    ],
    [
      401,
      'key-invalid',
      'The API key is not valid',
      'There is no such API key, or it was revoked',
      { path: '/v1/accounts?apitoken=ponte_guessed', anonymous: true },
    ],
    [
      403,
      'organization-mismatch',
      'The key belongs to another organization',
      'The key belongs to another organization than the one named',
      { path: '/v1/accounts?Organization=another' },
    ],
    [
      404,
      'not-found',
      'There is no such record',
      'The organization has no such customer',
      { path: NO_CUSTOMER },
    ],
    [404, 'not-found', 'There is no such record', 'There is nothing at this path', { path: '/v1/customer' }],
    [
      405,
      'method-not-allowed',
      'The method is not allowed here',
      'This path takes POST',
      { path: '/v1/schedules/credit/01890000-0000-7000-8000-000000000001/receipts' },
    ],
    [
      406,
      'not-acceptable',
      'None of the accepted forms can be served',
      SENTENCE,
      { path: '/v1/accounts', headers: { accept: 'image/png' } },
    ],
    [
      413,
      'body-too-large',
      'The body is too large',
      'The body is larger than 1 MiB',
      customer(`{"name":"${'x'.repeat(1024 * 1024)}"}`),
    ],
    [
      415,
      'media-type-unsupported',
      'The media type of the body is not supported',
      SENTENCE,
      customer('name=Lia', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    [
      422,
      'validation-failed',
      'Some fields are not acceptable',
      '1 field is not acceptable',
      customer('{}'),
      { errors: [{ pointer: '/name', code: 'required', message: 'is required' }] },
    ],
  ])('%i %s: %s (%s)', async (status, code, title, detail, sent, more = {}) => {
    const reply = await send(sent);
    expect(problemOf(reply)).toEqual({
      type: `urn:ponte:problem:${code}`,
      title,
      status,
      detail,
      error: code,
      error_description: detail,
      ...more,
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['allow']).toBe(status === 405 ? 'POST' : undefined);
    expectDiscreet(reply);
  });

  it('409: the first record is named', async () => {
    const body = '{"name":"Lia","document":{"number":"529.982.247-25"}}';
    const first = await send(customer(body));
    expect(problemOf(await send(customer(body)))).toEqual({
      type: 'urn:ponte:problem:customer-exists',
      title: 'A customer with this document exists',
      status: 409,
      detail: 'a customer with this document is registered already',
      error: 'customer-exists',
      error_description: 'a customer with this document is registered already',
      customerId: first.body as string,
    });
  });

  it('422: every bad field is named by its place', async () => {
    const reply = await send(
      customer('{"document":{"number":"123"},"address":{"zipCode":7},"communication":[]}'),
    );
    const { errors } = problemOf(reply) as { errors: { pointer: string; message: string }[] };
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/address/zipCode',
      '/communication',
      '/name',
    ]);
    expect(errors.every(({ message }) => message.length > 0)).toBe(true);
  });
});

describe('a limit', () => {
  const limited = async (env: Record<string, string>): Promise<FinanceClient> =>
    FinanceClient.of(
      await TestingApp.open({ imports: [FinanceModule], controllers: [DelayedController], env }),
    );

  it('429: of one key', async () => {
    const hasty = await limited({ FINANCE_RATE_LIMIT: '1' });
    try {
      expect((await hasty.get('/accounts')).status).toBe(200);
      const reply = await hasty.get('/accounts');
      expect(problemOf(reply)).toEqual({
        type: 'urn:ponte:problem:too-many-requests',
        title: 'Too many requests',
        status: 429,
        detail: 'This key has sent too many requests',
        error: 'too-many-requests',
        error_description: 'This key has sent too many requests',
      });
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    } finally {
      await hasty.testing.close();
    }
  });

  it('503: of the process', async () => {
    const full = await limited({ MAX_REQUESTS_IN_FLIGHT: '1' });
    try {
      const arrived = new Promise<void>((resolve) => (DelayedController.arrived = resolve));
      const held = full.get('/delayed');
      await arrived;
      const reply = await full.get('/accounts');
      expect(problemOf(reply)).toEqual({
        type: 'urn:ponte:problem:saturated',
        title: 'Ponte is saturated; try again shortly',
        status: 503,
        detail: 'Too many requests are being worked on',
        error: 'saturated',
        error_description: 'Too many requests are being worked on',
      });
      expect(reply.headers['retry-after']).toBe('1');
      DelayedController.release();
      await held;
    } finally {
      await full.testing.close();
    }
  });
});

describe('an API key in the address', () => {
  it('comes back in no error and stands in no line of the log', async () => {
    const secret = client.key.replace(/^ponte_/, '');
    const query = `?apitoken=${client.key}`;
    const replies = [
      await send({ path: `/v1/accounts${query}&Organization=another`, anonymous: true }),
      await send({
        path: `/v1/schedules/credit/01890000-0000-7000-8000-000000000001/receipts${query}`,
        anonymous: true,
      }),
      await send({ path: `/v1/nowhere/${query}`, anonymous: true }),
      await send({ path: `/v1/accounts${query}&$top=x`, anonymous: true }),
      await send({ method: 'post', path: `/v1/customers${query}`, body: '{', anonymous: true }),
      await send({ path: `/v1/accounts${query}x`, anonymous: true }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 405, 404, 400, 400, 401]);
    for (const reply of replies) {
      expect(`${reply.text}${JSON.stringify(reply.headers)}`).not.toContain(secret);
      expectDiscreet(reply);
    }
    expect(testing.log.length).toBeGreaterThan(0);
    expect(testing.log.join('')).not.toContain(secret);
  });
});

function expectDiscreet(reply: Response): void {
  expect(reply.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|Error:|<html/i);
}
