import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, DisputeFacts, OrderFacts } from '../../events/event';
import type { FetchedAnswer, Normalised, StoredWebhook } from '../source';
import { mercadoLivre } from './mercado-livre';

type Json = Record<string, unknown>;

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const ORDER = '2000018100000102';
const PAYMENT = '132814584102';
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'mercado-livre');

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function answer(name: string, body: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
}

const NOTIFICATION = read('order-pix-paid');
const [PAYMENT_OF_ORDER] = read('fetched/order-pix-paid')['payments'] as Json[];
const DETAIL = read('fetched/payment-pix-paid')['collection'] as Json;

function webhook(answers: readonly FetchedAnswer[], notification: Json = {}): StoredWebhook {
  const rawBody = Buffer.from(JSON.stringify({ ...NOTIFICATION, ...notification }));
  return { topic: 'orders_v2', attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched: answers };
}

/** What is changed of the Pix that pays 89.90 for goods and 18.50 for the delivery. */
interface Changes {
  order?: Json;
  /** In the order. */
  payment?: Json;
  /** As it was asked for; null: it may not be seen. */
  detail?: Json | null;
  /** Null: it may not be seen. */
  billing?: Json | null;
  settings?: Json;
}

function normalise({ order, payment, detail = {}, billing, settings = {} }: Changes = {}): Normalised {
  const payments = [{ ...PAYMENT_OF_ORDER, ...payment }];
  const answers = [
    answer('order', { ...read('fetched/order-pix-paid'), payments, ...order }),
    billing === null
      ? answer('billing-info', undefined, 403)
      : answer('billing-info', billing ?? read('fetched/billing-person')),
    detail === null
      ? answer(`payment-${PAYMENT}`, undefined, 403)
      : answer(`payment-${PAYMENT}`, { ...DETAIL, ...detail }),
  ];
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return mercadoLivre.normalise(webhook(answers), context);
}

function eventsOf(normalised: Normalised): CanonicalEvent[] {
  return 'events' in normalised ? normalised.events : [];
}

function orderOf(changes: Changes = {}): OrderFacts {
  const event = eventsOf(normalise(changes)).find((one) => 'order' in one);
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

function disputeOf(changes: Changes): DisputeFacts | undefined {
  const event = eventsOf(normalise(changes)).find((one) => one.type === 'payment.disputed');
  return event?.type === 'payment.disputed' ? event.dispute : undefined;
}

const typesOf = (changes: Changes): string[] => eventsOf(normalise(changes)).map(({ type }) => type);

function refund(id: number, amount: number, more: Json = {}): Json {
  return { id, amount, date_created: '2026-07-20T10:15:00.000-04:00', status: 'approved', ...more };
}

describe('a sale at Mercado Livre', () => {
  it('is what the buyer paid for the goods, and not the freight that Mercado Envios keeps', () => {
    const { total, shipping, payments, differences } = orderOf();
    expect([total.toString(), shipping, payments[0]?.value.toString()]).toEqual([
      '89.90',
      undefined,
      '89.90',
    ]);
    expect(differences).toEqual([]);
  });

  it('is goods and freight where the seller delivers', () => {
    const settings = { ownShipping: true };
    const { total, shipping, payments, differences } = orderOf({ settings });
    expect([total, shipping, payments[0]?.value].map(String)).toEqual(['108.40', '18.50', '108.40']);
    expect(differences).toEqual([]);
    const back = { status: 'refunded', refunds: [refund(1, 108.4)], amount_refunded: 89.9 };
    const refunded = orderOf({ settings, payment: { status: 'refunded' }, detail: back });
    expect(refunded.refunds.map(({ value }) => value.toString())).toEqual(['108.40']);
    expect(refunded.differences).toHaveLength(1);
  });

  it('with a freight beyond all measure is unreadable', () => {
    const payment = { transaction_amount: 9999999999999.99, shipping_cost: 9999999999999.99 };
    expect(() => normalise({ payment, settings: { ownShipping: true } })).toThrow(/\$\.payments\[0\]\.\w+/);
  });

  it('is known by the number of its cart, where it is a part of one', () => {
    expect(orderOf().number).toBe(ORDER);
    expect(orderOf({ order: { pack_id: 2000009955773085 } }).number).toBe('2000009955773085');
  });

  it('has the instalments that the buyer chose, before and after they were paid', () => {
    const payment = { installments: 6, payment_type: 'ticket' };
    const [paid, pending] = [orderOf({ payment }), orderOf({ payment: { ...payment, status: 'pending' } })];
    expect([paid.instalments, pending.instalments]).toEqual([6, 6]);
    const failed = { ...PAYMENT_OF_ORDER, id: 7, status: 'rejected', installments: 12 };
    const order = { payments: [failed, PAYMENT_OF_ORDER] };
    expect(orderOf({ order }).instalments).toBe(1);
  });

  it('is a test where its tags say so, unless the source books tests', () => {
    const order = { tags: ['test_order', 'paid'] };
    expect([orderOf().test, orderOf({ order }).test]).toEqual([false, true]);
    expect(orderOf({ order, settings: { bookTestOrders: true } }).test).toBe(false);
  });

  it('is dated by when its payment was made, where nothing says when it was approved', () => {
    expect(orderOf({ payment: { date_approved: null } }).payments).toMatchObject([
      { paidAt: new Date('2026-07-15T13:01:40Z'), datedBy: 'date_created' },
    ]);
  });

  it('asks a person where it was not fulfilled, and nothing says that its payment went back', () => {
    const order = { tags: ['paid', 'unfulfilled'] };
    const asked = expect.stringContaining('was not fulfilled') as string;
    expect(orderOf({ order }).differences).toEqual([asked]);
    expect(orderOf({ order: { tags: ['paid', 'not_delivered'] } }).differences).toEqual([]);
    const back = { status: 'refunded', transaction_amount_refunded: 89.9 };
    const refunds = [
      { id: 9, amount: 89.9, status: 'approved', date_created: '2026-07-16T10:00:00.000-04:00' },
    ];
    expect(orderOf({ order, payment: back, detail: { refunds } }).differences).not.toContainEqual(asked);
  });

  it('is dated by when the order was closed, where its payment has no date', () => {
    const payment = { date_approved: null, date_created: null };
    const order = { date_closed: '2026-07-15T09:03:10.000-04:00' };
    expect(orderOf({ payment, order }).payments).toMatchObject([
      { paidAt: new Date('2026-07-15T13:03:10Z'), datedBy: 'date_closed' },
    ]);
    expect(() => normalise({ payment, order: { date_closed: null } })).toThrow(
      '$.payments[0].date_approved is missing',
    );
  });

  it('says what the payments or the items do not come to', () => {
    expect(orderOf({ payment: { transaction_amount: 80 } }).differences).toEqual([
      'The payments come to 80.00 BRL, but the order says 89.90 BRL.',
    ]);
    expect(orderOf({ order: { total_amount: 80 } }).differences).toEqual([
      'The items come to 89.90 BRL, but the order says 80.00 BRL.',
      'The payments come to 89.90 BRL, but the order says 80.00 BRL.',
    ]);
  });

  it('in a currency without cents is read to the unit', () => {
    const order = readFileSync(join(folder, 'fetched', 'order-pix-paid.json'), 'utf8')
      .replaceAll('BRL', 'CLP')
      .replaceAll('89.9', '52240.00')
      .replaceAll('12.59', '5746.00')
      .replaceAll('18.5', '0.00');
    const answers = [
      { name: 'order', status: 200, body: Buffer.from(order) },
      answer('billing-info', undefined, 404),
      answer(`payment-${PAYMENT}`, undefined, 404),
    ];
    const context = { source: 'loja', timeZone: 'America/Santiago', currency: 'CLP', settings: {} };
    expect(mercadoLivre.normalise(webhook(answers), context)).toMatchObject({
      events: [{ order: { differences: [] } }],
    });
  });

  it('whose two payments are one is unreadable', () => {
    expect(() => normalise({ order: { payments: [PAYMENT_OF_ORDER, PAYMENT_OF_ORDER] } })).toThrow(
      'has one payment twice',
    );
  });

  it('paid in another currency is unreadable', () => {
    expect(() => normalise({ payment: { currency_id: 'ARS' } })).toThrow('is not BRL, as the order is');
  });
});

describe('what Mercado Livre keeps of a sale', () => {
  const items = (...changes: Json[]) => {
    const [item] = read('fetched/order-pix-paid')['order_items'] as Json[];
    return { order: { order_items: changes.map((change) => ({ ...item, ...change })) } };
  };

  it('is the fee of a piece times the pieces', () => {
    const several = items(
      { quantity: 2, unit_price: 14.95, sale_fee: 11.07 },
      { unit_price: 60, sale_fee: 0 },
    );
    expect(orderOf(several).commission?.toString()).toBe('22.14');
    expect(orderOf(items({ sale_fee: 0 })).commission).toBeUndefined();
    expect(orderOf(items({ sale_fee: 0 })).differences).toEqual([]);
  });

  it.each([null, 11.075, -1])('is not booked, and said, where a fee is %j', (sale_fee) => {
    const { commission, differences } = orderOf(items({ sale_fee }));
    expect(commission).toBeUndefined();
    expect(differences).toEqual([expect.stringContaining('does not say its commission') as string]);
  });
});

describe('a coupon at Mercado Livre', () => {
  it('that Mercado Livre bears changes nothing', () => {
    expect(orderOf({ payment: { coupon_amount: 30 } }).differences).toEqual([]);
  });

  it.each([
    ['fee', { fee_details: [{ type: 'coupon_fee', fee_payer: 'collector', amount: 9.5 }] }],
    [
      'charge',
      { charges_details: [{ type: 'coupon', accounts: { from: 'collector' }, amounts: { original: 9.5 } }] },
    ],
  ])('that the seller bears is said, where it is a %s', (_as, detail) => {
    expect(orderOf({ detail }).differences).toEqual([
      expect.stringContaining('The seller bears 9.50 BRL of a coupon') as string,
    ]);
  });

  it('asks a person where the application may not see who bears it', () => {
    expect(orderOf({ payment: { coupon_amount: 30 }, detail: null }).differences).toEqual([
      expect.stringContaining('A coupon of 30.00 BRL was used') as string,
    ]);
  });
});

describe('what goes back of a sale at Mercado Livre', () => {
  const back = (payment: Json, detail: Json | null) => {
    const { refunds, differences } = orderOf({ payment, detail });
    const kept = differences.filter((one) => !one.startsWith('Money went back to the buyer.'));
    return { values: refunds.map(({ key, value }) => `${key.split('/').at(-1)} ${value.toString()}`), kept };
  };

  it('is each refund that was made, by its own number', () => {
    const refunds = [
      refund(2, 10, { date_created: '2026-07-22T10:00:00-04:00' }),
      refund(1, 5),
      refund(3, 7, { status: 'in_process' }),
    ];
    expect(back({ transaction_amount_refunded: 15 }, { refunds, amount_refunded: 15 })).toEqual({
      values: ['1 5.00', '2 10.00'],
      kept: [],
    });
  });

  it('leaves it to a person how much of the commission came back', () => {
    const detail = { refunds: [refund(1, 89.9)], amount_refunded: 89.9 };
    expect(orderOf({ payment: { status: 'refunded' }, detail }).differences).toEqual([
      expect.stringContaining('How much of the commission of 12.59 BRL came back') as string,
    ]);
  });

  it('says where the refunds are not what the payment says', () => {
    expect(back({}, { refunds: [refund(1, 5)], amount_refunded: 6 }).kept).toEqual([
      'The refunds come to 5.00 BRL, but the payment says that 6.00 BRL went back.',
    ]);
    expect(back({ status: 'refunded' }, { refunds: [refund(1, 5)], amount_refunded: null }).kept).toEqual([
      'The refunds come to 5.00 BRL, but the payment says that 0.00 BRL went back.',
    ]);
    const stated = { amount_refunded: null, transaction_amount_refunded: null };
    expect(
      back({ status: 'refunded', transaction_amount_refunded: null }, { refunds: [], ...stated }).kept,
    ).toEqual(['The refunds come to 0.00 BRL, but the payment says that 89.90 BRL went back.']);
    expect(back({}, { refunds: [refund(1, 95)], amount_refunded: 95 }).kept).toEqual([
      '95.00 BRL went back of a payment of 89.90 BRL.',
    ]);
  });

  it('is nothing where Mercado Livre paid it from its own programme, and says so', () => {
    const detail = { refunds: [refund(1, 89.9)], amount_refunded: 89.9 };
    const covered = {
      values: [],
      kept: [expect.stringContaining('gave 89.90 BRL back to the buyer from its own programme')],
    };
    expect(back({ status: 'refunded', status_detail: 'bpp_covered' }, detail)).toEqual(covered);
    expect(back({ status: 'refunded' }, { ...detail, status_detail: 'bpp_covered' })).toEqual(covered);
    const source = { source: { type: 'bpp' } };
    expect(back({ status: 'refunded' }, { ...detail, refunds: [refund(1, 89.9, source)] })).toEqual(covered);
  });

  it('leaves a cancelled sale as it is where Mercado Livre paid all that the seller did not give back', () => {
    const order = { status: 'cancelled' };
    const payment = { status: 'refunded' };
    const cancelledWith = (sums: readonly (readonly [type: string, amount: number])[]) => {
      const refunds = sums.map(([type, amount], index) => refund(index + 1, amount, { source: { type } }));
      const sum = sums.reduce((all, [, amount]) => all + amount, 0);
      return typesOf({ order, payment, detail: { refunds, amount_refunded: sum } });
    };
    expect(cancelledWith([['bpp', 89.9]])).toEqual(['order.paid']);
    expect(
      cancelledWith([
        ['collector', 9.9],
        ['bpp', 80],
      ]),
    ).toEqual(['order.paid', 'order.refunded']);
    expect(cancelledWith([['bpp', 80]])).toEqual(['order.paid', 'order.cancelled']);
    expect(cancelledWith([['collector', 89.9]])).toEqual(['order.paid', 'order.cancelled', 'order.refunded']);
  });

  it('is of whom each refund says, where Mercado Livre paid a part', () => {
    const [own, programme] = ['collector', 'bpp'].map((type, index) =>
      refund(index + 1, 10, { source: { type } }),
    );
    const detail = (refunds: unknown[], sum: number) => ({
      ...{ refunds, amount_refunded: sum, status_detail: 'partially_bpp_covered' },
    });
    expect(back({}, detail([own, programme], 20))).toEqual({
      values: ['1 10.00'],
      kept: [expect.stringContaining('gave 10.00 BRL back to the buyer from its own programme')],
    });
    expect(back({}, detail([refund(1, 10)], 10)).values).toEqual([]);
  });

  it('is the seller’s where the programme handled it and the seller paid', () => {
    const detail = { refunds: [refund(1, 89.9, { source: { type: 'bpp' } })], amount_refunded: 89.9 };
    expect(back({ status: 'refunded', status_detail: 'bpp_refunded' }, detail)).toEqual({
      values: ['1 89.90'],
      kept: [],
    });
  });

  it('is left to a person where the application may not see the refunds', () => {
    expect(back({ status: 'refunded', transaction_amount_refunded: 89.9 }, null)).toEqual({
      values: [],
      kept: [expect.stringContaining('89.90 BRL went back of a payment, and the application may not see')],
    });
    expect(back({}, null)).toEqual({ values: [], kept: [] });
  });

  it('by two refunds of one number is unreadable', () => {
    expect(() => normalise({ detail: { refunds: [refund(1, 5), refund(1, 5)] } })).toThrow(
      'has one refund twice',
    );
  });

  it('leaves it to a person how much of the commission came back after a chargeback that is not won', () => {
    const asked = (status_detail: string) =>
      orderOf({ payment: { status: 'charged_back', status_detail } }).differences.filter((one) =>
        one.includes('How much of the commission of 12.59 BRL came back to the seller'),
      ).length;
    expect(['settled', 'in_process', 'reimbursed'].map(asked)).toEqual([1, 1, 0]);
  });

  it('as a chargeback is taken back once, and is open, won or lost', () => {
    const payment = (status_detail: string) => ({
      payment: { status: 'charged_back', status_detail, date_last_modified: '2026-08-03T16:20:00-04:00' },
    });
    const at = new Date('2026-08-03T20:20:00Z');
    expect(disputeOf(payment('in_process'))).toMatchObject({ state: 'open', openedAt: at, id: PAYMENT });
    expect(disputeOf(payment('in_process'))).not.toHaveProperty('closedAt');
    expect(disputeOf(payment('reimbursed'))).toMatchObject({ state: 'won', closedAt: at });
    expect(disputeOf(payment('settled'))?.value.toString()).toBe('89.90');
    const { refunds, differences } = orderOf({ ...payment('settled'), detail: { refunds: [refund(1, 5)] } });
    expect(refunds).toEqual([]);
    const kept = expect.stringMatching(/^Money went back to the buyer\./) as string;
    expect(differences).toEqual([expect.stringContaining('the chargeback alone is booked') as string, kept]);
    const hidden = { payment: { ...payment('settled').payment, transaction_amount_refunded: 89.9 } };
    expect(orderOf({ ...hidden, detail: null }).differences).toEqual([kept]);
  });
});

describe('the state of an order of Mercado Livre', () => {
  const differences = (status: string) => orderOf({ order: { status } }).differences;

  it('in which the money may not stay is said', () => {
    expect(differences('pending_cancel')).toEqual([
      'Mercado Livre cancelled the order, and has not given the money back yet.',
    ]);
    expect(differences('cancelled')).toEqual([
      expect.stringContaining('nothing says that its payment went back') as string,
    ]);
    expect(differences('something_new')).toEqual([
      expect.stringContaining('The status something_new is none that Ponte knows') as string,
    ]);
    expect(orderOf({ payment: { status: 'in_mediation' } }).differences).toEqual([
      'The buyer complained at Mercado Livre, which may take the payment back.',
    ]);
  });

  it.each(['cancelled', 'invalid'])('%s is cancelled, when the order says or else changed last', (status) => {
    const order = { status, cancel_detail: { date: '2026-07-16T10:00:00-04:00' } };
    expect(orderOf({ order }).cancelledAt).toEqual(new Date('2026-07-16T14:00:00Z'));
    expect(orderOf({ order: { status } }).cancelledAt).toEqual(new Date('2026-07-15T13:03:06Z'));
  });

  it('that waits for a card is nothing yet, and for a boleto or Pix a charge', () => {
    const order = { status: 'payment_in_process' };
    const waiting = (payment_method_id: string, payment_type: string, status = 'pending') => ({
      order,
      payment: { status, payment_method_id, payment_type },
    });
    expect(normalise(waiting('visa', 'credit_card', 'in_process'))).toEqual({
      ignored: 'the order is payment_in_process: nothing was paid, and no boleto or Pix is waited for',
    });
    expect(typesOf(waiting('bolbradesco', 'ticket'))).toEqual(['order.pending']);
    expect(typesOf(waiting('pix', 'bank_transfer', 'cancelled'))).toEqual(['order.expired']);
  });

  it('is made by a notification that says so, whatever it came to since', () => {
    const made = { actions: ['action:new_order'] };
    const answers = [
      answer('order', read('fetched/order-pix-paid')),
      answer('billing-info', undefined, 404),
      answer(`payment-${PAYMENT}`, undefined, 404),
    ];
    const context = { source: 'loja', timeZone: 'UTC', currency: 'BRL', settings: {} };
    const types = (notification: Json) =>
      eventsOf(mercadoLivre.normalise(webhook(answers, notification), context)).map(({ type }) => type);
    expect(types(made)).toEqual(['order.created', 'order.paid']);
    expect(types({ actions: 'action:new_order' })).toEqual(['order.paid']);
  });
});

describe('when the money of a sale is released', () => {
  it('is the plan of a payment, whatever became of it', () => {
    expect(orderOf().payments[0]?.settlements).toMatchObject([
      { number: 1, on: expect.objectContaining({}) as object },
    ]);
    expect(String(orderOf().payments[0]?.settlements?.[0]?.on)).toBe('2026-08-12');
    expect(orderOf({ detail: null }).payments[0]).not.toHaveProperty('settlements');
    const complained = { payment: { status: 'in_mediation' } };
    expect(String(orderOf(complained).payments[0]?.settlements?.[0]?.on)).toBe('2026-08-12');
    const undated = orderOf({ ...complained, detail: { money_release_date: null } });
    expect(String(undated.payments[0]?.settlements?.[0]?.on)).toBe('2026-07-15');
    // The payment is ahead of the order.
    const ahead = orderOf({ detail: { status: 'refunded', money_release_date: null } });
    expect(String(ahead.payments[0]?.settlements?.[0]?.on)).toBe('2026-07-15');
    const gone = { ...complained, detail: null };
    expect(orderOf(gone).payments[0]).not.toHaveProperty('settlements');
  });
});

describe('who bought at Mercado Livre', () => {
  it('is the buyer as the order names them, where the application may not see who is invoiced', () => {
    expect(orderOf({ billing: null }).customer).toEqual({
      key: 'loja/customer/88120944',
      name: 'Rafaela Siqueira',
    });
    const order = { buyer: { id: 88120944, nickname: 'RAFA' } };
    expect(orderOf({ billing: null, order }).customer.name).toBe('RAFA');
  });

  it('is a company by its name and CNPJ', () => {
    expect(orderOf({ billing: read('fetched/billing-company') }).customer).toMatchObject({
      name: 'Padaria Flor do Trigo Ltda',
      document: '11444777000161',
      address: { city: 'São Paulo', state: 'SP' },
    });
  });

  it('has no address where the invoice has none', () => {
    const billing = { buyer: { billing_info: { name: 'Ana', address: { city_name: 'Recife' } } } };
    expect(orderOf({ billing }).customer).toEqual({ key: 'loja/customer/88120944', name: 'Ana' });
  });
});
