import { once } from 'node:events';
import { connect } from 'node:net';
import supertest, { type Response } from 'supertest';
import { ListenerPool } from '../../src/ops/listener-pool';
import { OPERATORS_KEY, TestService } from '../support/service';

const TOKEN = 'a-token-for-scrapers-only-1234';
const OPERATOR = { authorization: `Bearer ${OPERATORS_KEY}` };

/** Sends a request as it stands, and reads the reply until the other side ends. */
async function exchange(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write(request);
  await once(socket, 'close');
  return received;
}

describe('what a service on one port shows', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start()));
  afterAll(() => service.stop());

  it.each([
    ['/health/ready', 200],
    ['/nowhere', 404],
    ['/v1/accounts', 401],
    ['/admin/organizations', 401],
    ['/admin/organizations/%zz', 400],
    ['/openapi.json', 200],
    ['/metrics', 200],
  ])('is kept by browsers from being framed, sniffed or run: %s', async (path, status) => {
    const { headers } = await service.http.get(path).expect(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it('is kept so, too, where the bytes are no request', async () => {
    const reply = await exchange(service.url, 'nonsense\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 [^]*x-content-type-options: nosniff\r\n/i);
  });

  it('lets the pages of the description load what they need from here alone', async () => {
    const page = await service.http.get('/docs').expect(200);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|data:|http)/);
    // No script is inline, and none is an attribute.
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>\s*\S/);
    expect(page.text).not.toMatch(/\son[a-z]+\s*=/i);
  });

  it('lets the console load its own scripts and styles alone, and be framed by nobody, whether it is built or not', async () => {
    for (const path of ['/console', '/console/main/rules', '/console/assets/none.js']) {
      const { headers } = await service.http.get(path);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    }
  });

  it('is not stored where operators read it, or a key is shown', async () => {
    const made = await service.operate('post', 'keys', { name: 'reader', scopes: ['finance:read'] });
    const list = await service.http.get('/admin/organizations').set(OPERATOR).expect(200);
    expect([made.headers['cache-control'], list.headers['cache-control']]).toEqual(['no-store', 'no-store']);
  });

  it('leaves the key out of links between pages', async () => {
    const made = await service.operate('post', 'keys', { name: 'pages', scopes: ['finance:read'] });
    const { key } = made.body as { key: string };
    const reply = await service.http.get(`/v1/categories/nowhere?ApiToken=${key}`);
    expect(reply.text).not.toContain(key);
    const page = await service.http.get(`/v1/accounts?$top=1&ApiToken=${key}`).expect(200);
    expect(page.text).toContain('nextPageLink');
    expect(page.text).not.toContain(key);
  });

  it('refuses a request with two Host headers', async () => {
    const request = 'GET /health/live HTTP/1.1\r\nHost: one\r\nhost: other\r\nConnection: close\r\n\r\n';
    expect(await exchange(service.url, request)).toMatch(/^HTTP\/1\.1 400 [^]*malformed-request/);
  });

  it('believes no header of a proxy that nobody named', async () => {
    const { body } = (await service.http
      .get('/admin/organizations/main/sources')
      .set({ ...OPERATOR, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' })
      .expect(200)) as { body: { items: { webhookUrl: string }[] } };
    expect(body.items[0]?.webhookUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/main\//);
  });

  it('answers alike, without a right signature, whether there is a source or not', async () => {
    const ask = async (path: string, headers: Record<string, string>): Promise<unknown> => {
      const reply = await service.http.post(path).set(headers).send('{"id":1}');
      const { instance: _, ...document } = reply.body as Record<string, unknown>;
      const { 'content-length': length, date: __, ...rest } = reply.headers as Record<string, string>;
      return { status: reply.status, document, length, rest };
    };
    const unsigned: Record<string, string>[] = [
      {},
      { 'x-shopify-hmac-sha256': 'bWFkZSB1cA==' },
      { 'webhook-signature': 'v1,x' },
    ];
    for (const headers of unsigned) {
      const known = await ask('/hooks/main/shopify', headers);
      expect(known).toMatchObject({ status: 401, document: { error: 'signature-invalid' } });
      expect(await ask('/hooks/main/nobody', headers)).toEqual(known);
      expect(await ask('/hooks/nobody/shopify', headers)).toEqual(known);
    }
    const metrics = (await service.http.get('/metrics')).text;
    expect(metrics).toMatch(/ponte_webhooks_total\{provider="none",result="source-unknown"\} 6/);
  });
});

describe('metrics', () => {
  async function statuses(env: Record<string, string>, headers: Record<string, string>[]): Promise<number[]> {
    const service = await TestService.start(undefined, env);
    try {
      const replies: Response[] = [];
      for (const each of headers) replies.push(await service.http.get('/metrics').set(each));
      return replies.map(({ status }) => status);
    } finally {
      await service.stop();
    }
  }

  it('are shown on this machine alone where there is no token, and never through a proxy', async () => {
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    expect(await statuses({}, [{}, proxied, { ...proxied, ...OPERATOR }])).toEqual([200, 401, 200]);
    expect(await statuses({ TRUSTED_PROXIES: '10.0.0.0/8' }, [{}, OPERATOR])).toEqual([401, 200]);
    expect(await statuses({ HOST: '0.0.0.0' }, [{}, OPERATOR])).toEqual([401, 200]);
  });

  it('need the token where there is one', async () => {
    const bearer = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });
    expect(
      await statuses({ METRICS_TOKEN: TOKEN }, [{}, bearer(`${TOKEN}x`), bearer(TOKEN), OPERATOR]),
    ).toEqual([401, 401, 200, 200]);
  });
});

describe('a service with a port for operators', () => {
  let service: TestService;
  let operators: string;
  beforeAll(async () => {
    service = await TestService.start(undefined, {
      ADMIN_PORT: '0',
      FINANCE_PATH_PREFIX: '/empresas/v1',
      FINANCE_CORS_ORIGINS: 'https://painel.example',
    });
    operators = service.part(ListenerPool).operatorsUrl ?? '';
  });
  afterAll(() => service.stop());

  it.each([
    ['/admin/organizations', 404, 200],
    ['/docs', 404, 200],
    ['/docs/swagger-ui-bundle.js', 404, 200],
    ['/openapi.json', 404, 200],
    ['/metrics', 404, 200],
    ['/%61dmin/organizations', 404, 200],
    ['/health/live', 200, 200],
    ['/health/ready', 200, 200],
    ['/v1/accounts', 403, 404],
    ['/empresas/v1/accounts', 403, 404],
    ['/feed', 403, 404],
    ['/hooks/main/shopify', 405, 404],
    ['/nowhere', 404, 404],
  ])('serves %s with %d to everybody and %d to operators', async (path, everybody, toOperators) => {
    const replies = [
      await supertest(service.url).get(path).set(OPERATOR),
      await supertest(operators).get(path).set(OPERATOR),
    ];
    expect(replies.map(({ status }) => status)).toEqual([everybody, toOperators]);
  });

  it('has the console, and signs in to it, on the port of operators alone', async () => {
    expect((await supertest(service.url).get('/console')).status).toBe(404);
    expect((await supertest(service.url).post('/admin/session').set(OPERATOR)).status).toBe(404);
    expect((await supertest(operators).post('/admin/session').set(OPERATOR)).status).toBe(201);
  });

  it('lets pages of other origins in on the port of everybody alone', async () => {
    const preflight = { origin: 'https://painel.example', 'access-control-request-method': 'GET' };
    const replies = [service.url, operators].map((url) =>
      supertest(url).options('/v1/accounts').set(preflight),
    );
    const [everybody, toOperators] = await Promise.all(replies);
    expect([everybody?.status, toOperators?.status]).toEqual([204, 404]);
    expect(toOperators?.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('does not say to everybody what methods there are for operators', async () => {
    const reply = await supertest(service.url).patch('/admin/organizations').send({});
    expect([reply.status, reply.headers['allow']]).toEqual([404, undefined]);
    expect((await supertest(operators).patch('/admin/organizations').send({})).status).toBe(405);
  });

  it('receives webhooks on the port of everybody, and names no other', async () => {
    const reply = await service.hook({ source: 'shopify', topic: 'orders/create', body: '{}' });
    expect(reply.status).toBe(200);
    const { body } = (await supertest(operators)
      .get('/admin/organizations/main/sources')
      .set(OPERATOR)
      .expect(200)) as { body: { items: { webhookUrl: string }[] } };
    expect(body.items[0]?.webhookUrl).toMatch(/^\/hooks\/main\//);
  });
});

describe('a service behind a proxy that is named', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start(undefined, { TRUSTED_PROXIES: '127.0.0.0/8' })));
  afterAll(() => service.stop());

  it('goes by what the proxy says of the address, for links', async () => {
    const { body } = (await service.http
      .get('/admin/organizations/main/sources')
      .set({ ...OPERATOR, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'books.example' })
      .expect(200)) as { body: { items: { webhookUrl: string }[] } };
    expect(body.items[0]?.webhookUrl).toMatch(/^https:\/\/books\.example\/hooks\/main\//);
  });

  it('counts wrong keys for each caller behind it', async () => {
    const attempt = async (from: string, key: string): Promise<number> => {
      const headers = { 'x-forwarded-for': from, authorization: `Bearer ${key}` };
      return (await service.http.get('/admin/organizations').set(headers)).status;
    };
    const behind = '203.0.113.7, 203.0.113.8';
    // So many at once that even a slow machine is far from looking up the next one.
    const attempts = await Promise.all(
      Array.from({ length: 100 }, (_, index) => attempt(behind, `wrong-${index}`)),
    );
    expect(attempts).toContain(401);
    expect(await attempt(behind, 'wrong-once-more')).toBe(429);
    expect(await attempt('203.0.113.7', 'wrong-again')).toBe(401);
    expect(await attempt('203.0.113.9', OPERATORS_KEY)).toBe(200);
  });
});
