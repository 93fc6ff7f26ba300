import { type DemoOrder, shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import type { AttentionPage, DeliveryPage } from '../../src/admin/deliveries/deliveries.dto';
import { ORGANIZATION } from '../../src/rules/fixtures';
import { AttentionRepository } from '../../src/workflows/attention.repository';
import { cpfNumber } from '../support/documents';
import { refusalOf } from '../support/finance-client';
import { OPERATORS_KEY, TestService } from '../support/service';

const REFUND = {
  id: 9_001,
  created_at: '2026-11-21T10:00:00-03:00',
  transactions: [
    { kind: 'refund', status: 'success', amount: '30.00', processed_at: '2026-11-21T10:00:01-03:00' },
  ],
};

describe('money that no rule deals with', () => {
  let service: TestService;
  let orders = 0;
  let order: DemoOrder;

  beforeAll(async () => {
    service = await TestService.start();
    expect((await service.operate('post', 'rules/order-refunded/disable', {})).status).toBe(200);
  });
  afterAll(() => service.stop());

  beforeEach(() => {
    orders += 1;
    order = {
      id: 7_100_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: 'Lia Campos',
      document: cpfNumber(70_000 + orders),
      email: `lia${orders}@example.com`,
      instalments: 1,
    };
  });

  /** Sends the order as Shopify has it, with these fields instead of its own. */
  async function shopify(topic: string, fields: object = {}): Promise<void> {
    const own = JSON.parse(shopifyOrder(order, true).toString()) as object;
    const body = JSON.stringify({ ...own, ...fields });
    expect((await service.hook({ source: 'shopify', topic, body })).status).toBe(200);
    await service.settle();
  }

  async function attention(source = 'shopify'): Promise<AttentionPage['items']> {
    const { items } = (await service.admin('attention')) as AttentionPage;
    return items.filter(({ businessKey }) => businessKey === `${source}/order/${order.id}`);
  }

  async function lastOutcome(): Promise<string | null | undefined> {
    const { items } = (await service.admin('deliveries')) as DeliveryPage;
    return items[0]?.outcome;
  }

  const refunded = { financial_status: 'partially_refunded', refunds: [REFUND] };

  it('is a refund: it needs a person, with the amount, and is told once', async () => {
    await shopify('orders/paid');
    expect(await attention()).toEqual([]);
    await shopify('orders/updated', refunded);
    expect(await lastOutcome()).toBe('applied; needs a person: refund-not-booked');
    expect(await attention()).toMatchObject([{ code: 'refund-not-booked', value: '30.00', currency: 'BRL' }]);
    await shopify('orders/updated', { ...refunded, note: 'again' });
    expect(await attention()).toHaveLength(1);
    const told = await service.database.prisma.feedChange.findMany({
      where: { type: 'attention.required', businessKey: `shopify/order/${order.id}` },
    });
    expect(told).toMatchObject([{ data: { code: 'refund-not-booked', value: '30.00', currency: 'BRL' } }]);
  });

  it('is taken off the list by whoever has dealt with it, and is not raised again', async () => {
    await shopify('orders/updated', refunded);
    const [item] = await attention();
    const path = `attention/${item?.id}/resolve`;
    expect(refusalOf(await service.operate('post', path))).toBe('422 validation-failed /reason');
    expect((await service.operate('post', path, { reason: 'entered by hand' })).status).toBe(204);
    expect(await attention()).toEqual([]);
    expect(await service.admin(`audit?subject=${item?.id}`)).toMatchObject({
      items: [{ action: 'attention.resolve', after: { state: 'resolved' }, reason: 'entered by hand' }],
    });
    expect(refusalOf(await service.operate('post', path, { reason: 'again' }))).toBe('404 not-found');
    await shopify('orders/updated', { ...refunded, note: 'again' });
    expect(await attention()).toEqual([]);
  });

  it('is taken off the list by itself once a rule has dealt with it', async () => {
    await shopify('orders/paid');
    await shopify('orders/updated', refunded);
    const [item] = await attention();
    expect(item).toMatchObject({ code: 'refund-not-booked' });
    expect((await service.operate('post', 'rules/order-refunded/enable', {})).status).toBe(200);
    const reason = { reason: 'refunds are booked now' };
    await service.operate('post', `deliveries/${item?.delivery}/replay`, { ...reason, dryRun: false });
    await service.settle();
    expect(await attention()).toEqual([]);
    expect((await service.operate('post', 'rules/order-refunded/disable', {})).status).toBe(200);
  });

  it('says which rule did not apply, once however the order stands, and is dealt with once it applies', async () => {
    expect((await service.operate('post', 'rules/order-refunded/enable', {})).status).toBe(200);
    const told = { type: 'order.refunded', timestamp: '2026-11-21T12:00:00Z' };
    const refunds = [{ id: '9', value: '30.00', gateway: 'pix', refundedAt: '2026-11-21T10:00:00-03:00' }];
    const customer = { id: 'c', name: order.name, document: order.document };
    const data = {
      id: String(order.id),
      number: '1',
      total: '100.00',
      createdAt: '2026-11-20T10:00:00-03:00',
    };
    const send = async (more: object) => {
      const body = JSON.stringify({ ...told, data: { ...data, customer, refunds, ...more } });
      expect((await service.hook({ source: 'standard', topic: 'order.refunded', body })).status).toBe(200);
      await service.settle();
      return (await attention('standard')).map(({ detail }) => detail);
    };
    const why = 'rule order-refunded did not apply: has(order.paidAt) is false';
    const detail = `30.00 BRL went back to the customer by refund 9; ${why}`;
    expect(await send({})).toEqual([detail]);
    expect(await lastOutcome()).toBe('no rule applied to order.refunded; needs a person: refund-not-booked');
    expect((await service.operate('post', 'rules/order-refunded/disable', {})).status).toBe(200);
    expect(await send({ note: 'again' })).toEqual([detail]);
    expect((await service.operate('post', 'rules/order-refunded/enable', {})).status).toBe(200);
    const payments = [{ id: 'p', value: '100.00', gateway: 'pix', paidAt: '2026-11-20T10:05:00-03:00' }];
    expect(await send({ payments })).toEqual([]);
    expect((await service.operate('post', 'rules/order-refunded/disable', {})).status).toBe(200);
  });

  it('is one item where messages that are worked on at once say otherwise why no rule applied', async () => {
    const { prisma } = service.database;
    const { id } = await prisma.organization.findUniqueOrThrow({ where: { slug: 'main' } });
    const businessKey = `standard/order/${order.id}`;
    const about = '30.00 BRL went back to the customer by refund 9; ';
    const told = ['rule a did not apply', 'rule b did not apply'].map((why) => ({
      ...{ organization: { ...ORGANIZATION, id }, deliveryId: null, runId: null, businessKey, about },
      attention: { code: 'refund-not-booked' as const, detail: about + why, amount: '30.00' },
    }));
    const record = (items: typeof told) =>
      service.database.transaction((tx) => service.part(AttentionRepository).record(tx, items, new Date()));
    await record(told);
    await record(told.toReversed());
    expect((await attention('standard')).map(({ detail }) => detail)).toEqual([
      `${about}rule a did not apply`,
    ]);
  });

  it('stays on the list while the rule that listens to it is refused', async () => {
    await shopify('orders/paid');
    await shopify('orders/updated', refunded);
    const rule = [
      'rule: refused-refunds',
      'when: {event: order.refunded}',
      'then: [{id: customer, do: customer.ensure, with: {name: "${order.payments[7].key}"}}]',
    ].join('\n');
    await service.http
      .put('/admin/organizations/main/rules/refused-refunds')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(rule)
      .expect(200);
    await shopify('orders/updated', { ...refunded, note: 'again' });
    expect(await attention()).toMatchObject([{ code: 'refund-not-booked' }]);
    expect((await service.operate('post', 'rules/refused-refunds/disable', {})).status).toBe(200);
  });

  it('is the refund that comes alone, and is the same one that the order tells later', async () => {
    await shopify('orders/paid');
    const alone = JSON.stringify({ ...REFUND, order_id: order.id });
    await service.hook({ source: 'shopify', topic: 'refunds/create', body: alone });
    await service.settle();
    expect(await lastOutcome()).toMatch(
      /^refund of 30\.00 BRL on order \d+: .*; needs a person: refund-not-booked$/,
    );
    expect(await lastOutcome()).not.toContain('booked from');
    await shopify('orders/updated', refunded);
    expect(await attention()).toMatchObject([{ code: 'refund-not-booked', value: '30.00' }]);
  });

  it('is none where a rule listens to refunds', async () => {
    const rule = [
      'rule: refunds',
      'when: {event: order.refunded}',
      'then: [{id: customer, do: customer.ensure, with: {name: "${order.customer.name}"}}]',
    ].join('\n');
    await service.http
      .put('/admin/organizations/main/rules/refunds')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(rule)
      .expect(200);
    const alone = JSON.stringify({ ...REFUND, order_id: order.id });
    await service.hook({ source: 'shopify', topic: 'refunds/create', body: alone });
    await shopify('orders/updated', refunded);
    expect(await lastOutcome()).toBe('applied');
    expect(await attention()).toEqual([]);
    expect((await service.operate('post', 'rules/refunds/disable', {})).status).toBeLessThan(300);
  });

  it('is a paid order that is cancelled', async () => {
    await shopify('orders/cancelled', { cancelled_at: '2026-11-21T10:00:00-03:00' });
    expect(await lastOutcome()).toBe('applied; needs a person: cancellation-not-booked');
    expect(await attention()).toMatchObject([{ code: 'cancellation-not-booked', value: '100.00' }]);
  });

  it('is a payment that disagrees with the order', async () => {
    await shopify('orders/paid', { total_outstanding: '20.00' });
    expect(await attention()).toMatchObject([
      { code: 'order-differs', detail: expect.stringContaining('20.00') as string, value: '100.00' },
    ]);
  });

  it('is a payment that the shop dates years ahead, once, beside what is posted', async () => {
    const own = JSON.parse(wooOrder(order, 'processing').toString()) as object;
    const ahead = { date_paid: '2036-11-20T10:00:00', date_paid_gmt: '2036-11-20T13:00:00' };
    for (const note of ['', 'leave it with the neighbour']) {
      const body = JSON.stringify({ ...own, ...ahead, customer_note: note });
      await service.hook({ source: 'woocommerce', topic: 'order.updated', body });
      await service.settle();
      expect(await lastOutcome()).toBe('applied; needs a person: dated-ahead');
    }
    const detail = expect.stringContaining('of 100.00 BRL is dated 2036-11-20') as string;
    expect(await attention('woocommerce')).toMatchObject([{ code: 'dated-ahead', detail, value: '100.00' }]);
    expect((await attention('woocommerce')).length).toBe(1);
  });

  it.each([
    ['more', '53.00'],
    ['less', '1.00'],
  ])('is a total that became %s after it was paid', async (_how, later) => {
    const send = async (total: string): Promise<void> => {
      const body = wooOrder({ ...order, total }, 'processing');
      await service.hook({ source: 'woocommerce', topic: 'order.updated', body });
      await service.settle();
    };
    await send('3.00');
    expect(await attention('woocommerce')).toEqual([]);
    await send(later);
    expect(await lastOutcome()).toBe('applied; needs a person: amount-differs');
    const told = await attention('woocommerce');
    expect(new Set(told.map(({ code, value }) => `${code} ${value}`))).toEqual(
      new Set([`amount-differs ${later}`]),
    );
  });
});
