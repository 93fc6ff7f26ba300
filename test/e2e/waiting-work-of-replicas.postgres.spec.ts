import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { openTestReplicas } from '../support/database';
import { cpfNumber } from '../support/documents';
import { RecordingServer } from '../support/recording-server';
import { OPERATORS_KEY, TestService } from '../support/service';
import { until } from '../support/until';

const ORDERS = Array.from({ length: 25 }, (_, index) => index + 1);

function rule(name: string, steps: string): string {
  return `rule: ${name}
when:
  event: order.refunded
  all: ['order.number.startsWith("${name}-")']
then:
${steps}
    do: payment.register
    key: \${refund.key}
    with:
      account: \${tables.gatewayAccount[refund.gateway]}
      value: \${refund.value}
      date: \${refund.refundedAt.dateIn(org.timeZone)}
      description: Refund
`;
}

const RULES = {
  waits: rule(
    'waits',
    `  - { id: order, do: creditSchedule.find, key: '\${order.key}', ifMissing: wait }
  - id: refund
    forEach: { refund: order.refunds }`,
  ),
  asks: rule(
    'asks',
    `  - id: refund
    forEach: { refund: order.refunds }
    approval: required`,
  ),
};

const TELLS = `rule: tells
when:
  event: order.paid
  all: ['order.number.startsWith("tells-")']
then:
  - id: message
    do: http.notify
    key: \${order.key}/paid
    with:
      endpoint: erp
      type: order.paid
      data: { order: '\${order.key}' }
`;

describe('what two replicas on one PostgreSQL go on with at the same time', () => {
  let replicas: TestService[];
  let erp: RecordingServer;

  beforeAll(async () => {
    const databases = await openTestReplicas(2);
    const env = { NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' };
    replicas = await Promise.all(databases.map((database) => TestService.start(database, env)));
    erp = await RecordingServer.start();
    const endpoint = { name: 'erp', url: `${erp.url}/messages` };
    expect((await one().operate('post', 'notifications/endpoints', endpoint)).status).toBe(201);
    expect((await one().operate('post', 'rules/order-refunded/disable')).status).toBe(200);
    for (const [name, document] of Object.entries({ ...RULES, tells: TELLS }))
      await one()
        .http.put(`/admin/organizations/main/rules/${name}`)
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .type('application/yaml')
        .send(document)
        .expect(200);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await erp.stop();
  });

  afterEach(async () => {
    expect((await verifyLedger(one().database.prisma)).difference).toBeUndefined();
  });

  function one(index = 0): TestService {
    const found = replicas[index % replicas.length];
    if (!found) throw new Error('no replica runs');
    return found;
  }

  async function send(index: number, type: string, rule: string, data: object): Promise<void> {
    const order = {
      ...{ id: `${rule}-${index}`, number: `${rule}-${index}`, total: '100.00' },
      createdAt: '2026-11-20T10:00:00-03:00',
      customer: { id: `c-${index}`, name: 'Lia Campos', document: cpfNumber(92_000 + index) },
    };
    const body = JSON.stringify({ type, timestamp: '2026-11-20T12:00:00Z', data: { ...order, ...data } });
    const reply = await one(index).hook({ source: 'standard', topic: type, body });
    expect(reply.status).toBe(200);
  }

  function refund(index: number, rule: string): Promise<void> {
    const refunds = [{ id: 'r1', value: '30.00', gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' }];
    return send(index, 'order.refunded', rule, { refunds });
  }

  function pay(index: number, rule: string): Promise<void> {
    const payment = { id: 'p1', gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' };
    return send(index, 'order.paid', rule, { payment });
  }

  /** Minor units of each payment for the refunds of a rule. */
  async function payments(rule: string): Promise<bigint[]> {
    const where = { kind: 'payment', reference: { startsWith: `standard/order/${rule}-` } } as const;
    const found = await one().database.prisma.entry.findMany({ where });
    return found.map(({ amountMinor }) => amountMinor);
  }

  it('refunds that came before their orders are booked once each', async () => {
    const { prisma } = one().database;
    await Promise.all(ORDERS.map((index) => refund(index, 'waits')));
    await until(async () => (await prisma.delivery.count({ where: { state: 'dead' } })) === ORDERS.length);
    expect(await payments('waits')).toEqual([]);
    await Promise.all(ORDERS.map((index) => pay(index, 'waits')));
    // Both look for the same deliveries, again and again, while orders are booked.
    await until(async () => {
      await Promise.all(replicas.map((replica) => replica.part(ResumedDeliveries).resume()));
      return (await prisma.delivery.count({ where: { state: { not: 'done' } } })) === 0;
    });
    expect(await payments('waits')).toEqual(ORDERS.map(() => 3_000n));
  });

  it('what two operators decide at once is decided once, and made once where it is approved', async () => {
    const { prisma } = one().database;
    await Promise.all(ORDERS.map((index) => refund(index, 'asks')));
    await until(async () => (await prisma.approval.count()) === ORDERS.length);
    const asked = await prisma.approval.findMany({ select: { id: true } });
    const statuses = await Promise.all(
      asked.map(({ id }) =>
        Promise.all([
          one(0).operate('post', `approvals/${id}/approve`, {}),
          one(1).operate('post', `approvals/${id}/decline`, { reason: 'kept' }),
        ]),
      ),
    );
    expect(statuses.map((both) => both.map(({ status }) => status).toSorted())).toEqual(
      ORDERS.map(() => [204, 409]),
    );
    await until(async () => {
      await Promise.all(replicas.map((replica) => replica.part(ResumedDeliveries).resume()));
      const open = await prisma.delivery.count({ where: { state: { not: 'done' } } });
      return open === 0 && (await prisma.approval.count({ where: { toResume: true } })) === 0;
    });
    const approved = await prisma.approval.count({ where: { state: 'approved' } });
    expect(await payments('asks')).toEqual(Array<bigint>(approved).fill(3_000n));
    const open = await one().admin('attention');
    expect(open).toMatchObject({ items: [] });
  });

  it('messages are sent once each', async () => {
    const { prisma } = one().database;
    erp.answer({ status: 200 });
    await Promise.all(ORDERS.map((index) => pay(index, 'tells')));
    await until(async () => {
      await Promise.all(replicas.map((replica) => replica.part(DeferredWorker).run()));
      return (await prisma.deferredEffect.count({ where: { state: 'applied' } })) === ORDERS.length;
    });
    const told = erp.requests.map(({ body }) => (JSON.parse(body) as { data: { order: string } }).data.order);
    expect(told.toSorted()).toEqual(ORDERS.map((index) => `standard/order/tells-${index}`).toSorted());
    expect(new Set(erp.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(ORDERS.length);
  });
});
