import { type DemoOrder, shopifyOrder } from '../../../scripts/demo/shop-orders';
import { Reconciler } from '../../../src/finance/remote/reconciliation/reconciler';
import type { Fault } from '../../faulty-finance/fault';
import type { FaultyFinance } from '../../faulty-finance/faulty-finance';
import { cpfNumber } from '../../support/documents';
import { problemOf, refusalOf } from '../../support/finance-client';
import { MAIN_ACCOUNT } from '../../support/http-finance';
import { OperatorsClient, send } from '../../support/operators-client';
import { CONNECTION, OTHER_ACCOUNT, RemoteService } from '../../support/remote-service';
import type { TestService } from '../../support/service';
import { until } from '../../support/until';

const SOMEBODY = '6f1f0c51-7d3c-4c1e-9a51-0000000000d1';

/** Two ways to lose a call: the service took effect of it, or never read it. */
const IN_EFFECT: Fault = { kind: 'cut-before-headers' };
const WITHOUT_EFFECT: Fault = { kind: 'reset' };

let remote: RemoteService;
let books: FaultyFinance;
let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  remote = await RemoteService.start();
  ({ books, ponte: service } = remote);
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => remote.stop());

interface Effect {
  id: string;
  state: string;
  operation: string;
  parkedAt: string | null;
  abandonedAt: string | null;
  reason: string | null;
  output: { id?: string };
  deliveryId: string | null;
  sent: object;
  tries: { number: number; outcome: string; status: number | null; reply: string | null }[];
}

/** Sends a request that is lost on its way to the service. @returns its effect as operators see it */
async function lose(fault: Fault, path = '/customers', body: object = customer()): Promise<Effect> {
  books.forecast.add([{ request: `POST ${path}`, fault }]);
  const reply = await client.finance('post', path, body);
  const { effectId, ...problem } = problemOf(reply) as { effectId: string };
  expect(problem).toMatchObject({ status: 504, error: 'outcome-unknown' });
  return effect(effectId);
}

async function losePark(fault: Fault, path?: string, body?: object): Promise<Effect> {
  const { id } = await lose(fault, path, body);
  await timePasses();
  await until(async () => (await effect(id)).parkedAt !== null);
  return effect(id);
}

/** The service has had its time: what is unknown is looked for now, before the scheduler does it. */
async function timePasses(): Promise<void> {
  const where = { state: 'unknown', needsReviewAt: null } as const;
  await service.database.prisma.financeCall.updateMany({ where, data: { nextAt: new Date() } });
  await service.part(Reconciler).tick();
}

let customers = 0;

function customer() {
  customers += 1;
  return {
    name: 'Lia Campos',
    email: 'lia@example.com',
    document: { number: cpfNumber(customers) },
  };
}

async function effect(id: string): Promise<Effect> {
  const reply = await client.send('get', `/effects/${id}`);
  expect(reply.status).toBe(200);
  return reply.body as Effect;
}

const decide = (id: string, what: string, body: object = { reason: 'I looked' }) =>
  client.send('post', `/effects/${id}/${what}`, body);

async function decided(id: string, what: string, body?: object): Promise<Effect> {
  const reply = await decide(id, what, body);
  expect([reply.status, reply.text]).toEqual([204, '']);
  return effect(id);
}

describe('effects', () => {
  beforeEach(async () => {
    expect((await client.send('put', '/finance', CONNECTION)).status).toBe(200);
  });

  it('are listed by their state, newest first, in pages; unknown ones unless asked', async () => {
    const lost = [await losePark(WITHOUT_EFFECT), await losePark(WITHOUT_EFFECT)];
    const made = await client.finance('post', '/customers', customer());
    const ids = async (query: string) => (await client.items(`/effects${query}`)).map(({ id }) => id);
    const newest = lost.map(({ id }) => id).toReversed();
    expect(await ids('')).toEqual(newest);
    expect(await ids('?state=unknown&limit=1')).toEqual(newest.slice(0, 1));
    expect(await ids(`?limit=1&after=${newest[0]}`)).toEqual(newest.slice(1));
    expect(await client.items('/effects?state=applied')).toMatchObject([
      { operation: 'customers.create', attempts: 1, output: { id: made.body as string } },
    ]);
    expect(await ids('?state=planned')).toEqual([]);
    const refusals = ['state=lost', 'limit=0', 'after=x'].map(async (query) =>
      refusalOf(await client.send('get', `/effects?${query}`)),
    );
    expect(await Promise.all(refusals)).toEqual(Array(3).fill('400 malformed-request'));
  });

  it('are shown with every sending, and nothing of a person', async () => {
    const { id } = await losePark(IN_EFFECT);
    const reply = await client.send('get', `/effects/${id}`);
    expect(reply.text).not.toMatch(/Lia|example\.com|document/);
    expect(reply.body).toMatchObject({
      id,
      operation: 'customers.create',
      part: 1,
      state: 'unknown',
      attempts: 1,
      nextAt: null,
      abandonedAt: null,
      reason: expect.stringContaining('no operation that lists customers') as string,
      output: {},
      deliveryId: null,
      sent: {},
      tries: [{ number: 1, outcome: 'unknown', status: null }],
    });
  });

  it('are shown with what tells a payment from another', async () => {
    const body = { accountId: MAIN_ACCOUNT, value: 12.5, date: '2026-03-10', description: 'for Lia' };
    const { sent } = await lose(WITHOUT_EFFECT, '/payments', body);
    expect(sent).toMatchObject({ accountId: MAIN_ACCOUNT, value: 12.5 });
    expect(JSON.stringify(sent)).not.toContain('Lia');
  });

  it('are adopted with the record they made', async () => {
    const { id, reason } = await losePark(IN_EFFECT);
    const { id: recordId } = books.judge.effects.at(-1)!;
    expect(
      await decided(id, 'adopt', { recordId: recordId.toUpperCase(), reason: 'it is there' }),
    ).toMatchObject({ state: 'applied', output: { id: recordId }, parkedAt: null, reason: 'it is there' });
    expect(await client.lastAudit()).toEqual({
      action: 'effect.adopt',
      subject: id,
      before: { state: 'unknown', reason },
      after: { state: 'applied', output: { id: recordId } },
      reason: 'it is there',
    });
  });

  it('are adopted without a record where the operation makes none', async () => {
    const { id } = await losePark(IN_EFFECT, '/accounts/transfer', {
      originAccountId: MAIN_ACCOUNT,
      destinyAccountId: OTHER_ACCOUNT,
      value: 1,
      date: '2026-03-10',
    });
    expect(refusalOf(await decide(id, 'adopt', { recordId: SOMEBODY, reason: 'why' }))).toBe(
      '422 validation-failed /recordId',
    );
    expect(await decided(id, 'adopt')).toMatchObject({ state: 'applied', output: {} });
  });

  it('are sent again by whoever sent the request, once it is said that it did nothing', async () => {
    const { id, reason } = await losePark(WITHOUT_EFFECT);
    expect(await decided(id, 'repeat')).toMatchObject({
      state: 'refused',
      parkedAt: null,
      reason: 'I looked',
    });
    expect(await client.lastAudit()).toEqual({
      action: 'effect.repeat',
      subject: id,
      before: { state: 'unknown', reason },
      after: { state: 'refused', output: {} },
      reason: 'I looked',
    });
  });

  it('are given up, and adopted all the same when it turns out that they are there', async () => {
    const { id, reason } = await losePark(IN_EFFECT);
    const abandoned = await decided(id, 'abandon');
    expect(abandoned).toMatchObject({ state: 'unknown', parkedAt: null, reason: 'I looked' });
    expect(abandoned.abandonedAt).not.toBeNull();
    expect(await client.lastAudit()).toMatchObject({
      action: 'effect.abandon',
      before: { state: 'unknown', reason },
      after: { state: 'unknown', output: {} },
    });
    expect(refusalOf(await decide(id, 'repeat'))).toBe('409 conflict');
    expect(refusalOf(await decide(id, 'abandon'))).toBe('409 conflict');
    expect(await decided(id, 'adopt', { recordId: SOMEBODY, reason: 'there' })).toMatchObject({
      state: 'applied',
      abandonedAt: null,
    });
  });

  it.each<[string, object, string]>([
    ['adopt', { reason: 'why' }, '/recordId'],
    ['adopt', { recordId: 'x', reason: 'why' }, '/recordId'],
    ['adopt', { recordId: SOMEBODY }, '/reason'],
    ['repeat', {}, '/reason'],
    ['repeat', { reason: '' }, '/reason'],
    ['abandon', { reason: null }, '/reason'],
  ])('are not decided on by %s with %j', async (what, body, pointer) => {
    const before = await losePark(WITHOUT_EFFECT);
    expect(refusalOf(await decide(before.id, what, body))).toBe(`422 validation-failed ${pointer}`);
    expect(await effect(before.id)).toEqual(before);
    expect(await client.lastAudit()).toMatchObject({ action: 'key.create' });
  });

  it('are not decided on where nothing is to decide', async () => {
    await client.finance('post', '/customers', customer());
    await client.finance('post', '/payments', { accountId: SOMEBODY, value: 1, date: '2026-03-10' });
    const settled = ['applied', 'refused'].map(async (state) => client.items(`/effects?state=${state}`));
    const ids = (await Promise.all(settled)).map(([only]) => String(only?.['id']));
    for (const id of ids)
      for (const what of ['adopt', 'repeat', 'abandon']) {
        const reply = await decide(id, what, {
          reason: 'why',
          ...(what === 'adopt' && { recordId: SOMEBODY }),
        });
        expect([id, what, refusalOf(reply)]).toEqual([id, what, '409 conflict']);
      }
  });

  it('are not sent again while they are still being read back, but may be adopted or given up', async () => {
    const [first, second] = [await lose(IN_EFFECT), await lose(IN_EFFECT)];
    expect(refusalOf(await decide(first.id, 'repeat'))).toBe('409 conflict');
    expect(await decided(first.id, 'adopt', { recordId: SOMEBODY, reason: 'there' })).toMatchObject({
      state: 'applied',
      nextAt: null,
    });
    expect((await decided(second.id, 'abandon')).abandonedAt).not.toBeNull();
  });

  it('of another organization are nowhere to be found', async () => {
    const { id } = await losePark(WITHOUT_EFFECT);
    const owner = client;
    client = await OperatorsClient.of(service);
    await client.send('put', '/finance', CONNECTION);
    const replies = [
      client.send('get', `/effects/${id}`),
      ...['adopt', 'repeat', 'abandon'].map((what) =>
        decide(id, what, { recordId: SOMEBODY, reason: 'why' }),
      ),
      client.send('get', '/effects/not-an-id'),
    ];
    expect((await Promise.all(replies)).map(refusalOf)).toEqual(Array(5).fill('404 not-found'));
    expect(await client.items('/effects')).toEqual([]);
    client = owner;
    expect(await effect(id)).toMatchObject({ state: 'unknown' });
  });
});

describe('a delivery that waits for an effect', () => {
  let orders = 0;

  beforeAll(() => send(service, 'put', '/main/finance', CONNECTION));

  /** An order whose customer is lost on its way to the service, so that a person has to decide. */
  async function orderLost(fault: Fault): Promise<{ order: DemoOrder; id: string; lost: Effect }> {
    orders += 1;
    const order: DemoOrder = {
      id: 9_100_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: 'Lia Campos',
      document: cpfNumber(90_000 + orders),
      email: `lia${orders}@example.com`,
      instalments: 2,
    };
    books.forecast.add([{ request: 'POST /customers', fault }]);
    const id = await arrive(order);
    await until(async () => (await timePasses(), (await delivery(id)).state === 'dead'));
    const { items } = (await service.admin('effects')) as { items: Effect[] };
    return { order, id, lost: items.find(({ deliveryId }) => deliveryId === id)! };
  }

  /** @returns the delivery */
  async function arrive(order: DemoOrder): Promise<string> {
    const [body, id] = [shopifyOrder(order, true), `order-${order.id}`];
    await service.hook({ source: 'shopify', topic: 'orders/paid', body, id });
    const { id: arrived } = await service.database.prisma.delivery.findFirstOrThrow({
      orderBy: { id: 'desc' },
    });
    return arrived;
  }

  function madeFor({ document }: DemoOrder) {
    return books.judge.effects.find(({ identity }) => identity.includes(document.replace(/\D/g, '')))!;
  }

  const delivery = (id: string) => service.database.prisma.delivery.findUniqueOrThrow({ where: { id } });

  async function decideOn(id: string, what: string, body: object): Promise<void> {
    expect((await service.operate('post', `effects/${id}/${what}`, body)).status).toBe(204);
  }

  /** What took effect for an order, by operation. */
  function effectsOf({ id, document }: DemoOrder): Record<string, number> {
    const customer = document.replace(/\D/g, '');
    const own = books.judge.effects.filter(
      ({ identity }) => identity.includes(customer) || identity.includes(String(id)),
    );
    return Object.fromEntries(
      [...new Set(own.map(({ operation }) => operation))].map((operation) => [
        operation,
        own.filter((one) => one.operation === operation).length,
      ]),
    );
  }

  const WHOLE = { 'POST /customers': 1, 'POST /schedules/credit': 2, 'POST /schedules/credit/receipts': 2 };

  it('is a dead letter with the reason why a person must decide', async () => {
    const { id, lost } = await orderLost(WITHOUT_EFFECT);
    const { items } = (await service.admin('dead-letters')) as { items: { id: string; reason: string }[] };
    const { reason } = items.find((item) => item.id === id)!;
    const what = `an operator has to adopt, repeat or abandon effect ${lost.id}`;
    expect(reason).toBe(`rule order-paid, step customer: ${what}: ${lost.reason}`);
    expect(reason).toContain('no operation that lists customers');
  });

  it('goes on to its end when the effect is adopted', async () => {
    const { order, id, lost } = await orderLost(IN_EFFECT);
    const { id: recordId } = madeFor(order);
    await decideOn(lost.id, 'adopt', { recordId, reason: 'it is there' });
    await until(async () => (await delivery(id)).state === 'done');
    expect(await delivery(id)).toMatchObject({ outcome: 'applied', reason: null });
    expect(effectsOf(order)).toEqual(WHOLE);
  });

  it('goes on to its end with every other that waits for the same effect', async () => {
    const { order, id, lost } = await orderLost(IN_EFFECT);
    const other = { ...order, id: order.id + 1_000, number: order.number + 1_000 };
    const otherId = await arrive(other);
    await until(async () => (await delivery(otherId)).state === 'dead');
    const { id: recordId } = madeFor(order);
    await decideOn(lost.id, 'adopt', { recordId, reason: 'it is there' });
    for (const each of [id, otherId]) await until(async () => (await delivery(each)).state === 'done');
    expect(effectsOf(order)).toEqual(WHOLE);
    expect(effectsOf(other)).toEqual(WHOLE);
  });

  it('goes on to its end when the effect is sent again', async () => {
    const { order, id, lost } = await orderLost(WITHOUT_EFFECT);
    await decideOn(lost.id, 'repeat', { reason: 'it is not there' });
    await until(async () => (await delivery(id)).state === 'done');
    expect(effectsOf(order)).toEqual(WHOLE);
  });

  it('becomes a dead letter again when the effect is given up, and stays one however often it is retried', async () => {
    const { order, id, lost } = await orderLost(WITHOUT_EFFECT);
    const before = (await delivery(id)).finishedAt;
    await decideOn(lost.id, 'abandon', { reason: 'entered by hand' });
    const dead = async (since: Date | null) => {
      const { state, finishedAt } = await delivery(id);
      return state === 'dead' && finishedAt?.getTime() !== since?.getTime();
    };
    await until(() => dead(before));
    const reason = 'rule order-paid, step customer: entered by hand';
    expect(await delivery(id)).toMatchObject({ reason });
    const again = (await delivery(id)).finishedAt;
    expect(
      (await service.operate('post', `dead-letters/${id}/retry`, { reason: 'once more' })).status,
    ).toBeLessThan(300);
    await until(() => dead(again));
    expect(await delivery(id)).toMatchObject({ reason });
    expect(effectsOf(order)).toEqual({});
    const where = { reason: 'entered by hand' };
    const record = await service.database.prisma.effect.findFirstOrThrow({ where });
    expect([record.operation, record.state]).toEqual(['customer.ensure', 'refused']);
  });
});
