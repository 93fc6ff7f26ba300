import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { Tracing } from '../../src/ops/tracing';
import { type CollectedSpan, Collector } from '../support/collector';
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

const PAID = { source: 'shopify', topic: 'orders/paid', body: shopifyOrder(ORDER, true), id: 'e' } as const;

/** Sends an order and has it worked on. @returns its delivery */
async function workOnOneOrder(service: TestService): Promise<{ id: string; traceparent: string | null }> {
  expect((await service.hook(PAID)).status).toBe(200);
  await service.settle();
  const delivery = await service.database.prisma.delivery.findFirstOrThrow();
  expect(delivery).toMatchObject({ state: 'done', outcome: 'applied' });
  return delivery;
}

describe('traces', () => {
  const theirs = '0af7651916cd43dd8448eb211c80319c';
  let collector: Collector;
  let traceparent: string | null;
  let hook: CollectedSpan | undefined;
  let refused: CollectedSpan | undefined;
  let works: CollectedSpan[];

  /** One service is asked whether it lives, refuses a webhook, takes one, replays it, and sends what is left at its end. */
  beforeAll(async () => {
    collector = await Collector.start();
    const service = await TestService.start(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    try {
      await service.http.get('/health/live').expect(200);
      await service.http
        .post('/hooks/main/shopify')
        .set('traceparent', `00-${theirs}-b7ad6b7169203331-01`)
        .send('{}')
        .expect(401);
      const delivery = await workOnOneOrder(service);
      ({ traceparent } = delivery);
      const replayed = await service.operate('post', `deliveries/${delivery.id}/replay`, { dryRun: false });
      expect(replayed.body).toMatchObject({ queued: true, missing: [] });
      await service.settle();
    } finally {
      await service.stop();
    }
    [refused, hook] = collector.named(HOOK);
    works = collector.named('work on delivery');
  });
  afterAll(() => collector.stop());

  function effectsOf(work: CollectedSpan | undefined): CollectedSpan[] {
    return collector.named('apply effect').filter(({ parentSpanId }) => parentSpanId === work?.spanId);
  }

  it('go from the webhook to each effect, and the delivery keeps where they began', () => {
    expect(hook).toMatchObject({ attributes: { 'http.response.status_code': 200 }, status: 0 });
    expect(traceparent).toBe(`00-${hook?.traceId}-${hook?.spanId}-01`);
    const [work] = works;
    expect(work).toMatchObject({
      traceId: hook?.traceId,
      parentSpanId: hook?.spanId,
      attributes: { 'ponte.topic': 'orders/paid', 'ponte.state': 'done' },
    });
    const effects = effectsOf(work);
    expect(
      effects.map(({ attributes }) => [attributes['ponte.operation'], attributes['ponte.state']]),
    ).toEqual([
      ['customer.ensure', 'applied'],
      ['credit-schedule.create', 'applied'],
      ['receipt.allocate', 'applied'],
    ]);
    for (const { traceId } of effects) expect(traceId).toBe(hook?.traceId);
    expect(collector.spans.some(({ name }) => name.includes('/health'))).toBe(false);
  });

  it('go back from a replay to the webhook', () => {
    const [replay] = collector.named('POST /admin/organizations/:org/deliveries/:id/replay');
    expect(replay?.traceId).not.toBe(hook?.traceId);
    expect(replay?.links).toMatchObject([{ traceId: hook?.traceId, spanId: hook?.spanId }]);
    expect(works.map(({ parentSpanId }) => parentSpanId)).toEqual([hook?.spanId, replay?.spanId]);
    expect(effectsOf(works[1]).map(({ attributes }) => attributes['ponte.state'])).toEqual(
      Array(3).fill('existing'),
    );
    expect(collector.named('apply effect')).toHaveLength(6);
  });

  it('say nothing of persons and show no secret', () => {
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

  it('are not begun by whoever sends a webhook', () => {
    expect(collector.named(HOOK)).toHaveLength(2);
    expect(refused).toMatchObject({ attributes: { 'http.response.status_code': 401 } });
    expect(collector.text).not.toContain(theirs);
  });
});

describe('traces that nobody takes', () => {
  it('do not delay anything', async () => {
    const collector = await Collector.start();
    const nobody = collector.url;
    await collector.stop();
    const tracing = Tracing.prototype as unknown as { sendLimitMs: number };
    jest.spyOn(tracing, 'sendLimitMs', 'get').mockReturnValue(100);
    const service = await TestService.start(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: nobody });
    try {
      expect((await workOnOneOrder(service)).traceparent).toMatch(/^00-/);
    } finally {
      await service.stop();
    }
  });
});

describe('traces of calls to a remote finance service', () => {
  it('lie within their effect', async () => {
    const collector = await Collector.start();
    const books: TestingApp = await FinanceClient.serve();
    const client = await FinanceClient.of(books);
    const folder = new ConfigFolder({
      category: { 'online-sales': await client.idByCode('category', '1.1.01') },
      gatewayAccount: { default: await client.idByCode('account', 'main') },
    });
    try {
      await traceRemotely(collector, folder, client, `${await books.app.getUrl()}/v1`);
    } finally {
      folder.remove();
      await books.close();
      await collector.stop();
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

  async function traceRemotely(
    collector: Collector,
    folder: ConfigFolder,
    client: FinanceClient,
    url: string,
  ): Promise<void> {
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
      await service.hook(PAID);
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
    try {
      expect((await workOnOneOrder(service)).traceparent).toBeNull();
    } finally {
      await service.stop();
    }
  });
});
