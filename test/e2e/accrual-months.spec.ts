import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { cpfNumber } from '../support/documents';
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

  it('are income of their own where the order was written off and is paid all the same', async () => {
    const [soldAt, cancelledAt, paidAt] = [-3, -2, -1].map(
      (days) => `${TODAY.addDays(days).toString()}T12:00:00-03:00`,
    );
    const settlements = [
      { number: 1, value: '50.00', fee: '2.20', on: FIRST.toString() },
      { number: 2, value: '50.00', fee: '2.19', on: SECOND.toString() },
    ];
    const card = { id: 'p1', gateway: 'pagarme', method: 'credit_card', value: '100.00', instalments: 2 };
    const made = {
      ...{ id: 'w1', total: '100.00', instalments: 2, createdAt: soldAt },
      customer: { id: 'c11', name: 'Bia Nunes', email: 'bia@example.com' },
    };
    const { prisma } = harness.service.database;
    const before = await balance();
    const waiting = await prisma.deferredEffect.count({ where: { state: 'applied' } });
    await harness.standard('order.created', made);
    await harness.standard('order.cancelled', { ...made, cancelledAt });
    // The shop has forgotten that.
    await harness.standard('order.paid', { ...made, payments: [{ ...card, paidAt, settlements }] });
    expect(await balance()).toBe(before);
    const settled = { id: 's-w1', orderId: 'w1', paymentId: 'p1', gateway: 'pagarme', number: 1, of: 2 };
    const settledAt = `${TODAY.toString()}T12:00:00-03:00`;
    await harness.standard('payment.settled', { ...settled, value: '50.00', fee: '2.20', settledAt });
    expect((await balance()) - before).toBe(4_780n);
    await daysPass(harness.service.database, 41);
    await applied(waiting + 4);
    expect((await balance()) - before).toBe(9_561n);
    const where = { code: 'payment-left-over', businessKey: { contains: 'order/w1' } };
    expect(await prisma.attention.count({ where })).toBe(0);
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  it('asks nobody about instalments of an order that is paid in another way than it was to be', async () => {
    const at = `${TODAY.addDays(-2).toString()}T12:00:00-03:00`;
    const made = {
      ...{ id: 'p1', total: '90.00', createdAt: at, instalments: 3 },
      customer: { id: 'c12', name: 'Caio Luz', email: 'caio@example.com' },
    };
    const pix = { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: at };
    await harness.standard('order.created', made);
    await harness.standard('order.paid', { ...made, instalments: 1, payments: [{ ...pix, value: '50.00' }] });
    expect((await harness.lastDelivery()).outcome).toBe('applied; needs a person: content-differs');
    const payments = [
      { ...pix, value: '50.00' },
      { ...pix, id: 'p2', value: '40.00' },
    ];
    await harness.standard('order.paid', { ...made, instalments: 1, payments });
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    const where = { reference: 'standard/order/p1' };
    const owed = await harness.books.prisma.schedule.findMany({ where });
    expect(owed.map(({ openMinor }) => openMinor)).toEqual([0n, 0n, 0n]);
  });

  it.each<[string, { total?: string; edits?: object[] }, string]>([
    ['order.edited', { total: '120.00', edits: [{ id: 'e1', value: '20.00' }] }, 'applied'],
    ['order.expired', {}, 'applied; needs a person: rule-charge-expired'],
    ['order.cancelled', {}, 'applied'],
  ])('owes what was agreed whether %s comes before the order or after it', async (type, more, outcome) => {
    const at = `${TODAY.addDays(-2).toString()}T12:00:00-03:00`;
    const terms = [
      { value: '70.00', dueDate: FIRST.toString() },
      { value: '30.00', dueDate: SECOND.toString() },
    ];
    const customer = { id: 'c10', name: 'Ana Reis', email: 'ana@example.com' };
    const charge = { id: 'p1', gateway: 'manual', method: 'boleto', value: '70.00' };
    const told = { expired: { charge }, cancelled: { cancelledAt: at } }[type.replace('order.', '')] ?? {};
    const edits = more.edits?.map((edit) => ({ ...edit, editedAt: at }));
    const orders = ['before', 'after'].map((id) => ({
      ...{ id: `${type}-${id}`, total: '100.00', createdAt: at, customer, terms },
    }));
    const [before, after] = orders.map((order) => [
      ['order.created', order] as const,
      [type, { ...order, ...told, ...more, ...(edits && { edits }) }] as const,
    ]);
    const outcomes: (string | null)[] = [];
    for (const [name, data] of [...(before ?? []), ...(after ?? []).toReversed()]) {
      await harness.standard(name, data);
      outcomes.push((await harness.lastDelivery()).outcome);
    }
    expect(outcomes).toEqual(['applied', outcome, outcome, 'applied']);
    const owed = await harness.books.prisma.schedule.findMany({
      where: { reference: { in: orders.map(({ id }) => `standard/order/${id}`) } },
    });
    const [first, second] = [FIRST, SECOND].map((day) => day.toString());
    expect(
      owed.map(({ dueDate, valueMinor }) => `${valueMinor} ${dueDate.toISOString().slice(0, 10)}`).sort(),
    ).toEqual([1, 2].flatMap(() => [`3000 ${second}`, `7000 ${first}`]).sort());
  });

  it('asks nobody to cancel an order of which the boleto is not paid where the same message cancels it', async () => {
    const at = `${TODAY.addDays(-2).toString()}T12:00:00-03:00`;
    const customer = { id: 'c11', name: 'Ana Reis', email: 'ana@example.com' };
    const charge = { id: 'p1', gateway: 'manual', method: 'boleto', value: '70.00' };
    const order = { id: 'unpaid', total: '70.00', createdAt: at, customer };
    await harness.standard('order.expired', { ...order, charge, cancelledAt: at });
    await harness.standard('order.cancelled', { ...order, cancelledAt: at });
    const owed = await harness.books.prisma.schedule.findFirstOrThrow({
      where: { reference: 'standard/order/unpaid' },
    });
    const left = (await harness.service.admin('attention')) as AttentionPage;
    const asked = left.items.filter(({ businessKey }) => businessKey === 'standard/order/unpaid');
    expect([owed.openMinor, asked]).toEqual([0n, []]);
  });

  it('asks a person what became of the money where a shop cancels an order whose boleto was paid', async () => {
    const order = {
      ...{ id: 8_950_000_000_001, number: 8951, total: '100.00', name: 'Lia Campos', instalments: 1 },
      ...{ document: cpfNumber(89_501), email: 'lia8951@example.com' },
    };
    const boleto = { payment_gateway_names: ['Boleto Bancário'], gateway: 'Boleto Bancário' };
    const unpaid = { financial_status: 'pending', total_outstanding: '100.00' };
    await harness.shopify(order, { ...boleto, ...unpaid }, 'orders/create');
    await harness.shopify(order, boleto, 'orders/paid');
    const cancelled = { cancelled_at: '2026-11-21T10:00:00-03:00', updated_at: '2026-11-21T10:00:01-03:00' };
    await harness.shopify(order, { ...boleto, ...cancelled }, 'orders/cancelled');
    expect(await harness.attention(order)).toMatchObject([
      { code: 'cancellation-not-booked', value: '100.00' },
    ]);
  });
});
