import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CloudEvent } from 'cloudevents';
import { FeedModule } from '../../../src/feed/feed.module';
import { describeApi } from '../../../src/ops/openapi';
import { TestingApp } from '../../support/testing-app';

interface Described {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, { 'x-problems'?: string[] }>;
}

let testing: TestingApp;
let document: OpenAPIObject;

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [FeedModule] });
  document = describeApi(testing.app, 'test');
});
afterAll(() => testing.close());

const operation = (path: string, method: string): Described =>
  (document.paths[path] as unknown as Record<string, Described>)[method]!;

describe('the description of the feed', () => {
  it('is OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone<Record<string, unknown>>({ ...document }),
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('names what may be asked and what may be answered', () => {
    const read = operation('/feed', 'get');
    expect(read.parameters.map(({ in: place, name }) => `${place} ${name}`).sort()).toEqual([
      'header If-None-Match',
      'header Prefer',
      'query Organization',
      'query after',
      'query limit',
      'query types',
      'query wait',
    ]);
    expect(Object.keys(read.responses)).toEqual(expect.arrayContaining(['200', '304', '410']));
    expect(read.responses['410']).toMatchObject({ 'x-problems': ['cursor-unknown', 'cursor-expired'] });
    expect(
      ['get', 'put', 'delete'].map((method) => operation('/feed/cursors/{name}', method).operationId),
    ).toEqual(['feed.resume', 'feed.acknowledge', 'feed.forget']);
    expect(operation('/feed/cursors', 'get').operationId).toBe('feed.cursors');
  });

  it('leaves nothing out that needs a key with the scope', async () => {
    const organization = await testing.makeOrganization();
    const { key } = await testing.makeKey(organization, 'finance:read', 'finance:write', 'admin');
    const routes = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/feed'))
      .flatMap(([path, item]) => Object.keys(item).map((method) => [method, path] as const));
    expect(routes).toHaveLength(5);
    for (const [method, path] of routes) {
      const ask = () => testing.http[method as 'get'](path.replace('{name}', 'erp'));
      expect((await ask()).body).toMatchObject({ error: 'key-missing' });
      expect((await ask().set('apitoken', 'nobody')).body).toMatchObject({ error: 'key-invalid' });
      expect((await ask().set('apitoken', key)).body).toMatchObject({ error: 'scope-missing' });
    }
  });

  it('shows an example that is a CloudEvent', () => {
    const schema = document.components?.schemas?.['FeedPageView'] as unknown as {
      properties: { items: { example: object[] } };
    };
    const [example] = schema.properties.items.example;
    expect(new CloudEvent(example!, true).validate()).toBe(true);
  });
});
