import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { signedHeaders } from '../../src/sources/registry';
import { SourceProviders } from '../../src/sources/source-providers';
import { cpfNumber } from '../support/documents';
import { SECRETS, TestService } from '../support/service';

const ORDER = {
  id: 9_000_000_000_001,
  number: 1,
  total: '10.00',
  name: 'Caio Reis',
  document: cpfNumber(777),
  email: 'caio@example.com',
  instalments: 1,
};

describe('webhooks that mean harm, or are broken', () => {
  let service: TestService;

  const lines: string[] = [];

  beforeAll(async () => {
    const logger = createLogger(
      { logFormat: 'json', logLevel: 'warn' },
      { write: (line) => void lines.push(line) },
    );
    service = await TestService.start(undefined, {}, new PinoLoggerService(logger));
  });

  afterAll(() => service.stop());

  async function stored(): Promise<number> {
    return service.database.prisma.delivery.count();
  }

  async function isAlive(): Promise<void> {
    await service.http.get('/health/live').expect(200);
  }

  it.each(['shopify', 'woocommerce', 'standard'] as const)(
    'a forged signature is 401 on %s and leaves no trace',
    async (source) => {
      const before = await stored();
      const secret = source === 'standard' ? `whsec_${Buffer.alloc(24, 6).toString('base64')}` : 'guessed';
      const reply = await service.hook({
        source,
        topic: 'orders/paid',
        body: shopifyOrder(ORDER, true),
        secret,
      });
      expect(reply.status).toBe(401);
      expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(reply.text).toContain('signature-invalid');
      expect(await stored()).toBe(before);
    },
  );

  it('a body changed on its way is 401', async () => {
    const body = shopifyOrder(ORDER, true);
    const before = await stored();
    const headers = signedHeaders('shopify', {
      topic: 'orders/paid',
      body,
      id: 'x',
      secret: SECRETS.shopify,
      sentAt: new Date(),
    });
    const changed = body.toString().replace('"10.00"', '"90.00"');
    await service.http.post('/hooks/main/shopify').set(headers).send(changed).expect(401);
    expect(await stored()).toBe(before);
  });

  it('a truncated body under the signature of the whole is 401', async () => {
    const body = shopifyOrder(ORDER, true);
    const headers = signedHeaders('shopify', {
      topic: 'orders/paid',
      body,
      id: 'x',
      secret: SECRETS.shopify,
      sentAt: new Date(),
    });
    await service.http
      .post('/hooks/main/shopify')
      .set(headers)
      .send(body.toString().slice(0, 100))
      .expect(401);
  });

  it('no signature at all is 401', async () => {
    await service.http
      .post('/hooks/main/shopify')
      .set('content-type', 'application/json')
      .send('{}')
      .expect(401);
  });

  // The tolerance is 300 s; the one to come leaves a slow machine time to be asked.
  it.each([-301, 600])('a message signed %d seconds from now is stale: 401', async (seconds) => {
    const sentAt = new Date(Date.now() + seconds * 1000);
    const reply = await service.hook({
      source: 'standard',
      topic: '',
      body: '{"type":"order.paid","data":{}}',
      sentAt,
    });
    expect(reply.status).toBe(401);
  });

  it('the second live secret is as good as the first', async () => {
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/create',
      body: shopifyOrder({ ...ORDER, id: 9_000_000_000_002 }, false),
      secret: SECRETS.shopifyNext,
    });
    expect(reply.status).toBe(200);
  });

  it('a body over 1 MiB is 413 and leaves no trace', async () => {
    const before = await stored();
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: Buffer.alloc(1024 * 1024 + 1, 0x20),
    });
    expect(reply.status).toBe(413);
    expect(await stored()).toBe(before);
    await isAlive();
  });

  it('a body of exactly 1 MiB is taken', async () => {
    const order = shopifyOrder({ ...ORDER, id: 9_000_000_000_003 }, false).toString();
    const reply = await service.hook({
      source: 'shopify',
      topic: 'orders/create',
      body: order + ' '.repeat(1024 * 1024 - Buffer.byteLength(order)),
    });
    expect(reply.status).toBe(200);
  });

  it('an unknown source or organization is 401, as is a known one without a signature', async () => {
    await service.http.post('/hooks/main/nowhere').send('{}').expect(401);
    await service.http.post('/hooks/nobody/shopify').send('{}').expect(401);
  });

  it('another method than POST is 405 and says which is right', async () => {
    const reply = await service.http.get('/hooks/main/shopify');
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toContain('POST');
  });

  const proto = shopifyOrder({ ...ORDER, id: 9_000_000_000_004 }, true)
    .toString()
    .replace(
      /^\{/,
      '{"__proto__":{"total_price":"0.01","polluted":true},"constructor":{"prototype":{"polluted":true}},',
    );

  it.each<[string, Buffer | string, RegExp]>([
    ['cut in the middle', shopifyOrder(ORDER, true).subarray(0, 200), /JSON/],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['nested 100,000 levels deep', '['.repeat(100_000), /deep|level/],
    ['an array', '[]', /./],
    ['a bare number', '12', /./],
    ['empty', '', /./],
  ])(
    'a well-signed body that is %s is stored, answered 200 and left to a person',
    async (_, body, reason) => {
      const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
      expect(reply.status).toBe(200);
      await service.settle();
      const delivery = await service.database.prisma.delivery.findUniqueOrThrow({
        where: { id: (reply.body as { delivery: string }).delivery },
      });
      expect(delivery.state).toBe('dead');
      expect(delivery.reason).toMatch(reason);
      const stored = await service.database.prisma.deliveryBody.findFirstOrThrow({
        where: { id: delivery.id },
      });
      expect(Buffer.from(stored.body).equals(Buffer.from(body))).toBe(true);
      await isAlive();
    },
  );

  it('a body laden with __proto__ is an ordinary order, and changes no object of ours', async () => {
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: proto });
    await service.settle();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const schedules = await service.database.prisma.schedule.findMany({
      where: { reference: 'shopify/order/9000000000004' },
    });
    expect(schedules.map(({ valueMinor }) => valueMinor)).toEqual([1000n]);
  });

  it('text that no database column can hold does not stop anybody else', async () => {
    const bad = shopifyOrder({ ...ORDER, id: 9_000_000_000_005, name: 'Nul \u0000 and \ud800 half' }, true);
    const good = shopifyOrder({ ...ORDER, id: 9_000_000_000_006 }, true);
    const replies = await Promise.all([
      service.hook({ source: 'shopify', topic: 'orders/paid', body: bad, id: 'nul' }),
      service.hook({ source: 'shopify', topic: 'orders/paid', body: good, id: 'good' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    await service.settle();
    expect(
      await service.database.prisma.schedule.count({ where: { reference: 'shopify/order/9000000000006' } }),
    ).toBe(1);
    await isAlive();
  });

  it('the unsigned ping of WooCommerce is answered and not stored', async () => {
    const before = await stored();
    await service.http.post('/hooks/main/woocommerce').type('form').send('webhook_id=7').expect(200);
    expect(await stored()).toBe(before);
  });

  /** Sent in chunks, so that nothing says how long it will be. */
  function chunked(path: string): ClientRequest {
    return request(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
    });
  }

  async function replyTo(sent: ClientRequest): Promise<{ status: number | undefined; document: object }> {
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(reply);
    const { instance: _, ...document } = body === 'ok' ? {} : (JSON.parse(body) as Record<string, unknown>);
    return { status: reply.statusCode, document };
  }

  it('the ping of WooCommerce is answered when it does not say how long it is', async () => {
    const ping = chunked('/hooks/main/woocommerce');
    ping.end('webhook_id=7');
    expect((await replyTo(ping)).status).toBe(200);
  });

  it.each(['/hooks/main/woocommerce', '/hooks/main/shopify', '/hooks/main/nobody'])(
    'what is sent unsigned to %s without its length is no more than a ping may be, and 401',
    async (path) => {
      const refused = { status: 401, document: expect.objectContaining({ error: 'signature-invalid' }) };
      const short = chunked(path);
      short.end('webhook_id=seven');
      expect(await replyTo(short)).toEqual(refused);
      // The rest never comes; the reply does.
      const long = chunked(path);
      long.write('x'.repeat(new SourceProviders().longestHandshake + 1));
      expect(await replyTo(long)).toEqual(refused);
      long.on('error', () => undefined).destroy();
    },
  );

  it('a wrong secret at one source is logged while that of another is', async () => {
    const logged = (source: string): boolean =>
      lines.some((line) => line.includes('webhooks are refused') && line.includes(`"source":"${source}"`));
    for (const source of ['shopify', 'woocommerce'] as const)
      await service.hook({ source, topic: 'orders/paid', body: '{}', secret: 'wrong' });
    expect([logged('shopify'), logged('woocommerce')]).toEqual([true, true]);
  });
});
