import fc from 'fast-check';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { cpfNumber } from '../support/documents';
import { slowPropertyRuns } from '../support/property-runs';
import { OPERATORS_KEY, TestService } from '../support/service';

/** Books a refund only where the order's receivable is there, and waits for it otherwise. */
const RULE = `rule: order-refunded
when: { event: order.refunded }
then:
  - id: order
    do: creditSchedule.find
    key: \${order.key}
    ifMissing: wait
  - id: refund
    forEach: { refund: order.refunds }
    do: payment.register
    key: \${refund.key}
    with:
      account: main
      value: \${refund.value}
      date: \${refund.refundedAt.dateIn(org.timeZone)}
      description: Refund
`;

const REFUNDS = [
  { id: 'r1', value: '30.00', gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' },
  { id: 'r2', value: '12.50', gateway: 'pix', refundedAt: '2026-11-23T12:00:00Z' },
];
const PAID = {
  payment: { id: 'p', gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' },
};

/** What the shop says: that the order is paid, and of each refund by itself and of both. */
const LIFE: readonly (readonly [type: string, data: object])[] = [
  ['order.paid', PAID],
  ['order.refunded', { refunds: REFUNDS.slice(0, 1) }],
  ['order.refunded', { refunds: REFUNDS.slice(1) }],
  ['order.refunded', { refunds: REFUNDS }],
];

describe('refunds that wait for their order', () => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
    await service.http
      .put('/admin/organizations/main/rules/order-refunded')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(RULE)
      .expect(200);
  });
  afterAll(() => service.stop());

  /** @param together how many webhooks are sent before what came of them is waited for */
  async function told(arrivals: readonly number[], together: number) {
    orders += 1;
    const id = `w-${orders}`;
    const customer = { id: `c-${orders}`, name: 'Lia Campos', document: cpfNumber(93_000 + orders) };
    for (const [position, index] of arrivals.entries()) {
      const [type, data] = LIFE[index]!;
      const order = { id, number: id, total: '100.00', createdAt: '2026-11-20T10:00:00-03:00', customer };
      const body = JSON.stringify({ type, timestamp: '2026-11-20T12:00:00Z', data: { ...order, ...data } });
      expect((await service.hook({ source: 'standard', topic: type, body })).status).toBe(200);
      if (position % together === together - 1) await service.settle();
    }
    await service.settle();
    while ((await service.part(ResumedDeliveries).resume()) > 0) await service.settle();
    await service.settle();
    const { prisma } = service.database;
    const key = `standard/order/${id}`;
    const payments = await prisma.entry.findMany({
      where: { kind: 'payment', reference: { startsWith: `${key}/` } },
      orderBy: { reference: 'asc' },
    });
    const schedules = await prisma.schedule.findMany({ where: { reference: key } });
    const states = await prisma.delivery.groupBy({ by: ['state'], where: { businessKey: key } });
    return {
      states: states.map(({ state }) => state),
      payments: payments.map(
        ({ reference, amountMinor }) => `${reference?.slice(key.length)} ${amountMinor}`,
      ),
      schedules: schedules.map(({ valueMinor, openMinor }) => [valueMinor, openMinor]),
      left: await prisma.attention.count({ where: { businessKey: key } }),
    };
  }

  it('end in the same records in whatever order, and how often, the webhooks arrive', async () => {
    const expected = {
      states: ['done'],
      payments: ['/refund/r1 3000', '/refund/r2 1250'],
      schedules: [[10_000n, 0n]],
      left: 0,
    };
    const all = [...LIFE.keys(), ...LIFE.keys()];
    const arrivals = fc
      .shuffledSubarray(all, { minLength: 1 })
      .map((indexes) => [...indexes, ...[0, 3].filter((index) => !indexes.includes(index))]);
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 8 }), async (order, together) => {
        expect(await told(order, together)).toEqual(expected);
      }),
      { numRuns: slowPropertyRuns(12) },
    );
    expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
  });
});
