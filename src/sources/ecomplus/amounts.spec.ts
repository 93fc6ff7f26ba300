import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { Payload, UnreadablePayload } from '../payload';
import type { SourceContext } from '../source';
import { amountOf, nearestAmount, partOf } from './amounts';
import { readOrder } from './order';

const ORDER = join(__dirname, '../../../test/fixtures/ecomplus/fetched/order-paid-card.json');
const answered = readFileSync(ORDER, 'utf8');
const { _id: id } = JSON.parse(answered) as { _id: string };
const context: SourceContext = {
  source: 'loja',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
  settings: {},
};

type Json = Record<string, unknown>;

/** A JSON number as E-Com Plus sends it, of one member `n`. */
const place = (digits: string): Payload => Payload.parse(Buffer.from(`{"n":${digits}}`));

function orderOf(text: string): OrderFacts {
  const webhook = {
    topic: 'order',
    attributes: {},
    rawBody: Buffer.alloc(0),
    receivedAt: new Date('2026-08-10'),
  };
  return readOrder(Payload.parse(Buffer.from(text)), id, webhook, context).facts;
}

/** The order of 517.90 with these fields of its one transaction. */
function paidBy(changes: Json): OrderFacts {
  const order = JSON.parse(answered) as { transactions: Json[] };
  return orderOf(JSON.stringify({ ...order, transactions: [{ ...order.transactions[0], ...changes }] }));
}

const shown = ({ total, payments, lines, differences }: OrderFacts) => ({
  total: total.toString(),
  paid: payments.map(({ value }) => value.toString()),
  interest: lines.slice(1).map(({ price }) => price.toString()),
  differences,
});

describe('an amount of E-Com Plus', () => {
  it.each([
    ['137.95000000000002', '137.95'],
    ['89.98999999999999', '89.99'],
    ['44.910000000000004', '44.91'],
    ['0.30000000000000004', '0.30'],
    ['1999.9999999999998', '2000.00'],
    ['517.90000000', '517.90'],
    ['517.9', '517.90'],
    ['12', '12.00'],
  ])('that is %s is %s', (digits, amount) => {
    expect(amountOf(place(digits), 'n', 'BRL')?.toString()).toBe(amount);
    expect(partOf(place(digits), 'n', 'BRL')).toBe(BigInt(amount.replace('.', '')));
  });

  it.each(['137.955', '137.9501', '0.001', '-137.95000000000002', '1e2', `1${'0'.repeat(14)}.00000000002`])(
    'that is %s is refused',
    (digits) => {
      expect(() => amountOf(place(digits), 'n', 'BRL')).toThrow(UnreadablePayload);
      expect(partOf(place(digits), 'n', 'BRL')).toBeUndefined();
    },
  );

  it('that is absent is none, and nothing in a sum', () => {
    expect(amountOf(place('null'), 'n', 'BRL')).toBeUndefined();
    expect(partOf(place('null'), 'n', 'BRL')).toBe(0n);
  });

  it.each([
    ['107.83456789', 'BRL', '107.83'],
    ['107.835', 'BRL', '107.84'],
    ['107.83499999', 'BRL', '107.83'],
    ['107.5', 'JPY', '108'],
    ['107.8', 'BRL', '107.80'],
  ])('of which the nearest is wanted: %s %s is %s', (digits, currency, amount) => {
    expect(nearestAmount(place(digits), 'n', currency)?.toString()).toBe(amount);
  });
});

describe('an order of E-Com Plus whose amounts were calculated', () => {
  it('is read where a balance was taken off its total in floating point', () => {
    const order = orderOf(answered.replaceAll('517.9', '517.9000000000001'));
    expect(shown(order)).toEqual({ total: '517.90', paid: ['517.90'], interest: [], differences: [] });
    expect(order.lines.map(({ title }) => title)).toHaveLength(1);
  });

  it('is read where its instalments are a fraction of a cent and cost nothing', () => {
    const installments = { number: 3, value: 172.63333333333333, tax: false, total: 517.9000000000001 };
    expect(shown(paidBy({ installments })).total).toBe('517.90');
    const tax = { number: 3, value: 172.63333333333333, total: 172.63333333333333 * 3 };
    expect(shown(paidBy({ installments: tax })).differences).toEqual([]);
  });

  it('has the interest of instalments to the nearest cent', () => {
    const installments = { number: 10, value: 56.12345678, tax: true, total: 561.2345678 };
    expect(shown(paidBy({ installments }))).toEqual({
      ...{ total: '561.23', paid: ['561.23'], interest: ['43.33'] },
      differences: [],
    });
  });

  it.each([
    ['cut off', 561.23, 561.2372],
    ['rounded', 561.24, 561.2372],
    ['to the cent', 561.23, 561.23],
  ])('has interest that is in the amount of its transaction, %s', (_, amount, total) => {
    const installments = { number: 10, value: total / 10, tax: true, total };
    const value = amount.toFixed(2);
    expect(shown(paidBy({ amount, installments }))).toEqual({
      ...{ total: value, paid: [value], interest: [(amount - 517.9).toFixed(2)] },
      differences: [],
    });
  });

  it('is not made dearer by a second payment of all of it', () => {
    const order = JSON.parse(answered) as { transactions: Json[] };
    const [first] = order.transactions;
    const twice = [first, { ...first, _id: '66a5000000000000000000af' }].map((one) => ({
      ...one,
      amount: 561.23,
      installments: { number: 10, value: 56.123, tax: true, total: 561.23 },
    }));
    expect(shown(orderOf(JSON.stringify({ ...order, transactions: twice })))).toMatchObject({
      total: '517.90',
      differences: ['The payments come to 1122.46 BRL, but the order says 517.90 BRL.'],
    });
  });
});

describe('an order of E-Com Plus that points pay in part', () => {
  const POINTS = '66a5000000000000000000ae';
  /** The order of 517.90, of which the checkout took this balance. @param other fields of what pays the rest */
  const withPoints = (balance: number, points: number, status = 'paid', other: Json = {}): OrderFacts => {
    const order = JSON.parse(answered) as { amount: Json; transactions: Json[] };
    const paidInPoints = {
      ...{ _id: POINTS, payment_method: { code: 'loyalty_points' }, amount: points },
      status: { current: status, updated_at: '2026-07-15T13:01:00.000Z' },
    };
    const total = 517.9 - balance;
    return orderOf(
      JSON.stringify({
        ...order,
        amount: { ...order.amount, total, balance },
        ...('status' in other && { payments_history: [] }),
        transactions: [
          ...order.transactions.map((one) => ({ ...one, amount: total, ...other })),
          paidInPoints,
        ],
      }),
    );
  };

  it('costs what it does without them, though its total is what is left to pay', () => {
    const order = withPoints(17.9, 17.9);
    expect(shown(order)).toEqual({
      ...{ total: '517.90', paid: ['17.90', '500.00'], interest: [], differences: [] },
    });
    expect(order.payments.map(({ storeCredit = false }) => storeCredit)).toEqual([true, false]);
  });

  it('is paid with the one transaction that is left where the order alone says so, as the application Pix has it', () => {
    const pix = { status: { current: 'pending' }, payment_method: { code: 'account_deposit', name: 'Pix' } };
    expect(shown(withPoints(17.9, 17.9, 'paid', pix))).toMatchObject({
      ...{ total: '517.90', paid: ['17.90', '500.00'], differences: [] },
    });
    expect(shown(withPoints(17.9, 17.9, 'paid', { ...pix, amount: 400 })).paid).toEqual(['17.90']);
  });

  it('is read where the points are a fraction of a cent', () => {
    expect(shown(withPoints(17.9, 17.8975))).toMatchObject({
      ...{ total: '517.90', paid: ['17.90', '500.00'], differences: [] },
    });
  });

  it('costs what its total says where the points were not taken', () => {
    expect(shown(withPoints(17.9, 17.9, 'unauthorized'))).toMatchObject({
      total: '500.00',
      paid: ['500.00'],
    });
  });
});
