import { Money } from '../kernel/money';
import type { DisputeFacts, OrderEvent, OrderFacts } from './event';
import { type MoneyFacts, moneyFactsOf, togetherWith } from './money-facts';

const AT = new Date('2026-10-05T12:00:00Z');
const money = (text: string, currency = 'BRL'): Money => Money.parse(text, currency);

function event(fields: Partial<OrderFacts>): OrderEvent {
  const order: OrderFacts = {
    ...{ key: 'shop/order/1', source: 'shop', id: '1', number: '1', total: money('100.00'), createdAt: AT },
    ...{ instalments: 1, test: false, customer: { key: 'shop/customer/1', name: 'Lia' } },
    ...{ payments: [], refunds: [], lines: [], differences: [] },
    ...fields,
  };
  return { type: 'order.created', key: order.key, occurredAt: AT, raw: {}, order };
}

function facts(fields: Partial<OrderFacts>): MoneyFacts {
  return moneyFactsOf(event(fields))!;
}

const payment = (id: string, value: string, more: object = {}) => ({
  ...{ key: `shop/order/1/payment/${id}`, gateway: 'x', method: 'pix', value: money(value), paidAt: AT },
  ...more,
});

describe('what an order says of money', () => {
  it('has what was added to it, and what was taken out is left to what was booked', () => {
    const edits = [
      { key: 'e1', value: money('20.00'), editedAt: AT },
      { key: 'e2', value: money('-5.00'), editedAt: AT },
    ];
    expect(facts({ edits }).total).toBe('12000');
  });

  it('has payments, refunds and fees of money by their keys, and no gift cards', () => {
    const known = facts({
      payments: [payment('a', '70.00', { fee: money('1.05') }), payment('b', '30.00', { storeCredit: true })],
      refunds: [
        { key: 'r1', value: money('7.00'), refundedAt: AT },
        { key: 'r2', value: money('3.00'), refundedAt: AT, storeCredit: true },
      ],
      commission: money('9.99'),
    });
    const { payments, refunds, fees } = known;
    expect({ payments, refunds, fees }).toEqual({
      payments: { 'shop/order/1/payment/a': '7000' },
      refunds: { r1: '700' },
      fees: { 'shop/order/1/payment/a/fee': '105', 'shop/order/1/commission': '999' },
    });
  });

  it('has the fee of each settlement where the payment has none, and nothing in another currency', () => {
    const settlement = (key: string, fee?: Money) => ({
      key,
      net: money('9.00'),
      fee,
      expectedOn: undefined,
    });
    const settlements = [
      settlement('s1', money('1.10')),
      settlement('s2'),
      settlement('s3', money('1.30', 'USD')),
    ];
    const known = facts({
      payments: [
        payment('a', '30.00', { settlements }),
        payment('b', '1.00', { value: money('1.00', 'USD'), instalments: 3 }),
      ],
    });
    expect(known.fees).toEqual({ 's1/fee': '110' });
    expect(known.payments).toEqual({ 'shop/order/1/payment/a': '3000' });
    expect(known.instalments).toBe(3);
  });

  it.each([
    ['#1001', '1001'],
    [' SP/7 789 ', 'SP/7 789'],
    ['1', null],
    ['#1', null],
    ['#', null],
    ['9'.repeat(60), '9'.repeat(60)],
    ['9'.repeat(61), null],
  ])('is found by its number %j as %j', (number, found) => {
    expect(facts({ number }).number).toBe(found);
  });

  it('has the gateway of each payment as the shop spells it, of gift cards too, and of none that has no name', () => {
    const known = facts({
      payments: [
        payment('a', '70.00', { gateway: ' Mercado Pago ' }),
        payment('b', '20.00', { gateway: 'gift_card', storeCredit: true }),
        payment('c', '9.00', { gateway: ' ' }),
        payment('d', '1.00', { gateway: 'g'.repeat(201) }),
        payment('e', '1.00', { gateway: 'stripe', value: money('1.00', 'USD') }),
      ],
    });
    expect(known.gateways).toEqual({
      'shop/order/1/payment/a': 'Mercado Pago',
      'shop/order/1/payment/b': 'gift_card',
      'shop/order/1/payment/e': 'stripe',
    });
  });

  it('says nothing of a name', () => {
    expect(JSON.stringify(facts({ payments: [payment('a', '1.00')] }))).not.toContain('Lia');
  });

  it('of two messages is what the newer one says, with the payments of both, whichever came first', () => {
    const older = facts({
      ...{ total: money('90.00'), updatedAt: AT },
      payments: [payment('a', '70.00', { gateway: 'stripe' }), payment('c', '1.00')],
    });
    const newer = facts({
      payments: [payment('b', '20.00'), payment('c', '1.00', { gateway: '' })],
      updatedAt: new Date(AT.getTime() + 1_000),
      cancelledAt: AT,
    });
    const both = togetherWith(older, newer);
    expect(both).toMatchObject({ total: '10000', cancelled: true });
    const [a, b, c] = ['a', 'b', 'c'].map((id) => `shop/order/1/payment/${id}`) as [string, string, string];
    expect(both.payments).toEqual({ [a]: '7000', [b]: '2000', [c]: '100' });
    expect(both.gateways).toEqual({ [a]: 'stripe', [b]: 'x', [c]: 'x' });
    expect(togetherWith(newer, older)).toEqual(both);
  });
});

it('what is about a customer says nothing of money', () => {
  const customer = { key: 'shop/customer/1', name: 'Lia' };
  const about = { type: 'customer.updated', key: customer.key, occurredAt: AT, raw: {}, customer } as const;
  expect(moneyFactsOf(about)).toBeUndefined();
});

it.each([
  ['open', undefined, {}],
  ['lost', AT, {}],
  ['won', undefined, {}],
  ['won', AT, { 'shop/dispute/7/won': '10000' }],
] as const)(
  'a dispute that is %s and ended at %s says what was taken and what came back',
  (state, closedAt, refunds) => {
    const key = 'shop/dispute/7';
    const dispute: DisputeFacts = {
      ...{ key, source: 'shop', id: '7', orderKey: 'shop/order/1', gateway: 'stone', value: money('100.00') },
      ...{ fee: money('15.00'), state, openedAt: AT, ...(closedAt && { closedAt }), test: false },
    };
    expect(moneyFactsOf({ type: 'payment.disputed', key, occurredAt: AT, raw: {}, dispute })).toMatchObject({
      ...{ key, kind: 'dispute', orderKey: 'shop/order/1', total: '10000', payments: {}, refunds },
      fees: { 'shop/dispute/7/fee': '1500' },
    });
  },
);
