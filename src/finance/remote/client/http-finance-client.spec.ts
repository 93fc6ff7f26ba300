import { lookup as systemLookup } from 'node:dns';
import { BlockList, createServer, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { SettableClock } from '../../../../test/support/settable-clock';
import { StubService, TEST_CERTIFICATE } from '../../../../test/support/stub-service';
import { HttpFinanceClient, type ClientOptions } from './http-finance-client';
import { CONNECTION_DEFAULTS, type FinanceConnection } from './connection';
import { MAX_REPLY_BYTES } from './send-request';
import type { ClientCall, AttemptOutcome } from './finance-client';
import { RateLimiter } from './rate-limiter';

const ID = '0190a1b2-7c1d-7e55-8f0a-3d2b1c0a9f8e';
const KEY = 'k3y/with+signs=&"';
const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const NEVER = 60_000;

/** A pace that is always ready, unless told otherwise. */
class TestRateLimiter extends RateLimiter {
  wait = 0;
  readonly holds: number[] = [];
  taken = 0;

  override async take(): Promise<number> {
    this.taken += 1;
    return this.wait;
  }

  override async throttle(_organizationId: string, milliseconds: number): Promise<void> {
    this.holds.push(milliseconds);
  }
}

const READ: ClientCall = { operation: 'accounts.list' };
const CREATE: ClientCall = { operation: 'customers.create', body: { name: 'Lia' } };
const TRANSFER: ClientCall = { operation: 'accounts.transfer', body: { value: 1.5 } };
const clock = new SettableClock('2026-11-21T12:00:00Z');

let service: StubService;
let pace: TestRateLimiter;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  service = await StubService.start();
  pace = new TestRateLimiter();
});
afterEach(() => service.stop());

function connection(changes: Partial<FinanceConnection> = {}): FinanceConnection {
  return {
    ...CONNECTION_DEFAULTS,
    organizationId: ORGANIZATION,
    baseUrl: service.url(),
    trustedAddress: true,
    apiKey: KEY,
    timeouts: { connectMs: NEVER, headersMs: NEVER, totalMs: NEVER },
    ...changes,
  };
}

function wire(options: Partial<ClientOptions> = {}): HttpFinanceClient {
  return new HttpFinanceClient(pace, clock, {
    version: '1.2.3',
    allowedNetworks: new BlockList(),
    ...options,
  });
}

const call = (what: ClientCall, changes?: Partial<FinanceConnection>): Promise<AttemptOutcome> =>
  wire().call(connection(changes), what);

describe('a request', () => {
  it('goes to the path of its operation, with its body and who sends it', async () => {
    service.replies(200, JSON.stringify(ID));
    await call({ operation: 'schedules.createCredit', body: { value: 999_999_999_999.99, note: undefined } });
    expect(service.requests).toEqual([
      {
        method: 'POST',
        url: '/api/v1/schedules/credit/FormatType=json',
        headers: expect.objectContaining({
          accept: expect.stringMatching(/^application\/json,/) as string,
          'content-type': 'application/json',
          'user-agent': 'Ponte/1.2.3',
          apitoken: KEY,
        }) as object,
        body: '{"value":999999999999.99}',
      },
    ]);
  });

  it.each([
    ['apitoken', `?Organization=a%20b&apitoken=${encodeURIComponent(KEY)}`, {}],
    ['ApiToken', '?Organization=a%20b', { apitoken: KEY }],
    ['bearer', '?Organization=a%20b', { authorization: `Bearer ${KEY}` }],
  ] as const)('carries its key as %s says', async (credential, query, headers) => {
    await call(READ, { credential, organization: 'a b' });
    const [request] = service.requests;
    expect(request?.url).toBe(`/api/v1/accounts${query}`);
    const { apitoken, authorization } = request?.headers ?? {};
    expect({ ...(apitoken && { apitoken }), ...(authorization && { authorization }) }).toEqual(headers);
  });

  it('carries the key of an account creation in the query, whatever the others do', async () => {
    await call({ operation: 'accounts.create', body: { name: 'Caixa' } }, { credential: 'bearer' });
    expect(service.requests[0]?.url).toBe(`/api/v1/accounts?apitoken=${encodeURIComponent(KEY)}`);
    expect(service.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('has its parameters and list options encoded', async () => {
    await call({
      operation: 'schedules.listOfCustomer',
      path: { CustomerId: 'a/b?c' },
      query: { $filter: "reference eq 'x&y'" },
    });
    expect(service.requests[0]?.url).toBe(
      '/api/v1/customers/a%2Fb%3Fc/schedules?$filter=reference%20eq%20%27x%26y%27',
    );
  });

  it.each(['..', '.', '', '%2e%2E'])('is not made with %j in its path', async (CustomerId) => {
    await expect(call({ operation: 'schedules.listOfCustomer', path: { CustomerId } })).rejects.toThrow(
      'needs its CustomerId',
    );
  });

  it('is XML where the connection says so, with lists as items', async () => {
    service.replies(200, `<guid>${ID}</guid>`, { 'content-type': 'application/xml' });
    const body = { value: 0.1, reference: 'a&b', instalment: [{ value: 0.1 }, { value: 1e15 }] };
    const outcome = await call({ operation: 'schedules.createCredit', body }, { form: 'xml' });
    expect(outcome).toEqual({ kind: 'succeeded', status: 200, value: ID });
    expect(service.requests[0]?.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      accept: expect.stringMatching(/^application\/xml,/) as string,
    });
    expect(service.requests[0]?.body.split('\n')[1]).toBe(
      '<CreditSchedule><value>0.1</value><reference>a&amp;b</reference><instalment><item><value>0.1</value></item><item><value>1000000000000000</value></item></instalment></CreditSchedule>',
    );
  });

  it('may be a deletion with a body or without', async () => {
    const path = { ScheduleId: ID, PaymentId: ID };
    const same = wire();
    service.replies(204);
    for (const body of [undefined, { paymentId: ID }])
      expect(
        await same.call(connection(), { operation: 'payments.remove', path, ...(body && { body }) }),
      ).toEqual({ kind: 'succeeded', status: 204, value: null });
    expect(service.requests.map(({ body }) => body)).toEqual(['', `{"paymentId":"${ID}"}`]);
  });

  it('ignores the proxies of the environment', async () => {
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      expect(await call(TRANSFER)).toMatchObject({ kind: 'succeeded' });
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});

describe("an extension's listing", () => {
  it('is read as a page', async () => {
    service.replies(200, JSON.stringify({ items: [{ id: ID, address: { number: '12' } }], count: 1 }));
    expect(await wire().list(connection(), '/customers', { $filter: "document/number eq '1'" })).toEqual({
      kind: 'succeeded',
      status: 200,
      value: { items: [{ id: ID, address: { number: 12 } }], count: 1, nextPageLink: null },
    });
    expect(service.requests[0]?.url).toBe('/api/v1/customers?$filter=document%2Fnumber%20eq%20%271%27');
  });

  it.each([
    [{ $skip: '2' }, '$skip=2&$orderby=id'],
    [{ $Skip: '2', $OrderBy: 'name' }, '$Skip=2&$OrderBy=name'],
    [{ $top: '2' }, '$top=2'],
  ])('is never passed over without an order, and neither is an operation: %j', async (query, sent) => {
    service.replies(200, '[]');
    await wire().list(connection(), '/customers', query);
    await wire().call(connection(), { operation: 'accounts.list', query: query });
    expect(service.requests.map(({ url }) => url.split('?')[1])).toEqual([sent, sent]);
  });

  it.each(['customers', '/../admin', '/a/%2e%2e/b', '/a?b', '/a#b', '/a\\b', '//b'])(
    'is not looked for at %j',
    async (path) => {
      await expect(wire().list(connection(), path, {})).rejects.toThrow('stay below');
      expect(service.requests).toEqual([]);
    },
  );
});

describe('a reply', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('may be packed with %s', async (coding, pack) => {
    service.replies(200, pack(Buffer.from(JSON.stringify(ID))), { 'content-encoding': coding });
    expect(await call(CREATE)).toEqual({ kind: 'succeeded', status: 200, value: ID });
  });

  it('that is longer than is taken leaves a creation unknown and frees its connection', async () => {
    service.answer = (response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const more = (): void =>
        void (response.write(chunk) ? setImmediate(more) : response.once('drain', more));
      response.on('close', () => response.removeAllListeners('drain'));
      more();
    };
    expect(await call(CREATE)).toMatchObject({ kind: 'unknown', status: 200 });
    await ended(1);
  });

  it('that unpacks to more than is taken leaves a creation unknown', async () => {
    const packed = gzipSync(Buffer.alloc(MAX_REPLY_BYTES + 1, 0x20));
    service.replies(200, packed, { 'content-encoding': 'gzip' });
    expect(await call(CREATE)).toMatchObject({ kind: 'unknown', status: 200 });
  });

  it('that refuses is a refusal, even when its body breaks off', async () => {
    service.answer = (response, _request, socket) => {
      response.writeHead(422, { 'content-length': '1000' }).write('{"error":');
      socket.once('drain', () => undefined);
      setImmediate(() => socket.destroy());
    };
    expect(await call(CREATE)).toEqual({ kind: 'refused', problem: { status: 422 } });
  });

  it('that switches protocols leaves a creation unknown', async () => {
    service.answer = (_response, _request, socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    expect(await call(CREATE)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['; charset="ISO-8859-1"', 'refused'],
    ['; charset=windows-1252', 'refused'],
    ['; charset=utf-8', 'not-sent'],
  ])('that refuses in ISO-8859-1 is read where it says so: %j', async (charset, kind) => {
    const type = { 'content-type': `application/json${charset}` };
    service.replies(409, Buffer.from('{"message":"Período fechado"}', 'latin1'), type);
    const problem = { detail: 'Período fechado' };
    expect(await call(CREATE)).toMatchObject({ kind, ...(kind === 'refused' && { problem }) });
  });

  it('never brings the key along, in whatever form', async () => {
    const detail = `no ${KEY} here, nor ${encodeURIComponent(KEY)} ${'x'.repeat(500)}`;
    service.replies(400, JSON.stringify({ error: KEY, detail, request: { [KEY]: KEY } }));
    const outcome = await call(CREATE, { credential: 'apitoken' });
    const text = JSON.stringify(outcome);
    expect(outcome).toMatchObject({ kind: 'refused', problem: { status: 400, code: '[key]' } });
    expect(text).not.toContain(JSON.stringify(KEY).slice(1, -1));
    expect(text).not.toContain(encodeURIComponent(KEY));
    expect(text.length).toBeLessThan(500);
  });
});

/** Waits until the connections that were made have ended, which are so many. */
async function ended(connections: number): Promise<void> {
  while (service.openConnections > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(service.connections).toBe(connections);
}

describe('time-outs', () => {
  const timeouts = { connectMs: NEVER, headersMs: NEVER, totalMs: NEVER };

  /** Makes a call that as a whole takes too long, with more time each time until it got far enough before that. */
  async function cutShort(
    what: ClientCall,
    gotFarEnough: (outcome: AttemptOutcome) => boolean,
  ): Promise<{ outcome: AttemptOutcome; calls: number }> {
    let calls = 0;
    for (let totalMs = 50; totalMs < NEVER; totalMs *= 4) {
      const outcome = await call(what, { timeouts: { ...timeouts, totalMs } });
      calls += 1;
      if (gotFarEnough(outcome)) return { outcome, calls };
    }
    throw new Error('it never got far enough');
  }

  it('ends a call whose answer does not begin, and its connection', async () => {
    service.answer = () => undefined;
    expect(await call(CREATE, { timeouts: { ...timeouts, headersMs: 30 } })).toEqual({
      kind: 'unknown',
      reason: 'no answer in time',
    });
    await ended(1);
  });

  it('ends a call whose answer does not end, and its connection', async () => {
    service.answer = (response) => void response.writeHead(200, { 'content-length': '38' }).write('"');
    const { outcome, calls } = await cutShort(CREATE, (outcome) => 'status' in outcome);
    expect(outcome).toMatchObject({ kind: 'unknown', status: 200 });
    await ended(calls);
  });

  it('ends a call that as a whole takes too long', async () => {
    service.answer = () => undefined;
    const { outcome } = await cutShort(READ, ({ kind }) => kind !== 'not-sent');
    expect(outcome).toEqual({ kind: 'unknown', reason: 'no answer in time' });
  });

  it('ends a connection that does not come about, with nothing sent', async () => {
    // Takes the TCP connection and never says a word of TLS.
    const mute = createServer((socket) => void sockets.push(socket));
    const sockets: Socket[] = [];
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const short = [
      { ...timeouts, connectMs: 30 },
      { ...timeouts, totalMs: 30 },
    ];
    for (const timeouts of short)
      expect(await call(CREATE, { baseUrl, timeouts })).toEqual({
        kind: 'not-sent',
        reason: 'no connection in time',
      });
    for (const socket of sockets) if (!socket.closed) await once(socket.resume(), 'close');
    await new Promise((resolve) => mute.close(resolve));
  });
});

describe('failures', () => {
  it('leave a write unarrived when the connection is refused', async () => {
    const other = await StubService.start();
    const baseUrl = other.url();
    await other.stop();
    expect(await call(CREATE, { baseUrl })).toEqual({
      kind: 'not-sent',
      reason: 'connection refused (ECONNREFUSED)',
    });
  });

  it('leave a write unarrived when the name means nothing', async () => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), '');
    expect(await wire({ lookup }).call(connection({ baseUrl: 'https://books.test' }), CREATE)).toEqual({
      kind: 'not-sent',
      reason: 'the name of the service cannot be resolved (ENOTFOUND)',
    });
  });

  it.each([
    ['before an answer', (socket: Socket) => socket.resetAndDestroy()],
    ['in the middle of its beginning', (socket: Socket) => socket.end('HTTP/1.1 200 O')],
    ['with garbage', (socket: Socket) => socket.end('what?\r\n\r\n')],
  ])('leave a write unknown when the connection breaks %s', async (_when, end) => {
    service.answer = (_response, _request, socket) => void end(socket);
    expect(await call(TRANSFER)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^the connection broke/) as string,
    });
  });

  it('leave a write unknown when the connection breaks within the answer', async () => {
    service.answer = (response, _request, socket) => {
      response.writeHead(200, { 'content-length': '38' }).write(`"${ID.slice(0, 10)}`);
      setImmediate(() => socket.resetAndDestroy());
    };
    expect(await call(CREATE)).toMatchObject({ kind: 'unknown' });
  });

  it('leave a write unarrived when the key cannot stand in a header', async () => {
    expect(await call(TRANSFER, { apiKey: 'two\nlines' })).toMatchObject({ kind: 'not-sent' });
    expect(service.requests).toEqual([]);
  });

  it('never throw, and never tell a secret', async () => {
    service.answer = (_response, _request, socket) => void socket.resetAndDestroy();
    const outcomes = [await call(CREATE), await call(CREATE, { baseUrl: 'https://127.0.0.1:1' })];
    expect(JSON.stringify(outcomes)).not.toMatch(/k3y|127\.0\.0\.1/);
  });
});

describe('a service that was down', () => {
  const PAGE = JSON.stringify({ items: [], count: 0, nextPageLink: null });

  it('is left alone with the reason, and is asked at once by whoever tries it out', async () => {
    const same = wire({ breaker: { failures: 1, firstMs: NEVER, longestMs: NEVER } });
    service.replies(502, 'bad gateway');
    await same.call(connection(), CREATE);
    service.replies(200, PAGE);
    expect(await same.call(connection(), READ)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(/^the service is left alone for a while, after: .*502/),
    });
    expect(same.whyClosed(ORGANIZATION)).toContain('502');
    expect(await same.tryNow(connection(), READ)).toMatchObject({ kind: 'succeeded' });
    expect(service.requests).toHaveLength(2);
  });

  it('is asked by nobody while it has asked to be left alone', async () => {
    const same = wire();
    service.replies(429, '', { 'retry-after': '60' });
    await same.call(connection(), READ);
    expect(await same.tryNow(connection(), READ)).toMatchObject({ kind: 'not-sent' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('the last moment before sending', () => {
  it('can still withhold a call: nothing of it leaves', async () => {
    const same = wire({ breaker: { failures: 1, firstMs: NEVER, longestMs: NEVER } });
    expect(await same.withPermit(connection(), (permit) => permit.send(CREATE, () => false))).toEqual({
      kind: 'not-sent',
      reason: 'not sent: its time was over',
    });
    service.replies(204);
    expect(await same.withPermit(connection(), (permit) => permit.send(TRANSFER, () => true))).toMatchObject({
      kind: 'succeeded',
    });
    expect(service.requests).toHaveLength(1);
  });

  it('comes when the connection stands, also on one that was used before', async () => {
    const same = wire();
    service.replies(204);
    const connectionsAtSend: number[] = [];
    const note = (): boolean => connectionsAtSend.push(service.connections) > 0;
    await same.withPermit(connection(), (permit) => permit.send(TRANSFER, note));
    await same.withPermit(connection(), (permit) => permit.send(TRANSFER, note));
    expect(connectionsAtSend).toHaveLength(2);
    expect(service.connections).toBe(1);
    expect(await same.withPermit(connection(), (permit) => permit.send(TRANSFER, () => false))).toMatchObject(
      {
        kind: 'not-sent',
      },
    );
    expect(service.requests).toHaveLength(2);
  });
});

describe('connections', () => {
  it('are used again, after answers of every kind', async () => {
    const same = wire();
    const replies: [number, string, Record<string, string>][] = [
      [200, JSON.stringify(ID), {}],
      [204, '', {}],
      [404, '{"error":"not-found"}', {}],
      [500, 'oops', {}],
      [302, 'elsewhere', { location: '/login' }],
      [200, '<html>', {}],
    ];
    for (const reply of replies) {
      service.replies(...reply);
      await same.call(connection(), CREATE);
    }
    expect(service.requests).toHaveLength(replies.length);
    expect(service.connections).toBe(1);
  });

  it('are not shared between organizations', async () => {
    const same = wire();
    await same.call(connection(), READ);
    await same.call(connection({ organizationId: ID }), READ);
    expect(service.connections).toBe(2);
  });

  it('do not follow where a service redirects', async () => {
    service.replies(302, '', { location: service.url('localhost') });
    expect(await call(CREATE)).toMatchObject({ kind: 'unknown', status: 302 });
    expect(await call(READ)).toMatchObject({ kind: 'unknown', status: 302 });
    expect(service.requests).toHaveLength(2);
  });
});

describe('TLS', () => {
  let secure: StubService;
  beforeEach(async () => (secure = await StubService.start('https')));
  afterEach(() => secure.stop());

  it('is verified', async () => {
    expect(await call(CREATE, { baseUrl: secure.url() })).toEqual({
      kind: 'not-sent',
      reason: 'the certificate of the service is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(secure.requests).toEqual([]);
  });

  it('verifies the name, too', async () => {
    const lookup: LookupFunction = (_name, options, callback) => systemLookup('127.0.0.1', options, callback);
    const same = wire({ ca: TEST_CERTIFICATE, lookup });
    const at = (host: string): FinanceConnection => connection({ baseUrl: secure.url(host) });
    expect(await same.call(at('books.test'), TRANSFER)).toMatchObject({ kind: 'succeeded' });
    expect(await same.call(at('books.test'), TRANSFER)).toMatchObject({ kind: 'succeeded' });
    expect(secure.connections).toBe(1);
    expect(await same.call(at('other.test'), TRANSFER)).toMatchObject({
      kind: 'not-sent',
      reason: 'the certificate of the service is not valid (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
  });
});

describe('addresses', () => {
  const reason = 'its address is not allowed: see FINANCE_ALLOWED_NETWORKS';
  let secure: StubService;
  beforeEach(async () => (secure = await StubService.start('https')));
  afterEach(() => secure.stop());

  /** A name server that says one thing first and another later. */
  function changing(...answers: string[][]): LookupFunction {
    return (_name, _options, callback) => {
      const addresses = answers.length > 1 ? answers.shift() : answers[0];
      callback(
        null,
        (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
  }

  it.each([
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://2130706433',
    'https://0x7f.1',
  ])('of private networks are refused when they are stored: %s', async (base) => {
    const baseUrl = `${base}:${secure.port}`;
    expect(await call(CREATE, { baseUrl, trustedAddress: false })).toEqual({ kind: 'not-sent', reason });
    expect(secure.connections).toBe(0);
  });

  it('are refused queued a name, too', async () => {
    const lookup = changing(['10.0.0.1', '127.0.0.1', '::1']);
    const untrusted = connection({ baseUrl: secure.url('books.test'), trustedAddress: false });
    expect(await wire({ lookup }).call(untrusted, CREATE)).toEqual({ kind: 'not-sent', reason });
    expect(secure.connections).toBe(0);
  });

  it('that were checked are those that are connected to', async () => {
    const allowedNetworks = new BlockList();
    allowedNetworks.addAddress('127.0.0.1');
    // Were the name asked a second time, it would lead to where nobody listens.
    const lookup = changing(['127.0.0.1', '10.255.255.1'], ['10.255.255.1']);
    const same = wire({ lookup, allowedNetworks, ca: TEST_CERTIFICATE });
    const untrusted = connection({ baseUrl: secure.url('books.test'), trustedAddress: false });
    expect(await same.call(untrusted, TRANSFER)).toMatchObject({ kind: 'succeeded' });
    // The connection is there; a new one asks again, and is refused.
    secure.replies(204, '', { connection: 'close' });
    expect(await same.call(untrusted, TRANSFER)).toMatchObject({ kind: 'succeeded' });
    expect(await same.call(untrusted, TRANSFER)).toEqual({ kind: 'not-sent', reason });
  });

  it.each([
    ['http to this machine, from the environment', 'localhost', true, 'succeeded'],
    ['http to this machine, stored', '127.0.0.1', false, 'not-sent'],
  ])('allow %s: %s', async (_what, host, trustedAddress, kind) => {
    expect(await call(TRANSFER, { baseUrl: service.url(host), trustedAddress })).toMatchObject({ kind });
  });

  it('allow no http to another machine', async () => {
    const lookup = changing(['192.0.2.1']);
    const other = connection({ baseUrl: 'http://books.test', trustedAddress: true });
    expect(await wire({ lookup }).call(other, CREATE)).toEqual({ kind: 'not-sent', reason });
  });

  it.each(['ftp://books.test', 'books.test', 'https://user:word@books.test', 'https://books.test/?a=b'])(
    'that are none are not called: %s',
    async (baseUrl) => {
      expect(await call(CREATE, { baseUrl })).toMatchObject({ kind: 'not-sent' });
      expect(pace.taken).toBe(0);
    },
  );
});
