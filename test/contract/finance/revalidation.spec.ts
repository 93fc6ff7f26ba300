import type { Response } from 'supertest';
import { SERVED } from '../../../src/finance/api/operations/operations';
import { openBooks, type Names } from '../../support/books-of-one';
import { FinanceClient, refusalOf } from '../../support/finance-client';
import { CASES } from '../../support/operation-cases';
import type { TestingApp } from '../../support/testing-app';

const READS = SERVED.filter(({ effect }) => effect === 'read').map(({ id }) => id);
const FORMS = ['application/json', 'application/xml'] as const;

describe.each([
  ['its own books', undefined],
  ['a finance service elsewhere', 'json'],
] as const)('reads before %s', (_backend, loop) => {
  let testing: TestingApp;
  let client: FinanceClient;
  let names: Names;

  beforeAll(async () => {
    testing = await FinanceClient.serve({}, loop);
    const books = await openBooks(testing, 'mine');
    names = books.names;
    const { key } = await testing.makeKey(books.company.organization, 'finance:read', 'finance:write');
    client = new FinanceClient(testing, books.company, key);
  });
  afterAll(() => testing.close());

  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    testing.http.get(`/v1${path}`).set({ apitoken: client.key, ...headers });

  it.each(READS)('%s: a reply has a tag, and is not sent again to who has it', async (id) => {
    const { path } = CASES[id].request(names);
    const tags: string[] = [];
    for (const accept of FORMS) {
      const first = await ask(path, { accept });
      const { etag = '', 'cache-control': control, vary } = first.headers as Record<string, string>;
      expect([first.status, control, vary]).toEqual([200, 'private, no-cache', 'Accept']);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await ask(path, { accept, 'if-none-match': etag });
      const { 'content-type': type, ...headers } = again.headers as Record<string, string>;
      expect([again.status, again.text, type]).toEqual([304, '', undefined]);
      expect(headers).toMatchObject({ etag, 'cache-control': control, vary });
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(FORMS.length);
  });

  it('a reply that changed has another tag and is sent', async () => {
    const path = '/costcenters';
    const before = await ask(path);
    const { costCenter } = names;
    const body = JSON.stringify({ description: 'Renamed' });
    expect((await client.send('put', `/costcenters/${costCenter}`, body)).status).toBe(204);
    const after = await ask(path, { 'if-none-match': before.headers['etag'] ?? '' });
    expect([after.status, after.text]).toEqual([200, expect.stringContaining('Renamed')]);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });

  it.each([
    ['"other"', 200],
    ['', 200],
    ['"', 200],
    ['TAG-without-quotes', 200],
    ['"prefix TAG"', 200],
    ['*', 304],
    ['"TAG"', 304],
    ['W/"TAG"', 304],
    ['"other", W/"x,y" ,"TAG"', 304],
    ['"other","TAG"', 304],
    ['w/"TAG"', 200],
  ])('If-None-Match: %s is answered with %i', async (header, status) => {
    const { headers } = await ask('/suppliers');
    const tag = String(headers['etag']).slice(1, -1);
    const reply = await ask('/suppliers', { 'if-none-match': header.replace('TAG', tag) });
    expect(reply.status).toBe(status);
  });

  it('HEAD says the tag and the length, and nothing else', async () => {
    const whole = await ask('/suppliers');
    const head = (header: string): Promise<Response> =>
      Promise.resolve(
        testing.http.head('/v1/suppliers').set({ apitoken: client.key, 'if-none-match': header }),
      );
    for (const [header, status] of [
      ['"other"', 200],
      [String(whole.headers['etag']), 304],
    ] as const) {
      const { status: answered, headers } = await head(header);
      expect([answered, headers['etag'], headers['content-length']]).toEqual([
        status,
        whole.headers['etag'],
        whole.headers['content-length'],
      ]);
    }
  });

  it('a tag opens nothing: keys, records and forms are looked at first', async () => {
    const known = { 'if-none-match': '*' };
    expect(refusalOf(await ask('/suppliers', { ...known, apitoken: 'wrong' }))).toBe('401 key-invalid');
    expect(refusalOf(await ask('/suppliers', { ...known, accept: 'image/png' }))).toBe('406 not-acceptable');
    const missing = await ask(`/schedules/categories/${names.account}`, known);
    expect(refusalOf(missing)).toBe('404 not-found');
    expect([missing.headers['etag'], missing.headers['cache-control']]).toEqual([undefined, 'no-store']);
  });

  it('what writes has no tag and heeds none', async () => {
    const reply = await testing.http
      .post('/v1/customers')
      .set({ apitoken: client.key, 'content-type': 'application/json', 'if-none-match': '*' })
      .send('{"name":"Lia"}');
    expect([reply.status, reply.headers['etag'], reply.headers['cache-control']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  it('what is no part of /v1 has none', async () => {
    const reply = await testing.http.get('/health/ready').set('if-none-match', '*');
    expect([reply.status, reply.headers['etag']]).toEqual([200, undefined]);
  });
});
