import { Controller, Get, Post } from '@nestjs/common';
import type { Response } from 'supertest';
import { TestingApp } from '../../test/support/testing-app';
import type { Organization } from '../kernel/organization';
import { ApiKeys } from '../organizations/api-keys';
import { OperatorKey } from '../organizations/operator-key';
import { AlwaysNeedsKey, KeyedApi, OperatorsApi, RequireScope } from './api';
import { CurrentCaller, CurrentOrganization, type Caller } from './caller';

@KeyedApi('Books')
@Controller('books')
class BooksController {
  @Get()
  @RequireScope('finance:read')
  read(@CurrentOrganization() organization: Organization): Organization {
    return organization;
  }

  @Post()
  @RequireScope('finance:write')
  @AlwaysNeedsKey()
  write(@CurrentCaller() { keyId }: Caller): string {
    return keyId ?? 'none';
  }

  @Get('feed')
  @RequireScope('feed:read')
  feed(): object {
    return {};
  }

  @Get('unguarded')
  unguarded(): object {
    return {};
  }
}

@OperatorsApi('Shelves')
@Controller('shelves')
class ShelvesController {
  @Get()
  all(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }

  @Get(':org')
  one(@CurrentOrganization() organization: Organization): string {
    return organization.slug;
  }
}

const controllers = [BooksController, ShelvesController];
const codeOf = (reply: Response): unknown => (reply.body as { error?: unknown }).error ?? reply.status;

describe('API keys', () => {
  let testing: TestingApp;
  let main: Organization;
  let other: Organization;
  let key: string;

  beforeAll(async () => {
    testing = await TestingApp.open({ controllers });
    main = await testing.makeOrganization('main');
    other = await testing.makeOrganization('other');
    ({ key } = await testing.makeKey(main, 'finance:read'));
  });
  afterAll(() => testing.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    testing.http.get(path).set(headers).then();
  const bearer = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });

  it('takes a key as bearer, as header and as query parameter, names in any letter case', async () => {
    const replies = await Promise.all([
      get('/books', { authorization: `bearer ${key}` }),
      get('/books', { ApiToken: key }),
      get('/books', { APITOKEN: key }),
      get(`/books?apitoken=${key}`),
      get(`/books?ApiToken=${key}`),
    ]);
    for (const reply of replies) expect([reply.status, reply.body]).toEqual([200, main]);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: 'Basic eDp5' },
    { authorization: 'Bearer' },
    { ApiToken: ' ' },
  ])('asks for a key where there is none: %j', async (headers) => {
    const reply = await get('/books', headers);
    expect([reply.status, codeOf(reply)]).toEqual([401, 'key-missing']);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="ponte"');
  });

  it("refuses a key that is nobody's", async () => {
    for (const wrong of [`${key}x`, key.slice(0, -1), key.toUpperCase(), 'ponte_', "' or 1=1 --"]) {
      const reply = await get('/books', { ApiToken: wrong });
      expect([reply.status, codeOf(reply)]).toEqual([401, 'key-invalid']);
      expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
      expect(reply.text).not.toContain(wrong);
    }
  });

  it('refuses two different keys at once, and takes the same one twice', async () => {
    expect(codeOf(await get(`/books?apitoken=x`, bearer(key)))).toBe('malformed-request');
    expect(codeOf(await get(`/books?apitoken=${key}`, bearer(key)))).toBe(200);
  });

  it('refuses a key as soon as it is revoked', async () => {
    const made = await testing.makeKey(main, 'finance:read');
    expect(codeOf(await get('/books', bearer(made.key)))).toBe(200);
    await testing.database.transaction((tx) => testing.app.get(ApiKeys).revoke(tx, main.id, made.id));
    expect(codeOf(await get('/books', bearer(made.key)))).toBe('key-invalid');
  });

  it('lets a request name the organization of its key by id or slug, in any letter case, and no other', async () => {
    for (const name of ['main', 'MAIN', main.id, main.id.toUpperCase()]) {
      expect(codeOf(await get(`/books?ORGANIZATION=${name}`, bearer(key)))).toBe(200);
    }
    for (const name of ['other', other.id, 'nobody', 'x']) {
      const reply = await get(`/books?Organization=${name}`, bearer(key));
      expect([reply.status, codeOf(reply)]).toEqual([403, 'organization-mismatch']);
    }
  });

  it('asks for the scope of the route, which no other scope implies', async () => {
    const { key: others } = await testing.makeKey(main, 'finance:write', 'feed:read', 'admin');
    const reply = await get('/books', bearer(others));
    expect([reply.status, codeOf(reply)]).toEqual([403, 'scope-missing']);
    expect((reply.body as { detail: string }).detail).toContain('finance:read');
  });

  it('never serves a route that does not say which scope it needs', async () => {
    expect((await get('/books/unguarded', bearer(key))).status).toBe(500);
  });

  it('checks the key before the form of the reply and the body', async () => {
    expect(codeOf(await get('/books', { accept: 'application/xml' }))).toBe('key-missing');
  });

  it('lets no key into the log, however it is sent', async () => {
    await Promise.all([
      get('/books', bearer(key)),
      get('/books', { ApiToken: key }),
      get(`/books?apitoken=${key}`),
      get(`/nowhere?apitoken=${key}`),
      get(`/books/unguarded?apitoken=${key}`),
      get(`/books/%zz?apitoken=${key}`),
    ]);
    const log = testing.log.join('\n');
    expect(log).toContain('"route":"/books"');
    expect(log).toContain('this route does not say which scope it needs');
    expect(log).not.toContain(key);
    expect(log).not.toContain('apitoken');
  });

  describe('of operators', () => {
    let operators: string;

    beforeAll(async () => {
      operators = (await testing.app.get(OperatorKey).ensureOperatorKey({})) ?? '';
    });

    it('open every organization', async () => {
      expect((await get('/shelves', bearer(operators))).body).toMatchObject({ isOperator: true });
      expect((await get('/shelves/main', bearer(operators))).body).toBe('main');
      expect((await get(`/shelves/${other.id}`, bearer(operators))).body).toBe('other');
      expect(codeOf(await get('/shelves/nobody', bearer(operators)))).toBe('not-found');
    });

    it('are no keys of the finance interface', async () => {
      const reply = await get('/books', bearer(operators));
      expect([reply.status, codeOf(reply)]).toEqual([403, 'scope-missing']);
    });

    it("may be an organization's own with scope admin, to which no other organization exists", async () => {
      const { key: own } = await testing.makeKey(main, 'admin');
      expect((await get('/shelves', bearer(own))).body).toMatchObject({
        isOperator: false,
        organization: main,
      });
      expect((await get('/shelves/MAIN', bearer(own))).body).toBe('main');
      expect(codeOf(await get('/shelves/other', bearer(own)))).toBe('not-found');
      expect(codeOf(await get('/shelves/main', bearer(key)))).toBe('scope-missing');
      expect(codeOf(await get('/shelves/main'))).toBe('key-missing');
    });
  });
});

describe('FINANCE_AUTH=organization', () => {
  let testing: TestingApp;
  let main: Organization;

  beforeAll(async () => {
    testing = await TestingApp.open({ controllers, env: { FINANCE_AUTH: 'organization' } });
    main = await testing.makeOrganization('main');
  });
  afterAll(() => testing.close());

  it("lets the organization's name alone open the finance interface", async () => {
    expect((await testing.http.get('/books?organization=Main')).body).toEqual(main);
    expect(codeOf(await testing.http.get('/books?Organization=nobody'))).toBe('not-found');
    expect(codeOf(await testing.http.get('/books'))).toBe('key-missing');
  });

  it('still needs a key where the interface documents one, for the feed and for operators', async () => {
    expect(codeOf(await testing.http.post('/books?Organization=main'))).toBe('key-missing');
    expect(codeOf(await testing.http.get('/books/feed?Organization=main'))).toBe('key-missing');
    expect(codeOf(await testing.http.get('/shelves/main?Organization=main'))).toBe('key-missing');
    const { id, key } = await testing.makeKey(main, 'finance:write');
    const reply = await testing.http.post(`/books?Organization=main&apitoken=${key}`);
    expect([reply.status, reply.body]).toEqual([201, id]);
  });

  it('still checks a key that is sent', async () => {
    expect(codeOf(await testing.http.get('/books?Organization=main&apitoken=wrong'))).toBe('key-invalid');
  });
});
