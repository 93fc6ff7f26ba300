import type { ApprovalView } from '../../src/admin/approvals/approvals.dto';
import type { DeliveryDetailView } from '../../src/admin/deliveries/deliveries.dto';
import type { ReplayView } from '../../src/admin/deliveries/deliveries.dto';
import { FeedOrder } from '../../src/feed/feed-order.repository';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { cpfNumber } from '../support/documents';
import { placesOf } from '../support/find-text';
import { OrderHarness } from '../support/order-harness';
import { RecordingServer } from '../support/recording-server';
import { OPERATORS_KEY } from '../support/service';
import { until } from '../support/until';

const DOCUMENT = cpfNumber(124_000);
const PERSON = {
  ...{ id: 'c-124', name: 'Zenaide "Zé" Quaresma', document: DOCUMENT, email: 'zenaide@example.com' },
  ...{
    phone: '+55 11 4000-1240',
    address: { line1: 'Rua das Laranjeiras 124', city: 'Niterói', country: 'Brasil' },
  },
};
/** Whatever tells who it is. */
const TEXTS = [
  ...['Zenaide', 'Quaresma', 'zenaide@', '4000-1240', '40001240', 'Laranjeiras'],
  ...[DOCUMENT, DOCUMENT.replace(/\D/g, '')],
];

/** The customer as a client of `/v1` writes it. */
const BY_V1 = {
  name: 'Zenaide Quaresma',
  email: PERSON.email,
  address: { line1: 'Rua das Laranjeiras 124' },
};

/** Tells somebody of an order, when an operator has agreed to it. */
const RULE = [
  ...['rule: tell-partner', 'when:', '  event: order.paid', 'then:', '  - id: tell', '    do: http.notify'],
  ...['    key: ${order.key}/told', '    approval: required', '    with:'],
  ...['      endpoint: partner', '      type: order.paid'],
  "      data: { who: '${order.customer.name}', to: '${order.customer.email}' }",
].join('\n');

const at = (day: string) => `2026-11-${day}T12:00:00-03:00`;
const PAYMENT = { id: 'p1', gateway: 'pagarme', method: 'pix', value: '100.00', paidAt: at('21') };
const REFUND = { id: 'r1', paymentId: 'p1', value: '40.00', refundedAt: at('22') };

describe.each([
  {
    what: "Ponte's own books",
    open: (settings: Record<string, string>) => OrderHarness.embedded(settings),
    // The customer's record, and what the shop sent.
    places: [
      ...['delivery_body.body', 'stakeholder.details', 'stakeholder.document', 'stakeholder.email'],
      ...['stakeholder.name', 'stakeholder.phone'],
    ],
  },
  {
    what: 'a remote finance service',
    open: (settings: Record<string, string>) => OrderHarness.remote({ uniqueDocuments: true }, settings),
    // The service knows the customer: the feed says what it was told.
    places: ['delivery_body.body', 'feed_stored_change.data'],
  },
])('a person whose order is settled, with $what,', ({ open, places }) => {
  let harness: OrderHarness;
  let receiver: RecordingServer;
  let key: string;

  beforeAll(async () => {
    harness = await open({ NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' });
    receiver = await RecordingServer.start();
    receiver.answer({ status: 200 });
    const endpoint = { name: 'partner', url: `${receiver.url}/hook` };
    expect((await harness.service.operate('post', 'notifications/endpoints', endpoint)).status).toBe(201);
    const made = await harness.service.operate('post', 'keys', {
      ...{ name: 'client', scopes: ['finance:read', 'finance:write'] },
    });
    ({ key } = made.body as { key: string });
    const put = await harness.service.http
      .put('/admin/organizations/main/rules/tell-partner')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(RULE);
    expect([put.status, put.text]).toEqual([200, expect.any(String)]);
  });
  afterAll(async () => {
    await harness.stop();
    await receiver.stop();
  });

  function send(type: string, id: string, more: object): Promise<void> {
    const order = { id, number: id, currency: 'BRL', total: '100.00', createdAt: at('20'), customer: PERSON };
    return harness.standard(type, { ...order, ...more });
  }

  async function approvalOf(order: string): Promise<ApprovalView> {
    const { items } = (await harness.service.admin('approvals')) as { items: ApprovalView[] };
    const found = items.find(({ effectKey }) => effectKey.includes(`/${order}/`));
    if (!found) throw new Error(`nothing of ${order} waits for an approval`);
    return found;
  }

  async function decide(order: string, how: string, status = 204): Promise<void> {
    const { id } = await approvalOf(order);
    const reply = await harness.service.operate('post', `approvals/${id}/${how}`, { reason: 'a test' });
    expect([reply.status, reply.text]).toEqual([status, expect.any(String)]);
    await harness.settled();
  }

  /** The state of the message about an order. */
  async function message(order: string): Promise<{ id: string; state: string } | undefined> {
    const key = `notification/standard/order/${order}/told`;
    const found = await harness.service.database.prisma.deferredEffect.findFirst({ where: { key } });
    return found ?? undefined;
  }

  function write(path: string, body: object, idempotencyKey: string, method: 'post' | 'put' = 'post') {
    return harness.service.http[method](`/v1${path}`)
      .set({ apitoken: key, 'idempotency-key': idempotencyKey })
      .send(body);
  }

  it('stands in the places that are documented, and in no copy', async () => {
    const { database } = harness.service;
    await send('order.created', 'o1', {});
    await send('order.paid', 'o1', { payments: [PAYMENT] });
    // What waits for a person is kept: the plan that is to be approved, with whom it is about.
    expect((await approvalOf('o1')).plan).toMatchObject({ input: { data: { who: PERSON.name } } });
    expect(await placesOf(database, TEXTS)).toContain('approval.plan');
    await decide('o1', 'approve');
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await message('o1'))?.state === 'applied';
    });
    expect(receiver.requests.at(-1)?.body).toContain('Quaresma');
    await send('order.refunded', 'o1', { payments: [PAYMENT], refunds: [REFUND] });

    const written = await write('/customers', BY_V1, 'made-once');
    expect([written.status, written.text]).toEqual([200, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect((await write('/customers', BY_V1, 'made-once')).text).toBe(written.text);
    expect((await write('/customers', { ...BY_V1, name: 'Another' }, 'made-once')).status).toBe(422);
    await harness.service.part(FeedOrder).assignPositions();

    expect((await approvalOf('o1')).plan).toMatchObject({
      leftOut: ['data'],
      input: { endpoint: 'partner' },
    });
    expect((await approvalOf('o1')).plan.input).not.toHaveProperty('data');
    expect(await placesOf(database, TEXTS)).toEqual(places);
  }, 240_000);

  it('is left out of a declined approval, and asked for again when that is reopened', async () => {
    await send('order.paid', 'o2', { payments: [{ ...PAYMENT, id: 'p2' }] });
    const { id } = await approvalOf('o2');
    await decide('o2', 'decline');
    expect((await approvalOf('o2')).plan).toMatchObject({ leftOut: ['data'] });
    expect(await placesOf(harness.service.database, TEXTS)).toEqual(places);
    await decide('o2', 'reopen');
    const again = await approvalOf('o2');
    expect(again).toMatchObject({ id, state: 'waiting', plan: { input: { data: { who: PERSON.name } } } });
    expect(again.plan).not.toHaveProperty('leftOut');
    await decide('o2', 'approve');
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await message('o2'))?.state === 'applied';
    });
    expect(await placesOf(harness.service.database, TEXTS)).toEqual(places);
  }, 240_000);

  it('is not approved by somebody who cannot see whom it is about', async () => {
    await send('order.paid', 'o3', { payments: [{ ...PAYMENT, id: 'p3' }] });
    const { id } = await approvalOf('o3');
    await decide('o3', 'decline');
    // As it stands between an operator's word and the work on its delivery.
    await harness.service.database.prisma.approval.update({
      where: { id },
      data: { state: 'waiting', toResume: false },
    });
    await decide('o3', 'approve', 409);
    expect(await message('o3')).toBeUndefined();
    await harness.service.database.prisma.approval.update({ where: { id }, data: { state: 'declined' } });
  }, 240_000);

  it('is left out of a message that was given up', async () => {
    receiver.answer({ status: 410 });
    await send('order.paid', 'o4', { payments: [{ ...PAYMENT, id: 'p4' }] });
    await decide('o4', 'approve');
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await message('o4'))?.state === 'refused';
    });
    // It may be tried again.
    expect(await placesOf(harness.service.database, TEXTS)).toContain('deferred_effect.effect');
    const deferred = await message('o4');
    const reply = await harness.service.operate('post', `deferred-effects/${deferred?.id}/cancel`, {
      reason: 'the partner is gone',
    });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await placesOf(harness.service.database, TEXTS)).toEqual(places);
  }, 240_000);

  it('makes no difference to what working on the order again finds', async () => {
    const { id } = await harness.lastDelivery();
    const planned = await harness.service.operate('post', `deliveries/${id}/replay`, {});
    expect(planned.body as ReplayView).toMatchObject({ missing: [], refused: [] });
    await send('order.paid', 'o1', { payments: [PAYMENT], note: 'again' });
    const again = await harness.lastDelivery();
    const { runs } = (await harness.service.admin(`deliveries/${again.id}`)) as DeliveryDetailView;
    const states = runs.flatMap(({ steps }) => (steps as { state: string }[]).map(({ state }) => state));
    expect(new Set(states)).toEqual(new Set(['existing']));
    expect(again.outcome).not.toContain('needs a person');
    expect(await placesOf(harness.service.database, TEXTS)).toEqual(places);
  }, 240_000);
});
