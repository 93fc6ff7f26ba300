import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { OrderHarness } from '../support/order-harness';
import { putProfile } from '../support/profiles';
import { daysPass } from '../support/time-passes';

const TODAY = CalendarDate.fromInstant(new Date(), 'America/Sao_Paulo');
/** Far enough that no midnight comes between. */
const FIRST = TODAY.addDays(10);
const SECOND = TODAY.addDays(40);

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('a card that pays in months to come, in the profile accrual, %s', (_where, open) => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await open();
    await putProfile(harness.service, 'accrual');
  });
  afterAll(() => harness.stop());

  async function balance(): Promise<bigint> {
    const where = { name: 'Conta principal' };
    const { id } = await harness.books.prisma.account.findFirstOrThrow({ where });
    return (await readBalances(harness.books.prisma, [id])).get(id) ?? 0n;
  }

  async function applied(count: number): Promise<void> {
    const { prisma } = harness.service.database;
    while ((await prisma.deferredEffect.count({ where: { state: 'applied' } })) < count)
      await harness.service.part(DeferredWorker).run();
  }

  it('posts each instalment and its fee on their day, or when the acquirer says that it paid', async () => {
    const paidAt = `${TODAY.addDays(-1).toString()}T12:00:00-03:00`;
    const settlements = [
      { number: 1, value: '50.00', fee: '2.20', on: FIRST.toString() },
      { number: 2, value: '50.00', fee: '2.19', on: SECOND.toString() },
    ];
    const card = { id: 'p1', gateway: 'pagarme', method: 'credit_card', value: '100.00', instalments: 2 };
    const data = {
      ...{ id: 'm1', total: '100.00', instalments: 2, createdAt: paidAt },
      customer: { id: 'c1', name: 'Lia Campos', email: 'lia@example.com' },
      payments: [{ ...card, paidAt, settlements }],
    };
    await harness.standard('order.paid', data);
    await harness.standard('order.paid', { ...data, updatedAt: paidAt });
    expect(await balance()).toBe(0n);
    const stored = await harness.service.database.prisma.deferredEffect.findMany();
    expect(stored.map(({ key, state }) => [key, state]).sort()).toEqual([
      ['payment/standard/order/m1/payment/p1/settlement/1/fee', 'waiting'],
      ['payment/standard/order/m1/payment/p1/settlement/2/fee', 'waiting'],
      ['receipt/standard/order/m1/payment/p1/settlement/1', 'waiting'],
      ['receipt/standard/order/m1/payment/p1/settlement/2', 'waiting'],
    ]);

    await daysPass(harness.service.database, 11);
    await applied(2);
    expect(await balance()).toBe(4_780n);

    const settled = { id: 's2', orderId: 'm1', paymentId: 'p1', gateway: 'pagarme', number: 2, of: 2 };
    const settledAt = `${TODAY.toString()}T12:00:00-03:00`;
    await harness.standard('payment.settled', { ...settled, value: '50.00', fee: '2.19', settledAt });
    expect(await balance()).toBe(9_561n);
    await daysPass(harness.service.database, 40);
    await applied(4);
    expect(await balance()).toBe(9_561n);
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  it('owes what was agreed on the days that were agreed, whichever message comes first, and asks a person where they are changed', async () => {
    const at = `${TODAY.addDays(-2).toString()}T12:00:00-03:00`;
    const terms = [
      { value: '60.00', dueDate: FIRST.toString() },
      { value: '40.00', dueDate: SECOND.toString() },
    ];
    const pix = { id: 'p1', gateway: 'manual', method: 'pix', value: '60.00', paidAt: at };
    const customer = { id: 'c9', name: 'Rui Lima', email: 'rui@example.com' };
    const [made, paid, waits] = ['t1', 't2', 't3'].map((id) => ({
      ...{ id, total: '100.00', createdAt: at, customer, terms },
    }));
    const charge = {
      id: 'p1',
      gateway: 'manual',
      method: 'boleto',
      value: '60.00',
      dueDate: TODAY.toString(),
    };
    await harness.standard('order.created', made ?? {});
    await harness.standard('order.paid', { ...made, payments: [pix] });
    await harness.standard('order.paid', { ...paid, payments: [pix] });
    await harness.standard('order.created', paid ?? {});
    await harness.standard('order.pending', { ...waits, charge });
    await harness.standard('order.created', waits ?? {});
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    const owed = await harness.books.prisma.schedule.findMany({
      where: { reference: { in: ['t1', 't2', 't3'].map((id) => `standard/order/${id}`) } },
    });
    const [first, second] = [FIRST, SECOND].map((day) => day.toString());
    expect(
      owed.map(({ dueDate, valueMinor }) => `${valueMinor} ${dueDate.toISOString().slice(0, 10)}`).sort(),
    ).toEqual([1, 2, 3].flatMap(() => [`4000 ${second}`, `6000 ${first}`]).sort());
    const later = terms.map((term) => ({ ...term, dueDate: SECOND.addDays(5).toString() }));
    await harness.standard('order.created', { ...made, terms: later });
    expect((await harness.lastDelivery()).outcome).toBe('applied; needs a person: content-differs');
  });
});
