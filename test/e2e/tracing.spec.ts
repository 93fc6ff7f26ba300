import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { Collector } from '../support/collector';
import { ConfigFolder } from '../support/config-folder';
import { cpfNumber } from '../support/documents';
import { FinanceClient } from '../support/finance-client';
import { TestService } from '../support/service';
import type { TestingApp } from '../support/testing-app';
import { until } from '../support/until';

const ORDER: DemoOrder = {
  id: 9_100_000_000_001,
  number: 1,
  total: '100.00',
  name: 'Lia Campos',
  document: cpfNumber(91_000),
  email: 'lia@example.com',
  instalments: 2,
};
const HOOK = 'POST /hooks/:organization/:source';

describe('traces', () => {
  let collector: Collector;

  beforeEach(async () => {
    collector = await Collector.start();
  });
  afterEach(() => collector.stop());

  /** Lets a service work on one order, and ends it, which sends what is left. */
  async function traceOneOrder(endpoint = collector.url): Promise<string> {
    const service = await TestService.start(undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    });
    let traceparent: string | null;
    try {
      await service.http.get('/health/live').expect(200);
      const hook = {
        source: 'shopify',
        topic: 'orders/paid',
        body: shopifyOrder(ORDER, true),
        id: 'e',
      } as const;
      expect((await service.hook(hook)).status).toBe(200);
      await service.settle();
      const delivery = await service.database.prisma.delivery.findFirstOrThrow();
      expect(delivery).toMatchObject({ state: 'done', outcome: 'applied' });
      ({ traceparent } = delivery);
    } finally {
      await service.stop();
    }
    return traceparent ?? '';
  }

  it('go from the webhook to each effect, and the delivery keeps where they began', async () => {
    const traceparent = await traceOneOrder();
    const [hook] = collector.named(HOOK);
    expect(hook).toMatchObject({ attributes: { 'http.response.status_code': 200 }, status: 0 });
    expect(traceparent).toBe(`00-${hook?.traceId}-${hook?.spanId}-01`);
    const [work] = collector.named('work on delivery');
    expect(work).toMatchObject({
      traceId: hook?.traceId,
      parentSpanId: hook?.spanId,
      attributes: { 'ponte.topic': 'orders/paid', 'ponte.state': 'done' },
    });
    const effects = collector.named('apply effect');
    expect(
      effects.map(({ attributes }) => [attributes['ponte.operation'], attributes['ponte.state']]),
    ).toEqual([
      ['customer.ensure', 'applied'],
      ['credit-schedule.create', 'applied'],
      ['receipt.allocate', 'applied'],
    ]);
    for (const effect of effects)
      expect(effect).toMatchObject({ traceId: hook?.traceId, parentSpanId: work?.spanId });
    expect(collector.spans.some(({ name }) => name.includes('/health'))).toBe(false);
  });

  it('go back from a replay to the webhook', async () => {
    const service = await TestService.start(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(ORDER, true), id: 'e' });
    await service.settle();
    const { id } = await service.database.prisma.delivery.findFirstOrThrow();
    const replayed = await service.operate('post', `deliveries/${id}/replay`, { dryRun: false });
    expect(replayed.body).toMatchObject({ queued: true, missing: [] });
    await service.settle();
    await service.stop();
    const [hook] = collector.named(HOOK);
    const [replay] = collector.named('POST /admin/organizations/:org/deliveries/:id/replay');
    expect(replay?.traceId).not.toBe(hook?.traceId);
    expect(replay?.links).toMatchObject([{ traceId: hook?.traceId, spanId: hook?.spanId }]);
    const [first, second] = collector.named('work on delivery');
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([hook?.spanId, replay?.spanId]);
    const states = collector.named('apply effect').map(({ attributes }) => attributes['ponte.state']);
    expect(states).toEqual([...Array<string>(3).fill('applied'), ...Array<string>(3).fill('existing')]);
  });

  it('show each call to a remote finance service within its effect', async () => {
    const books: TestingApp = await FinanceClient.serve();
    const client = await FinanceClient.of(books);
    const folder = new ConfigFolder({
      category: { 'online-sales': await client.idByCode('category', '1.1.01') },
      gatewayAccount: { default: await client.idByCode('account', 'main') },
    });
    try {
      await traceRemotely(folder, client, `${await books.app.getUrl()}/v1`);
    } finally {
      folder.remove();
      await books.close();
    }
    const [hook] = collector.named(HOOK);
    const effects = collector.named('apply effect');
    const calls = collector.named('call finance service');
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const call of calls) {
      expect(call.traceId).toBe(hook?.traceId);
      expect(effects.map(({ spanId }) => spanId)).toContain(call.parentSpanId);
    }
    expect(calls.map(({ attributes }) => attributes['ponte.operation'])).toContain('schedules.createCredit');
  });

  it('tell nothing of persons and hold no secret', async () => {
    await traceOneOrder();
    expect(collector.spans.length).toBeGreaterThan(4);
    for (const planted of [
      'Lia',
      'Campos',
      'lia@example.com',
      ORDER.document,
      ORDER.document.replace(/\D/g, ''),
    ])
      expect(collector.text).not.toContain(planted);
  });

  it('hold nothing up when nobody takes them', async () => {
    const nobody = collector.url;
    await collector.stop();
    expect(await traceOneOrder(nobody)).toMatch(/^00-/);
    collector = await Collector.start();
  });

  it('are not begun by whoever sends a webhook', async () => {
    const service = await TestService.start(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const theirs = '0af7651916cd43dd8448eb211c80319c';
    await service.http
      .post('/hooks/main/shopify')
      .set('traceparent', `00-${theirs}-b7ad6b7169203331-01`)
      .send('{}')
      .expect(401);
    await service.stop();
    expect(collector.named(HOOK)).toHaveLength(1);
    expect(collector.text).not.toContain(theirs);
  });

  async function traceRemotely(folder: ConfigFolder, client: FinanceClient, url: string): Promise<void> {
    const service = await TestService.start(undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: url,
    });
    try {
      const connection = {
        organization: client.company.organization.slug,
        apiKey: client.key,
        uniqueDocuments: true,
        limits: { perSecond: 1_000, atOnce: 8 },
      };
      expect((await service.operate('put', 'finance', connection)).status).toBe(200);
      await service.hook({
        source: 'shopify',
        topic: 'orders/paid',
        body: shopifyOrder(ORDER, true),
        id: 'e',
      });
      const done = { where: { state: 'done' } } as const;
      await until(async () => (await service.database.prisma.delivery.count(done)) === 1);
    } finally {
      await service.stop();
    }
  }
});

describe('without a collector', () => {
  it('nothing is traced', async () => {
    const service = await TestService.start();
    await service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(ORDER, true), id: 'e' });
    await service.settle();
    expect(await service.database.prisma.delivery.findFirstOrThrow()).toMatchObject({ traceparent: null });
    await service.stop();
  });
});
