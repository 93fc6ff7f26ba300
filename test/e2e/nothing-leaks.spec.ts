import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { type DemoOrder, shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { Collector } from '../support/collector';
import { ConfigFolder } from '../support/config-folder';
import { OPERATORS_KEY, SECRETS, TestService } from '../support/service';
import { until } from '../support/until';

/** A person, planted in every payload. */
const ORDER: DemoOrder = {
  id: 2_300_000_000_001,
  number: 2301,
  total: '64.20',
  name: 'Zenaide Quaresma',
  document: '529.982.247-25',
  email: 'zenaide@example.com',
  instalments: 2,
};
const SERVICE_KEY = 'finance-key-planted-for-the-test';
const MADE_KEY = /"key":"(ponte_[\w-]+)"/;

/** About a person. */
const PERSONAL = ['Zenaide', 'Quaresma', '529.982', '52998224725', 'zenaide@', 'Laranjeiras', '4000-0000'];
/** Opens a door. */
const SHOP_SECRETS = ['planted-secret-of-the-shop', 'planted-secret-that-follows'];
const DOORS = [
  ...SHOP_SECRETS,
  OPERATORS_KEY,
  SERVICE_KEY,
  ...Object.values(SECRETS),
  SECRETS.standard.slice(6),
];

/** Everything that leaves the service on a day and is read by others than whom it is about. */
class Day {
  readonly lines: string[] = [];
  readonly problems: string[] = [];
  readonly scrapes: string[] = [];
  readonly made: string[] = [];
  private closed = false;

  private constructor(
    readonly service: TestService,
    readonly collector: Collector,
  ) {}

  static async begin(environment: Record<string, string> = {}): Promise<Day> {
    const collector = await Collector.start();
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line) };
    const logger = new PinoLoggerService(createLogger({ logFormat: 'json', logLevel: 'trace' }, sink));
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment };
    const day = new Day(await TestService.start(undefined, settings, logger), collector);
    Object.assign(day, { lines });
    return day;
  }

  /** Keeps a refusal for the evening. */
  async refused(asked: PromiseLike<Response>, status: number): Promise<void> {
    const reply = await asked;
    expect([reply.status, reply.text]).toEqual([status, expect.any(String)]);
    this.problems.push(reply.text, JSON.stringify(reply.headers));
  }

  async scrape(): Promise<void> {
    this.scrapes.push((await this.service.http.get('/metrics')).text);
  }

  /** A key made on the way; it must be found nowhere either. */
  async key(scopes: string[]): Promise<string> {
    const { text } = await this.service.operate('post', 'keys', { name: 'till', scopes });
    const [, key = ''] = MADE_KEY.exec(text) ?? [];
    this.made.push(key.slice('ponte_'.length));
    return key;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.service.stop();
    await this.collector.stop();
  }

  /** @returns what was planted and found, with where; and the places, which must not be empty */
  async end(): Promise<{ found: string[]; places: Record<string, string> }> {
    await this.scrape();
    const { prisma } = this.service.database;
    const audit = JSON.stringify(await prisma.auditEntry.findMany());
    const reasons = JSON.stringify(
      await prisma.delivery.findMany({ select: { reason: true, outcome: true, topic: true, lane: true } }),
    );
    await this.close();
    const places = {
      log: this.lines.join(''),
      metrics: this.scrapes.join(''),
      traces: this.collector.text,
      problems: this.problems.join(''),
      audit,
      reasons,
    };
    const planted = [...PERSONAL, ...DOORS, ...this.made];
    const found = Object.entries(places).flatMap(([place, text]) =>
      planted.filter((secret) => text.includes(secret)).map((secret) => `${secret} in the ${place}`),
    );
    return { found, places };
  }
}

describe('after a whole day, nothing of persons and no secret is found in logs, metrics, traces, problems, audit', () => {
  let day: Day;

  afterEach(() => day.close());

  it('with the books of Ponte', async () => {
    day = await Day.begin();
    const { service } = day;
    const paid = shopifyOrder(ORDER, true);
    const asShopify = { source: 'shopify', topic: 'orders/paid', body: paid } as const;

    // Webhooks: good, twice, with a wrong secret, of every provider, and some that cannot be read or booked.
    await service.hook({ ...asShopify, id: 'one' });
    await service.hook({ ...asShopify, id: 'one' });
    await day.refused(service.hook({ ...asShopify, secret: 'guessed' }), 401);
    await service.hook({
      source: 'woocommerce',
      topic: 'order.updated',
      body: wooOrder(ORDER, 'processing'),
    });
    const odd = { ...ORDER, id: ORDER.id + 1, document: '529.982.247-26' };
    await service.hook({ ...asShopify, body: shopifyOrder(odd, true), id: 'odd' });
    await service.hook({ ...asShopify, body: `{"email":"${ORDER.email}", broken`, id: 'broken' });
    const strange = JSON.stringify({ ...(JSON.parse(paid.toString()) as object), total_price: ORDER.name });
    await service.hook({ ...asShopify, body: strange, id: 'strange' });
    await service.settle();
    await day.scrape();

    // What persons send to the APIs, wrong in every member.
    const finance = await day.key(['finance:read', 'finance:write']);
    const customer = { name: ORDER.name, email: ORDER.email, document: 'Zenaide 529.982.247-25', phone: 1 };
    await day.refused(service.http.post('/v1/customers').set('apitoken', finance).send(customer), 422);
    await day.refused(
      service.http.post('/v1/customers').set('apitoken', finance).type('json').send(`{"a": "${ORDER.name}`),
      400,
    );
    await day.refused(
      service.http.get(`/v1/suppliers?$filter=name eq ${ORDER.name}`).set('apitoken', finance),
      400,
    );
    await day.refused(service.http.get(`/v1/accounts?apitoken=${SERVICE_KEY}&email=${ORDER.email}`), 401);
    await day.refused(service.http.get(`/nowhere/${ORDER.document}`), 404);
    await day.refused(service.http.get('/feed').set('authorization', `Bearer ${finance}`), 403);

    // Operators: a source with secrets of its own, a rule and a table put, plans looked at, a body shown, replays.
    const shop = { slug: 'second', provider: 'shopify', secrets: [SHOP_SECRETS[0]] };
    expect((await service.operate('post', 'sources', shop)).status).toBe(201);
    const added = await service.operate('post', 'sources/second/secrets', { secret: SHOP_SECRETS[1] });
    expect(added.status).toBe(200);
    await day.refused(
      service.operate('post', 'sources', { ...shop, settings: { cpf: ORDER.document } }),
      422,
    );
    await day.refused(service.operate('post', 'sources/second/secrets', { secret: SHOP_SECRETS[1] }), 409);
    const done = await service.database.prisma.delivery.findFirstOrThrow({ where: { state: 'done' } });
    const shown = await service.admin(`deliveries/${done.id}?body=raw`);
    expect(JSON.stringify(shown)).toContain(ORDER.email);
    const previewed = await service.operate('post', 'rules/order-paid/preview', { deliveryId: done.id });
    expect([previewed.status, previewed.text.includes(ORDER.name)]).toEqual([200, true]);
    const event = { type: 'order.paid', order: { customer: { name: ORDER.name, document: ORDER.document } } };
    await day.refused(service.operate('post', 'rules/order-paid/preview', { event }), 422);
    await service.operate('post', `deliveries/${done.id}/replay`, { dryRun: false, reason: 'to be sure' });
    await service.settle();
    await day.refused(service.operate('post', `deliveries/${done.id}/replay`, { dryRun: ORDER.name }), 422);

    // Operators: dead letters looked at, tried again, discarded; a key taken back.
    const { items } = (await service.admin('dead-letters')) as { items: { id: string }[] };
    expect(items.length).toBeGreaterThanOrEqual(3);
    const [first, second] = items;
    await service.operate('post', `dead-letters/${first?.id}/retry`);
    await service.settle();
    await service.operate('post', `dead-letters/${second?.id}/discard`, { reason: 'a test order' });
    await day.refused(service.operate('post', `dead-letters/${second?.id}/discard`, { reason: 'x' }), 404);
    await day.refused(service.operate('post', 'suppliers', { name: 7, document: ORDER.document }), 422);

    const { found, places } = await day.end();
    expect(found).toEqual([]);
    for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(200);
    for (const action of ['dead-letter.discard', 'delivery.reveal', 'delivery.replay', 'source.add-secret'])
      expect(places['audit']).toContain(action);
    expect(places['traces']).toContain('apply effect');
  });

  describe('with a finance service that repeats what it was told, and the key', () => {
    let chatty: Server;
    let url: string;

    beforeAll(async () => {
      chatty = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const detail = `${ORDER.name} (${ORDER.document}, ${ORDER.email}) with key ${SERVICE_KEY} is not wanted`;
          const read = request.method === 'GET';
          response.writeHead(read ? 200 : 422, { 'content-type': 'application/json' });
          response.end(
            read
              ? JSON.stringify({ items: [], count: 0 })
              : JSON.stringify({ error: 'not-wanted', detail, sent: Buffer.concat(chunks).toString() }),
          );
        });
      });
      await new Promise<void>((resolve) => chatty.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(chatty.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => chatty.close(resolve)));

    it('told over the log, metrics, traces and audit', async () => {
      const folder = new ConfigFolder({});
      day = await Day.begin({
        CONFIG_DIR: folder.path,
        FINANCE_BACKEND: 'remote',
        FINANCE_BASE_URL: url,
      });
      const { service } = day;
      const connection = {
        organization: 'acme',
        apiKey: SERVICE_KEY,
        limits: { perSecond: 1_000, atOnce: 4 },
      };
      expect((await service.operate('put', 'finance', connection)).status).toBe(200);
      await service.operate('post', 'finance/test');
      await service.hook({
        source: 'shopify',
        topic: 'orders/paid',
        body: shopifyOrder(ORDER, true),
        id: 'one',
      });
      const { prisma } = service.database;
      await until(async () => (await prisma.delivery.count({ where: { state: 'dead' } })) === 1);
      const { id } = await prisma.delivery.findFirstOrThrow();
      await service.operate('post', `dead-letters/${id}/retry`);
      await until(async () => (await prisma.delivery.count({ where: { state: 'dead' } })) === 1);
      const { found } = await day.end();
      folder.remove();
      expect(found.filter((line) => !line.endsWith('in the reasons'))).toEqual([]);
      // What a service answers is shown to operators, without the key.
      expect(found.filter((line) => DOORS.some((door) => line.startsWith(door)))).toEqual([]);
    });
  });
});
