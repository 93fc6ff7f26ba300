import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { newId } from '../../src/kernel/identifier';
import { TestService } from '../support/service';

/*
 * What client generators and linters need of the description, asked of every operation that the whole service has, so
 * that one that comes anew is asked the same.
 */

type Schema = Record<string, unknown>;

interface Reply {
  description: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  name: string;
  method: string;
  path: string;
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  responses: Record<string, Reply>;
}

/** What is answered without a body. */
const BARE = ['204', '304'];
const PROBLEM = { schema: { $ref: '#/components/schemas/Problem' } };
/** Answers 503 as it answers 200: with a report. */
const REPORTS = 'GET /health/ready 503';

let service: TestService;
let document: OpenAPIObject;
let operations: Operation[];

beforeAll(async () => {
  service = await TestService.start();
  document = await documentOf(service);
  operations = operationsOf(document);
});
afterAll(() => service.stop());

async function documentOf({ http }: TestService): Promise<OpenAPIObject> {
  return (await http.get('/openapi.json').expect(200)).body as OpenAPIObject;
}

function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Omit<Operation, 'name' | 'method' | 'path'>>).map(
      ([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, method, path, ...operation }),
    ),
  );
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const isEmpty = (schema: Schema | undefined): boolean => Object.keys(schema ?? {}).length === 0;
const replies = (): [string, string, Reply][] =>
  operations.flatMap(({ name, responses }) =>
    Object.entries(responses).map(([status, reply]): [string, string, Reply] => [
      `${name} ${status}`,
      status,
      reply,
    ]),
  );

it('has operations of every part of the service', () => {
  const parts = new Set(operations.map(({ path }) => path.split('/')[1]));
  expect([...parts].sort()).toEqual(['admin', 'feed', 'health', 'hooks', 'metrics', 'v1']);
});

it('has a parameter for every name in a path, and for no other, each needed and with a type', () => {
  const wrong = operations.filter(({ path, parameters = [] }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const names = inPath.map(({ name }) => name).sort();
    const complete = inPath.every(
      ({ required, schema }) => required === true && schema?.['type'] === 'string',
    );
    return !complete || names.join() !== namesIn(path).sort().join();
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('names no parameter of an operation twice', () => {
  const twice = operations.filter(({ parameters = [] }) => {
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    return new Set(names).size < names.length;
  });
  expect(twice.map(({ name }) => name)).toEqual([]);
});

it('says of every success what it looks like, and in words', () => {
  const wrong = replies().filter(([, status, { description, content }]) => {
    if (!/^[23]/.test(status)) return false;
    const contents = Object.values(content ?? {});
    const isDescribed = contents.length > 0 && contents.every(({ schema }) => !isEmpty(schema));
    return description === '' || (BARE.includes(status) ? content !== undefined : !isDescribed);
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
  const without = operations.filter(
    ({ responses }) => !Object.keys(responses).some((status) => status < '3'),
  );
  expect(without).toEqual([]);
});

it('says of every object what it holds, or that it may hold anything', () => {
  const silent: string[] = [];
  const look = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const keys = Object.keys(node);
    const isObject = [(node as Schema)['type']].flat().includes('object');
    const says = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'];
    if (isObject && !keys.some((key) => says.includes(key))) silent.push(place);
    for (const [key, child] of Object.entries(node)) look(child, `${place}/${key}`);
  };
  look(document, '');
  expect(silent).toEqual([]);
});

it('has no two schemas of one name, of which the last that is read would describe both', () => {
  const src = join(__dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const described = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .filter((text) => /\bApiProperty\b|\bObjectOf\(/.test(text));
  const names = described.flatMap((text) =>
    [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  );
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

it('describes the organization that a key opens otherwise than operators see it', async () => {
  const made = await service.operate('post', 'keys', { name: 'a client', scopes: ['finance:read'] });
  const { key } = made.body as { key: string };
  // Replies of tests are compared with their description.
  await service.http.get('/v1/organizations').set('apitoken', key).expect(200);
});

it('says of every failure that it is a problem', () => {
  const wrong = replies().filter(
    ([name, status, { content }]) =>
      !/^[23]/.test(status) &&
      name !== REPORTS &&
      JSON.stringify(content?.['application/problem+json']) !== JSON.stringify(PROBLEM),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(operations.filter(({ responses }) => !responses['default'])).toEqual([]);
});

it('gives every operation a name of its own, a summary and a tag that is described; extensions have one more', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(operations.length);
  // Generated clients show them: `banks.create`, not the name of a class.
  expect(ids.filter((id) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*(\.alias)?$/.test(id ?? ''))).toEqual([]);
  expect(operations.filter(({ summary = '' }) => summary === '')).toEqual([]);
  const described = (document.tags ?? []).filter(({ description = '' }) => description !== '');
  const tags = described.map(({ name }) => name);
  const wrong = operations.filter((operation) => {
    const [own = '', ...others] = operation.tags ?? [];
    const wanted = (operation as { 'x-extension'?: boolean })['x-extension'] ? ['Extensions'] : [];
    return !tags.includes(own) || own === 'Extensions' || !isDeepStrictEqual(others, wanted);
  });
  expect(wrong.map((operation) => [operation.name, operation.tags])).toEqual([]);
});

describe('security', () => {
  const noneSuffices = ({ security }: Operation): boolean =>
    security?.length === 0 || security?.some((one) => Object.keys(one).length === 0) === true;

  /** The error that a request without a key is answered, or undefined where it is let in. */
  async function refusal(
    of: TestService,
    { method, path }: Operation,
    query = '',
  ): Promise<string | undefined> {
    const reply = await of.http[method as 'get'](path.replace(/\{\w+\}/g, newId()) + query);
    return (reply.body as { error?: string }).error;
  }

  it('names schemes that are there, none of which is of tokens with a form of their own', () => {
    const { securitySchemes = {} } = document.components ?? {};
    const named = operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one)));
    expect([...new Set(named)].sort()).toEqual(Object.keys(securitySchemes).sort());
    expect(securitySchemes['bearer']).toEqual({
      type: 'http',
      scheme: 'bearer',
      description: expect.any(String) as string,
    });
  });

  it('is said of every operation, and is what a request without a key meets', async () => {
    expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
    const refused = await Promise.all(operations.map((operation) => refusal(service, operation)));
    const wrong = operations.filter(
      (operation, index) => noneSuffices(operation) === (refused[index] === 'key-missing'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(operations.filter(noneSuffices).map(({ path }) => path)).toEqual([
      '/health/live',
      '/health/ready',
      '/metrics',
      '/hooks/{organization}/{source}',
      '/hooks/{organization}/{source}',
      '/hooks/{organization}/{source}',
      '/hooks/{organization}/{source}/{token}',
      '/hooks/{organization}/{source}/{token}',
    ]);
  });

  it('lets the name suffice where it is set so', async () => {
    const trusting = await TestService.start(undefined, { FINANCE_AUTH: 'organization' });
    const finance = operationsOf(await documentOf(trusting)).filter(({ path }) => path.startsWith('/v1'));
    const wrong: string[] = [];
    for (const operation of finance) {
      const error = await refusal(trusting, operation, '?Organization=main');
      if (noneSuffices(operation) === (error === 'key-missing')) wrong.push(`${operation.name}: ${error}`);
    }
    await trusting.stop();
    expect(wrong).toEqual([]);
    expect(finance.filter((operation) => !noneSuffices(operation)).length).toBeGreaterThan(0);
  });
});
