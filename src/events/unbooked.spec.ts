import { brl, paidOrder, updatedCustomer } from '../rules/fixtures';
import type { OrderEventType, OrderFacts } from './event';
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
