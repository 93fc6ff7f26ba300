import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLES } from '../../src/finance/api/operations/examples';
import { EXTENSIONS, OPERATIONS, SERVED, type Operation } from '../../src/finance/api/operations/operations';
import { serveOpenApi } from '../../src/ops/openapi';
import { DescribedBodies } from '../support/described-replies';
import { FinanceClient } from '../support/finance-client';
import { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';

interface Body {
  required?: boolean;
  content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Described {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Body;
  responses: Record<string, Partial<Body>>;
  'x-alias-of'?: string;
  'x-extension'?: boolean;
  tags?: string[];
}

let testing: TestingApp;
let document: OpenAPIObject;

beforeAll(async () => {
  testing = await FinanceClient.serve({ prepare: (app) => serveOpenApi(app, '1.2.3') });
  const reply = await testing.http.get('/openapi.json').expect(200);
  document = reply.body as OpenAPIObject;
});
afterAll(() => testing.close());

/** The operators' API and the feed, as clients were promised them. */
const PROMISED = `
  /feed: get
  /feed/cursors/{name}: get put
  /admin/organizations: get post
  /admin/organizations/{org}: get patch
  …/keys: get post
  …/keys/{id}: delete
  …/finance: get put
  …/finance/test: post
  …/sources: get post
  …/sources/{slug}: get patch
  …/sources/{slug}/secrets: post delete
  …/sources/{slug}/pause: post
  …/sources/{slug}/resume: post
  …/providers: get
  …/rules: get
  …/rules/{name}: get put
  …/rules/{name}/versions: get
  …/rules/{name}/enable: post
  …/rules/{name}/disable: post
  …/rules/check: post
  …/rules/{name}/preview: post
  …/rules/{name}/backtest: post
  …/backtest: post
  …/repair: post
  …/repairs/{id}: get
  …/actions: get
  …/tables/{name}: get put
  …/deliveries: get
  …/deliveries/{id}: get
  …/deliveries/{id}/replay: post
  …/timeline: get
  …/deliveries/{id}/discard: post
  …/dead-letters: get
  …/dead-letters/{id}/retry: post
  …/dead-letters/{id}/discard: post
  …/dead-letters/retry: post
  …/effects: get
  …/effects/{id}/adopt: post
  …/effects/{id}/repeat: post
  …/effects/{id}/abandon: post
  …/audit: get
  …/overview: get
  …/search: post
  …/live: get`;

/** Every operation below `/v1`, by method and path, parameters without their names. */
function described(): Map<string, Described> {
  return new Map(
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/v1'))
      .flatMap(([path, item]) =>
        Object.entries(item as Record<string, Described>).map(
          ([method, operation]) => [nameless(`${method.toUpperCase()} ${path}`), operation] as const,
        ),
      ),
  );
}

const nameless = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const documented = (row: Operation): Described => described().get(nameless(`${row.method} /v1${row.path}`))!;
const schemaName = (schema: Schema | undefined): string | undefined => schema?.$ref?.split('/').at(-1);
const viewName = (record: string): string => (record.endsWith('View') ? record : `${record}View`);

describe('the operators’ API and the feed', () => {
  it('are described under the paths that were promised', async () => {
    const service = await TestService.start();
    const { body } = await service.http.get('/openapi.json').expect(200);
    await service.stop();
    const { paths } = body as OpenAPIObject;
    const promised = PROMISED.trim()
      .split('\n')
      .flatMap((line) => {
        const [path = '', methods = ''] = line.trim().split(': ');
        const whole = path.replace('…', '/admin/organizations/{org}');
        return methods.split(' ').map((method) => [whole, method] as const);
      });
    const missing = promised.filter(([path, method]) => !(paths[path] && method in paths[path]));
    expect(missing).toEqual([]);
  });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(
      structuredClone<Record<string, unknown>>({ ...document }),
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('points at nothing that is not there', () => {
    const schemas = Object.keys(document.components?.schemas ?? {});
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, ref = '']) => ref,
    );
    expect(references.length).toBeGreaterThan(50);
    for (const ref of references) expect(schemas).toContain(ref.replace('#/components/schemas/', ''));
  });

  it('names every operation once', () => {
    const ids = [...described().values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has nothing below /v1 but the nineteen operations, marked extensions and marked aliases', () => {
    const rows = SERVED.map((row) => nameless(`${row.method} /v1${row.path}`));
    const marked = [...described()].filter(([, operation]) => operation['x-extension'] === true);
    expect(marked.map(([, { operationId }]) => operationId).sort()).toEqual(
      EXTENSIONS.map(({ id }) => id).sort(),
    );
    for (const [, { tags }] of marked) expect(tags).toContain('Extensions');
    const aliases = [...described()].filter(([, operation]) => operation['x-alias-of'] !== undefined);
    expect([...described().keys()].sort()).toEqual([...rows, ...aliases.map(([name]) => name)].sort());
    expect(Object.fromEntries(aliases.map(([name, alias]) => [name, alias['x-alias-of']]))).toEqual({
      'POST /v1/customers/FormatType=json': '/v1/customers',
      'POST /v1/schedules/credit': '/v1/schedules/credit/FormatType=json',
      'POST /v1/payments/FormatType=json': '/v1/payments',
      'POST /v1/receipts/FormatType=json': '/v1/receipts',
      'POST /v1/accounts/FormatType=json': '/v1/accounts',
    });
  });

  it('speaks of the same media types everywhere', () => {
    const typesOf = (content: object | undefined) =>
      Object.keys(content ?? {})
        .sort()
        .join();
    const requests = [...described().values()].flatMap(
      ({ requestBody }) => typesOf(requestBody?.content) || [],
    );
    const replies = [...described().values()].flatMap(
      ({ responses }) => typesOf(responses['200']?.content) || [],
    );
    const problems = [...described().values()].map(({ responses }) => typesOf(responses['default']?.content));
    for (const types of [requests, replies, problems]) expect(new Set(types).size).toBe(1);
    expect(requests[0]).toContain('application/json');
    expect(problems[0]).toContain('application/problem+json');
  });
});

describe('the description of', () => {
  const rows = SERVED.map((row) => [`${row.method} ${row.path}`, row as Operation] as const);

  it.each(rows)('%s says what the table says', (_name, row) => {
    const operation = documented(row);
    expect(operation.operationId).toBe(row.id);
    expect(schemaName(operation.requestBody?.content['application/json']?.schema)).toBe(
      row.request === null ? undefined : `${row.request}Shape`,
    );
    const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    expect(statuses).toEqual([String(row.status)]);
    const schema = operation.responses[row.status]?.content?.['application/json']?.schema;
    const expected = {
      none: () => expect(schema).toBeUndefined(),
      identifier: () => expect(schema).toMatchObject({ type: 'string', format: 'uuid' }),
      record: () => expect(schemaName(schema)).toBe(viewName(row.record!)),
      array: () =>
        expect([schema?.type, schemaName(schema?.items)]).toEqual(['array', viewName(row.record!)]),
      page: () => {
        expect(Object.keys(schema?.properties ?? {})).toEqual(['items', 'nextPageLink', 'count']);
        expect(schemaName(schema?.properties?.['items']?.items)).toBe(viewName(row.record!));
        expect(schema?.properties?.['count']).toEqual({ type: 'integer', format: 'int64' });
      },
    };
    expected[row.response]();
  });

  it.each(rows)('%s names its parameters', (_name, row) => {
    const parameters = documented(row).parameters.map(({ name, in: place, schema }) => [place, name, schema]);
    expect(parameters).toContainEqual(['query', 'Organization', { type: 'string' }]);
    const inPath = parameters.filter(([place]) => place === 'path');
    expect(inPath).toHaveLength(row.path.split('{').length - 1);
    for (const [, , schema] of inPath) expect(schema).toMatchObject({ type: 'string', format: 'uuid' });
    const isList = row.response === 'page' || row.response === 'array';
    for (const option of ['$top', '$skip', '$count'])
      expect(parameters.some(([, name]) => name === option)).toBe(isList);
  });

  it.each(rows.filter(([, row]) => row.request !== null && row.request !== 'PaymentDeletion'))(
    '%s has an example that fits',
    (_name, row) => {
      const path = Object.keys(document.paths).find((each) => nameless(each) === nameless(`/v1${row.path}`))!;
      const method = row.method.toLowerCase();
      const content = documented(row).requestBody?.content['application/json'];
      const example = EXAMPLES[row.id as keyof typeof EXAMPLES];
      expect(content?.examples).toEqual({ example: { value: example } });
      const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      expect(new DescribedBodies(document).misfit(example, ...place)).toBeUndefined();
    },
  );

  it('a payment taken back leaves the body to the client', () => {
    expect(documented(OPERATIONS[7]).requestBody?.required).toBe(false);
  });
});
