import type { Response } from 'supertest';
import { SERVED, type Operation, type OperationId } from '../../../src/finance/api/operations/operations';
import { problemsOf, remoteProblemsOf } from '../../../src/finance/api/operations/refusals';
import { PROBLEMS, type ProblemCode } from '../../../src/kernel/problem';
import { describeApi } from '../../../src/ops/openapi';
import { refusalOf } from '../../support/finance-client';
import { StubFront } from '../../support/stub-front';
import { StubService, type StubAnswer } from '../../support/stub-service';
import type { TestingApp } from '../../support/testing-app';

const ROWS = SERVED.map((row) => [`${row.method} ${row.path}`, row] as const);
const WRITING = ROWS.filter(([, { effect }]) => effect !== 'read');

let service: StubService;
let testing: TestingApp;
let description: ReturnType<typeof describeApi>;

beforeAll(async () => {
  service = await StubService.start();
  testing = await StubFront.open(service.url());
  description = describeApi(testing.app, 'test');
});
afterAll(async () => {
  await testing.close();
  await service.stop();
});

/** What is read before a write is sent, to know its effect by afterwards, is answered: there is nothing. */
function answers(row: Operation, answer: StubAnswer): Promise<Response> {
  service.answer = (response, request, socket) => {
    if (row.effect === 'read' || request.method !== 'GET') answer(response, request, socket);
    else response.end('{"items":[],"count":0,"nextPageLink":null}');
  };
  return StubFront.of(testing).then((client) => client.send(row));
}

function answered(
  row: Operation,
  status: number,
  headers: Record<string, string> = {},
  body = '',
): Promise<Response> {
  return answers(row, (response) => response.writeHead(status, headers).end(body));
}

type Way = (row: Operation) => Promise<Response>;

/** How a request comes to what only a service elsewhere brings about. */
const WAYS: Partial<Record<ProblemCode, Record<string, Way>>> = {
  'finance-not-connected': {
    'nobody connected it': async (row) => (await StubFront.of(testing, null)).send(row),
    'it does not know the key': (row) => answered(row, 401),
    'it allows the key nothing': (row) => answered(row, 403),
  },
  'finance-misbehaved': {
    'it refuses what nothing is wrong with': (row) => answered(row, 410),
    'it does not take the form': (row) => answered(row, 415),
  },
  'not-implemented': {
    'it knows no such method there': (row) => answered(row, 405),
    'it has no such page': (row) => answered(row, 404, {}, '<!doctype html><title>Not found</title>'),
  },
  'finance-unreachable': {
    'it is away for a while': (row) => answered(row, 503, { 'retry-after': '2' }),
    'it has too many requests': (row) => answered(row, 429),
  },
  'outcome-unknown': {
    'it broke': (row) => answered(row, 500),
    'the connection breaks': (row) => answers(row, (_response, _request, socket) => socket.destroy()),
    'the reply is a page for people': (row) =>
      answered(row, 200, {}, '<!doctype html><title>Welcome</title>'),
  },
  conflict: { 'it says so': (row) => answered(row, 409) },
};

const REACHED = ROWS.flatMap(([name, row]) =>
  remoteProblemsOf(row).flatMap((code) =>
    Object.entries(WAYS[code] ?? {}).map(
      ([why, way]) => [PROBLEMS[code].status, code, name, why, row, way] as const,
    ),
  ),
);

it.each(REACHED)('%i %s comes of %s when %s', async (status, code, _name, _why, row, way) => {
  const reply = await way(row);
  expect(refusalOf(reply).split(' ')).toEqual([String(status), code]);
  expect(reply.text).not.toContain('the-key');
});

it.each<[number, object, string]>([
  [400, { errors: { DueDate: ['is in a closed month'] } }, 'DueDate: is in a closed month'],
  [402, { message: 'The plan has ended' }, 'the finance service refused with status 402: The plan has ended'],
  [
    403,
    { message: 'The plan has ended' },
    'the finance service refuses the key it was connected with: The plan has ended',
  ],
])('what the service says with %i is what its client reads', async (status, body, detail) => {
  const row = ROWS.find(([, { id }]) => id === 'customers.create')![1];
  const reply = await answered(row, status, { 'content-type': 'application/json' }, JSON.stringify(body));
  expect(reply.body).toMatchObject({ detail });
});

it('has a way to each of them', () => {
  expect(Object.keys(WAYS).sort()).toEqual(
    [...new Set(ROWS.flatMap(([, row]) => remoteProblemsOf(row)))].sort(),
  );
});

it.each(ROWS)('%s is described with what can come of a service elsewhere, besides the rest', (_name, row) => {
  const items = Object.values(description.paths).flatMap((item) => Object.values(item));
  const { responses } = (
    items as { operationId: string; responses: Record<string, { 'x-problems'?: string[] }> }[]
  ).find(({ operationId }) => operationId === row.id)!;
  const listed = Object.values(responses).flatMap(({ 'x-problems': codes = [] }) => codes);
  expect(listed.sort()).toEqual([...problemsOf(row), ...remoteProblemsOf(row)].sort());
});

it('409 idempotency-key-in-use comes of every operation that writes while the service is at the first', async () => {
  service.answer = (response, { method }) => {
    if (method === 'GET') response.end('{"items":[],"count":0,"nextPageLink":null}');
  };
  const client = await StubFront.of(testing);
  const sent = () => service.requests.filter(({ method }) => method !== 'GET').length;
  const before = sent();
  const under = ({ id }: Operation) => ({ headers: { 'idempotency-key': id } });
  const firsts = WRITING.map(([, row]) => client.send(row, under(row)).catch(() => undefined));
  while (sent() < before + WRITING.length) await new Promise((resolve) => setImmediate(resolve));
  const seconds = await Promise.all(WRITING.map(([, row]) => client.send(row, under(row))));
  expect(seconds.map(refusalOf)).toEqual(WRITING.map(() => '409 idempotency-key-in-use'));
  expect(seconds.map(({ headers }) => headers['retry-after'])).toEqual(WRITING.map(() => '1'));
  expect(sent()).toBe(before + WRITING.length);
  service.dropAll();
  await Promise.all(firsts);
});

const NOT_FOUND_ON = ROWS.filter(([, row]) => problemsOf(row).includes('not-found'));

it.each(NOT_FOUND_ON)(
  '%s: a code that the operation does not know is said as what its status means',
  async (_name, row) => {
    service.replies(404, '{"error":"source-unknown"}');
    const lacking = row.number === null && row.response === 'page';
    const expected = lacking ? '501 not-implemented' : '404 not-found';
    expect(refusalOf(await (await StubFront.of(testing)).send(row))).toBe(expected);
  },
);

const FORMS: readonly [OperationId, number, object, object][] = [
  ['customers.create', 409, { error: 'customer-exists', customerId: 'x' }, { error: 'customer-exists' }],
  ['costCenters.update', 409, { error: 'conflict', deleted: 'true' }, { error: 'conflict', deleted: true }],
  ['costCenters.update', 409, { error: 'conflict', deleted: 'so' }, { error: 'conflict' }],
  [
    'accounts.list',
    400,
    { error: 'malformed-request', position: '7' },
    { error: 'malformed-request', position: 7 },
  ],
  ['accounts.list', 400, { error: 'malformed-request', position: 7.5 }, { error: 'malformed-request' }],
  [
    'receipts.registerForSchedule',
    422,
    { error: 'exceeds-open-value', openValue: '1.50' },
    { openValue: 1.5 },
  ],
];

it.each(FORMS)('%s: %i %j has its members as they are described: %j', async (id, status, body, expected) => {
  service.replies(status, JSON.stringify(body));
  const [, row] = ROWS.find(([, each]) => each.id === id)!;
  const reply = await (await StubFront.of(testing)).send(row);
  const wanted = Object.keys(body);
  const members = Object.entries(reply.body as object).filter(([name]) => wanted.includes(name));
  expect([reply.status, Object.fromEntries(members)]).toEqual([
    status,
    { error: (body as { error: string }).error, ...expected },
  ]);
});
