import { setImmediate as nextTick } from 'node:timers/promises';
import { Controller, Get, Param } from '@nestjs/common';
import { TestingApp } from '../../test/support/testing-app';
import { Health } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { JsonBody } from '../http/json-body';
import { KeyedApi, RequireScope } from '../http/api';
import { IsMoneyValue } from '../http/validation';
import type { Money } from '../kernel/money';
import { serveOpenApi } from './openapi';
import { Readiness } from './readiness';
import { Shutdown } from './shutdown';

class ThingBody {
  @IsMoneyValue()
  value!: Money;
}

@Controller('things')
class ThingsController {
  @Get(':id')
  get(@Param('id') id: string): object {
    if (id === 'broken') throw new Error('swordfish');
    return {};
  }
}

@KeyedApi('Books')
@Controller('books')
class BooksController {
  @Get()
  @RequireScope('finance:write')
  create(@JsonBody(ThingBody) _body: ThingBody): object {
    return {};
  }
}

let testing: TestingApp;
let hindrance: () => Promise<string | undefined> = () => Promise.resolve(undefined);
let annoyance: string | undefined;

beforeAll(async () => {
  testing = await TestingApp.open({
    controllers: [ThingsController, BooksController],
    prepare: (app) => serveOpenApi(app, '1.2.3'),
  });
  const health = testing.app.get(Health);
  health.register({ name: 'worker', when: 'unavailable', check: () => hindrance() });
  health.register({ name: 'finance', when: 'degraded', check: () => Promise.resolve(annoyance) });
});
afterEach(() => {
  hindrance = () => Promise.resolve(undefined);
  annoyance = undefined;
});
afterAll(() => testing.close());

function noAnswer(): void {}

interface Line {
  msg: string;
  level: string;
  requestId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/**
 * What was logged of a route since, once there are so many lines: each is written after its reply has left. Those of
 * requests that an earlier file gave up may still come.
 */
async function requestLines(since: number, route: string, count = 1): Promise<Line[]> {
  for (;;) {
    const lines = testing.log.slice(since).map((line) => JSON.parse(line) as Line);
    const requests = lines.filter((line) => line.msg === 'request' && line.route === route);
    if (requests.length >= count) return requests;
    await nextTick();
  }
}

describe('the request log', () => {
  it('has one line for each request, by route pattern, with the identifier that the problem names', async () => {
    const since = testing.log.length;
    const reply = await testing.http.get('/things/11144477735?apitoken=swordfish');
    expect(reply.status).toBe(200);
    const broken = await testing.http.get('/things/broken');
    const lines = await requestLines(since, '/things/:id', 2);
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/things/:id', 200],
      ['GET', '/things/:id', 500],
    ]);
    expect(lines[0]?.ms).toBeGreaterThan(0);
    const { instance } = broken.body as { instance: string };
    expect(instance).toBe(`urn:uuid:${lines[1]?.requestId}`);
    const log = testing.log.slice(since).join('\n');
    expect(log).not.toContain('11144477735');
    expect(log).not.toContain('apitoken');
    expect(log).toContain('unexpected failure');
  });

  it('names unknown addresses together, since anybody can make them up', async () => {
    const since = testing.log.length;
    await testing.http.get('/made-up-11144477735');
    expect(await requestLines(since, 'none')).toMatchObject([{ status: 404 }]);
    expect(testing.log.slice(since).join('\n')).not.toContain('made-up');
  });
});

describe('/health', () => {
  it('is alive and ready when nothing hinders it', async () => {
    expect((await testing.http.get('/health/live')).body).toEqual({ status: 'ok' });
    const ready = await testing.http.get('/health/ready');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok' }]);
  });

  it('is not ready while a module says why, and stays alive', async () => {
    hindrance = () => Promise.resolve('7000 deliveries wait');
    const ready = await testing.http.get('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.headers['retry-after']).toBe('1');
    expect(ready.body).toEqual({
      status: 'unavailable',
      reasons: [{ source: 'worker', reason: '7000 deliveries wait' }],
    });
    expect((await testing.http.get('/health/live')).status).toBe(200);
  });

  it('is ready, if degraded, while something is wrong that does not hinder it', async () => {
    annoyance = 'the finance service is not called';
    const reasons = [{ source: 'finance', reason: annoyance }];
    const degraded = await testing.http.get('/health/ready');
    expect([degraded.status, degraded.body]).toEqual([200, { status: 'degraded', reasons }]);
    hindrance = () => Promise.resolve('7000 deliveries wait');
    const unavailable = await testing.http.get('/health/ready');
    expect([unavailable.status, unavailable.body]).toEqual([
      503,
      { status: 'unavailable', reasons: [{ source: 'worker', reason: '7000 deliveries wait' }, ...reasons] },
    ]);
  });

  it('does not repeat what a failing check says', async () => {
    hindrance = () => Promise.reject(new TypeError('postgresql://user:swordfish@db'));
    const ready = await testing.http.get('/health/ready');
    expect(ready.body).toMatchObject({ reasons: [{ source: 'worker', reason: 'failed (TypeError)' }] });
  });

  it('is not ready when a check does not answer', async () => {
    hindrance = () => new Promise<undefined>(noAnswer);
    const readiness = testing.app.get(Readiness);
    expect(readiness).toMatchObject({ checkLimitMs: 2_000 });
    Object.assign(readiness, { checkLimitMs: 0 });
    const { reasons } = await readiness.condition();
    Object.assign(readiness, { checkLimitMs: 2_000 });
    expect(reasons).toContainEqual({ source: 'worker', reason: 'no answer within 0 ms' });
  });

  it('is not ready on a database without its migrations', async () => {
    await testing.database.prisma.$executeRaw`alter table _prisma_migrations rename to elsewhere`;
    try {
      const ready = await testing.http.get('/health/ready');
      expect(ready.body).toMatchObject({ status: 'unavailable', reasons: [{ source: 'database' }] });
    } finally {
      await testing.database.prisma.$executeRaw`alter table elsewhere rename to _prisma_migrations`;
    }
  });
});

describe('/metrics', () => {
  const scrape = async (): Promise<string> => (await testing.http.get('/metrics')).text;

  it('is text for Prometheus, about the process and the requests, by route pattern', async () => {
    await testing.http.get('/things/1');
    const reply = await testing.http.get('/metrics');
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect(reply.text).toContain('process_cpu_seconds_total');
    expect(reply.text).toMatch(
      /ponte_http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d+/,
    );
  });

  it('shows what modules register', async () => {
    const metrics = testing.app.get<Metrics>(Metrics);
    const counter = metrics.counter('test_total', 'A test', ['kind']);
    counter.add({ kind: 'a' });
    counter.add({ kind: 'a' }, 2);
    metrics.histogram('test_seconds', 'A test', [], [1]).observe({}, 0.5);
    metrics.gauge('test_waiting', 'A test', () => Promise.resolve(42));
    metrics.gauge('test_broken', 'A test', () => Promise.reject(new Error('no')));
    const text = await scrape();
    expect(text).toContain('test_total{kind="a"} 3');
    expect(text).toContain('test_seconds_bucket{le="1"} 1');
    expect(text).toContain('test_waiting 42');
  });

  it('does not grow without end when a label is not bounded', async () => {
    const counter = testing.app.get<Metrics>(Metrics).counter('test_unbounded_total', 'A test', ['kind']);
    for (let index = 0; index < 2000; index += 1) counter.add({ kind: `kind-${index}` });
    const lines = (await scrape()).split('\n').filter((line) => line.startsWith('test_unbounded_total'));
    expect(lines).toHaveLength(501);
    expect(lines).toContain('test_unbounded_total{kind="other"} 1500');
  });
});

describe('the API description', () => {
  it('is an OpenAPI 3.1 document with the ways to send a key and the problems', async () => {
    const { body } = (await testing.http.get('/openapi.json')) as { body: Record<string, unknown> };
    expect(body).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          ApiToken: { type: 'apiKey', in: 'header' },
          apitoken: { type: 'apiKey', in: 'query' },
        },
        schemas: {
          Problem: expect.any(Object),
          ThingBody: { properties: { value: { type: 'number', format: 'double' } }, required: ['value'] },
        },
      },
      paths: {
        '/books': {
          get: {
            security: expect.arrayContaining([{ bearer: [] }, { ApiToken: [] }, { apitoken: [] }]),
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingBody' } } },
            },
            responses: { default: { content: { 'application/problem+json': expect.any(Object) } } },
          },
        },
      },
    });
  });

  it('has pages that need nothing from elsewhere', async () => {
    const page = await testing.http.get('/docs');
    expect(page.status).toBe(200);
    const assets = [...page.text.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(
      ([, address]) => address ?? '',
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const address of assets) {
      const { pathname, host } = new URL(address, 'http://test.local/docs');
      expect(host).toBe('test.local');
      expect((await testing.http.get(pathname)).status).toBe(200);
    }
    expect((await testing.http.get('/docs/swagger-ui-init.js')).text).toMatch(/"validatorUrl": null/);
  });

  it('answers an asset that is not there as any other address', async () => {
    const reply = await testing.http.get('/docs/nothing.js');
    expect([reply.status, (reply.body as { error: string }).error]).toEqual([404, 'not-found']);
  });
});

/** Last, since there is no way back from it. */
describe('once shutting down', () => {
  it('is not ready, and asks every client to leave', async () => {
    const shutdown = testing.app.get(Shutdown);
    const stopped: number[] = [];
    const listeners: (() => void)[] = [];
    shutdown.onSignals(testing.app, {
      on: (_signal, listener) => listeners.push(listener),
      exit: (code) => stopped.push(code),
    });
    expect(listeners).toHaveLength(2);
    expect(shutdown.begun).toBe(false);
    const injected = (): ReturnType<typeof testing.app.inject> => testing.app.inject('/health/ready');
    const before = await injected();
    expect(before.headers['connection']).not.toBe('close');
    listeners[0]?.();
    const ready = await injected();
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ reasons: [{ source: 'process', reason: 'shutting down' }] });
    expect(ready.headers['connection']).toBe('close');
    listeners[1]?.();
    expect(stopped).toEqual([1]);
  });
});
