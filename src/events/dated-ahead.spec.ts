import { brl, ORGANIZATION, paidOrder, updatedCustomer } from '../rules/fixtures';
import type { CanonicalEvent, OrderEventType, OrderFacts } from './event';
import { datedAhead } from './dated-ahead';

const RECEIVED = new Date('2026-03-05T12:00:00Z');
const A_WEEK_LATER = new Date('2026-03-12T12:00:00Z');
const LATER = new Date('2026-03-12T12:00:00.001Z');
const YEARS_LATER = new Date('2036-03-05T01:30:00Z');

/** What a person is told of an event whose webhook came on 5 March 2026. */
function reported(event: CanonicalEvent): string[] {
  return datedAhead(event, RECEIVED, ORGANIZATION.timeZone).map(
    ({ businessKey, code, event: type, value, detail }) => {
      expect([code, type]).toEqual(['dated-ahead', undefined]);
      return `${businessKey} ${value.toString()}: ${detail}`;
    },
  );
}

function ofOrder(type: OrderEventType, facts: Partial<OrderFacts>): string[] {
  return reported({ ...paidOrder(facts), type });
}

const paid = (paidAt: Date, more = {}) => ({ payment: { ...paidOrder().order.payment!, paidAt, ...more } });
const AHEAD = 'more than a week after its webhook came: it is in no balance before that day';

it('is a payment that the shop dates more than a week after its webhook, on the day in the zone of the organization', () => {
  expect(ofOrder('order.paid', paid(RECEIVED))).toEqual([]);
  expect(ofOrder('order.paid', paid(A_WEEK_LATER))).toEqual([]);
  expect(ofOrder('order.paid', paid(LATER))).toHaveLength(1);
  const id = paidOrder().order.payment!.key.split('/').at(-1);
  expect(ofOrder('order.paid', paid(YEARS_LATER))).toEqual([
    `shop/order/1001 100.00: Payment ${id} of 100.00 BRL is dated 2036-03-04, ${AHEAD}`,
  ]);
});

it('is nothing of what no account received, of a test, and of events that book no payment', () => {
  expect(ofOrder('order.paid', paid(YEARS_LATER, { storeCredit: true }))).toEqual([]);
  expect(ofOrder('order.paid', { ...paid(YEARS_LATER), test: true })).toEqual([]);
  for (const type of [
    'order.created',
    'order.pending',
    'order.expired',
    'order.edited',
    'order.cancelled',
  ] as const)
    expect(ofOrder(type, paid(YEARS_LATER))).toEqual([]);
  expect(reported(updatedCustomer())).toEqual([]);
});

it('is each refund of money that is dated so, and no other', () => {
  const refund = (id: string, refundedAt: Date, more = {}) => ({
    ...{ key: `shop/order/1001/refund/${id}`, value: brl('10.00'), refundedAt },
    ...more,
  });
  const refunds = [
    refund('1', RECEIVED),
    refund('2', YEARS_LATER),
    refund('3', YEARS_LATER, { storeCredit: true }),
  ];
  expect(ofOrder('order.refunded', { refunds })).toEqual([
    `shop/order/1001 10.00: Refund 2 of 10.00 BRL is dated 2036-03-04, ${AHEAD}`,
  ]);
  expect(ofOrder('order.refunded', { refunds, test: true })).toEqual([]);
});

it('is an instalment, a payout, a dispute and a bill', () => {
  const of = (test: boolean, at: Date): CanonicalEvent[] => {
    const base = { key: 'shop/x/9', occurredAt: RECEIVED, raw: {} };
    const facts = { key: base.key, source: 'shop', id: '9', gateway: 'g', value: brl('9.00'), test };
    const dispute = { ...facts, state: 'won' as const, openedAt: RECEIVED };
    return [
      {
        ...base,
        type: 'payment.settled',
        settlement: { ...facts, orderKey: 'shop/order/1', number: 2, of: 3, settledAt: at },
      },
      { ...base, type: 'payout.paid', payout: { ...facts, paidAt: at } },
      { ...base, type: 'payment.disputed', dispute: { ...dispute, openedAt: at } },
      { ...base, type: 'payment.disputed', dispute: { ...dispute, orderKey: 'shop/order/1', closedAt: at } },
      { ...base, type: 'bill.paid', bill: { ...facts, supplier: { name: 'Papelaria' }, paidAt: at } },
    ];
  };
  expect(of(false, YEARS_LATER).flatMap(reported)).toEqual([
    `shop/order/1 9.00: Instalment 2 of 3 of 9.00 BRL is dated 2036-03-04, ${AHEAD}`,
    `shop/x/9 9.00: Payout 9 of 9.00 BRL is dated 2036-03-04, ${AHEAD}`,
    `shop/x/9 9.00: Dispute 9 of 9.00 BRL is dated 2036-03-04, ${AHEAD}`,
    `shop/order/1 9.00: Dispute 9 of 9.00 BRL is dated 2036-03-04, ${AHEAD}`,
    `shop/x/9 9.00: The payment for bill 9 of 9.00 BRL is dated 2036-03-04, ${AHEAD}`,
  ]);
  expect(of(true, YEARS_LATER).flatMap(reported)).toEqual([]);
  expect(of(false, A_WEEK_LATER).flatMap(reported)).toEqual([]);
});

it('names no day of an instant that is in no year of four digits', () => {
  const [sentence] = ofOrder('order.paid', paid(new Date(Date.UTC(10_000, 5, 1))));
  expect(sentence).toContain('is dated after the year 9999, more than a week');
});
