import type { Response } from 'supertest';
import { OPERATIONS, SERVED, type Operation } from '../../../src/finance/api/operations/operations';
import { newId } from '../../../src/kernel/identifier';
import { SCOPES } from '../../../src/organizations/scope';
import { openBooks, rowsOf } from '../../support/books-of-one';
import { FinanceClient, problemOf, refusalOf } from '../../support/finance-client';
import { CASES, type Attempt } from '../../support/operation-cases';
import type { TestingApp } from '../../support/testing-app';

const ROWS = SERVED.map((row) => [`${row.method} ${row.path}`, row, CASES[row.id]] as const);
const FOREIGN = ROWS.flatMap(([name, row, each]) => [
  ...(each.inPath ?? []).map((field) => [`${name} of a ${field}`, row, each, field, 404] as const),
  ...(each.inBody ?? []).map((field) => [`${name} naming a ${field}`, row, each, field, 422] as const),
]);

let testing: TestingApp;
let stranger: Awaited<ReturnType<typeof openBooks>>;
let strangersKey: string;
let before: Record<string, string>;
/** Asked by what is refused and by what only reads; what writes has books of its own. */
let own: Awaited<ReturnType<typeof openBooks>>;

beforeAll(async () => {
  testing = await FinanceClient.serve();
  stranger = await openBooks(testing, 'STRANGER');
  strangersKey = (await testing.makeKey(stranger.company.organization, 'finance:read')).key;
  // Whatever a first request of an organization leaves behind is there before anybody else asks.
  await testing.http.get('/v1/accounts').set('apitoken', strangersKey).expect(200);
  before = await rowsOf(stranger.company);
  own = await openBooks(testing, 'OWN');
});
// Once: nothing here gives a stranger back what was taken.
afterAll(async () => {
  expect(await rowsOf(stranger.company)).toEqual(before);
});
afterAll(() => testing.close());

/** A key to these books that can do what the row needs and nothing else. */
async function keyFor({ effect }: Operation, { company } = own): Promise<string> {
  const scope = effect === 'read' ? 'finance:read' : 'finance:write';
  return (await testing.makeKey(company.organization, scope)).key;
}

function send(
  { method }: Operation,
  { path, body }: Attempt,
  headers: object,
  query = '',
): Promise<Response> {
  const request = testing.http[method.toLowerCase() as 'post'](`/v1${path}${query}`).set({ ...headers });
  return Promise.resolve(
    body ? request.set('content-type', 'application/json').send(JSON.stringify(body)) : request,
  );
}

it('has a case for every operation', () => {
  expect(Object.keys(CASES).sort()).toEqual(SERVED.map(({ id }) => id).sort());
});

describe('a key', () => {
  it.each(ROWS)('with its scope alone suffices for %s', async (_name, row, { request }) => {
    const books = await openBooks(testing, 'OWN');
    const reply = await send(row, request(books.names), { apitoken: await keyFor(row, books) });
    expect([reply.status, reply.text.includes('STRANGER')]).toEqual([row.status, false]);
  });

  it.each(ROWS)(
    'with every scope but the right one does not suffice for %s',
    async (_name, row, { request }) => {
      const needed = row.effect === 'read' ? 'finance:read' : 'finance:write';
      const others = SCOPES.filter((scope) => scope !== needed);
      const { key } = await testing.makeKey(own.company.organization, ...others);
      expect(refusalOf(await send(row, request(own.names), { apitoken: key }))).toBe('403 scope-missing');
    },
  );

  it.each(ROWS)('opens no other organization for %s', async (_name, row, { request }) => {
    const headers = { apitoken: await keyFor(row) };
    const { id, slug } = stranger.company.organization;
    for (const name of [id, slug, slug.toUpperCase()]) {
      const reply = await send(row, request(stranger.names), headers, `?Organization=${name}`);
      expect(refusalOf(reply)).toBe('403 organization-mismatch');
    }
  });
});

describe("a stranger's records are like records that nobody has:", () => {
  it.each(FOREIGN)('%s', async (_name, row, { request }, field, status) => {
    const headers = { apitoken: await keyFor(row) };
    const replyTo = (id: string) => send(row, request({ ...own.names, [field]: id }), headers);
    const theirs = await replyTo(stranger.names[field]);
    const nobodys = await replyTo(newId());
    expect(theirs.status).toBe(status);
    expect(problemOf(theirs)).toEqual(problemOf(nobodys));
  });

  it("a stranger's document and code can be one's own, too", async () => {
    const books = await openBooks(testing, 'OWN');
    const client = { apitoken: await keyFor(OPERATIONS[0], books) };
    await testing.database.prisma.stakeholder.updateMany({
      where: { organizationId: books.company.organization.id, document: stranger.document },
      data: { document: null, documentType: null },
    });
    const body = { name: 'Lia', document: { number: stranger.document } };
    expect((await send(OPERATIONS[0], { path: '/customers', body }, client)).status).toBe(200);
    const path = `/costcenters/${books.names.costCenter}`;
    expect((await send(OPERATIONS[5], { path, body: { externalCode: 'STRANGER' } }, client)).status).toBe(
      204,
    );
  });
});

describe('a list', () => {
  const LISTS = ROWS.filter(([, , { filter }]) => filter !== undefined);

  it.each(LISTS)(
    '%s shows nothing of a stranger, whatever is asked',
    async (_name, row, { request, filter }) => {
      const headers = { apitoken: await keyFor(row) };
      const filters = [
        filter!(stranger.names),
        `not (${filter!(own.names)})`,
        `${filter!(own.names)} or 1 eq 1`,
      ];
      for (const text of ['', ...filters]) {
        const query = text === '' ? '?$top=500' : `?$top=500&$filter=${encodeURIComponent(text)}`;
        const reply = await send(row, request(own.names), headers, query);
        expect(reply.text).not.toContain('STRANGER');
        if (text === '') expect(reply.status).toBe(200);
        for (const id of Object.values(stranger.names))
          expect(JSON.stringify((reply.body as { items?: unknown }).items ?? reply.body)).not.toContain(id);
      }
      const { body } = await send(
        row,
        request(own.names),
        headers,
        `?$filter=${encodeURIComponent(filters[0]!)}`,
      );
      expect((body as { items?: unknown[] }).items ?? body).toEqual([]);
    },
  );

  it.each(LISTS)("%s does not go on where a stranger's list stopped", async (_name, row, { request }) => {
    const { body } = await send(row, request(stranger.names), { apitoken: strangersKey }, '?$top=1');
    const link = (body as { nextPageLink?: string | null }).nextPageLink;
    // The plain array has no link, and a list of one record no next page.
    const token = /(\$|%24)skiptoken=([^&]+)/i.exec(link ?? '')?.[2] ?? 'bm9uZQ';
    const query = `?$top=500&$skiptoken=${token}`;
    const reply = await send(row, request(own.names), { apitoken: await keyFor(row) }, query);
    expect(reply.text).not.toContain('STRANGER');
  });
});
