import { randomBytes } from 'node:crypto';
import { type DemoOrder, shopifyOrder } from '../../../scripts/demo/shop-orders';
import { BodyMonth } from '../../../src/deliveries/body-month';
import { BodyMonths } from '../../../src/deliveries/body-months.repository';
import { BodyRetention } from '../../../src/deliveries/body-retention';
import { Catalog } from '../../../src/deliveries/catalog';
import { DeliveryBodies } from '../../../src/deliveries/delivery-bodies.repository';
import { PrometheusMetrics } from '../../../src/ops/prometheus-metrics';
import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient, send } from '../../support/operators-client';
import { TestService } from '../../support/service';
import { SettableClock } from '../../support/settable-clock';
import { untilServed } from '../../support/until-served';

interface Delivery {
  id: string;
  source: string;
  topic: string;
  state: string;
  reason: string | null;
  businessKey: string | null;
}

interface Detail extends Delivery {
  body: {
    contentType: string | null;
    redacted: boolean;
    text: string | null;
    base64: string | null;
    purgedAt: string | null;
  };
  events: { index: number; type: string; key: string; event: unknown }[];
  note: string | null;
  runs: object[];
  effects: object[];
}

interface AuditItem {
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  reason: string | null;
}

let service: TestService;
let other: OperatorsClient;
let orders = 0;

beforeAll(async () => {
  service = await TestService.start();
  other = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

function newOrder(fields: Partial<DemoOrder> = {}): DemoOrder {
  orders += 1;
  const document = cpfNumber(91_000 + orders);
  const person = { name: 'Lia Campos', document, email: `lia${orders}@example.com` };
  return {
    id: 6_500_000_000_000 + orders,
    number: orders,
    total: '100.00',
    instalments: 2,
    ...person,
    ...fields,
  };
}

async function arrive(body: Buffer | string, topic = 'orders/paid'): Promise<string> {
  const reply = await service.hook({ source: 'shopify', topic, body, id: randomBytes(8).toString('hex') });
  expect(reply.status).toBe(200);
  await service.settle();
  return (reply.body as { delivery: string }).delivery;
}

/** An order that becomes a dead letter, because its CPF is none. */
function deadOrder(fields: Partial<DemoOrder> = {}): Promise<string> {
  return arrive(shopifyOrder(newOrder({ document: '123.456.789-00', ...fields }), true));
}

async function items<T>(path: string): Promise<T[]> {
  return ((await service.admin(path)) as { items: T[] }).items;
}

async function ids(path: string): Promise<string[]> {
  return (await items<Delivery>(path)).map(({ id }) => id);
}

function call(method: 'get' | 'post', path: string, body?: object) {
  return send(service, method, `/main${path}`, body);
}

/** What the books hold, and what was told of it. */
async function everything(): Promise<unknown> {
  const { prisma } = service.database;
  return {
    effects: await prisma.effect.findMany({ orderBy: { key: 'asc' } }),
    entries: await prisma.entry.count(),
    schedules: await prisma.schedule.findMany({ orderBy: { id: 'asc' } }),
    stakeholders: await prisma.stakeholder.count(),
    // A balance is announced by a timer, for what was done before.
    changes: await prisma.feedChange.count({ where: { type: { not: 'balance.changed' } } }),
    attention: await prisma.attention.count(),
  };
}

describe('GET …/deliveries', () => {
  it('filters by state, source, topic, business key and time, newest first', async () => {
    const order = newOrder();
    const start = new Date();
    const created = await arrive(shopifyOrder(order, false), 'orders/create');
    const paid = await arrive(shopifyOrder(order, true));
    const dead = await deadOrder();
    const from = `from=${start.toISOString()}`;
    expect(await ids(`deliveries?${from}`)).toEqual([dead, paid, created]);
    expect(await ids(`deliveries?${from}&state=dead`)).toEqual([dead]);
    expect(await ids(`deliveries?${from}&state=done&topic=orders/paid`)).toEqual([paid]);
    expect(await ids(`deliveries?${from}&topic=orders/create`)).toEqual([created]);
    expect(await ids(`deliveries?businessKey=shopify/order/${order.id}`)).toEqual([paid, created]);
    expect(await ids(`deliveries?${from}&source=shopify`)).toEqual([dead, paid, created]);
    expect(await ids(`deliveries?${from}&source=woocommerce`)).toEqual([]);
    expect(await ids(`deliveries?to=${start.toISOString()}&state=dead`)).not.toContain(dead);
    expect(await ids(`dead-letters?${from}&topic=orders/paid`)).toEqual([dead]);
    expect(await ids(`dead-letters?${from}&topic=orders/create`)).toEqual([]);
  });

  it('goes on after the last item of the page before', async () => {
    const all = await ids('deliveries');
    const first = (await service.admin('deliveries?limit=2')) as { items: Delivery[]; after: string };
    expect(first.after).toBe(all[1]);
    expect(await ids(`deliveries?limit=500&after=${first.after}`)).toEqual(all.slice(2));
  });

  it.each([
    ['deliveries?stat=dead', 'stat'],
    ['deliveries?state=alive', 'state'],
    ['deliveries?from=yesterday', 'from'],
    ['deliveries?from=2026-01-01', 'from'],
    ['deliveries?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['deliveries?topic=%00', 'topic'],
    ['deliveries?source=nowhere', 'source'],
    [`deliveries?businessKey=${'k'.repeat(501)}`, 'businessKey'],
    ['deliveries?limit=0', 'limit'],
    ['deliveries?after=01890000-0000-7000-8000-000000000001', 'after'],
    ['dead-letters?state=dead', 'state'],
    ['dead-letters?source=nowhere', 'source'],
    ['audit?acton=key.create', 'acton'],
    ['audit?actor=me', 'actor'],
    ['audit?to=now', 'to'],
  ])('refuses %s and names what is wrong', async (path, name) => {
    const reply = await call('get', `/${path}`);
    expect(refusalOf(reply)).toBe('400 malformed-request');
    expect((reply.body as { detail: string }).detail).toMatch(new RegExp(`^${name}\\b`));
  });

  it('shows nothing of another organization', async () => {
    expect(await other.items('/deliveries')).toEqual([]);
    const [id] = await ids('deliveries?state=dead');
    for (const [method, path] of [
      ['get', `/deliveries/${id}`],
      ['get', `/deliveries/${id}?body=raw`],
      ['post', `/deliveries/${id}/replay`],
      ['post', `/dead-letters/${id}/retry`],
    ] as const)
      expect(refusalOf(await other.send(method, path, method === 'post' ? {} : undefined))).toBe(
        '404 not-found',
      );
    expect(await other.items('/audit?action=delivery.reveal')).toEqual([]);
  });
});

describe('GET …/deliveries/{id}', () => {
  let order: DemoOrder;
  let id: string;

  beforeAll(async () => {
    order = newOrder();
    id = await arrive(shopifyOrder(order, true));
  });

  it('shows what it says, less what is about a person, and what came of it', async () => {
    const reply = await call('get', `/deliveries/${id}`);
    const detail = reply.body as Detail;
    expect(reply.text).not.toMatch(/Lia|@example\.com/);
    expect(reply.text).not.toContain(order.document);
    expect(JSON.parse(detail.body.text!)).toMatchObject({
      id: order.id,
      total_price: '100.00',
      email: '[hidden]',
    });
    expect(detail).toMatchObject({
      ...{
        state: 'done',
        note: null,
        body: { contentType: 'application/json', redacted: true, base64: null },
      },
      events: [{ index: 0, type: 'order.paid', key: `shopify/order/${order.id}` }],
      runs: [{ rule: 'order-paid', state: 'done' }],
    });
    expect(detail.events[0]!.event).toMatchObject({
      order: {
        total: { value: '100.00', currency: 'BRL' },
        instalments: '2',
        customer: { name: '[hidden]', document: '[hidden]' },
      },
    });
    expect(detail.effects).toHaveLength(3);
  });

  it('shows the bytes to whoever insists, and writes down who did', async () => {
    const detail = (await call('get', `/deliveries/${id}?body=raw&reason=a%20call`)).body as Detail;
    expect(detail.body.text).toBe(shopifyOrder(order, true).toString());
    expect(detail.body).toMatchObject({ redacted: false, base64: null });
    expect(detail.events[0]!.event).toMatchObject({
      order: { customer: { name: order.name, email: order.email } },
    });
    expect(await items(`audit?action=delivery.reveal&subject=${id}`)).toMatchObject([{ reason: 'a call' }]);
    await call('get', `/deliveries/${id}?body=redacted`);
    await call('get', `/deliveries/${id}`);
    expect(await items(`audit?action=delivery.reveal&subject=${id}`)).toHaveLength(1);
  });

  it('shows nothing raw when that cannot be written down', async () => {
    const { prisma } = service.database;
    await prisma.$executeRaw`alter table audit_entry add constraint broken check (action <> 'delivery.reveal') not valid`;
    const reply = await call('get', `/deliveries/${id}?body=raw`);
    await prisma.$executeRaw`alter table audit_entry drop constraint broken`;
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('Lia');
  });

  it('shows no body that is not JSON, unless asked for it', async () => {
    const words = 'Lia Campos, Rua Sergipe 1440';
    const plain = await arrive(words);
    const nothing = { contentType: null, redacted: true, text: null, base64: null, purgedAt: null };
    const detail = (await call('get', `/deliveries/${plain}`)).body as Detail;
    expect(detail).toMatchObject({
      state: 'dead',
      body: nothing,
      events: [],
      note: expect.stringMatching(/JSON/),
    });
    expect(((await call('get', `/deliveries/${plain}?body=raw`)).body as Detail).body.text).toBe(words);
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    const binary = await arrive(bytes);
    expect(((await call('get', `/deliveries/${binary}?body=raw`)).body as Detail).body).toMatchObject({
      text: null,
      base64: bytes.toString('base64'),
    });
  });

  it('shows what Ponte itself fails to understand', async () => {
    const { prisma } = service.database;
    const body = {
      type: 'order.created',
      timestamp: '2026-07-15T14:30:02',
      data: { id: '1', total: '1.00', createdAt: '2026-07-15T14:30:02' },
    };
    const reply = await service.hook({ source: 'standard', topic: body.type, body: JSON.stringify(body) });
    await service.settle();
    // No shop has such a zone; whoever broke the row did not go through Ponte.
    await prisma.source.updateMany({
      where: { slug: 'standard' },
      data: { settings: { timeZone: 'Mars/Base' } },
    });
    await service.part(Catalog).load();
    const shown = await call('get', `/deliveries/${(reply.body as { delivery: string }).delivery}`);
    await prisma.source.updateMany({ where: { slug: 'standard' }, data: { settings: {} } });
    await service.part(Catalog).load();
    expect([shown.status, shown.body]).toMatchObject([
      200,
      { events: [], note: expect.stringMatching(/inside Ponte/), body: { contentType: 'application/json' } },
    ]);
  });

  it.each(['?body=RAW1', '?body=', '?raw=true'])('answers %s with no raw body', async (query) => {
    const reply = await call('get', `/deliveries/${id}${query}`);
    expect(reply.text).not.toContain('Lia');
    expect(reply.status).toBe(query === '?body=' ? 200 : 400);
  });
});

describe('POST …/deliveries/{id}/replay', () => {
  it('says what is done and what is missing, and changes nothing', async () => {
    const id = await arrive(shopifyOrder(newOrder(), true));
    const before = await everything();
    const reply = await call('post', `/deliveries/${id}/replay`);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        dryRun: true,
        applied: [
          expect.objectContaining({
            rule: 'order-paid',
            step: 'customer',
            operation: 'customer.ensure',
            state: 'applied',
          }),
          expect.objectContaining({ step: 'schedule', operation: 'credit-schedule.create' }),
          expect.objectContaining({ step: 'receipt', operation: 'receipt.allocate' }),
        ],
        missing: [],
        deferred: [],
        refused: [],
        queued: false,
      },
    ]);
    expect(await everything()).toEqual(before);
    expect(await items(`audit?subject=${id}`)).toEqual([]);
  });

  it('says what the rules refuse, and what cannot be read', async () => {
    const dead = (await call('post', `/deliveries/${await deadOrder()}/replay`)).body as {
      refused: object[];
    };
    expect(dead).toMatchObject({ applied: [], missing: [] });
    expect(dead.refused).toEqual([
      { rule: 'order-paid', step: 'customer', reason: expect.stringMatching(/CPF/) },
    ]);
    const unreadable = await call('post', `/deliveries/${await arrive('{"id":')}/replay`);
    expect(unreadable.body).toMatchObject({
      refused: [{ rule: null, step: null, reason: expect.stringMatching(/cannot be read/) }],
    });
  });

  it('fifty at once change nothing that was done', async () => {
    const id = await arrive(shopifyOrder(newOrder({ total: '70.00', instalments: 3 }), true));
    const before = await everything();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        untilServed(() => call('post', `/deliveries/${id}/replay`, { dryRun: false, reason: 'again' })),
      ),
    );
    expect(
      new Set(replies.map(({ status, body }) => `${status} ${(body as { queued: boolean }).queued}`)),
    ).toEqual(new Set(['200 true']));
    await service.settle();
    expect(await everything()).toEqual(before);
    expect(((await call('get', `/deliveries/${id}`)).body as Detail).state).toBe('done');
  });

  it('keeps in the audit log how the runs stood that it overwrites', async () => {
    const id = await arrive(shopifyOrder(newOrder(), true));
    await call('post', `/deliveries/${id}/replay`, { dryRun: false, reason: 'to be sure' });
    await service.settle();
    expect(await items<AuditItem>(`audit?subject=${id}`)).toEqual([
      expect.objectContaining({
        ...{ action: 'delivery.replay', reason: 'to be sure', after: { state: 'waiting', missing: 0 } },
        before: {
          ...{ state: 'done', outcome: 'applied', attempts: 0 },
          runs: [
            {
              ...{ rule: 'order-paid', version: 1, event: 'order.paid', eventIndex: 0, state: 'done' },
              steps: [
                { id: 'customer', state: 'applied', effects: [expect.any(String)] },
                { id: 'schedule', state: 'applied', effects: [expect.any(String)] },
                { id: 'receipt', state: 'applied', effects: [expect.any(String)] },
              ],
            },
          ],
        },
      }),
    ]);
  });

  it('leaves one alone that waits already', async () => {
    const id = await arrive(shopifyOrder(newOrder(), true));
    const readyAt = new Date(Date.now() + 3_600_000);
    const { prisma } = service.database;
    await prisma.delivery.update({ where: { id }, data: { state: 'waiting', readyAt } });
    const reply = await call('post', `/deliveries/${id}/replay`, { dryRun: false });
    expect([reply.status, (reply.body as { queued: boolean }).queued]).toEqual([200, true]);
    expect((await prisma.delivery.findUniqueOrThrow({ where: { id } })).readyAt).toEqual(readyAt);
    expect(await items(`audit?subject=${id}`)).toEqual([]);
    await prisma.delivery.update({ where: { id }, data: { state: 'done' } });
  });

  it('refuses a field it does not know, so that nobody replays by a slip', async () => {
    const [id] = await ids('deliveries?state=done&limit=1');
    expect(refusalOf(await call('post', `/deliveries/${id}/replay`, { dryrun: true }))).toBe(
      '422 validation-failed /dryrun',
    );
  });
});

describe('POST …/dead-letters', () => {
  it('{id}/retry and {id}/discard say in the audit log how the letter stood and why', async () => {
    const [first, second] = [await deadOrder(), await deadOrder()];
    expect((await call('post', `/dead-letters/${first}/retry`, { reason: 'mended' })).status).toBe(204);
    await service.settle();
    expect(refusalOf(await call('post', `/dead-letters/${second}/discard`))).toBe('400 malformed-request');
    expect((await call('post', `/dead-letters/${second}/discard`, { reason: 'a test' })).status).toBe(204);
    const stood = { state: 'dead' };
    expect(await items<AuditItem>(`audit?subject=${first}`)).toMatchObject([
      { action: 'dead-letter.retry', before: stood, after: { state: 'waiting' }, reason: 'mended' },
    ]);
    expect(await items<AuditItem>(`audit?subject=${second}`)).toMatchObject([
      { action: 'dead-letter.discard', before: stood, after: { state: 'discarded' }, reason: 'a test' },
    ]);
    expect(await ids(`deliveries?state=discarded&limit=1`)).toEqual([second]);
  });

  it('retry takes all that fit, in batches, each once, however many ask', async () => {
    const { prisma } = service.database;
    const start = new Date();
    const [sample, mended] = [await deadOrder(), newOrder()];
    const row = await prisma.delivery.findUniqueOrThrow({ where: { id: sample } });
    // What was dead for a reason that is gone: its bodies are of orders that can be booked.
    const body = new Uint8Array(shopifyOrder(mended, true));
    const copies = Array.from({ length: 450 }, (_, index) => ({
      ...row,
      ...{ id: crypto.randomUUID(), seq: undefined, dedupeKey: `copy-${index}`, lane: `copy-${index}` },
      attributes: row.attributes as object,
    }));
    await prisma.delivery.createMany({ data: copies });
    await prisma.deliveryBody.createMany({
      data: copies.map(({ id, organizationId }) => ({ id, organizationId, body })),
    });
    const filter = { from: start.toISOString(), source: 'shopify', topic: 'orders/paid' };
    const counted = await call('post', '/dead-letters/retry', { filter, reason: 'counting', dryRun: true });
    expect([counted.status, counted.body]).toEqual([200, { matched: 451, retried: 0 }]);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () =>
        call('post', '/dead-letters/retry', { filter, reason: 'the key is mended' }),
      ),
    );
    const retried = replies.map(({ body: reply }) => (reply as { retried: number }).retried);
    await service.settle();
    expect(await ids(`dead-letters?from=${start.toISOString()}`)).toEqual([sample]);
    expect(await prisma.schedule.count({ where: { reference: `shopify/order/${mended.id}` } })).toBe(2);
    const again = await prisma.auditEntry.count({
      where: { reason: 'the key is mended', subject: { in: copies.map(({ id }) => id) } },
    });
    expect(again).toBe(450);
    const all = await prisma.auditEntry.count({ where: { reason: 'the key is mended' } });
    expect(retried.reduce((sum, count) => sum + count, 0)).toBe(all);
  });

  it('retry takes those of one order and no other', async () => {
    const order = newOrder({ document: '123.456.789-00' });
    const businessKey = `shopify/order/${order.id}`;
    const [dead, other] = [await arrive(shopifyOrder(order, true)), await deadOrder()];
    // What is not understood says nothing of its order: it speaks of it once it was understood.
    await service.database.prisma.delivery.update({ where: { id: dead }, data: { businessKey } });
    expect(await ids(`dead-letters?businessKey=${businessKey}`)).toEqual([dead]);
    const reason = 'the document is mended';
    const reply = await call('post', '/dead-letters/retry', { filter: { businessKey }, reason });
    expect([reply.status, reply.body]).toEqual([200, { matched: 1, retried: 1 }]);
    const audited = await service.database.prisma.auditEntry.findMany({ where: { reason } });
    expect(audited.map(({ subject }) => subject)).toEqual([dead]);
    await service.settle();
    expect(await ids('dead-letters')).toContain(other);
  });

  it.each([
    [{ filter: {} }, '422 validation-failed /reason'],
    [{ reason: 'x' }, '422 validation-failed /filter'],
    [{ filter: { soruce: 'shopify' }, reason: 'x' }, '422 validation-failed /filter/soruce'],
    [{ filter: { source: '' }, reason: 'x' }, '422 validation-failed /filter/source'],
    [{ filter: { source: 'shopfy' }, reason: 'x' }, '422 validation-failed /filter/source'],
    [{ filter: { from: 'yesterday' }, reason: 'x' }, '422 validation-failed /filter/from'],
    [
      { filter: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, reason: 'x' },
      '422 validation-failed /filter/from',
    ],
  ])('retry refuses %j', async (body, refusal) => {
    const before = await ids('dead-letters?limit=500');
    expect(refusalOf(await call('post', '/dead-letters/retry', body))).toBe(refusal);
    expect(await ids('dead-letters?limit=500')).toEqual(before);
  });
});

describe('GET …/audit', () => {
  it('filters by action, subject, actor and time', async () => {
    const [newest] = await items<AuditItem & { id: string; at: string; actor: string }>('audit?limit=1');
    const { at, actor, action, subject, id } = newest!;
    const path = `audit?action=${action}&subject=${subject}&actor=${actor}&from=${at}`;
    expect(await ids(path)).toContain(id);
    expect(await ids(`audit?subject=${subject}&to=${at}`)).not.toContain(id);
    expect(await ids('audit?actor=01890000-0000-7000-8000-000000000001')).toEqual([]);
    expect(await ids('audit?action=nothing.done')).toEqual([]);
  });
});

describe('a body that is no longer kept', () => {
  /** Removes what is old as if so many days had passed since the end of this month. */
  async function purgeWhenTheirMonthIs(days: number): Promise<void> {
    const { end } = BodyMonth.of(new Date());
    const clock = new SettableClock(new Date(end.getTime() + days * 86_400_000).toISOString());
    const { database } = service;
    const metrics = service.part(PrometheusMetrics);
    const parts = [service.part(DeliveryBodies), service.part(BodyMonths)] as const;
    const retention = new BodyRetention(database, ...parts, clock, metrics);
    await retention.purge();
  }

  it('is said to be gone, and nothing is read of it any more', async () => {
    const order = newOrder();
    const [id, dead] = [await arrive(shopifyOrder(order, true)), await deadOrder()];
    await purgeWhenTheirMonthIs(91);
    const detail = (await call('get', `/deliveries/${id}`)).body as Detail;
    expect(detail).toMatchObject({
      ...{ state: 'done', events: [], body: { text: null, purgedAt: expect.any(String) } },
      runs: [{ rule: 'order-paid' }],
    });
    for (const reply of [
      await call('get', `/deliveries/${id}?body=raw`),
      await call('post', `/deliveries/${id}/replay`),
      await call('post', `/deliveries/${id}/replay`, { dryRun: false }),
    ])
      expect(refusalOf(reply)).toBe('410 body-purged');
    expect(((await call('get', `/deliveries/${dead}`)).body as Detail).body.purgedAt).toBeNull();
    expect(await items(`audit?subject=${id}`)).toEqual([]);
  });

  it('is kept for as many days as the organization says', async () => {
    const id = await arrive(shopifyOrder(newOrder(), true));
    const purgedAt = async () => ((await call('get', `/deliveries/${id}`)).body as Detail).body.purgedAt;
    await purgeWhenTheirMonthIs(8);
    expect(await purgedAt()).toBeNull();
    for (const days of [0, 3651, null])
      expect(refusalOf(await send(service, 'patch', '/main', { rawBodyDays: days }))).toBe(
        '422 validation-failed /rawBodyDays',
      );
    expect((await send(service, 'patch', '/main', { rawBodyDays: 7 })).body).toMatchObject({
      rawBodyDays: 7,
    });
    await purgeWhenTheirMonthIs(8);
    expect(await purgedAt()).not.toBeNull();
  });
});
