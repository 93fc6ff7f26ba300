import type { CompletenessView } from '../../src/admin/completeness/completeness.dto';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { OrderHarness } from '../support/order-harness';
import { type ProfileName, putProfile } from '../support/profiles';
import { daysPass } from '../support/time-passes';

const TODAY = CalendarDate.fromInstant(new Date(), 'America/Sao_Paulo');
const PAID_AT = `${TODAY.addDays(-1).toString()}T12:00:00-03:00`;
const CARD = {
  ...{ id: 'p1', gateway: 'pagarme', method: 'credit_card', value: '100.00', instalments: 2, fee: '4.39' },
  paidAt: PAID_AT,
};
const ONLY_PLANNED = {
  ...{ ...CARD, fee: undefined },
  settlements: [
    { number: 1, value: '50.00', fee: '2.20', on: TODAY.addDays(30).toString() },
    { number: 2, value: '50.00', fee: '2.19', on: TODAY.addDays(60).toString() },
  ],
};

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('the fee of a card, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  async function paid(id: string, card: object): Promise<void> {
    const customer = { id: 'c1', name: 'Lia Campos', email: 'lia@example.com' };
    const order = { id, total: '100.00', instalments: 2, createdAt: PAID_AT, customer };
    await harness.standard('order.paid', { ...order, payments: [card] });
  }

  /** Minor units of the fees of an order, those of days to come included. */
  async function fees(id: string): Promise<bigint[]> {
    const reference = { startsWith: `standard/order/${id}/payment/p1/` };
    const posted = await harness.books.prisma.entry.findMany({
      where: { kind: 'payment', reference: { ...reference, endsWith: '/fee' } },
    });
    const deferred = await harness.service.database.prisma.deferredEffect.findMany({
      where: { state: 'waiting', key: { startsWith: `payment/${reference.startsWith}` } },
    });
    const amounts = deferred.map(({ effect }) => (effect as { amount: string }).amount);
    return [
      ...posted.map(({ amountMinor }) => amountMinor),
      ...amounts.map((text) => BigInt(text.replace('.', ''))),
    ];
  }

  /** What the completeness of the books has of an order. */
  async function codesOf(id: string): Promise<string[]> {
    const period = `from=${TODAY.addDays(-3).toString()}&to=${TODAY.toString()}`;
    const asked = `completeness?source=standard&${period}&limit=500`;
    const { items } = (await harness.service.admin(asked)) as CompletenessView;
    const own = items.filter(({ businessKey }) => businessKey === `standard/order/${id}`);
    return own.flatMap(({ differences }) => differences.map(({ code }) => code));
  }

  it.each<[string, ProfileName, object, ProfileName, object, bigint[]]>([
    ['as a whole and then by instalment', 'cash', CARD, 'accrual', CARD, [439n]],
    ['as a whole and then as planned', 'cash', CARD, 'accrual', ONLY_PLANNED, [439n]],
    ['by instalment and then as a whole', 'accrual', CARD, 'cash', CARD, [220n, 219n]],
    ['as planned and then as a whole', 'cash', ONLY_PLANNED, 'cash', CARD, [220n, 219n]],
  ])('is posted once where it is told %s', async (_what, profile, card, next, again, expected) => {
    const id = `f${(orders += 1)}`;
    await putProfile(harness.service, profile);
    await paid(id, card);
    await putProfile(harness.service, next);
    await paid(id, again);
    expect((await fees(id)).sort((left, right) => Number(right - left))).toEqual(expected);
    const { id: last, state } = await harness.lastDelivery();
    const replay = await harness.service.operate('post', `deliveries/${last}/replay`, { dryRun: true });
    expect([state, replay.status, (replay.body as { missing: unknown[] }).missing]).toEqual([
      'done',
      200,
      [],
    ]);
    expect(await codesOf(id)).not.toContain('missing');
    await paid(id, again);
    expect(await fees(id)).toHaveLength(expected.length);
  });

  it('is posted once where the acquirer tells of an instalment whose fee was posted as a whole', async () => {
    await putProfile(harness.service, 'cash');
    await paid('s1', CARD);
    await putProfile(harness.service, 'accrual');
    await harness.standard('payment.settled', {
      ...{ id: 's1-1', orderId: 's1', paymentId: 'p1', gateway: 'pagarme', number: 1, of: 2 },
      ...{ value: '50.00', fee: '2.20', settledAt: PAID_AT },
    });
    expect(await fees('s1')).toEqual([439n]);
  });

  it('is posted on its days once they come', async () => {
    await daysPass(harness.service.database, 70);
    const { prisma } = harness.service.database;
    while ((await prisma.deferredEffect.count({ where: { state: 'waiting' } })) > 0)
      await harness.service.part(DeferredWorker).run();
    expect(await fees('f3')).toEqual([220n, 219n]);
  });
});
