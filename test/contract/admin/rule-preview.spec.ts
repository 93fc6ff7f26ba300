import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import type { PlannedEffect } from '../../../src/finance/api/effects/effect';
import { settledEffect } from '../../../src/finance/api/effects/settled-effect';
import { createLogger, PinoLoggerService } from '../../../src/ops/logging';
import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient, send } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

const ORDER_PAID = readFileSync(join(__dirname, '../../../config/profiles/cash/order-paid.yaml'), 'utf8');
const BY_METHOD = ORDER_PAID.replace('tables.category["online-sales"]', 'tables.kind[order.payment.method]');

const [EVENT] = JSON.parse(
  readFileSync(join(__dirname, '../../fixtures/standard-webhooks/expected/order-paid.json'), 'utf8'),
) as [{ order: Record<string, unknown> }];

interface Preview {
  rule: string;
  version: number | null;
  reason: string | null;
  events: {
    matched: boolean;
    refused: { step: string | null; reason: string } | null;
    plan: { steps: { id: string; effects: { operation: string; input: object }[] }[] } | null;
  }[];
}

const lines: string[] = [];
let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  const logger = createLogger(
    { logFormat: 'json', logLevel: 'trace' },
    { write: (line) => void lines.push(line) },
  );
  service = await TestService.start(undefined, {}, new PinoLoggerService(logger));
});
afterAll(() => service.stop());

/** Whatever a preview could change. */
async function everything(): Promise<unknown[]> {
  const { prisma } = service.database;
  return [
    await prisma.run.count(),
    await prisma.effect.count(),
    await prisma.stakeholder.count(),
    await prisma.schedule.count(),
    await prisma.attention.count(),
    await prisma.feedChange.count({ where: { type: { not: 'balance.changed' } } }),
    await prisma.auditEntry.count(),
    await prisma.ruleVersion.count(),
    await prisma.delivery.findMany({ orderBy: { seq: 'asc' } }),
  ];
}

describe('the preview of a rule on an event', () => {
  beforeEach(async () => {
    client = await OperatorsClient.of(service);
    await client.send('put', '/tables/category', {
      entries: { 'online-sales': '1.1.01', 'cancelled-sales': '2.1.06' },
    });
    await client.send('put', '/tables/gatewayAccount', { entries: { default: 'main' } });
    await client.send('put', '/tables/sales', { entries: { 'write-off-account': 'Baixas' } });
  });

  const preview = (body: object, rule = 'order-paid'): Promise<Response> =>
    client.send('post', `/rules/${rule}/preview`, body);

  it('shows every step with its effects, for a document that is not put', async () => {
    const before = await everything();
    const reply = await preview({ event: EVENT, document: ORDER_PAID });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ rule: 'order-paid', version: null, reason: null });
    const { events } = reply.body as Preview;
    expect(events).toEqual([
      {
        index: 0,
        type: 'order.paid',
        businessKey: 'loja/order/2026-00871',
        matched: true,
        refused: null,
        plan: { currency: 'BRL', steps: expect.anything() as unknown },
      },
    ]);
    const [customer, schedule, receipt] = events[0]?.plan?.steps ?? [];
    expect(customer).toEqual({
      id: 'customer',
      action: 'customer.ensure',
      effects: [
        {
          key: expect.stringMatching(/^customer\/document\/[0-9a-f]{32}$/) as unknown,
          operation: 'customer.ensure',
          input: expect.objectContaining({ name: 'Helena Moura Prado', document: '41720395888' }) as unknown,
        },
      ],
    });
    expect(schedule?.effects).toEqual([
      {
        key: 'credit-schedule/loja/order/2026-00871',
        operation: 'credit-schedule.create',
        amount: '1000.00',
        input: {
          customer: { $ref: 'customer.id' },
          value: '1000.00',
          dueDate: '2026-07-15',
          description: 'loja order 871',
          reference: 'loja/order/2026-00871',
          category: '1.1.01',
          instalments: [
            { value: '333.34', dueDate: '2026-07-15' },
            { value: '333.33', dueDate: '2026-08-15' },
            { value: '333.33', dueDate: '2026-09-15' },
          ],
          settled: true,
          writeOff: 'write-off/loja/order/2026-00871/cancelled',
        },
      },
    ]);
    expect(receipt?.effects[0]).toMatchObject({ operation: 'receipt.allocate', amount: '1000.00' });
    expect(await everything()).toEqual(before);
  });

  it('warns of keys that a rule in force uses for the same actions', async () => {
    expect((await preview({ event: EVENT, document: ORDER_PAID })).body).toMatchObject({ warnings: [] });
    await service.http
      .put(`/admin/organizations/${client.slug}/rules/order-paid`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(ORDER_PAID)
      .expect(200);
    const second = ORDER_PAID.replace('rule: order-paid', 'rule: second');
    expect((await preview({ event: EVENT, document: second }, 'second')).body).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringMatching(/^step schedule: rule order-paid uses the key \$\{order\.key\} /),
        expect.stringMatching(/^step receipt: rule order-paid uses the key \$\{order\.payment\.key\} /),
      ]) as unknown,
    });
  });

  it('needs no rule of that name for a document, and else the one in force, enabled or not', async () => {
    expect(refusalOf(await preview({ event: EVENT }))).toBe('404 not-found');
    await service.http
      .put(`/admin/organizations/${client.slug}/rules/order-paid`)
      .set('authorization', 'Bearer operators-key-for-tests-only')
      .set('content-type', 'text/yaml')
      .send(ORDER_PAID)
      .expect(200);
    await client.send('post', '/rules/order-paid/disable');
    const reply = await preview({ event: EVENT });
    expect(reply.body).toMatchObject({ version: 1, events: [{ matched: true }] });
  });

  it('tells an event that the rule does not act on', async () => {
    const test = { ...EVENT, order: { ...EVENT.order, test: true } };
    const created = { ...EVENT, type: 'order.created' };
    for (const event of [test, created])
      expect((await preview({ event, document: ORDER_PAID })).body).toMatchObject({
        events: [{ matched: false, refused: null, plan: null }],
      });
  });

  it('lets a rule read the payload that stands in the event', async () => {
    const document = ORDER_PAID.replace('${order.source} order', '${raw.note} ${raw.fee} order');
    const event = { ...EVENT, raw: { note: 'gift', fee: 1 } };
    const text = JSON.stringify({ event, document }).replace('"fee":1', '"fee":12345678901234567890.10');
    const reply = await service.http
      .post(`/admin/organizations/${client.slug}/rules/order-paid/preview`)
      .set('authorization', 'Bearer operators-key-for-tests-only')
      .set('content-type', 'application/json')
      .send(text);
    const [, schedule] = (reply.body as Preview).events[0]?.plan?.steps ?? [];
    expect(schedule?.effects[0]?.input).toMatchObject({
      description: 'gift 12345678901234567890.10 order 871',
    });
  });

  it.each<[string, object, string]>([
    ['nothing', {}, '422 validation-failed '],
    ['both', { event: EVENT, deliveryId: '0197a5b0-0000-7000-8000-000000000000' }, '422 validation-failed '],
    ['no event', { event: null }, '422 validation-failed /event'],
    ['a bad identifier', { deliveryId: 'x' }, '422 validation-failed /deliveryId'],
    ['a list as document', { event: EVENT, document: [] }, '422 validation-failed /document'],
    [
      'an event that is none',
      { event: { type: 'x' }, document: ORDER_PAID },
      '422 validation-failed /event/type',
    ],
    [
      'an event with wrong fields',
      { event: { ...EVENT, key: undefined, order: { ...EVENT.order, total: '1' } }, document: ORDER_PAID },
      '422 validation-failed /event/key /event/order/total',
    ],
    [
      'a document with another name',
      { event: EVENT, document: ORDER_PAID.replace('rule: order-paid', 'rule: other') },
      '422 validation-failed /document',
    ],
    [
      'an unknown delivery',
      { deliveryId: '0197a5b0-0000-7000-8000-000000000000', document: ORDER_PAID },
      '404 not-found',
    ],
  ])('refuses %s', async (_what, body, refusal) => {
    expect(refusalOf(await preview(body))).toBe(refusal);
  });

  it('says where a document is wrong', async () => {
    const reply = await preview({ event: EVENT, document: 'rule: order-paid\nwhen: {}\nthen: []' });
    expect((reply.body as { errors: unknown[] }).errors).toEqual([
      expect.objectContaining({ line: 2, column: 7, detail: '"when" needs a member "event"' }),
      expect.objectContaining({ line: 3, column: 7, detail: '"then" has no steps' }),
    ]);
  });
});

describe('from a refused order to its run', () => {
  const ORDER = {
    id: 7_700_000_000_001,
    number: 7701,
    total: '90.00',
    name: 'Zuleica Quintana',
    document: cpfNumber(77_001),
    email: 'zuleica@example.com',
    instalments: 2,
  };
  const main = (method: 'post' | 'get', path: string, body?: object) =>
    send(service, method, `/main${path}`, body);
  const preview = async (deliveryId: string, document?: string): Promise<Preview> => {
    const reply = await main('post', '/rules/order-paid/preview', { deliveryId, document });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.body as Preview;
  };

  it('a preview shows the refusal, then the plan, and the run does just that', async () => {
    await service.operate('put', 'tables/kind', { entries: { card: '1.1.01' } });
    const put = await service.http
      .put('/admin/organizations/main/rules/order-paid')
      .set('authorization', 'Bearer operators-key-for-tests-only')
      .set('content-type', 'text/yaml')
      .send(BY_METHOD);
    expect(put.body).toEqual({ name: 'order-paid', version: 2, warnings: [] });
    const body = shopifyOrder(ORDER, true);
    const hook = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
    const { delivery } = hook.body as { delivery: string };
    await service.settle();
    const letter = (await main('get', `/deliveries/${delivery}`)).body as { state: string; reason: string };
    const reason = expect.stringMatching(/^input "category": table kind has no entry for "[^"]*" and no/);

    const before = await everything();
    const refused = await preview(delivery);
    expect(refused).toMatchObject({
      version: 2,
      events: [{ matched: true, refused: { step: 'schedule', reason }, plan: null }],
    });
    expect(letter).toMatchObject({
      state: 'dead',
      reason: `rule order-paid, step schedule: ${refused.events[0]?.refused?.reason}`,
    });
    // A mended document can be tried before it is put.
    const tried = await preview(delivery, ORDER_PAID);
    expect(tried).toMatchObject({ version: null, events: [{ refused: null }] });
    expect(await everything()).toEqual(before);

    const method = /for "([^"]*)"/.exec(refused.events[0]?.refused?.reason ?? '')?.[1] ?? '';
    await service.operate('put', 'tables/kind', { entries: { card: '1.1.01', [method]: '1.1.01' } });
    const shown = await preview(delivery);
    expect(
      shown.events[0]?.plan?.steps.map(({ effects }) => effects.map(({ operation }) => operation)),
    ).toEqual([['customer.ensure'], ['credit-schedule.create'], ['receipt.allocate']]);
    await main('post', `/dead-letters/${delivery}/retry`, { reason: 'the table is mended' });
    await service.settle();
    const { prisma } = service.database;
    const run = await prisma.run.findFirstOrThrow({ where: { deliveryId: delivery } });
    expect(run).toMatchObject({ state: 'done', ruleVersion: 2 });
    const settled = shown.events[0]?.plan?.steps.map((step) => ({
      ...step,
      effects: (step.effects as unknown as PlannedEffect[]).map(settledEffect),
    }));
    expect((run.plan as unknown as { steps: object }).steps).toEqual(settled);
    const effects = await prisma.effect.findMany({ where: { runId: run.id } });
    const keys = shown.events[0]?.plan?.steps.flatMap((step) => step.effects as unknown as { key: string }[]);
    expect(effects.map(({ key }) => key).sort()).toEqual(keys?.map(({ key }) => key).sort());
    // Afterwards the preview is what it was: it does not ask what is done already.
    expect(await preview(delivery)).toEqual(shown);
  });

  it('warns where a rule before it applies to the delivery and stops', async () => {
    const { id } = await service.database.prisma.delivery.findFirstOrThrow();
    const first = (condition: string) => `rule: before
priority: 10
stop: true
when: { event: order.paid, all: ['${condition}'] }
then: [{ id: customer, do: customer.ensure, with: { name: x } }]
`;
    const put = async (condition: string) =>
      service.http
        .put('/admin/organizations/main/rules/before')
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .type('application/yaml')
        .send(first(condition))
        .expect(200);
    await put('order.test');
    expect(await preview(id)).toMatchObject({ events: [{ matched: true }], warnings: [] });
    await put('!order.test');
    expect(await preview(id)).toMatchObject({
      events: [{ matched: true }],
      warnings: [
        'rule before is tried before this one, applies to this delivery and stops: this one is not tried',
      ],
    });
    await main('post', '/rules/before/disable', { reason: 'end of the test' });
  });

  it('leaves a delivery to its organization', async () => {
    const other = await OperatorsClient.of(service);
    await other.send('put', '/tables/category', {
      entries: { 'online-sales': '1.1.01', 'cancelled-sales': '2.1.06' },
    });
    await other.send('put', '/tables/gatewayAccount', { entries: { default: 'main' } });
    await other.send('put', '/tables/sales', { entries: { 'write-off-account': 'Baixas' } });
    const { id } = await service.database.prisma.delivery.findFirstOrThrow();
    const body = { deliveryId: id, document: ORDER_PAID };
    expect(refusalOf(await other.send('post', '/rules/order-paid/preview', body))).toBe('404 not-found');
  });

  it('says why a delivery comes to no events', async () => {
    const sent = async (topic: string, body: Buffer | string) =>
      ((await service.hook({ source: 'shopify', topic, body })).body as { delivery: string }).delivery;
    const unknown = await sent('products/update', shopifyOrder(ORDER, true));
    expect(await preview(unknown)).toMatchObject({
      events: [],
      reason: expect.stringContaining('topic') as unknown,
    });
    const broken = await sent('orders/paid', '{');
    expect(await preview(broken)).toMatchObject({
      events: [],
      reason: expect.stringMatching(/^the payload cannot be read: /) as unknown,
    });
  });

  it('leaves nothing of anybody in the log and in the audit log', async () => {
    const audit = JSON.stringify(await service.database.prisma.auditEntry.findMany());
    const log = lines.join('');
    expect(log.length + audit.length).toBeGreaterThan(100);
    for (const secret of ['Zuleica', 'Quintana', ORDER.document, 'zuleica@', 'Helena', '41720395888'])
      expect([secret, log.includes(secret), audit.includes(secret)]).toEqual([secret, false, false]);
  });
});
