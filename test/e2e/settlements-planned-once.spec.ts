import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import type { CompletenessView } from '../../src/admin/completeness/completeness.dto';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { OrderHarness } from '../support/order-harness';
import { type ProfileName, putProfile } from '../support/profiles';
import { daysPass } from '../support/time-passes';

const TODAY = CalendarDate.fromInstant(new Date(), 'America/Sao_Paulo');
const PAID_AT = `${TODAY.addDays(-1).toString()}T12:00:00-03:00`;
const on = (days: number): string => TODAY.addDays(days).toString();
const PAYMENT = { id: 'p1', gateway: 'pagarme', value: '300.00', paidAt: PAID_AT };
const CARD = { ...PAYMENT, method: 'credit_card', instalments: 3, fee: '12.00' };
const WHOLE = {
  ...CARD,
  fee: undefined,
  settlements: [{ number: 1, value: '300.00', fee: '12.00', on: on(20) }],
};
const DEBIT = { ...PAYMENT, method: 'debit_card' };
const DEBIT_TOLD = { ...DEBIT, settlements: [{ number: 1, value: '300.00', on: on(2) }] };
const BOLETO = { ...PAYMENT, method: 'boleto' };

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('the parts of a payment, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  /** An order of 600.00, of which the payment is a half: too much would find something open. */
  async function paid(id: string, payment: object, more: object = {}): Promise<void> {
    const customer = { id: 'c1', name: 'Lia Campos', email: 'lia@example.com' };
    const order = { id, total: '600.00', instalments: 1, createdAt: PAID_AT, customer, ...more };
    await harness.standard('order.paid', { ...order, payments: [payment] });
  }

  async function settledPart(id: string, number: number, of: number, value: string): Promise<void> {
    await harness.standard('payment.settled', {
      ...{ id: `${id}-${number}`, orderId: id, paymentId: 'p1', gateway: 'pagarme', number, of },
      ...{ value, settledAt: PAID_AT },
    });
  }

  /** Decimal text of what is deferred, and minor units of what is posted of an order, by the beginning of keys. */
  async function amounts(id: string, of: 'receipt' | 'payment'): Promise<string[]> {
    const payment = `standard/order/${id}/payment/p1`;
    const posted = await harness.books.prisma.entry.findMany({
      where: {
        OR: [{ reference: { startsWith: payment } }, { identifier: { startsWith: payment } }],
        kind: of,
      },
    });
    const deferred = await harness.service.database.prisma.deferredEffect.findMany({
      where: { state: 'waiting', key: { startsWith: `${of}/${payment}` } },
      orderBy: { key: 'asc' },
    });
    return [
      ...posted.map(({ amountMinor }) => `${amountMinor / 100n}.00`),
      ...deferred.map(({ effect }) => (effect as { amount: string }).amount),
    ];
  }

  async function asked(id: string): Promise<string[]> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    const own = items.filter(({ businessKey }) => businessKey === `standard/order/${id}`);
    return own.map(({ code, detail }) => `${code}: ${detail}`);
  }

  /** What the completeness of the books has of an order. */
  async function codesOf(id: string): Promise<string[]> {
    const { items } = (await harness.service.admin(
      `completeness?source=standard&from=${on(-3)}&to=${on(0)}&limit=500`,
    )) as CompletenessView;
    const own = items.filter(({ businessKey }) => businessKey === `standard/order/${id}`);
    return own.flatMap(({ differences }) => differences.map(({ code }) => code));
  }

  it.each<[string, ProfileName, object, ProfileName, object, string[]]>([
    ['as one part, and then not at all', 'accrual', WHOLE, 'accrual', CARD, ['300.00']],
    [
      'as one instalment, and then as three',
      'accrual',
      { ...CARD, instalments: 1 },
      'accrual',
      CARD,
      ['300.00'],
    ],
    ['of a debit card as one part, and then not at all', 'accrual', DEBIT_TOLD, 'accrual', DEBIT, ['300.00']],
    ['as a whole, and then by instalment', 'cash', CARD, 'accrual', CARD, ['300.00']],
  ])('are planned once where they are told %s', async (_what, profile, first, next, again, expected) => {
    const id = `s${(orders += 1)}`;
    await putProfile(harness.service, profile);
    await paid(id, first);
    await putProfile(harness.service, next);
    await paid(id, again);
    await paid(id, again);
    expect([await amounts(id, 'receipt'), await asked(id)]).toEqual([expected, []]);
    const fees = (await amounts(id, 'payment')).reduce((sum, text) => sum + Number(text), 0);
    expect(fees).toBe('fee' in first || 'fee' in again ? 12 : 0);
    const { id: last, state } = await harness.lastDelivery();
    const replay = await harness.service.operate('post', `deliveries/${last}/replay`, { dryRun: true });
    expect([state, (replay.body as { missing: unknown[] }).missing]).toEqual(['done', []]);
    expect(await codesOf(id)).not.toContain('missing');
  });

  it('are posted once of a boleto that its gateway settles, whichever message comes first', async () => {
    await putProfile(harness.service, 'accrual');
    await paid('b1', BOLETO);
    await settledPart('b1', 1, 1, '300.00');
    expect([await amounts('b1', 'receipt'), await asked('b1')]).toEqual([['300.00'], []]);
    const customer = { id: 'c1', name: 'Lia Campos', email: 'lia@example.com' };
    await harness.standard('order.created', { id: 'b2', total: '600.00', createdAt: PAID_AT, customer });
    await settledPart('b2', 1, 1, '300.00');
    await paid('b2', BOLETO);
    expect([await amounts('b2', 'receipt'), await asked('b2')]).toEqual([['300.00'], []]);
  });

  const told = [1, 2, 3].map((number) => ({ number, value: '100.00', on: on(20) }));

  it.each([
    ['e1', 'not told', CARD],
    ['e2', 'told', { ...CARD, settlements: told }],
  ])(
    'are all planned where one of them was settled before the payment: %s, whose days are %s',
    async (id, _days, payment) => {
      await putProfile(harness.service, 'accrual');
      const customer = { id: 'c1', name: 'Lia Campos', email: 'lia@example.com' };
      await harness.standard('order.created', { id, total: '600.00', createdAt: PAID_AT, customer });
      await settledPart(id, 2, 3, '100.00');
      await paid(id, payment);
      expect([await amounts(id, 'receipt'), await asked(id)]).toEqual([Array(3).fill('100.00'), []]);
    },
  );

  it.each<[string, object, object]>([
    ['first', WHOLE, { ...CARD, instalments: 1 }],
    ['last', { ...CARD, instalments: 1 }, WHOLE],
    ['last, in a message that names no change', { ...CARD, instalments: 1, updatedAt: null }, WHOLE],
  ])(
    'wait for the day that was told, and nobody is asked, where it is told %s',
    async (_when, first, then) => {
      const id = `d${(orders += 1)}`;
      await putProfile(harness.service, 'accrual');
      await paid(id, first, 'updatedAt' in first ? {} : { updatedAt: '2025-06-30T12:00:00Z' });
      await paid(id, then, { updatedAt: '2025-07-02T12:00:00Z' });
      const deferred = await harness.service.database.prisma.deferredEffect.findMany({
        where: { key: { contains: `/${id}/` } },
      });
      const days = deferred.map(({ notBefore }) => notBefore?.toISOString().slice(0, 10));
      expect([days, await asked(id)]).toEqual([[on(20), on(20)], []]);
    },
  );

  it('come to the payment once all their days have come', async () => {
    await daysPass(harness.service.database, 100);
    const { prisma } = harness.service.database;
    while ((await prisma.deferredEffect.count({ where: { state: 'waiting' } })) > 0)
      await harness.service.part(DeferredWorker).run();
    expect(await amounts('s1', 'receipt')).toEqual(['300.00']);
    expect(await amounts('e1', 'receipt')).toEqual(Array(3).fill('100.00'));
  });
});
