import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApprovalView } from '../../src/admin/approvals/approvals.dto';
import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { newId } from '../../src/kernel/identifier';
import { verifyStandardWebhook } from '../../src/sources/standard-webhooks/verify';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { ponte } from '../support/command-line';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { RecordingServer } from '../support/recording-server';
import { OPERATORS_KEY } from '../support/service';

const LOCAL = { NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' };

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded(LOCAL)],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true }, LOCAL)],
])('a rule made of a template, %s', (_where, open) => {
  let harness: OrderHarness;
  let organizationId: string;
  let orders = 0;
  let id: string;
  let made: string[];

  beforeAll(async () => {
    harness = await open();
    ({ organizationId } = await harness.books.prisma.account.findFirstOrThrow({
      where: { name: 'Conta principal' },
    }));
  });
  afterAll(() => harness.stop());
  beforeEach(() => {
    orders += 1;
    id = `o-${orders}`;
    made = [];
  });
  afterEach(async () => {
    for (const name of made) await harness.service.operate('post', `rules/${name}/disable`);
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  async function run(...args: string[]): Promise<string> {
    const env = { PONTE_URL: harness.service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const ran = await ponte(args, { env });
    expect([ran.code, ran.stderr.includes('not valid')]).toEqual([0, false]);
    return ran.stdout;
  }

  /** Puts a rule made of the template, under a name of its own, and sets what it is to be set. */
  async function take(template: string, ...settings: string[]): Promise<void> {
    const name = `my-${template}`;
    await run('rules', 'new', name, '--template', template, '--put');
    made.push(name);
    // It stays disabled where an earlier test made it.
    await harness.service.operate('post', `rules/${name}/enable`);
    const set = settings.flatMap((setting) => ['--set', setting]);
    if (set.length > 0) await run('rules', 'settings', name, ...set);
  }

  /** As {@link take}, with a cost center that is there. */
  async function takeAsUsual(template: string): Promise<void> {
    const { prisma } = harness.books;
    const costCenter = (await prisma.costCenter.findFirstOrThrow({ where: { organizationId } })).id;
    await table('skuCostCenter', { default: costCenter });
    await take(template);
  }

  async function table(name: string, entries: Record<string, string>): Promise<void> {
    expect((await harness.service.operate('put', `tables/${name}`, { entries })).status).toBe(200);
  }

  /** Sends what the shop says of the order, signed, and waits until it is worked on. */
  async function send(type: string, data: object = {}): Promise<void> {
    const order = {
      ...{ id, number: id, total: '100.00', createdAt: '2026-11-20T10:00:00-03:00' },
      customer: { id: `c-${orders}`, name: 'Lia Campos', document: cpfNumber(92_000 + orders) },
    };
    const body = JSON.stringify({ type, timestamp: '2026-11-20T12:00:00Z', data: { ...order, ...data } });
    expect((await harness.service.hook({ source: 'standard', topic: type, body })).status).toBe(200);
    await harness.settled();
  }

  function pay(data: object = {}): Promise<void> {
    const payment = { id: `p-${orders}`, gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' };
    return send('order.paid', { payment, ...data });
  }

  /** Minor units of what the account named so holds. */
  async function balance(name = 'Conta principal'): Promise<bigint> {
    const account = await harness.books.prisma.account.findFirstOrThrow({ where: { name } });
    return (await readBalances(harness.books.prisma, [account.id])).get(account.id) ?? 0n;
  }

  function receivables() {
    return harness.books.prisma.schedule.findMany({ where: { reference: `standard/order/${id}` } });
  }

  it('has the refund of a large order wait for an approval, and no other refund', async () => {
    await take('large-refund', 'from=500.00');
    const before = await balance();
    const refund = (value: string) => ({
      paidAt: '2026-11-20T10:05:00-03:00',
      refunds: [{ id: 'r1', value, gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' }],
    });
    await send('order.refunded', { total: '499.99', ...refund('30.00') });
    expect((await balance()) - before).toBe(-3_000n);
    [orders, id] = [orders + 1, `o-${orders + 1}`];
    await send('order.refunded', { total: '500.00', ...refund('40.00') });
    expect((await balance()) - before).toBe(-3_000n);
    const { items } = (await harness.service.admin('approvals')) as { items: ApprovalView[] };
    const [approval] = items;
    expect(approval).toMatchObject({ state: 'waiting', rule: 'my-large-refund', plan: { amount: '40.00' } });
    expect((await harness.service.operate('post', `approvals/${approval?.id}/approve`)).status).toBe(204);
    await harness.service.part(ResumedDeliveries).resume();
    await harness.settled();
    expect((await balance()) - before).toBe(-7_000n);
  });

  it('books a sale in US dollars at the rate of its month, with its fee', async () => {
    await table('rates', { 'USD 2026-11': '5.4321' });
    await take('sale-in-dollars');
    const before = await balance();
    const payment = {
      ...{ id: `p-${orders}`, gateway: 'paypal', method: 'wallet', fee: '1.00' },
      paidAt: '2026-11-20T10:05:00-03:00',
    };
    await pay({ currency: 'USD', total: '19.99', instalments: 2, payment });
    // 19.99 × 5.4321 = 108.587679; 1.00 × 5.4321 = 5.4321
    expect((await balance()) - before).toBe(10_859n - 543n);
    expect((await receivables()).map(({ valueMinor, openMinor }) => [valueMinor, openMinor])).toEqual([
      [5_430n, 0n],
      [5_429n, 0n],
    ]);
    const asked = await harness.service.database.prisma.attention.count();
    await table('rates', { 'USD 2026-11': '5.4321', 'USD 2026-12': '5.5000' });
    await pay({
      currency: 'USD',
      total: '19.99',
      instalments: 2,
      payment,
      updatedAt: '2026-12-01T09:00:00Z',
    });
    expect((await balance()) - before).toBe(10_859n - 543n);
    expect(await harness.service.database.prisma.attention.count()).toBe(asked);
  });

  it.each([
    // At 5.4321: 33.33 is 181.051893 and 99.99 is 543.155679; 10.01 is 54.375321 and 20.02 is 108.750642.
    ['a cent short', ['33.33', '33.33', '33.33'], '99.99', 54_316n],
    ['a cent over', ['10.01', '10.01'], '20.02', 10_875n],
  ])(
    'settles a sale in US dollars whose payments would each be %s in sum',
    async (_how, values, total, booked) => {
      await table('rates', { 'USD 2026-11': '5.4321' });
      await take('sale-in-dollars');
      const before = await balance();
      const asked = await harness.service.database.prisma.attention.count();
      const payments = values.map((value, index) => ({
        ...{ id: `p${index}`, gateway: 'paypal', method: 'wallet', value },
        paidAt: `2026-11-20T10:0${Math.max(1, index)}:00-03:00`,
      }));
      await send('order.paid', { currency: 'USD', total, payments: payments.slice(0, 1) });
      await send('order.paid', { currency: 'USD', total, payments });
      expect((await balance()) - before).toBe(booked);
      expect((await receivables()).map(({ openMinor }) => openMinor)).toEqual([0n]);
      expect(await harness.service.database.prisma.attention.count()).toBe(asked);
    },
  );

  it('is refused where a table that it names is absent, and nothing is put', async () => {
    const env = { PONTE_URL: harness.service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const args = ['rules', 'new', 'by-sku', '--template', 'cost-center-by-sku', '--put'];
    const ran = await ponte(args, { env });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('there is no table "skuCostCenter"');
    expect(await run('rules', 'list')).not.toContain('by-sku');
  });

  it('tells the ERP of a payment with a signed message', async () => {
    const receiver = await RecordingServer.start();
    receiver.answer({ status: 200 });
    const endpoint = await harness.service.operate('post', 'notifications/endpoints', {
      ...{ name: 'erp-of-the-shop', url: `${receiver.url}/hook` },
    });
    const { secret } = endpoint.body as { secret: string };
    await take('paid-order-message', 'endpoint=erp-of-the-shop');
    const before = await balance();
    await pay();
    while (receiver.requests.length === 0) {
      await harness.service.part(DeferredWorker).run();
      await sleep(5);
    }
    await receiver.stop();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.requests;
    const request = {
      headers: headers as Record<string, string>,
      rawBody: Buffer.from(body),
      ...{ method: 'POST', query: {} },
    };
    expect(verifyStandardWebhook(request, [secret], {}, new Date()).ok).toBe(true);
    expect(JSON.parse(body)).toMatchObject({
      type: 'order.paid',
      data: { number: id, total: '100.00', paid: '100.00', paidOn: '2026-11-20', gateway: 'pix' },
    });
    expect((await balance()) - before).toBe(10_000n);
  });

  it('books an order on the cost center of its first line', async () => {
    const costCenter = newId();
    await harness.books.prisma.costCenter.create({
      data: { id: costCenter, organizationId, description: 'Padaria', externalCode: `pad-${costCenter}` },
    });
    await table('skuCostCenter', { PAD: costCenter, default: costCenter });
    await take('cost-center-by-sku');
    const before = await balance();
    const lines = [
      { title: 'Pão', sku: 'PAD-001', quantity: 1, price: '60.00' },
      { title: 'Café', sku: 'CAF-001', quantity: 1, price: '40.00' },
    ];
    await pay({ lines });
    expect(await receivables()).toMatchObject([
      { costCenterId: costCenter, valueMinor: 10_000n, openMinor: 0n },
    ]);
    expect((await balance()) - before).toBe(10_000n);
  });

  it.each([
    ['cost-center-by-sku', 'BRL', 1n],
    ['sale-in-dollars', 'USD', 2n],
  ])('posts what gateway and marketplace keep of an order: %s', async (template, currency, rate) => {
    await table('rates', { 'USD 2026-11': '2' });
    await takeAsUsual(template);
    const before = await balance();
    const payment = {
      ...{ id: `p-${orders}`, gateway: 'mercado_pago', method: 'credit_card' },
      paidAt: '2026-11-20T10:05:00-03:00',
      settlements: [{ number: 1, value: '100.00', fee: '2.20', on: '2026-11-21' }],
    };
    const lines = [{ title: 'Pão', sku: 'PAD-001', quantity: 1, price: '100.00' }];
    const order = { currency, lines, commission: '12.00', marketplace: 'Mercado Livre' };
    await pay({ ...order, payment });
    await pay({ ...order, payment: { ...payment, fee: '2.20' } });
    expect((await balance()) - before).toBe((10_000n - 1_200n - 220n) * rate);
  });

  it('books what an order became cheaper or dearer by before it was paid', async () => {
    const { books } = harness;
    await takeAsUsual('cost-center-by-sku');
    const before = await balance();
    const lines = [{ title: 'Pão', sku: 'PAD-001', quantity: 1, price: '100.00' }];
    const edited = (value: string) => [{ id: 'e1', value, editedAt: '2026-11-20T10:02:00-03:00' }];
    const whole = { id: 'p1', gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' };
    const paid = (value: string) => ({ lines, total: value, payments: [{ ...whole, value }] });
    await send('order.paid', { ...paid('70.00'), edits: edited('-30.00') });
    const cheaper = await receivables();
    [orders, id] = [orders + 1, `o-${orders + 1}`];
    await send('order.paid', { ...paid('120.00'), edits: edited('20.00') });
    const dearer = await books.prisma.schedule.findMany({
      where: { reference: { startsWith: `standard/order/${id}` } },
    });
    expect([...cheaper, ...dearer].map(({ openMinor }) => openMinor)).toEqual([0n, 0n, 0n]);
    expect((await balance()) - before).toBe(7_000n + 12_000n);
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    expect(items.filter(({ businessKey }) => businessKey === `standard/order/${id}`)).toEqual([]);
  });

  it('asks a person where an order in US dollars was changed', async () => {
    await table('rates', { 'USD 2026-11': '2' });
    await take('sale-in-dollars');
    const payment = { id: 'p1', gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' };
    const edits = [{ id: 'e1', value: '-30.00', editedAt: '2026-11-20T10:02:00-03:00' }];
    const payments = [{ ...payment, value: '70.00' }];
    await send('order.paid', { currency: 'USD', total: '70.00', edits, payments });
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    expect(items).toContainEqual(
      expect.objectContaining({ businessKey: `standard/order/${id}`, code: 'rule-edited-in-dollars' }),
    );
  });
});

/** The template stops and is tried in the place of the general rule: what that one does, it has to do. */
it('cost-center-by-sku has all steps of order-paid', () => {
  const stepsOf = (file: string): string[] =>
    [...readFileSync(join(__dirname, '../../config', file), 'utf8').matchAll(/^ {2}- id: (\w+)$/gm)].map(
      ([, id = '']) => id,
    );
  const ofOrderPaid = stepsOf('profiles/cash/order-paid.yaml');
  expect(stepsOf('templates/cost-center-by-sku.yaml')).toEqual(expect.arrayContaining(ofOrderPaid));
  expect(ofOrderPaid.length).toBeGreaterThan(5);
});
