import { stringify } from 'lossless-json';
import {
  AccountShape,
  AccountUpdateShape,
  TransferShape,
} from '../../../src/finance/api/shapes/accounts.dto';
import { CostCenterShape } from '../../../src/finance/api/shapes/cost-centers.dto';
import { CustomerShape, CustomerUpdateShape } from '../../../src/finance/api/shapes/customers.dto';
import { EXAMPLES } from '../../../src/finance/api/operations/examples';
import { rootOf } from '../../../src/finance/api/operations/operation.decorator';
import { OPERATIONS, SERVED } from '../../../src/finance/api/operations/operations';
import { DirectRegistrationShape } from '../../../src/finance/api/shapes/payments.dto';
import { ScheduledReceiptShape } from '../../../src/finance/api/shapes/receipts.dto';
import { CreditScheduleShape } from '../../../src/finance/api/shapes/schedules.dto';
import { parseXmlAs } from '../../../src/http/xml/xml-json';
import { serveOpenApi } from '../../../src/ops/openapi';
import { DescribedXml, type Schema } from '../../support/described-xml';
import { FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

const FORMS = ['application/json', 'application/xml', 'text/xml'];

/** What the bodies of operations are read into. */
const SHAPES: Record<string, new () => object> = {
  'customers.create': CustomerShape,
  'customers.update': CustomerUpdateShape,
  'schedules.createCredit': CreditScheduleShape,
  'payments.register': DirectRegistrationShape,
  'receipts.register': DirectRegistrationShape,
  'receipts.registerForSchedule': ScheduledReceiptShape,
  'costCenters.update': CostCenterShape,
  'accounts.transfer': TransferShape,
  'accounts.update': AccountUpdateShape,
  'accounts.create': AccountShape,
};

type Content = Record<string, { schema: Schema }>;

interface Described {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

let testing: TestingApp;
let described: Map<string, Described>;
let schemas: Record<string, Schema>;

beforeAll(async () => {
  testing = await FinanceClient.serve({ prepare: (app) => serveOpenApi(app, '1.2.3') });
  const { body } = (await testing.http.get('/openapi.json')) as {
    body: { paths: Record<string, Record<string, Described>>; components: { schemas: typeof schemas } };
  };
  schemas = body.components.schemas;
  const all = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => [`${method.toUpperCase()} ${path}`, found] as const),
  );
  described = new Map(all.map(([at, found]) => [at.replace(/\{\w+\}/g, '*'), found]));
});
afterAll(() => testing.close());

it.each(SERVED.map((row) => [`${row.number ?? 'extension'}: ${row.method} ${row.path}`, row] as const))(
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

/** What a schema says of XML, from the root down to the fields. */
function hintsOf(schema: Schema): unknown {
  const target = (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema) as Schema;
  return { root: target.xml?.name, wrapped: target.xml?.wrapped, item: target.items?.xml?.name };
}

it('the schemas of replies name their roots, and what is in lists', () => {
  const reply = (at: string) => described.get(at)!.responses[200]!.content!['application/xml']!.schema;
  expect(hintsOf(reply('POST /v1/customers'))).toEqual({ root: 'guid' });
  expect(hintsOf(reply('GET /v1/schedules/categories/*'))).toEqual({ root: 'Category' });
  expect(hintsOf(reply('GET /v1/schedules/debit/opened'))).toEqual({ root: 'ScheduleFullView' });
  expect(hintsOf(reply('GET /v1/customers/*/schedules'))).toEqual({
    root: 'ArrayOfScheduleFullView',
    wrapped: true,
    item: 'item',
  });
  const page = reply('GET /v1/schedules/debit');
  expect(hintsOf(page)).toEqual({ root: 'PageResult' });
  expect(hintsOf(page.properties!['items']!)).toEqual({ wrapped: true, item: 'item' });
});

it('the schema of problems names the root, the members of its list and the namespace of each element', () => {
  const { xml, properties } = schemas['Problem']!;
  const namespace = 'urn:ietf:rfc:7807';
  expect(xml).toEqual({ name: 'problem', namespace });
  const { errors, ...others } = properties!;
  expect(errors).toMatchObject({
    xml: { wrapped: true, namespace },
    items: { xml: { name: 'i', namespace } },
  });
  for (const { xml: hint } of [...Object.values(others), ...Object.values(errors!.items!.properties!)])
    expect(hint).toEqual({ namespace });
});

/** What no example holds: a field that is cleared. */
const CLEARED = '{"description":"Loja & Cia","externalCode":null}';

it.each([
  ...Object.entries(EXAMPLES).map(([id, example]) => [id, JSON.stringify(example)] as const),
  ['costCenters.update', CLEARED] as const,
])('the body of %s is read alike when its XML is written as described', async (id, json) => {
  const { method, path, request } = SERVED.find((row) => row.id === id)!;
  const operation = described.get(`${method} /v1${path.replace(/\{\w+\}/g, '*')}`)!;
  const { schema } = operation.requestBody!.content['application/xml']!;
  const xml = new DescribedXml(schemas).write(schema, JSON.parse(json));
  expect(xml).toMatch(new RegExp(`^<${request}[ >]`));
  expect(JSON.parse(stringify(parseXmlAs(SHAPES[id]!, Buffer.from(xml)))!)).toEqual(JSON.parse(json));
});

it('roots are the names of records, in the order of the specification', () => {
  expect(OPERATIONS.map((row) => rootOf(row))).toEqual([
    ...['guid', 'guid', 'guid', 'guid', null, null, null, null, null, 'guid'],
    ...['PageResult', 'PageResult', 'ArrayOfScheduleFullView', 'PageResult', 'PageResult', 'PageResult'],
    ...['Category', 'ScheduleFullView', 'PageResult'],
  ]);
});
