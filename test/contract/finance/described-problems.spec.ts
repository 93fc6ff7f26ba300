import type { Response } from 'supertest';
import {
  OPERATIONS,
  SERVED,
  type Operation,
  type OperationId,
} from '../../../src/finance/api/operations/operations';
import { problemsOf, remoteProblemsOf } from '../../../src/finance/api/operations/refusals';
import { DatabaseUnavailable } from '../../../src/kernel/database-unavailable';
import { newId } from '../../../src/kernel/identifier';
import { PROBLEMS, type ProblemCode } from '../../../src/kernel/problem';
import { describeApi } from '../../../src/ops/openapi';
import { ApiKeys } from '../../../src/organizations/api-keys';
import { openBooks, type Names } from '../../support/books-of-one';
import { FinanceClient, refusalOf } from '../../support/finance-client';
import { DelayedController } from '../../support/delayed-controller';
import { LOOP } from '../../support/looped';
import { CASES } from '../../support/operation-cases';
import type { TestingApp } from '../../support/testing-app';

/**
 * Needs a second connection to the database: `idempotency.postgres.spec.ts` has it of every operation. What comes of
 * a finance service being elsewhere is in `remote-problems.spec.ts`. That each operation succeeds: `isolation.spec.ts`.
 */
const NOT_HERE: ProblemCode = 'idempotency-key-in-use';

const ROWS = SERVED.map((row) => [`${row.method} ${row.path}`, row] as const);

interface Change {
  /** Beside the good request's, or instead of it where it is text. */
  body?: object | string;
  query?: string;
  headers?: Record<string, string>;
  names?: Partial<Names>;
}

/** Books of one's own, and a key to them at one of the applications, which share a database. */
class Desk {
  private constructor(
    readonly testing: TestingApp,
    readonly books: Awaited<ReturnType<typeof openBooks>>,
    readonly key: string,
  ) {}

  static async open(): Promise<Desk> {
    const books = await openBooks(usual, 'OWN');
    return new Desk(usual, books, await keyOf(books));
  }

  /** The same books at another application, with a key that nobody has used. */
  async at(testing: TestingApp): Promise<Desk> {
    return new Desk(testing, this.books, await keyOf(this.books));
  }

  /** An operation's good request, changed. */
  async send(row: Operation, { body, query = '', headers, names }: Change = {}): Promise<Response> {
    const good = CASES[row.id as OperationId].request({ ...this.books.names, ...names });
    const whole = typeof body === 'string' ? body : body || good.body ? { ...good.body, ...body } : undefined;
    const request = this.testing.http[row.method.toLowerCase() as 'post'](`/v1${good.path}${query}`).set(
      headers ?? { apitoken: this.key },
    );
    if (whole === undefined) return request;
    if (headers?.['content-type'] === undefined) void request.set('content-type', 'application/json');
    return request.send(typeof whole === 'string' ? whole : JSON.stringify(whole));
  }
}

async function keyOf({ company }: Awaited<ReturnType<typeof openBooks>>): Promise<string> {
  return (await usual.makeKey(company.organization, 'finance:read', 'finance:write')).key;
}

interface DescribedOperation {
  operationId: string;
  responses: Record<string, { 'x-problems'?: string[] }>;
}

let usual: TestingApp;
let trusting: TestingApp;
let hasty: TestingApp;
let full: TestingApp;
let lists: Map<string, DescribedOperation['responses']>;

beforeAll(async () => {
  usual = await FinanceClient.serve();
  const { database } = usual;
  trusting = await FinanceClient.serve({ database, env: { FINANCE_AUTH: 'organization' } });
  hasty = await FinanceClient.serve({ database, env: { FINANCE_RATE_LIMIT: '1' } });
  full = await FinanceClient.serve({
    database,
    env: { MAX_REQUESTS_IN_FLIGHT: '1' },
    controllers: [DelayedController],
  });
  const items = Object.values(describeApi(usual.app, 'test').paths).flatMap((item) => Object.values(item));
  lists = new Map(
    (items as DescribedOperation[]).map(({ operationId, responses }) => [operationId, responses]),
  );
});
afterAll(async () => {
  // The one that opened the database is the last.
  for (const testing of [full, hasty, trusting, usual]) await testing.close();
});

type Way = (desk: Desk, row: Operation) => Promise<Response>;

/** How a request comes to each problem. */
const WAYS: Partial<Record<ProblemCode, Way>> = {
  'malformed-request': (desk, row) => desk.send(row, { query: '?Organization=a&Organization=b' }),
  'key-missing': (desk, row) => desk.send(row, { headers: {} }),
  'key-invalid': (desk, row) => desk.send(row, { headers: { apitoken: 'guessed' } }),
  'organization-mismatch': (desk, row) => desk.send(row, { query: '?Organization=another' }),
  'scope-missing': async (desk, row) => {
    const scope = row.effect === 'read' ? 'finance:write' : 'finance:read';
    const { key } = await desk.testing.makeKey(desk.books.company.organization, scope);
    return desk.send(row, { headers: { apitoken: key } });
  },
  'not-acceptable': (desk, row) => desk.send(row, { headers: { apitoken: desk.key, accept: 'image/png' } }),
  'too-many-requests': async (own, row) => {
    const desk = await own.at(hasty);
    await desk.send(OPERATIONS[15]);
    return desk.send(row);
  },
  saturated: async (own, row) => {
    const desk = await own.at(full);
    const arrived = new Promise<void>((resolve) => (DelayedController.arrived = resolve));
    const held = full.http.get('/v1/delayed').set('apitoken', desk.key).then();
    await arrived;
    const reply = await desk.send(row);
    DelayedController.release();
    await held;
    return reply;
  },
  unavailable: (desk, row) => {
    const broken = new DatabaseUnavailable(new Error('because of the test'));
    jest.spyOn(desk.testing.app.get(ApiKeys), 'verify').mockRejectedValueOnce(broken);
    return desk.send(row);
  },
  'not-found': async (desk, row) => {
    const [name] = CASES[row.id as OperationId].inPath ?? [];
    if (name) return desk.send(row, { names: { [name]: newId() } });
    return (await desk.at(trusting)).send(row, { headers: {}, query: '?Organization=nobody' });
  },
  'body-too-large': (desk, row) => desk.send(row, { body: `"${'x'.repeat(1024 * 1024)}"` }),
  'media-type-unsupported': (desk, row) =>
    desk.send(row, { headers: { apitoken: desk.key, 'content-type': 'text/plain' }, body: 'x' }),
  'validation-failed': (desk, row) => desk.send(row, { body: '[]' }),
  'idempotency-key-reused': async (_desk, row) => {
    const desk = await Desk.open();
    const headers = { apitoken: desk.key, 'idempotency-key': newId() };
    expect((await desk.send(row, { headers })).status).toBe(row.status);
    return desk.send(row, { headers, body: { another: true } });
  },
  'customer-exists': async (desk, row) => {
    const body = { document: { number: desk.books.document } };
    return desk.send(row, { body, names: { customer: await desk.books.company.customer() } });
  },
  'instalments-mismatch': (desk, row) =>
    desk.send(row, { body: { instalment: [{ value: 2, dueDate: '2026-03-10' }] } }),
  'before-opening-date': (desk, row) => desk.send(row, { body: { date: '1990-01-01' } }),
  'exceeds-open-value': (desk, row) => desk.send(row, { body: { value: 1_000_000 } }),
  conflict: (desk, row) => desk.send(row, { body: { externalCode: 'geral' } }),
  'entry-reconciliated': async (desk, row) => {
    const { payment } = desk.books.names;
    await desk.testing.database.prisma.entryReconciliation.create({ data: { entryId: payment } });
    return desk.send(row);
  },
  'no-open-schedule': (desk, row) => desk.send(row, { query: '?$filter=openValue lt 0' }),
};

const REACHED = ROWS.flatMap(([name, row]) =>
  problemsOf(row)
    .filter((code) => code !== NOT_HERE)
    .map((code) => [PROBLEMS[code].status, code, name, row] as const),
);
const desks = new Map<string, Promise<Desk>>();

/** A desk for each operation. */
function deskOf(row: Operation): Promise<Desk> {
  const desk = desks.get(row.id) ?? Desk.open();
  desks.set(row.id, desk);
  return desk;
}

it.each(REACHED)('%i %s comes of %s', async (status, code, _name, row) => {
  const reply = await WAYS[code]!(await deskOf(row), row);
  expect(refusalOf(reply).split(' ').slice(0, 2)).toEqual([String(status), code]);
});

it.each(ROWS)(
  '%s is described with these problems, its success and, where it reads, its standing, and with no other status',
  (_name, row) => {
    const { default: _otherwise, ...responses } = lists.get(row.id)!;
    const listed = Object.entries(responses).flatMap(([status, { 'x-problems': codes = ['success'] }]) =>
      codes.map((code) => `${status} ${code}`),
    );
    const reached = [...problemsOf(row), ...(LOOP ? remoteProblemsOf(row) : [])].map(
      (code) => `${PROBLEMS[code].status} ${code}`,
    );
    const standing = row.effect === 'read' ? ['304 success'] : [];
    expect(listed.sort()).toEqual([...reached, ...standing, `${row.status} success`].sort());
  },
);
