import { FinanceModule } from '../../../src/finance/finance.module';
import { rootOf } from '../../../src/finance/operation.decorator';
import { OPERATIONS } from '../../../src/finance/operations';
import { serveOpenApi } from '../../../src/ops/openapi';
import { TestingApp } from '../../support/testing-app';

const FORMS = ['application/json', 'application/xml', 'text/xml'];

interface Described {
  operationId: string;
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

let testing: TestingApp;
let described: Map<string, Described>;

beforeAll(async () => {
  testing = await TestingApp.open({
    imports: [FinanceModule],
    prepare: (app) => serveOpenApi(app, '1.2.3'),
  });
  const { body } = (await testing.http.get('/openapi.json')) as {
    body: { paths: Record<string, Record<string, Described>> };
  };
  const all = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => [`${method.toUpperCase()} ${path}`, found] as const),
  );
  described = new Map(all.map(([at, found]) => [at.replace(/\{\w+\}/g, '*'), found]));
});
afterAll(() => testing.close());

it.each(OPERATIONS.map((row) => [`${row.number}. ${row.method} ${row.path}`, row] as const))(
  '%s is described in both forms',
  (_name, { method, path, request, status }) => {
    const found = described.get(`${method} /v1${path.replace(/\{\w+\}/g, '*')}`)!;
    expect(Object.keys(found.requestBody?.content ?? {})).toEqual(request === null ? [] : FORMS);
    const { content = {} } = found.responses[status]!;
    expect(Object.keys(content)).toEqual(status === 204 ? [] : FORMS);
    expect(Object.keys(found.responses['default']!.content!)).toEqual([
      'application/problem+json',
      'application/problem+xml',
    ]);
  },
);

it('roots are the names of records, in the order of the specification', () => {
  expect(OPERATIONS.map((row) => rootOf(row))).toEqual([
    ...['guid', 'guid', 'guid', 'guid', null, null, null, null, null, 'guid'],
    ...['PageResult', 'PageResult', 'ArrayOfScheduleFullView', 'PageResult', 'PageResult', 'PageResult'],
    ...['Category', 'ScheduleFullView', 'PageResult'],
  ]);
});
