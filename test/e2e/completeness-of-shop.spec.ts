import type { IncomingMessage } from 'node:http';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { CompletenessRepairView, CompletenessView } from '../../src/admin/completeness/completeness.dto';
import { CompletenessCheck } from '../../src/admin/completeness/completeness-check';
import { ComparisonWorker } from '../../src/deliveries/comparison/comparison-worker';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { findProvider } from '../../src/sources/registry';
import { ponte } from '../support/command-line';
import { cpfNumber } from '../support/documents';
import { feedChangesOf } from '../support/feed-changes';
import { send } from '../support/operators-client';
import { OrderHarness } from '../support/order-harness';
import { type Behaviour, ProviderApiServer } from '../support/provider-api-server';
import { OPERATORS_KEY, TestService } from '../support/service';
import { readFixture } from '../support/source-cases';

const SECRET = 'secret of the shop';
const PAID = readFixture('woocommerce', 'order-processing.json').toString('utf8');
const { id: PAID_ID, number: PAID_NUMBER } = JSON.parse(PAID) as { id: number; number: string };
const HOUR_MS = 3_600_000;

/** A paid order of the evening of 31 July in São Paulo, which is August in UTC. It last changed an hour ago. */
function order(id: number): string {
  const changed = new Date(Date.now() - HOUR_MS).toISOString().slice(0, 19);
  return PAID.replaceAll(String(PAID_ID), String(id))
    .replaceAll(`"number": "${PAID_NUMBER}"`, `"number": "${id}"`)
    .replace(/"date_modified_gmt": "[^"]*"/, `"date_modified_gmt": "${changed}"`);
}

function lists(orders: readonly string[]): Behaviour {
  return ({ url = '' }: IncomingMessage, response) => {
    const query = new URL(url, 'http://shop').searchParams;
    const [size, page] = [Number(query.get('per_page')), Number(query.get('page'))];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`[${orders.slice(size * (page - 1), size * page).join(',\n')}]`);
  };
}

describe('a source whose shop lists its orders', () => {
  const PERIOD = { from: '2026-07-01', to: '2026-07-31', source: 'loja' };
  const ORDERS = Array.from({ length: 10 }, (_, index) => 70_001 + index);
  const NEVER_CAME = ORDERS.slice(7);
  let service: TestService;
  let shop: ProviderApiServer;

  beforeAll(async () => {
    const environment = { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8', COMPARE_EVERY: '3600' };
    service = await TestService.start(undefined, environment);
    // The test says when sources are compared with their shops.
    service.part(SchedulerRegistry).deleteInterval('comparison');
    shop = await ProviderApiServer.start(lists(ORDERS.map(order)));
    expect(
      (await send(service, 'post', '', { slug: 'bakery', name: 'Bakery', chart: 'brazil' })).status,
    ).toBe(201);
    const settings = { apiUrl: shop.url };
    const source = { slug: 'loja', provider: 'woocommerce', secrets: [SECRET], settings };
    expect((await send(service, 'post', '/bakery/sources', source)).status).toBe(201);
    const credentials = { consumerKey: 'ck_of_the_tests', consumerSecret: 'cs_of_the_tests' };
    await send(service, 'put', '/bakery/sources/loja/credentials', { credentials });
  });
  afterAll(async () => {
    await service.stop();
    await shop.stop();
  });

  async function hook(id: number): Promise<void> {
    const body = Buffer.from(order(id));
    const message = { secret: SECRET, body, topic: 'order.updated', id: `d${id}`, sentAt: new Date() };
    const reply = await service.http
      .post('/hooks/bakery/loja')
      .set(findProvider('woocommerce')?.sign(message) ?? {})
      .serialize((text) => text as unknown as string)
      .send(body);
    expect(reply.status).toBe(200);
  }

  async function ask(): Promise<CompletenessView> {
    const asked = new URLSearchParams(PERIOD).toString();
    const reply = await send(service, 'get', `/bakery/completeness?${asked}`);
    expect(reply.status).toBe(200);
    return reply.body as CompletenessView;
  }

  async function repair(fields: object = {}): Promise<CompletenessRepairView> {
    const reply = await send(service, 'post', '/bakery/completeness/repair', { ...PERIOD, ...fields });
    expect(reply.status).toBe(200);
    return reply.body as CompletenessRepairView;
  }

  it('says that its list was not asked, and a repair has it asked from the first day on', async () => {
    for (const id of ORDERS.slice(0, 7)) await hook(id);
    await service.settle();
    const before = await ask();
    expect(before).toMatchObject({
      ...{ entities: { orders: 7 }, differences: 0, missedByWebhooks: [] },
      list: { isWhole: false, obstacle: expect.stringContaining('first day'), repair: { method: 'POST' } },
    });
    const { plan, compareFrom } = await repair();
    expect(compareFrom).toBe('2026-07-01T03:00:00.000Z');
    expect(await repair({ dryRun: false, plan })).toMatchObject({ queued: 0, repair: null });

    await service.part(ComparisonWorker).run();
    await service.settle();
    const after = await ask();
    expect(after).toMatchObject({
      ...{ entities: { orders: 10 }, differences: 0 },
      list: { isWhole: true, obstacle: null, repair: null },
      arrivals: [
        { origin: 'webhook', count: 7 },
        { origin: 'import', count: 0 },
        { origin: 'comparison', count: 3 },
      ],
    });
    expect(after.missedByWebhooks).toEqual(
      NEVER_CAME.map((id) => ({ businessKey: `loja/order/${id}`, day: '2026-07-31' })),
    );
    const [schedules] = after.totals;
    expect(schedules).toMatchObject({ shop: { count: 10 }, inBooks: { count: 10 }, difference: '0.00' });
    expect(await repair()).toMatchObject({ compareFrom: null, deliveries: 0 });
  });
});

describe('the daily comparison with the books', () => {
  let service: TestService;
  let yesterday: CalendarDate;

  beforeAll(async () => {
    service = await TestService.start();
    yesterday = CalendarDate.fromInstant(new Date(), 'America/Sao_Paulo').addDays(-1);
    for (const [id, document] of [
      ['good', cpfNumber(90_001)],
      ['bad', '111.222.333-44'],
    ] as const) {
      const at = `${yesterday.toString()}T12:00:00-03:00`;
      const customer = { id, name: 'Lia Campos', document };
      const payment = { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: at };
      const data = { id, total: '100.00', createdAt: at, customer, payment };
      const body = JSON.stringify({ type: 'order.paid', timestamp: at, data });
      expect((await service.hook({ source: 'standard', topic: 'order.paid', body, id })).status).toBe(200);
    }
    await service.settle();
  });
  afterAll(() => service.stop());

  it('is made once of each source, whoever begins it, and is in the status, the feed and the metrics', async () => {
    const check = service.part(CompletenessCheck);
    const checked = await Promise.all([check.check(), check.check()]);
    expect(checked.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await check.check()).toBe(0);

    const { status } = (await service.admin('sources/standard')) as { status: object };
    expect(status).toMatchObject({
      completeness: {
        ...{ compared: 2, differences: 1, repairable: 1, failure: null, checkedAt: expect.any(String) },
        ...{ from: `${yesterday.toString().slice(0, 7)}-01`, to: yesterday.toString() },
      },
    });
    const { id: organizationId } = await service.database.prisma.organization.findFirstOrThrow({
      where: { slug: 'main' },
    });
    const changes = await feedChangesOf(service.database, organizationId);
    const { id: sourceId } = (await service.admin('sources/standard')) as { id: string };
    expect(changes.filter(({ type }) => type === 'completeness.checked')).toMatchObject([
      {
        subject: `source/${sourceId}`,
        data: { source: 'standard', orders: 2, differences: 1, codes: [{ code: 'dead-letter', count: 1 }] },
      },
    ]);
    const metrics = await service.http.get('/metrics');
    expect(metrics.text).toContain('ponte_completeness_differences{source="main/standard"} 1');
    expect(metrics.text).toContain('ponte_completeness_checks_total{outcome="differing"} 1');
    expect(metrics.text).toContain('ponte_completeness_checks_total{outcome="complete"} 2');
  });

  it('is due again when the next day is over', async () => {
    const rows = await service.database.prisma.completenessCheck.findMany();
    const tomorrow = yesterday.addDays(2).toString();
    expect(rows.map(({ dueAt }) => dueAt.toISOString())).toEqual(rows.map(() => `${tomorrow}T06:00:00.000Z`));
  });

  it('is printed by the command line, and repaired from there once it is agreed to', async () => {
    const day = yesterday.toString();
    const env = { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const period = ['completeness', '--source', 'standard', '--from', day, '--to', day];
    const shown = await ponte(period, { env });
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toContain('2 orders, 0 payouts, 0 chargebacks and 0 bills');
    expect(shown.stdout).toMatch(/orders +2 +200\.00 +1 +100\.00 +1 +100\.00 +0 +0\.00 +100\.00/);
    expect(shown.stdout).toMatch(/standard\/order\/bad .*dead-letter .*not a valid CPF/);
    const planned = await ponte([...period, '--repair', '--dry-run', '--json'], { env });
    expect(JSON.parse(planned.stdout)).toMatchObject({ dryRun: true, deliveries: 1 });
    const repaired = await ponte([...period, '--repair', '--yes', '--json'], { env });
    expect(JSON.parse(repaired.stdout)).toMatchObject({ dryRun: false, queued: 1 });
  });

  /** Facts of an order as if a message had told them. */
  async function told(
    source: string,
    key: string,
    madeAt: Date,
    total: bigint,
    payments = {},
  ): Promise<void> {
    const { id: sourceId, organizationId } = await service.database.prisma.source.findFirstOrThrow({
      where: { slug: source },
    });
    await service.database.prisma.moneyFacts.create({
      data: {
        ...{ sourceId, organizationId, key, kind: 'order', currency: 'BRL', madeAt, asOf: madeAt, payments },
        ...{ totalMinor: total, refunds: {}, fees: {}, instalments: 1, test: false, cancelled: false },
      },
    });
  }

  it('shows sums that are larger than any one amount', async () => {
    const largest = 99_999_999_999_999n;
    for (const id of [1, 2])
      await told('standard', `standard/order/${id}`, new Date('2020-03-05T12:00:00Z'), largest, {
        p: `${largest}`,
      });
    const report = await service.admin('completeness?source=standard&from=2020-03-01&to=2020-03-31');
    const twice = '1999999999999.98';
    expect((report as CompletenessView).totals.slice(0, 2)).toMatchObject([
      { aspect: 'schedule', shop: { count: 2, value: twice }, difference: twice },
      { aspect: 'receipt', shop: { count: 2, value: twice }, difference: twice },
    ]);
    expect(report).toMatchObject({
      apart: [{ why: 'not-booked', count: 4, value: '3999999999999.96' }],
    });
  });

  it('goes on with the others where one source cannot be compared, and says so of that one', async () => {
    const { prisma } = service.database;
    const noon = new Date(`${yesterday.toString()}T12:00:00-03:00`);
    await told('shopify', 'shopify/order/1', noon, 1n, { p: 'no amount' });
    await prisma.completenessCheck.updateMany({ data: { dueAt: new Date(0), checkedAt: null } });
    expect(await service.part(CompletenessCheck).check()).toBe(3);
    const { status } = (await service.admin('sources/shopify')) as { status: object };
    expect(status).toMatchObject({
      completeness: { checkedAt: null, failure: expect.stringContaining('log') },
    });
    const others = await prisma.completenessCheck.count({
      where: { failure: null, checkedAt: { not: null } },
    });
    expect(others).toBe(2);
  });
});

it('before a finance service, what Ponte booked there is found, and what it could not', async () => {
  const harness = await OrderHarness.remote({ uniqueDocuments: true });
  try {
    for (const [id, document] of [
      ['good', cpfNumber(91_001)],
      ['bad', '111.222.333-44'],
    ] as const) {
      const customer = { id, name: 'Lia Campos', document };
      const payment = {
        id: 'p1',
        gateway: 'pagarme',
        method: 'pix',
        fee: '1.00',
        value: '100.00',
        paidAt: '2026-10-05T12:00:00-03:00',
      };
      const data = {
        id,
        total: '100.00',
        createdAt: '2026-10-05T12:00:00-03:00',
        customer,
        payments: [payment],
      };
      await harness.standard('order.paid', data, id);
    }
    const report = (await harness.service.admin(
      'completeness?source=standard&from=2026-10-01&to=2026-10-31',
    )) as CompletenessView;
    expect(report).toMatchObject({
      ...{ books: 'observed', entities: { orders: 2, differing: 1 }, differences: 1 },
      items: [
        { businessKey: 'standard/order/bad', differences: [{ code: 'dead-letter', expected: '100.00' }] },
      ],
    });
    expect(report.totals.slice(0, 2)).toMatchObject([
      { shop: { count: 2, value: '200.00' }, booked: { count: 1, value: '100.00' } },
      { shop: { count: 2, value: '200.00' }, booked: { count: 1, value: '100.00' } },
    ]);
  } finally {
    await harness.stop();
  }
});
