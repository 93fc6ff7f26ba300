import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import type { DeliveryDetailView } from '../../src/admin/deliveries/deliveries.dto';
import type { TimelineItem, TimelineView } from '../../src/admin/orders/timeline.dto';
import type { FeedPageView } from '../../src/feed/feed.dto';
import { cpfNumber } from '../support/documents';
import { OperatorsClient, send } from '../support/operators-client';
import { OrderHarness } from '../support/order-harness';

type Kind = TimelineItem['kind'];

function refund(id: number, amount: string, gateway: string) {
  const at = '2026-11-21T10:00:00-03:00';
  const transaction = { kind: 'refund', status: 'success', gateway, amount, processed_at: at };
  return { id, created_at: at, transactions: [transaction] };
}

describe.each([
  ["on Ponte's own books", true, () => OrderHarness.embedded()],
  ['in a remote finance service', false, () => OrderHarness.remote({ uniqueDocuments: true })],
])('the life of an order, %s', (_where, isEmbedded, open) => {
  let harness: OrderHarness;
  const order: DemoOrder = {
    ...{ id: 8_800_000_000_001, number: 1, total: '100.00', name: 'Lia Campos' },
    ...{ document: cpfNumber(88_001), email: 'lia@example.com', instalments: 2 },
  };
  const key = `shopify/order/${order.id}`;

  beforeAll(async () => {
    harness = await open();
    // The shop sends one message three times, the last time when all is done.
    const sent = {
      source: 'shopify',
      topic: 'orders/paid',
      body: shopifyOrder(order, true).toString(),
    } as const;
    const send = () => harness.service.hook({ ...sent, id: 'sent-thrice' });
    await Promise.all([send(), send()]);
    await harness.settled();
    expect((await send()).body).toMatchObject({ duplicate: true });
    // It tells of it once more, under another identifier, and then of two refunds, one of them as store credit.
    await harness.shopify(order, { note: 'again' }, 'orders/updated');
    const refunds = [refund(9_001, '30.00', 'mercado_pago'), refund(9_002, '5.00', 'gift_card')];
    await harness.shopify(order, { financial_status: 'partially_refunded', refunds }, 'orders/updated');
    const { id } = await harness.lastDelivery();
    await harness.service.operate('post', `deliveries/${id}/replay`, {
      ...{ dryRun: false, reason: 'the accountant asked' },
    });
    await harness.settled();
    // Another order of the same customer, whose key begins with this one's.
    await harness.shopify({ ...order, id: order.id * 10, number: 2 });
  });
  afterAll(() => harness.stop());

  async function timeline(of = key): Promise<TimelineView> {
    const reply = await send(harness.service, 'get', `/main/timeline?key=${encodeURIComponent(of)}`);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.body as TimelineView;
  }

  async function items<K extends Kind>(kind: K): Promise<Extract<TimelineItem, { kind: K }>[]> {
    const found = (await timeline()).items.filter((item) => item.kind === kind);
    return found as Extract<TimelineItem, { kind: K }>[];
  }

  it('says what it comes to, and whose it is', async () => {
    const { items: _items, ...whole } = await timeline();
    expect(whole).toEqual({
      ...{ key, source: 'shopify', currency: 'BRL', complete: true },
      summary: {
        number: '1',
        ...{ total: '100.00', received: '100.00', refunded: '30.00', open: isEmbedded ? '0.00' : null },
        customer: { id: expect.any(String), name: isEmbedded ? 'Lia Campos' : null },
      },
    });
  });

  it('has each message, and what the rules made of it', async () => {
    expect(await items('webhook')).toMatchObject([
      { topic: 'orders/paid', source: 'shopify', state: 'done', outcome: 'applied', body: 'kept' },
      { topic: 'orders/updated', state: 'done', body: 'kept', repeats: 0, lastRepeatAt: null },
      { topic: 'orders/updated', state: 'done', body: 'kept', repeats: 0, lastRepeatAt: null },
    ]);
    const runs = await items('run');
    expect(runs[0]).toMatchObject({
      ...{ rule: 'order-paid', event: 'order.paid', state: 'done' },
      steps: [
        { id: 'customer', state: 'applied', note: null },
        { id: 'schedule', state: 'applied', effects: [`credit-schedule/${key}`] },
        { id: 'receipt', state: 'applied' },
      ],
    });
    // The message that came again found everything done.
    const [, again] = await items('webhook');
    const ofAgain = runs.filter(({ delivery }) => delivery === again?.delivery);
    expect(ofAgain.flatMap(({ steps }) => steps.map(({ state }) => state))).toEqual(
      expect.arrayContaining(['existing']),
    );
  });

  it('says how often a message was sent again, and when last, as the delivery does', async () => {
    const [first] = await items('webhook');
    expect(first).toMatchObject({ repeats: 2, lastRepeatAt: expect.any(String) });
    expect(first!.lastRepeatAt! > first!.at).toBe(true);
    const shown = (await harness.service.admin(`deliveries/${first!.delivery}`)) as DeliveryDetailView;
    expect(shown).toMatchObject({ repeats: 2, lastRepeatAt: first!.lastRepeatAt });
  });

  it('has each change that connectors can read about it, as the feed has it', async () => {
    const told = await items('feed');
    const receivables = isEmbedded ? 2 : 1;
    const types = told.map(({ type }) => type);
    expect(types.filter((type) => type === 'credit-schedule.created')).toHaveLength(receivables);
    expect(types.filter((type) => type === 'receipt.registered')).toHaveLength(2);
    expect(types.filter((type) => type === 'schedule.paid')).toHaveLength(isEmbedded ? 2 : 0);
    expect([types[0], ...types.slice(-2)]).toEqual([
      ...['customer.created', 'payment.registered', 'attention.required'],
    ]);
    const made = await harness.service.operate('post', 'keys', { name: `erp`, scopes: ['feed:read'] });
    const read = async (query: string): Promise<FeedPageView> =>
      (await harness.service.http.get(`/feed?${query}`).set('apitoken', (made.body as { key: string }).key))
        .body as FeedPageView;
    const { items: all } = await read('limit=500');
    const own = all.filter(({ id }) => told.some((change) => change.id === id));
    expect(
      told.map(({ at: time, id, type, subject, effect, delivery }) => ({
        ...{ time, id, type, subject, businesskey: effect, deliveryid: delivery },
      })),
    ).toMatchObject(
      own.map(({ time, id, type, subject, businesskey, deliveryid }) => ({
        ...{ time, id, type, subject, businesskey, deliveryid },
      })),
    );
    // Those left out are of the other order, or of no order.
    const others = all.filter(({ id }) => !told.some((change) => change.id === id));
    for (const { businesskey = '', type } of others)
      if (type !== 'balance.changed') expect(`/${businesskey}/`).not.toContain(`/${key}/`);
    // A cursor is that of whoever has read the change.
    const [, second] = told;
    const { items: rest } = await read(`after=${second!.cursor}`);
    expect(all.findIndex(({ id }) => id === second!.id) + 1).toBe(all.length - rest.length);
  });

  it('has each effect once, with its amount, and none of another order', async () => {
    const effects = await items('effect');
    const shown = effects.map(({ key: of, operation, state, value }) => [of, operation, state, value]);
    expect(shown.filter(([, operation]) => operation !== 'attention.raise')).toEqual([
      [expect.stringMatching(/^customer\//), 'customer.ensure', 'applied', null],
      [`credit-schedule/${key}`, 'credit-schedule.create', 'applied', '100.00'],
      [expect.stringContaining(`receipt/${key}/`), 'receipt.allocate', 'applied', '100.00'],
      [`payment/${key}/refund/9001`, 'payment.register', 'applied', '30.00'],
    ]);
    for (const { call } of effects)
      if (isEmbedded) expect(call).toBeNull();
      else expect(call).toMatchObject({ state: 'applied' });
  });

  it('has what stands in the books', async () => {
    const entries = await items('entry');
    if (!isEmbedded) return expect(entries).toEqual([]);
    expect(entries.map(({ type, value, account }) => [type, value, account?.name ?? null])).toEqual([
      ['schedule', '50.00', null],
      ['schedule', '50.00', null],
      ['receipt', '50.00', 'Conta principal'],
      ['receipt', '50.00', 'Conta principal'],
      ['payment', '30.00', 'Conta principal'],
    ]);
    expect(entries.at(-1)).toMatchObject({
      ...{ effect: `payment/${key}/refund/9001`, date: '2026-11-21', takesBack: null },
      description: 'Refund of shopify order #1',
    });
  });

  it('has what needs a person, and what operators did; of the customer it has the name alone', async () => {
    expect(await items('attention')).toMatchObject([
      { code: 'store-credit-not-booked', value: '5.00', currency: 'BRL', resolvedAt: null },
    ]);
    expect(await items('audit')).toMatchObject([
      {
        ...{ action: 'delivery.replay', actor: expect.any(String), reason: 'the accountant asked' },
        runs: expect.arrayContaining([expect.objectContaining({ rule: 'order-paid', state: 'done' })]),
      },
    ]);
    expect(JSON.stringify(await timeline())).not.toMatch(/lia@example/);
    expect(JSON.stringify(await timeline())).not.toContain(order.document);
  });

  it('is in the order of time', async () => {
    const { items: all } = await timeline();
    const times = all.map(({ at }) => String(at));
    expect(times).toEqual([...times].sort());
    expect(all[0]).toMatchObject({ kind: 'webhook', topic: 'orders/paid' });
    expect(all.findIndex(({ kind }) => kind === 'audit')).toBeGreaterThan(
      all.findIndex(({ kind }) => kind === 'attention'),
    );
  });

  it('is nothing to another organization, though it has a source of that name', async () => {
    const other = await OperatorsClient.of(harness.service);
    const source = { slug: 'shopify', provider: 'shopify', settings: {} };
    expect((await other.send('post', '/sources', source)).status).toBe(201);
    expect((await other.send('get', `/timeline?key=${key}`)).status).toBe(404);
  });

  it('has not received what was written off, as the overview of the day has not', async () => {
    const [createdAt, cancelledAt] = ['2026-11-20T12:00:00-03:00', '2026-11-22T12:00:00-03:00'];
    const paid = {
      ...{ id: 'cancelled', total: '100.00', createdAt, customer: { id: 'c', name: 'Lia Campos' } },
      payments: [{ id: 'p1', gateway: 'pagarme', method: 'pix', value: '40.00', paidAt: createdAt }],
    };
    await harness.standard('order.paid', paid);
    await harness.standard('order.cancelled', { ...paid, cancelledAt });
    const { summary, items: all } = await timeline('standard/order/cancelled');
    expect(all).toContainEqual(
      expect.objectContaining({ operation: 'credit-schedule.write-off', state: 'applied', value: '60.00' }),
    );
    expect(summary).toMatchObject({ total: '100.00', received: '40.00', open: isEmbedded ? '0.00' : null });

    // The shop has forgotten that it was cancelled.
    const later = { ...paid.payments[0], id: 'p2', value: '60.00', paidAt: '2026-11-23T12:00:00-03:00' };
    await harness.standard('order.paid', { ...paid, payments: [...paid.payments, later] });
    const after = await timeline('standard/order/cancelled');
    expect(after.summary).toMatchObject({ received: '100.00', open: isEmbedded ? '0.00' : null });
    expect(after.items.filter(({ kind }) => kind === 'attention')).toEqual(
      all.filter(({ kind }) => kind === 'attention'),
    );
  });

  it('of another order of the customer has that one alone', async () => {
    const { summary, items: all } = await timeline(`${key}0`);
    expect(summary).toMatchObject({ total: '100.00', received: '100.00', refunded: '0.00' });
    expect(all.filter(({ kind }) => kind === 'webhook')).toHaveLength(1);
    // The customer was made for the first order.
    expect(all.filter((item) => item.kind === 'effect' && item.operation === 'customer.ensure')).toEqual([]);
  });
});

describe('the life of an order that people touched', () => {
  let harness: OrderHarness;
  beforeAll(async () => {
    harness = await OrderHarness.embedded();
  });
  afterAll(() => harness.stop());

  const orderOf = (number: number): DemoOrder => ({
    ...{ id: 8_810_000_000_000 + number, number, total: '100.00', name: 'Lia Campos' },
    ...{ document: cpfNumber(88_100 + number), email: 'lia@example.com', instalments: 1 },
  });
  const timeline = async (of: DemoOrder): Promise<TimelineView> =>
    (await harness.service.admin(`timeline?key=shopify/order/${of.id}`)) as TimelineView;

  it('has what was received by hand, and counts it', async () => {
    const order = orderOf(1);
    await harness.shopify(order, {
      ...{ payment_gateway_names: ['gift_card'], gateway: 'gift_card', transactions: [] },
    });
    expect((await timeline(order)).summary).toMatchObject({ received: '0.00', open: '100.00' });
    const { prisma } = harness.service.database;
    const { id } = await prisma.schedule.findFirstOrThrow({
      where: { reference: `shopify/order/${order.id}` },
    });
    const account = await prisma.account.findFirstOrThrow({ where: { name: 'Conta principal' } });
    const made = await harness.service.operate('post', 'keys', {
      ...{ name: 'till', scopes: ['finance:read', 'finance:write'] },
    });
    const receipt = await harness.service.http
      .post(`/v1/schedules/credit/${id}/receipts`)
      .set('apitoken', (made.body as { key: string }).key)
      .send({ accountId: account.id, date: '2026-11-22', value: 30 });
    expect(receipt.status).toBeLessThan(300);
    const { summary, items } = await timeline(order);
    expect(summary).toMatchObject({ received: '30.00', open: '70.00' });
    const entries = items.filter(({ kind }) => kind === 'entry');
    expect(entries.at(-1)).toMatchObject({ type: 'receipt', value: '30.00', effect: null });
    expect(items.at(-1)).toMatchObject({
      ...{ kind: 'feed', type: 'receipt.registered', effect: null, delivery: null },
    });
  });

  it('shows a dead letter and its reason, and the body as purged once it is', async () => {
    const order = { ...orderOf(2), document: '123.456.789-00' };
    await harness.shopify(order);
    const [webhook] = (await timeline(order)).items;
    expect(webhook).toMatchObject({ kind: 'webhook', state: 'dead', body: 'kept' });
    expect((webhook as { reason: string }).reason).toMatch(/not a valid CPF/);
    const { id } = await harness.lastDelivery();
    await harness.service.database.prisma.deliveryBody.deleteMany({ where: { id } });
    expect((await timeline(order)).items[0]).toMatchObject({ delivery: id, body: 'purged' });
  });

  it('is cut where there is more, and says so', async () => {
    const order = orderOf(3);
    await harness.shopify(order);
    const { id } = await harness.lastDelivery();
    const { prisma } = harness.service.database;
    const { organizationId } = await prisma.delivery.findUniqueOrThrow({ where: { id } });
    await prisma.auditEntry.createMany({
      data: Array.from({ length: 2_100 }, (_, number) => ({
        ...{ id: crypto.randomUUID(), organizationId, actor: 'somebody', action: 'delivery.reveal' },
        ...{ subject: id, at: new Date(Date.now() + number) },
      })),
    });
    const { items, complete } = await timeline(order);
    expect([items.length, complete, items.at(-1)?.kind]).toEqual([2_000, false, 'audit']);
  });

  it('has no changes that the feed no longer keeps', async () => {
    const order = orderOf(4);
    await harness.shopify(order);
    const told = async (): Promise<number> =>
      (await timeline(order)).items.filter(({ kind }) => kind === 'feed').length;
    expect(await told()).toBeGreaterThan(0);
    const { prisma } = harness.service.database;
    await prisma.feedBatch.deleteMany();
    expect(await told()).toBe(0);
  });

  it.each(['', '?key=', '?key=shopify/order/none', '?clef=1', `?key=${'k'.repeat(501)}`, '?key=%00'])(
    'refuses %s',
    async (query) => {
      const { status } = await send(harness.service, 'get', `/main/timeline${query}`);
      expect(status).toBe(query.endsWith('none') ? 404 : 400);
    },
  );
});
