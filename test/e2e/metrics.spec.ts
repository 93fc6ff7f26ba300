import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { ConfigFolder } from '../support/config-folder';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

const ORDER: DemoOrder = {
  id: 9_200_000_000_001,
  number: 1,
  total: '100.00',
  name: 'Lia Campos',
  document: cpfNumber(92_000),
  email: 'lia@example.com',
  instalments: 2,
};

/** Samples by name and labels, as a scrape has them. */
async function scrape(service: TestService): Promise<Map<string, number>> {
  const { text } = await service.http.get('/metrics').expect(200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Names of Ponte's metrics that a text speaks of. */
function namesIn(text: string): string[] {
  return [...new Set(text.match(/ponte_\w+/g) ?? [])].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
}

function monitoring(file: string): string {
  return readFileSync(join(__dirname, '../../monitoring', file), 'utf8');
}

describe('metrics', () => {
  let service: TestService;

  /** The first test counts from nothing; the others do not depend on what was there before. */
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  function hook(order: DemoOrder, id: string, secret?: string) {
    const body = shopifyOrder(order, true);
    return service.hook({ source: 'shopify', topic: 'orders/paid', body, id, ...(secret && { secret }) });
  }

  it('say what arrived, what came of it and what waits for a person', async () => {
    await hook(ORDER, 'one');
    await hook(ORDER, 'one');
    await hook(ORDER, 'two', 'a wrong secret');
    await hook({ ...ORDER, id: ORDER.id + 1, document: '111.111.111-11' }, 'three');
    await service.settle();
    const samples = await scrape(service);
    const expected: [string, number][] = [
      ['ponte_webhooks_total{provider="shopify",result="stored"}', 2],
      ['ponte_webhooks_total{provider="shopify",result="duplicate"}', 1],
      ['ponte_webhooks_total{provider="shopify",result="signature-invalid"}', 1],
      ['ponte_deliveries_ended_total{state="done"}', 1],
      ['ponte_deliveries_ended_total{state="dead"}', 1],
      ['ponte_delivery_duration_seconds_count{state="done"}', 1],
      ['ponte_effects_total{operation="customer.ensure",state="applied"}', 1],
      ['ponte_effects_total{operation="credit-schedule.create",state="applied"}', 1],
      ['ponte_effects_total{operation="receipt.allocate",state="applied"}', 1],
      ['ponte_deliveries{state="dead"}', 1],
      ['ponte_deliveries{state="waiting"}', 0],
      ['ponte_attention_open', 0],
      ['ponte_worker_lag_seconds', 0],
      ['ponte_oldest_waiting_seconds', 0],
      ['ponte_feed_lag_seconds', 0],
    ];
    for (const [name, value] of expected) expect([name, samples.get(name)]).toEqual([name, value]);
  });

  it('say how old the oldest is that waits, put off or not', async () => {
    const hour = 3_600_000;
    const now = Date.now();
    await hook(ORDER, 'one');
    await service.settle();
    const { prisma } = service.database;
    const { sourceId, organizationId } = await prisma.delivery.findFirstOrThrow();
    const waiting = { sourceId, organizationId, topic: 't', attributes: {} };
    await prisma.delivery.create({
      data: {
        ...waiting,
        id: '01900000-0000-7000-8000-000000000001',
        dedupeKey: 'put off',
        lane: 'put off',
        receivedAt: new Date(now - 5 * hour),
        readyAt: new Date(now + hour),
      },
    });
    const samples = await scrape(service);
    expect(Math.floor((samples.get('ponte_oldest_waiting_seconds') ?? 0) / 3600)).toBe(5);
    expect(samples.get('ponte_worker_lag_seconds')).toBe(0);
    expect(samples.get('ponte_deliveries{state="waiting"}')).toBe(1);
  });

  it('say how far behind the slowest connector is, also one that has read nothing', async () => {
    await hook(ORDER, 'one');
    await service.settle();
    const made = await service.operate('post', 'keys', { name: 'erp', scopes: ['feed:read'] });
    const authorization = `Bearer ${(made.body as { key: string }).key}`;
    const { body } = await service.http.get('/feed?limit=1').set('authorization', authorization).expect(200);
    await service.http
      .put('/feed/cursors/erp')
      .set('authorization', authorization)
      .send({ cursor: (body as { cursor: string }).cursor })
      .expect(200);
    await service.database.prisma.feedBatch.updateMany({ data: { at: new Date(Date.now() - 7_200_000) } });
    const lag = (await scrape(service)).get('ponte_feed_lag_seconds') ?? 0;
    const rest = await service.http.get('/feed?limit=500').set('authorization', authorization);
    await service.http
      .put('/feed/cursors/erp')
      .set('authorization', authorization)
      .send({ cursor: (rest.body as { cursor: string }).cursor })
      .expect(200);
    expect([Math.floor(lag / 3600), (await scrape(service)).get('ponte_feed_lag_seconds')]).toEqual([2, 0]);
  });
});

describe('the dashboard and the alerts', () => {
  it('ask for metrics that a service gives, and leave none of those out', async () => {
    const folder = new ConfigFolder({});
    const service = await TestService.start(undefined, {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    const { text } = await service.http.get('/metrics').expect(200);
    await service.stop();
    folder.remove();
    const given = [...text.matchAll(/^# TYPE (ponte_\w+)/gm)].map(([, name]) => name);
    const dashboard = namesIn(monitoring('dashboard.json'));
    expect(dashboard.filter((name) => !given.includes(name))).toEqual([]);
    expect(given.filter((name) => !dashboard.includes(name ?? ''))).toEqual([]);
    const page = readFileSync(join(__dirname, '../../docs/observability.md'), 'utf8');
    expect(given.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
    expect(namesIn(monitoring('alerts.yaml')).filter((name) => !given.includes(name))).toEqual([]);
  });

  it('have a test for every alert', () => {
    const names = [...monitoring('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name ?? '');
    const tested = monitoring('alerts.test.yaml');
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      expect(tested).toContain(`alertname: ${name} }`);
      expect(tested).toContain(`alertname="${name}"`);
    }
  });
});
