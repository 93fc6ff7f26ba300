import { Controller, Get } from '@nestjs/common';
import type { Response } from 'supertest';
import { TestingApp } from '../../test/support/testing-app';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../kernel/problem';
import { newKey } from '../organizations/api-keys';
import { ApiKeysRepository } from '../organizations/api-keys.repository';
import { OperatorKey } from '../organizations/operator-key';
import { KeyedApi, OperatorsApi, RequireScope } from './api';
import { KeyCheck } from './key-check';

@KeyedApi('Books')
@RequireScope('finance:read')
@Controller('v1/books')
class BooksController {
  @Get()
  all(): object {
    return {};
  }
}

@OperatorsApi('Shelves')
@Controller('admin/shelves')
class ShelvesController {
  @Get()
  all(): object {
    return {};
  }
}

function open(env: Record<string, string> = {}): Promise<TestingApp> {
  return TestingApp.open({ controllers: [BooksController, ShelvesController], env });
}

describe('wrong keys', () => {
  let testing: TestingApp;
  beforeEach(async () => (testing = await open()));
  afterEach(() => testing.close());

  const read = async (key: string, path = '/v1/books'): Promise<Response> =>
    testing.http.get(path).set('authorization', `Bearer ${key}`);

  it('are throttled for each address, on all keyed APIs together; keys that were right from there go on', async () => {
    const organization = await testing.makeOrganization();
    const [known, fresh] = [
      await testing.makeKey(organization, 'finance:read'),
      await testing.makeKey(organization, 'finance:read'),
    ];
    expect((await read(known.key)).status).toBe(200);
    const lookups = jest.spyOn(testing.app.get(ApiKeysRepository), 'findLive');
    const statuses: number[] = [];
    for (let index = 0; index < 60; index += 1)
      statuses.push((await read(`wrong-${index}`, index % 2 ? '/admin/shelves' : '/v1/books')).status);
    const checked = statuses.filter((status) => status === 401).length;
    // A token comes back every two seconds.
    expect(checked).toBeGreaterThanOrEqual(30);
    expect(checked).toBeLessThan(60);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    expect(lookups).toHaveBeenCalledTimes(checked);
    const refused = await read('wrong-60');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.text).not.toContain('wrong-60');
    expect((await read(known.key)).status).toBe(200);
    expect((await read(fresh.key)).status).toBe(200);
  });

  it('that look like right ones are looked up for longer, and not without end', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const { key } = await testing.makeKey(await testing.makeOrganization(), 'finance:read');
    const check = testing.app.get(KeyCheck);
    const lookups = jest.spyOn(testing.app.get(ApiKeysRepository), 'findLive').mockResolvedValue(undefined);
    const send = (text: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${text}` };
      const request = { headers, query: {}, ip: '192.0.2.1', keyCheck: null } as unknown as FastifyRequest;
      return check.keyOf(request).catch(({ code }: Problem) => code);
    };
    const replies: unknown[] = [];
    for (let index = 0; index < 700; index += 1) replies.push(await send(newKey()));
    expect(replies.filter((code) => code === 'key-invalid')).toHaveLength(630);
    expect(replies.slice(630)).toEqual(Array.from({ length: 70 }, () => 'too-many-requests'));
    expect(lookups).toHaveBeenCalledTimes(630);
    lookups.mockRestore();
    expect(await send(key)).toBe('too-many-requests');
    // A tenth of a second brings the next look-up; keys of no form wait for what the network owes.
    jest.spyOn(performance, 'now').mockReturnValue(100);
    expect(await send('wrong')).toBe('too-many-requests');
    expect(await send(key)).toMatchObject({ scopes: ['finance:read'] });
    jest.restoreAllMocks();
  });

  it("do not keep out the operators' key that was set, whatever its form", async () => {
    const operatorsKey = 'correct horse battery staple'.replaceAll(' ', '-');
    const other = await open({ ADMIN_API_KEY: operatorsKey });
    await other.app.get(OperatorKey).ensureOperatorKey({ adminApiKey: operatorsKey });
    const shelves = (key: string) => other.http.get('/admin/shelves').set('apitoken', key);
    for (let index = 0; index < 60; index += 1) await shelves(`wrong-${index}`);
    expect((await shelves('wrong-60')).status).toBe(429);
    expect((await shelves(operatorsKey)).status).toBe(200);
    await other.close();
  });

  it('cost one statement when they come again, and requests without a key none', async () => {
    const lookups = jest.spyOn(testing.app.get(ApiKeysRepository), 'findLive');
    for (let index = 0; index < 10; index += 1) expect((await read('wrong')).status).toBe(401);
    for (let index = 0; index < 100; index += 1)
      expect((await testing.http.get('/v1/books')).status).toBe(401);
    expect(lookups).toHaveBeenCalledTimes(1);
  });

  it('are looked up once for each request, as right ones are', async () => {
    const { key } = await testing.makeKey(await testing.makeOrganization(), 'finance:read');
    const lookups = jest.spyOn(testing.app.get(ApiKeysRepository), 'findLive');
    expect((await read(key)).status).toBe(200);
    expect(lookups).toHaveBeenCalledTimes(1);
  });
});

describe('an operators’ key that sends too many requests', () => {
  it('is answered when to come back, while others are served', async () => {
    const testing = await open({ ADMIN_RATE_LIMIT: '2' });
    const organization = await testing.makeOrganization();
    const [busy, other] = [
      await testing.makeKey(organization, 'admin'),
      await testing.makeKey(organization, 'admin'),
    ];
    const read = async (key: string): Promise<Response> =>
      testing.http.get('/admin/shelves').set('apitoken', key);
    expect([(await read(busy.key)).status, (await read(busy.key)).status]).toEqual([200, 200]);
    const reply = await read(busy.key);
    expect([reply.status, (reply.body as { error: string }).error]).toEqual([429, 'too-many-requests']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await read(other.key)).status).toBe(200);
    await testing.close();
  });
});
