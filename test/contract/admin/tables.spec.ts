import type { Response } from 'supertest';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

const put = (name: string, body: object): Promise<Response> => client.send('put', `/tables/${name}`, body);

async function audited(): Promise<unknown[]> {
  const items = await client.items('/audit');
  return items
    .filter(({ action }) => action === 'table.put')
    .map(({ subject, before, after, reason }) => ({ subject, before, after, reason }));
}

describe('PUT …/tables/{name}', () => {
  it('makes a table and replaces its entries, with both in the audit log', async () => {
    const first = { a: '1.1.01', default: '1.1' };
    const made = await put('category', { entries: first, reason: 'to begin with' });
    expect([made.status, made.body]).toEqual([200, { name: 'category', entries: first, warnings: [] }]);
    const second = { b: '2' };
    expect((await put('category', { entries: second })).body).toEqual({
      name: 'category',
      entries: second,
      warnings: [],
    });
    expect((await put('category', { entries: second, reason: 'the same' })).status).toBe(200);
    expect((await client.send('get', '/tables/category')).body).toEqual({
      name: 'category',
      entries: second,
      warnings: [],
    });
    expect(await audited()).toEqual([
      { subject: 'category', before: { entries: first }, after: { entries: second }, reason: null },
      { subject: 'category', before: null, after: { entries: first }, reason: 'to begin with' },
    ]);
  });

  it('keeps keys and values as they are, whatever they are called', async () => {
    const json = '{"entries": {"": "none", "constructor": "c", "001": "007", "Ã / ~": "é"}}';
    const stored = JSON.parse(json) as { entries: Record<string, string> };
    const reply = await put('odd', JSON.parse(json) as object);
    expect([reply.status, reply.body]).toEqual([200, { name: 'odd', ...stored, warnings: [] }]);
    expect((await client.send('get', '/tables/odd')).body).toEqual({ name: 'odd', ...stored, warnings: [] });
    expect((await put('odd', stored)).status).toBe(200);
    expect(await audited()).toHaveLength(1);
  });

  it('says which keys are for a source that there is not, and keeps them: it may come later', async () => {
    const entries = { default: 'a', 'outlt/default': 'b' };
    const warned = ['key "outlt/default": there is no source "outlt"; did you mean "outlet"?'];
    const outlet = { slug: 'outlet', provider: 'standard-webhooks', settings: {} };
    expect((await client.send('post', '/sources', outlet)).status).toBe(201);
    expect((await put('gatewayAccount', { entries })).body).toMatchObject({ entries, warnings: warned });
    expect((await client.send('get', '/tables/gatewayAccount')).body).toMatchObject({ warnings: warned });
    expect(await client.items('/tables')).toMatchObject([{ warnings: warned }]);
    const outlt = { ...outlet, slug: 'outlt' };
    expect((await client.send('post', '/sources', outlt)).status).toBe(201);
    expect((await put('gatewayAccount', { entries })).body).toMatchObject({ warnings: [] });
  });

  it.each<[string, object, string]>([
    ['no entries', {}, '422 validation-failed /entries'],
    ['a list', { entries: ['a'] }, '422 validation-failed /entries'],
    ['a number', { entries: { a: 1 } }, '422 validation-failed /entries/a'],
    ['an object', { entries: { a: {} } }, '422 validation-failed /entries/a'],
    ['null', { entries: { a: null } }, '422 validation-failed /entries/a'],
    ['an empty value', { entries: { 'a/b': '', c: 'd' } }, '422 validation-failed /entries/a~1b'],
    ['a long value', { entries: { a: 'x'.repeat(501) } }, '422 validation-failed /entries/a'],
    [
      '__proto__',
      { entries: JSON.parse('{"__proto__": "p"}') as object },
      '422 validation-failed /entries/__proto__',
    ],
    ['U+0000', { entries: { a: 'x\0' } }, '422 validation-failed /entries/a'],
    ['half a surrogate pair', { entries: { a: '\ud800' } }, '422 validation-failed /entries/a'],
    [
      'more than 64 KiB',
      { entries: Object.fromEntries(Array.from({ length: 140 }, (_, key) => [key, 'x'.repeat(500)])) },
      '422 validation-failed /entries',
    ],
  ])('refuses %s', async (_what, body, refusal) => {
    expect(refusalOf(await put('strict', body))).toBe(refusal);
    expect(await client.items('/tables')).toEqual([]);
  });

  it.each(['%00', 'a-b', 'A', 'x'.repeat(64)])('knows no table %s', async (name) => {
    expect(refusalOf(await put(name, { entries: { a: 'b' } }))).toBe('422 validation-failed ');
    expect(refusalOf(await client.send('get', `/tables/${name}`))).toBe('404 not-found');
  });

  it('ends with one of what many put at once, each in the audit log after the one before it', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({ entries: { a: String(index) } }));
    const replies = await Promise.all(bodies.map((body) => put('busy', body)));
    expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const log = (await audited()) as { before: object | null; after: object }[];
    expect(log).toHaveLength(8);
    log.forEach(({ before }, index) => expect(before).toEqual(log[index + 1]?.after ?? null));
    const { entries } = (await client.send('get', '/tables/busy')).body as { entries: object };
    expect(log[0]?.after).toEqual({ entries });
  });
});

describe('tables', () => {
  it('are at most two hundred, each of which can still be replaced', async () => {
    await service.database.prisma.lookupTable.createMany({
      data: Array.from({ length: 200 }, (_, index) => ({
        organizationId: client.id,
        name: `t${index}`,
        entries: { a: 'b' },
      })),
    });
    expect(refusalOf(await put('another', { entries: { a: 'b' } }))).toBe('409 conflict');
    expect((await put('t7', { entries: { a: 'c' } })).status).toBe(200);
    expect(await client.items('/tables')).toHaveLength(200);
  });

  it('are listed whole by name, those of the organization alone', async () => {
    await put('second', { entries: { b: '2' } });
    await put('first', { entries: { a: '1' } });
    expect((await client.send('get', '/tables')).body).toEqual({
      items: [
        { name: 'first', entries: { a: '1' }, warnings: [] },
        { name: 'second', entries: { b: '2' }, warnings: [] },
      ],
      after: null,
    });
    const other = await OperatorsClient.of(service);
    expect(await other.items('/tables')).toEqual([]);
    expect(refusalOf(await other.send('get', '/tables/first'))).toBe('404 not-found');
  });
});
