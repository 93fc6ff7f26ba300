import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { make, RECORDS } from '../../support/admin-records';
import { OperatorsClient, type Method } from '../../support/operators-client';
import { identifiersIn, sampleOf, type BodySchema } from '../../support/sample-body';
import { OPERATORS_KEY, TestService } from '../../support/service';

/*
 * Walks the operators' API by its own description, so that an operation that comes anew is asked the same questions.
 * A kind of record that comes anew has to be added to test/support/admin-records.ts, or everything here fails.
 */

const ORGANIZATION = '/admin/organizations/{org}';

/** What belongs to no organization: there is nothing that could be another's. */
const OF_NOBODY = ['providers', 'actions', 'rule-templates'];
/** No connection, no list: `finance-connection.spec.ts` and the walks have them. A timeline is of a key. */
const NOTHING_TO_LIST = [
  ...[
    'GET /completeness/differing: 400, 0',
    'GET /completeness: 400, 0',
    'GET /finance/recovery: 200, 0',
    'GET /finance: 404, 0',
    'GET /overview/payments: 200, 0',
    'GET /overview: 200, 0',
    'GET /retention: 200, 0',
    'GET /rule-names: 200, 0',
    'GET /rule-schema: 200, 0',
    'GET /timeline: 400, 0',
  ],
];
/** Its replies have no end: `live.spec.ts` has it. */
const WITHOUT_END = 'GET /live';
/** What makes a record of the name if there is none: every name is one's own. */
const MAKES_WHAT_IS_NAMED = ['PUT /rules/{name}', 'PUT /tables/{name}'];

/** A period of which nothing was received. */
const PERIOD = { from: '2020-01-01', to: '2020-01-31' };

/** Bodies that name records of one's own; others follow from the description. */
const BODIES: Readonly<Record<string, (client: OperatorsClient) => Promise<object>>> = {
  'POST /banks': () => Promise.resolve({ code: '999', name: 'A bank' }),
  'POST /categories': async (client) => ({
    referenceCode: newId(),
    name: 'A category',
    type: 'out',
    groupId: await make('category-groups', client),
  }),
  'POST /schedules/debit': async (client) => ({
    stakeholderId: await make('suppliers', client),
    value: '1.00',
    dueDate: '2099-12-31',
  }),
  'POST /schedules/debit/{id}/payments': async (client) => ({
    accountId: await make('accounts', client),
    value: '1.00',
    date: '2099-12-31',
  }),
  'POST /effects/{id}/adopt': () => Promise.resolve({ recordId: newId(), reason: 'it is there' }),
  'POST /backtest': () => Promise.resolve(PERIOD),
  'POST /rules/{name}/backtest': () => Promise.resolve(PERIOD),
  'POST /repair': () => Promise.resolve(PERIOD),
  'POST /privacy/export': async (client) => ({ customer: await make('customers', client), reason: 'asked' }),
  'POST /privacy/erase': async (client) => ({ customer: await make('customers', client), reason: 'asked' }),
  'POST /rules/{name}/preview': async (client) => ({ deliveryId: await make('deliveries', client) }),
};

/** What the fields of bodies name; null: a record of a remote service, which Ponte does not have. */
const NAMED_IN_BODIES: Readonly<Record<string, string | null>> = {
  groupId: 'category-groups',
  stakeholderId: 'suppliers',
  categoryId: 'categories',
  costCenterId: 'cost-centers',
  accountId: 'accounts',
  defaultAccountId: 'accounts',
  deliveryId: 'deliveries',
  customer: 'customers',
  recordId: null,
};

interface Operation {
  method: Method;
  path: string;
  /** `POST /sources/{slug}/pause`, below the organization where it is. */
  name: string;
  body?: BodySchema;
  /** The kind of the record that the path names. */
  kind?: string;
}

let service: TestService;
let document: OpenAPIObject;
let operations: Operation[];
let mine: OperatorsClient;
let theirs: OperatorsClient;
let lesserKey: string;
let myKey: string;
let theirKey: string;

beforeAll(async () => {
  service = await TestService.start();
  document = (await service.http.get('/openapi.json').expect(200)).body as OpenAPIObject;
  operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/admin'))
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, object>).map(([method, operation]) =>
        operationOf(method as Method, path, operation),
      ),
    );
  [mine, theirs] = [await OperatorsClient.of(service), await OperatorsClient.of(service)];
  lesserKey = await keyOf(mine, 'feed:read', 'finance:read', 'finance:write');
  [myKey, theirKey] = [await keyOf(mine, 'admin'), await keyOf(theirs, 'admin')];
});
afterAll(() => service.stop());

function operationOf(method: Method, path: string, operation: object): Operation {
  const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: BodySchema }> } };
  const body = requestBody?.content['application/json']?.schema;
  const [, kind] = /([^/{}]+)\/\{(?!org\})\w+\}/.exec(path) ?? [];
  const name = `${method.toUpperCase()} ${path.replace(ORGANIZATION, '') || path}`;
  return { method, path, name, ...(body && { body }), ...(kind !== undefined && { kind }) };
}

async function keyOf(client: OperatorsClient, ...scopes: string[]): Promise<string> {
  const made = await client.send('post', '/keys', { name: 'a key', scopes });
  return (made.body as { key: string }).key;
}

interface Asking {
  /** Absent: without a key. */
  key?: string;
  organization?: string;
  /** What the path names besides. */
  record?: string;
  body?: object;
}

async function ask({ method, path }: Operation, asking: Asking): Promise<Response> {
  const { key, organization = mine.slug, record = newId(), body } = asking;
  const address = path.replace('{org}', organization).replace(/\{\w+\}/, record);
  const request = service.http[method](address);
  if (key !== undefined) void request.set('authorization', `Bearer ${key}`);
  return body ? request.send(body) : request;
}

async function bodyFor({ name, body }: Operation): Promise<{ body?: object }> {
  const own = BODIES[name];
  if (own) return { body: await own(mine) };
  return body ? { body: sampleOf(document, body) as object } : {};
}

/** What did not answer as it must: `GET /banks/{id}: 200`. */
async function wrong(
  asked: readonly Operation[],
  statuses: readonly number[],
  question: (operation: Operation) => Promise<Response>,
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of asked) {
    const { status } = await question(operation);
    if (!statuses.includes(status)) found.push(`${operation.name}: ${status}`);
  }
  return found;
}

const ofAnOrganization = (): Operation[] => operations.filter(({ path }) => path.startsWith(ORGANIZATION));
/** What names a record that belongs to somebody. */
const naming = (): Operation[] =>
  ofAnOrganization().filter(
    ({ kind, name }) =>
      kind !== undefined && !OF_NOBODY.includes(kind) && !MAKES_WHAT_IS_NAMED.includes(name),
  );

describe("every operation of the operators' API", () => {
  it('is described: there are those that everything began with, and each names one record at most', () => {
    expect(operations.length).toBeGreaterThanOrEqual(65);
    for (const { path } of ofAnOrganization()) expect(path.split('{').length - 1).toBeLessThanOrEqual(2);
    expect(operations.filter(({ path }) => !path.startsWith(ORGANIZATION)).map(({ name }) => name)).toEqual([
      'POST /admin/backup',
      'POST /admin/organizations',
      'GET /admin/organizations',
      'POST /admin/session',
      'GET /admin/session',
      'DELETE /admin/session',
    ]);
  });

  it('names kinds of records that this test can make', () => {
    const kinds = new Set(operations.flatMap(({ kind }) => kind ?? []));
    expect([...kinds].filter((kind) => !RECORDS[kind] && !OF_NOBODY.includes(kind))).toEqual([]);
  });

  it('is 401 without a key, and with one that nobody has', async () => {
    expect(await wrong(operations, [401], (operation) => ask(operation, {}))).toEqual([]);
    const key = `ponte_${'x'.repeat(43)}`;
    expect(await wrong(operations, [401], (operation) => ask(operation, { key }))).toEqual([]);
  });

  it('is 403 with a key of the organization that lacks the scope admin', async () => {
    expect(await wrong(operations, [403], (operation) => ask(operation, { key: lesserKey }))).toEqual([]);
  });

  it('is 404 with the key of an operator of another organization', async () => {
    const question = (operation: Operation) => ask(operation, { key: theirKey });
    expect(await wrong(ofAnOrganization(), [404], question)).toEqual([]);
    const organization = mine.id;
    const byId = (operation: Operation) => ask(operation, { key: theirKey, organization });
    expect(await wrong(ofAnOrganization(), [404], byId)).toEqual([]);
  });

  it('is 404 for an organization that is not there', async () => {
    for (const organization of ['nobody', newId(), '%00', "'"])
      expect(
        await wrong(ofAnOrganization(), [404], (operation) =>
          ask(operation, { key: OPERATORS_KEY, organization }),
        ),
      ).toEqual([]);
  });

  it('shows its own organization alone to an operator of one, who makes none', async () => {
    const list = await service.http.get('/admin/organizations').set('authorization', `Bearer ${theirKey}`);
    expect(list.body).toMatchObject({ items: [{ id: theirs.id }], after: null });
    const made = await service.http
      .post('/admin/organizations')
      .set('authorization', `Bearer ${theirKey}`)
      .send({ slug: 'mine-too', name: 'Another' });
    expect(made.status).toBe(403);
  });

  it('is 404 for a record that is not there, however it is named', async () => {
    const named = ofAnOrganization().filter(
      ({ kind, name }) => kind !== undefined && !MAKES_WHAT_IS_NAMED.includes(name),
    );
    for (const record of [newId(), 'nobody', '%00', "'", `${'x'.repeat(90)}`])
      expect(
        await wrong(named, [404], async (operation) =>
          ask(operation, { key: myKey, record, ...(await bodyFor(operation)) }),
        ),
      ).toEqual([]);
  });

  it("is 404 for another organization's record, which its own operator finds", async () => {
    const foreign: string[] = [];
    for (const operation of naming()) {
      const record = await make(operation.kind!, theirs);
      const { status } = await ask(operation, { key: myKey, record, ...(await bodyFor(operation)) });
      if (status !== 404) foreign.push(`${operation.name}: ${status}`);
    }
    expect(foreign).toEqual([]);
    // Else a record that nobody could find would do, too.
    const own = async (operation: Operation) => {
      const record = await make(operation.kind!, mine);
      return ask(operation, { key: myKey, record, ...(await bodyFor(operation)) });
    };
    expect(await wrong(naming(), [200, 201, 204, 409], own)).toEqual([]);
  });

  it('lists what there is, which the service under test holds against its description', async () => {
    for (const kind of Object.keys(RECORDS)) await make(kind, mine);
    const lists = ofAnOrganization().filter(
      ({ method, path, kind, name }) =>
        method === 'get' && path !== ORGANIZATION && kind === undefined && name !== WITHOUT_END,
    );
    expect(lists.length).toBeGreaterThan(15);
    const empty: string[] = [];
    for (const operation of lists) {
      const { status, body } = await ask(operation, { key: myKey });
      const { items = [] } = body as { items?: object[] };
      if (status !== 200 || items.length === 0) empty.push(`${operation.name}: ${status}, ${items.length}`);
    }
    expect(empty.sort()).toEqual(NOTHING_TO_LIST);
  });

  it("takes no other organization's record in its body", async () => {
    const taken: string[] = [];
    for (const operation of ofAnOrganization().filter(({ body }) => body)) {
      for (const field of identifiersIn(document, operation.body!)) {
        const kind = NAMED_IN_BODIES[field];
        if (kind === undefined) taken.push(`${operation.name}: nobody has said what ${field} names`);
        if (kind === undefined || kind === null) continue;
        const record = operation.kind === undefined ? newId() : await make(operation.kind, mine);
        const { body } = await bodyFor(operation);
        const own = { ...body, [field]: await make(kind, mine) };
        const strange = { ...body, [field]: await make(kind, theirs) };
        const refused = await ask(operation, { key: myKey, record, body: strange });
        const accepted = await ask(operation, { key: myKey, record, body: own });
        if (![404, 422].includes(refused.status) || accepted.status >= 300)
          taken.push(
            `${operation.name} with ${field}: ${refused.status}, and ${accepted.status} for one's own`,
          );
      }
    }
    expect(taken).toEqual([]);
  });
});
