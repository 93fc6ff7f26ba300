import { brl, paidOrder, updatedCustomer } from '../rules/fixtures';
import type { OrderEventType, OrderFacts, PayoutLine } from './event';
import { unbookedOf } from './unbooked';

const refund = (id: string, value: string) => ({
  key: `shop/order/1001/refund/${id}`,
  value: brl(value),
  refundedAt: new Date('2026-03-06T12:00:00Z'),
});

/** What an event of the order leaves to a person: code and amount. */
function left(type: OrderEventType, facts: Partial<OrderFacts>): string[] {
  return unbookedOf({ ...paidOrder(facts), type }).map(({ code, value }) => `${code} ${value.toString()}`);
}

it('is each refund, by itself', () => {
  const refunds = [refund('1', '20.00'), refund('2', '15.50')];
  expect(left('order.refunded', { refunds })).toEqual(['refund-not-booked 20.00', 'refund-not-booked 15.50']);
  expect(unbookedOf({ ...paidOrder({ refunds }), type: 'order.refunded' })[1]).toMatchObject({
    businessKey: 'shop/order/1001',
    event: 'order.refunded',
    detail: '15.50 BRL went back to the customer by refund 2; no rule books refunds',
  });
});

it('is what a cancelled order keeps that was paid', () => {
  expect(left('order.cancelled', {})).toEqual(['cancellation-not-booked 100.00']);
  expect(left('order.cancelled', { refunds: [refund('1', '20.00')] })).toEqual([
    'cancellation-not-booked 80.00',
  ]);
});

it('is nothing of a cancelled order that was refunded, or never paid', () => {
  expect(left('order.cancelled', { refunds: [refund('1', '100.00')] })).toEqual([]);
  const { paidAt: _paidAt, ...unpaid } = paidOrder().order;
  expect(unbookedOf({ ...paidOrder(), type: 'order.cancelled', order: unpaid })).toEqual([]);
});

it('is every difference of an order with money in it, with the total, whatever rules do', () => {
  const differences = ['The payments come to 90.00, the total is 100.00.'];
  expect(left('order.paid', { differences })).toEqual(['order-differs 100.00']);
  expect(unbookedOf(paidOrder({ differences }))[0]).not.toHaveProperty('event');
  expect(left('order.created', { differences })).toEqual([]);
});

it('is that more went back than was paid, even where the order became dearer', () => {
  const twice = [refund('1', '100.00'), refund('2', '100.00')];
  const booked = ['refund-not-booked 100.00', 'refund-not-booked 100.00'];
  expect(left('order.refunded', { refunds: twice })).toEqual([...booked, 'order-differs 100.00']);
  const [, , differs] = unbookedOf({ ...paidOrder({ refunds: twice }), type: 'order.refunded' });
  expect(differs).not.toHaveProperty('event');
  expect(differs!.detail).toBe(
    'The refunds come to 200.00 BRL, but the order to 100.00 BRL and its payments to 100.00 BRL.',
  );
  // Whichever message says it first.
  expect(left('order.paid', { refunds: twice })).toEqual(['order-differs 100.00']);
  const editedAt = new Date('2026-03-01T12:00:00Z');
  const edit = (value: string) => [{ key: 'shop/order/1001/edit/1', value: brl(value), editedAt }];
  expect(left('order.refunded', { refunds: twice, edits: edit('99.99') })).toContain('order-differs 100.00');
  expect(left('order.refunded', { refunds: twice, edits: edit('100.00') })).toEqual(booked);
  const [payment] = paidOrder().order.payments;
  const payments = [payment!, { ...payment!, key: `${payment!.key}/2` }];
  expect(left('order.refunded', { refunds: twice, payments })).toEqual(booked);
});

it('is nothing where all is well, of a test order, and of a customer', () => {
  expect(left('order.paid', {})).toEqual([]);
  expect(left('order.refunded', { test: true, refunds: [refund('1', '20.00')] })).toEqual([]);
  expect(unbookedOf(updatedCustomer())).toEqual([]);
});

it('is what a gift card or store credit paid or was given back as, whatever rules do, and no refund besides', () => {
  const { payment } = paidOrder().order;
  const paid = unbookedOf(paidOrder({ payment: { ...payment!, storeCredit: true } }));
  expect(paid).toMatchObject([{ code: 'store-credit-not-booked', value: brl('100.00') }]);
  expect(paid[0]).not.toHaveProperty('event');
  // Two cards of one amount are two things to settle.
  const other = paidOrder({ payment: { ...payment!, key: `${payment!.key}/2`, storeCredit: true } });
  expect(unbookedOf(other)[0]?.detail).not.toBe(paid[0]?.detail);
  const refunds = [refund('1', '20.00'), { ...refund('2', '5.00'), storeCredit: true }];
  expect(left('order.refunded', { refunds })).toEqual([
    'refund-not-booked 20.00',
    'store-credit-not-booked 5.00',
  ]);
});

it('is a payout until a rule listens, and a dispute until a rule books it; neither of a test', () => {
  const openedAt = new Date('2026-03-06T12:00:00Z');
  const entity = { key: 'shop/x/1', source: 'shop', id: '1', gateway: 'pagbank', value: brl('9.00') };
  const base = { key: entity.key, occurredAt: openedAt, raw: {} };
  const payout = (test: boolean) =>
    unbookedOf({ ...base, type: 'payout.paid', payout: { ...entity, paidAt: openedAt, test } });
  const dispute = (test: boolean) =>
    unbookedOf({
      ...{ ...base, type: 'payment.disputed' },
      dispute: { ...entity, orderKey: 'shop/order/1', state: 'open', openedAt, test },
    });
  expect(payout(false)).toMatchObject([
    { code: 'payout-not-booked', event: 'payout.paid', byListening: true },
  ]);
  expect(dispute(false)).toMatchObject([{ code: 'dispute-not-booked', businessKey: 'shop/order/1' }]);
  expect(dispute(false)[0]).not.toHaveProperty('byListening');
  expect([...payout(true), ...dispute(true)]).toEqual([]);
});

const at = new Date('2026-03-07T12:00:00Z');

it('is nothing of an order that waits for a payment, or waited in vain', () => {
  const charge = { key: 'shop/order/1001/payment/b', gateway: 'g', method: 'boleto', value: brl('100.00') };
  const differences = ['The payments come to 90.00, the total is 100.00.'];
  for (const type of ['order.pending', 'order.expired'] as const)
    expect(left(type, { charge, differences })).toEqual([]);
});

it('is each edit after money came, until a rule books edits', () => {
  const edit = (id: string, value: string, editedAt: Date) => ({
    ...{ key: `shop/order/1001/edit/${id}`, value: brl(value), editedAt },
  });
  const before = edit('1', '5.00', new Date('2026-03-01T12:00:00Z'));
  const edits = [before, edit('2', '20.00', at), edit('3', '-7.50', at)];
  expect(left('order.edited', { edits })).toEqual(['edit-not-booked 20.00', 'edit-not-booked 7.50']);
  const details = unbookedOf({ ...paidOrder({ edits }), type: 'order.edited' }).map(({ detail }) => detail);
  expect(details).toEqual([
    expect.stringContaining('changed by 20.00 BRL'),
    expect.stringContaining('changed by -7.50 BRL'),
  ]);
  expect(left('order.edited', { edits, payments: [], paidAt: undefined })).toEqual([]);
  expect(left('order.cancelled', { edits })).toEqual(['cancellation-not-booked 117.50']);
  const total = brl('999999999999.98');
  expect(left('order.cancelled', { edits: [edit('2', '5.00', at), edit('3', '-7.50', at)], total })).toEqual([
    'cancellation-not-booked 999999999997.48',
  ]);
});

it('is a settlement and a bill until a rule books them; neither of a test', () => {
  const entity = { source: 'shop', id: '1', value: brl('50.00') };
  const settled = (test: boolean) =>
    unbookedOf({
      ...{ type: 'payment.settled', key: 'shop/settlement/1', occurredAt: at, raw: {} },
      settlement: {
        ...{ ...entity, key: 'shop/settlement/1', orderKey: 'shop/order/1', gateway: 'g' },
        ...{ number: 2, of: 3, settledAt: at, test },
      },
    });
  const bill = (test: boolean) =>
    unbookedOf({
      ...{ type: 'bill.paid', key: 'shop/bill/1', occurredAt: at, raw: {} },
      bill: { ...entity, key: 'shop/bill/1', supplier: { name: 'Serra Azul' }, paidAt: at, test },
    });
  expect(settled(false)).toMatchObject([
    { code: 'settlement-not-booked', businessKey: 'shop/order/1', event: 'payment.settled' },
  ]);
  expect(bill(false)).toMatchObject([{ code: 'bill-not-booked', event: 'bill.paid' }]);
  expect(bill(false)[0]?.detail).not.toContain('Serra');
  expect([...settled(true), ...bill(true)]).toEqual([]);
});

it('is the fee of a settlement only where the payment did not say it', () => {
  const settled = (more: object) =>
    unbookedOf({
      ...{ type: 'payment.settled', key: 'shop/settlement/1', occurredAt: at, raw: {} },
      settlement: {
        ...{ key: 'shop/settlement/1', source: 'shop', id: '1', gateway: 'g', value: brl('50.00') },
        ...{ number: 1, of: 1, settledAt: at, test: false, fee: brl('2.00'), ...more },
      },
    });
  expect(settled({})[0]).not.toHaveProperty('bookedWith');
  expect(settled({ feeAnnounced: true })[0]).toHaveProperty('bookedWith', 'order.paid');
});

it('is a payout whose lines or fees do not come to it, whatever rules do', () => {
  const line = (kind: PayoutLine['kind'], value: string) => ({ kind, value: brl(value) });
  const differs = (lines: PayoutLine[], fee?: string) =>
    unbookedOf({
      ...{ type: 'payout.paid', key: 'shop/payout/1', occurredAt: at, raw: {} },
      payout: {
        ...{ key: 'shop/payout/1', source: 'shop', id: '1', gateway: 'g', value: brl('90.00'), paidAt: at },
        ...{ lines, test: false, ...(fee !== undefined && { fee: brl(fee) }) },
      },
    })
      .filter(({ event }) => event === undefined)
      .map(({ code, detail }) => `${code}: ${detail}`);
  expect(differs([])).toEqual([]);
  expect(differs([line('payment', '100.00'), line('fee', '-10.00')], '10.00')).toEqual([]);
  expect(differs([line('payment', '100.00')], '10.00')).toEqual([]);
  expect(differs([line('payment', '100.00'), line('refund', '-4.00')], '5.00')).toEqual([
    'payout-differs: The lines of the payout come to 91.00 BRL, but 90.00 BRL were paid out.',
  ]);
  expect(differs([line('payment', '100.00'), line('fee', '-10.00')], '9.00')).toEqual([
    'payout-differs: The lines of the payout have fees of 10.00 BRL, but the payout says 9.00 BRL.',
  ]);
});
