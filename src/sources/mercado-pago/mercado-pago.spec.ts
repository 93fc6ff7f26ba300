import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DisputeFacts, OrderFacts } from '../../events/event';
import type { FetchedAnswer, Normalised, StoredWebhook } from '../source';
import { mercadoPago } from './mercado-pago';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'mercado-pago', 'fetched');

type Json = Record<string, unknown>;

function fetchedFixture(name: string, changes: Json = {}): Json {
  return { ...(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json), ...changes };
}

function answer(name: string, body: Json): FetchedAnswer {
  return { name, status: 200, body: Buffer.from(JSON.stringify(body)) };
}

function webhook(id: unknown, fetched: FetchedAnswer[] = [], type = 'payment'): StoredWebhook {
  const rawBody = Buffer.from(JSON.stringify({ id: 1, type, data: { id } }));
  return { topic: type, attributes: { dataId: String(id) }, rawBody, receivedAt: RECEIVED_AT, fetched };
}

function normalise(delivery: StoredWebhook, settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return mercadoPago.normalise(delivery, context);
}

function normalisePayment(name: string, changes: Json = {}, others: FetchedAnswer[] = []): Normalised {
  const payment = fetchedFixture(name, changes);
  return normalise(webhook(payment.id, [answer('payment', payment), ...others]));
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

function disputeOf(normalised: Normalised): DisputeFacts {
  const event = 'events' in normalised ? normalised.events.at(-1) : undefined;
  if (event === undefined || !('dispute' in event)) throw new Error('no dispute');
  return event.dispute;
}

describe('what a notification of Mercado Pago is known by', () => {
  const identify = (query: Record<string, string | undefined>, body: Json) =>
    mercadoPago.identify({
      method: 'POST',
      headers: {},
      query,
      rawBody: Buffer.from(JSON.stringify(body)),
    });

  it('is what is signed of it, until Ponte begins to ask', () => {
    const known = {
      topic: 'payment',
      dedupeKey: 'payment:981',
      untilFetched: true,
      orderingKey: 'payment/981',
      attributes: { dataId: '981' },
    };
    for (const id of [1, 2, 'x'])
      expect(identify({ 'data.id': '981' }, { id, type: 'payment', data: { id: '7' } })).toEqual(known);
  });

  it('is its content where nothing is signed that can be asked for', () => {
    for (const query of [{}, { 'data.id': '../v1/users' }, { 'data.id': '9'.repeat(41) }])
      expect(identify(query, { type: 'payment', data: { id: '981' } })).toMatchObject({
        dedupeKey: expect.stringMatching(/^sha256:/) as string,
        attributes: {},
      });
    const claim = identify({ 'data.id': '981' }, { type: 'topic_claims_integration_wh' });
    expect(claim).not.toHaveProperty('untilFetched');
  });
});

describe("Mercado Pago's fee", () => {
  const charge = (original: unknown, changes: Json = {}): Json => ({
    ...{ type: 'fee', name: 'mercadopago_fee', accounts: { from: 'collector', to: 'mp' } },
    ...{ amounts: { original, refunded: 0 }, ...changes },
  });
  const kept = (changes: Json) => {
    const { payment, differences } = orderOf(normalisePayment('card-approved', changes));
    return [payment?.fee?.toString(), payment?.net?.toString(), differences];
  };
  const details = (net: number) => ({ transaction_details: { net_received_amount: net } });

  it('is in charges_details where fee_details names none', () => {
    const charges_details = [
      charge(11.97),
      charge(2, { name: 'ml_sale_fee', accounts: { from: 'collector', to: 'ml' } }),
      charge(5, { type: 'coupon', accounts: { from: 'ml', to: 'payer' } }),
      charge(8, { accounts: { from: 'payer', to: 'mp' } }),
    ];
    expect(kept({ fee_details: [], charges_details, ...details(225.93) })).toEqual([
      ...['13.97', '225.93'],
      [],
    ]);
  });

  it('is in fee_details where both name it', () => {
    const fee_details = [{ type: 'mercadopago_fee', amount: 11.97, fee_payer: 'collector' }];
    expect(kept({ fee_details, charges_details: [charge(11.97)], ...details(227.93) })).toEqual([
      ...['11.97', '227.93'],
      [],
    ]);
  });

  it('asks a person where less than the value came and nothing names what was kept', () => {
    const nothing = { fee_details: [], charges_details: [] };
    expect(kept({ ...nothing, ...details(200) })).toEqual([
      undefined,
      '200.00',
      ["Mercado Pago's fees and the net value come to 200.00 BRL, but the order says 239.90 BRL."],
    ]);
    for (const net of [239.9, 0]) expect(kept({ ...nothing, ...details(net) })[2]).toEqual([]);
  });

  it('asks a person where it came back with a refund', () => {
    const amounts = { original: 11.97, refunded: 11.97 };
    const fee_details = [{ type: 'mercadopago_fee', amount: 11.97, fee_payer: 'collector' }];
    const charges_details = [charge(11.97, { amounts })];
    expect(kept({ fee_details, charges_details, ...details(227.93) })).toEqual([
      ...['11.97', '227.93'],
      [
        'Mercado Pago has given 11.97 BRL of its fee back in all: book by hand what of it you have not booked yet.',
      ],
    ]);
  });

  it.each([[null], [{}], [[]], ['']])('is none with the charges %j', (charges_details) => {
    expect(kept({ fee_details: [], charges_details, ...details(239.9) })[0]).toBeUndefined();
  });
});

describe('what Ponte asks Mercado Pago', () => {
  const next = (delivery: StoredWebhook) =>
    mercadoPago.fetchBack?.next(delivery, { settings: {}, credentials: { accessToken: 'APP_USR-1' } });

  it('is what the address names, with the access token', () => {
    expect(next(webhook('981'))).toEqual({
      name: 'payment',
      path: '/v1/payments/981',
      headers: { authorization: 'Bearer APP_USR-1', accept: 'application/json' },
    });
  });

  it('is nothing that the body alone names', () => {
    const other = { ...webhook('981'), attributes: { dataId: '982' } };
    expect(() => next(other)).toThrow('$.data.id is not the one of the address, which is signed');
    expect(() => next({ ...webhook('981'), attributes: {} })).toThrow('the address has no data.id');
    expect(() => next(webhook('users.me'))).toThrow('$.data.id is not the number of a payment');
  });

  it('goes to another host where the source says so', () => {
    const baseUrl = (apiUrl?: string) => mercadoPago.api?.baseUrl(apiUrl === undefined ? {} : { apiUrl });
    expect(baseUrl()).toBe('https://api.mercadopago.com');
    expect(baseUrl('https://mock.example/mp/')).toBe('https://mock.example/mp');
  });

  it('is asked for the payment of a chargeback, unless there are several', () => {
    const chargeback = fetchedFixture('chargeback-open');
    const of = (payments: number[]) =>
      next(
        webhook(chargeback.id, [answer('chargeback', { ...chargeback, payments })], 'topic_chargebacks_wh'),
      );
    expect(of([98100200307])?.path).toBe('/v1/payments/98100200307');
    expect(of([1, 2])).toBeUndefined();
  });

  it('puts the delivery into the lane of its order', () => {
    const lane = (fetched: FetchedAnswer[]) =>
      mercadoPago.fetchBack?.orderingKey?.(webhook('98100200301', fetched));
    const payment = fetchedFixture('card-approved');
    expect(lane([])).toBeUndefined();
    expect(lane([answer('payment', payment)])).toBe('order/6101');
    expect(lane([answer('payment', { ...payment, external_reference: 'a / b' })])).toBe('order/98100200301');
    expect(lane([{ name: 'payment', status: 404, body: Buffer.alloc(0) }])).toBeUndefined();
  });
});

describe('a payment of Mercado Pago', () => {
  it('that is another than the one asked for is unreadable', () => {
    const payment = fetchedFixture('card-approved');
    expect(() => normalise(webhook('7', [answer('payment', payment)]))).toThrow(
      'Mercado Pago answered with another payment than the one asked for',
    );
    expect(() => normalise(webhook('98100200301'))).toThrow('the payment was not fetched');
  });

  it('whose fees and net value are not its value says so', () => {
    const details = { net_received_amount: 200, total_paid_amount: 254 };
    const order = orderOf(normalisePayment('card-approved', { transaction_details: details }));
    expect(order.differences).toEqual([
      "Mercado Pago's fees and the net value come to 211.95 BRL, but the order says 239.90 BRL.",
    ]);
  });

  it('adds up what Mercado Pago and a marketplace keep of it, and not what the buyer pays', () => {
    const fee_details = [
      { type: 'mercadopago_fee', amount: 11.95, fee_payer: 'collector' },
      { type: 'application_fee', amount: 8.05, fee_payer: 'collector' },
      { type: 'financing_fee', amount: 14.1, fee_payer: 'payer' },
    ];
    const { payments } = orderOf(normalisePayment('card-approved', { fee_details }));
    expect(payments[0]?.fee?.toString()).toBe('20.00');
  });

  it('that does not say when it was approved is dated by when it was made', () => {
    const { payments } = orderOf(normalisePayment('card-approved', { date_approved: null }));
    expect(payments).toMatchObject([
      { paidAt: new Date('2026-07-15T14:20:01.000Z'), datedBy: 'date_created' },
    ]);
  });

  it('whose refunds do not come to what went back says so', () => {
    const differences = (changes: Json) => orderOf(normalisePayment('refunded', changes)).differences;
    expect(differences({ transaction_amount_refunded: 200 })).toEqual([
      'The refunds come to 239.90 BRL, but the payment says that 200.00 BRL went back.',
    ]);
    expect(differences({ refunds: [] })).toEqual([
      'The refunds come to 0.00 BRL, but the payment says that 239.90 BRL went back.',
      'The payment of 239.90 BRL is refunded, but its refunds come to 0.00 BRL.',
    ]);
    const refund = { id: 1, amount: 300, date_created: '2026-07-21T09:15:00.000-04:00', status: 'approved' };
    expect(differences({ refunds: [refund], transaction_amount_refunded: 300 })).toEqual([
      '300.00 BRL went back of a payment of 239.90 BRL.',
    ]);
    expect(() => differences({ refunds: [refund, refund] })).toThrow('$.refunds[1].id is that of another');
  });

  it('in a state that nobody knows is left to a person, unless it is a test', () => {
    expect(normalisePayment('card-approved', { status: 'settling' })).toHaveProperty('unbooked');
    expect(normalisePayment('card-approved', { status: 'settling', live_mode: false })).toEqual({
      ignored: expect.stringContaining('settling') as string,
    });
  });

  it('to the account itself is no sale', () => {
    const changes = { operation_type: 'account_fund', status: 'pending' };
    expect(normalisePayment('pix-pending', changes)).toEqual({
      ignored: 'the operation of the payment is account_fund, which is no sale',
    });
  });

  it('is paid later at a counter, or by card and then waits for nothing', () => {
    const slip = { payment_method_id: 'pec', status: 'pending' };
    expect(normalisePayment('boleto-pending', slip)).toMatchObject({
      events: [{ type: 'order.pending', order: { charge: { method: 'ticket' } } }],
    });
    expect(normalisePayment('card-in-process', { status: 'pending' })).toHaveProperty('ignored');
  });

  it.each([
    ['later', { operation_type: 'recurring_payment', metadata: {} }],
    ['first, which is said to be regular', { metadata: { preapproval_id: '44be670ed7af43b5' } }],
  ])('of a subscription is an order of its own, the %s', (_which, changes) => {
    const months = [98100200401, 98100200402].map((id) =>
      fetchedFixture('card-approved', { ...changes, id, external_reference: 'assinante-739' }),
    );
    const deliveries = months.map((payment) => webhook(payment.id, [answer('payment', payment)]));
    expect(deliveries.map((delivery) => orderOf(normalise(delivery)))).toMatchObject([
      { key: 'loja/order/98100200401', number: 'assinante-739' },
      { key: 'loja/order/98100200402', number: 'assinante-739' },
    ]);
    expect(deliveries.map((delivery) => mercadoPago.fetchBack?.orderingKey?.(delivery))).toEqual([
      'order/98100200401',
      'order/98100200402',
    ]);
  });

  it('has no document where the buyer has one of another country', () => {
    const payer = { email: 'x@example.com', identification: { type: 'DNI', number: '32659430' } };
    const { customer } = orderOf(normalisePayment('pix-approved', { payer }));
    expect(customer).toEqual({ key: 'loja/order/6104/guest', name: 'x', email: 'x@example.com' });
  });
});

describe('a chargeback of Mercado Pago', () => {
  const dispute = (chargeback: Json, payment: Json = {}) =>
    disputeOf(
      normalisePayment('charged-back', payment, [
        answer('chargeback', fetchedFixture('chargeback-open', chargeback)),
      ]),
    );

  it('is the same, whether a payment or a chargeback was notified of', () => {
    const chargeback = fetchedFixture('chargeback-lost');
    const payment = fetchedFixture('charged-back-settled');
    const [one, other] = [answer('chargeback', chargeback), answer('payment', payment)];
    const byChargeback = normalise(webhook(chargeback.id, [one, other], 'topic_chargebacks_wh'));
    expect(disputeOf(normalise(webhook(payment.id, [other, one])))).toEqual(disputeOf(byChargeback));
  });

  it('is lost when Mercado Pago does not cover it, and open until that is decided', () => {
    const settled = { status_detail: 'settled' };
    expect(dispute({ coverage_applied: null }, settled).state).toBe('open');
    expect(dispute({ coverage_applied: false }, settled).state).toBe('lost');
    expect(dispute({ coverage_applied: false }, { status_detail: 'in_process' }).state).toBe('open');
    expect(dispute({ coverage_applied: true }, { status_detail: 'reimbursed' }).state).toBe('won');
  });

  it('of another payment is unreadable, and so is one of nothing', () => {
    expect(() => dispute({ payments: [7] })).toThrow('a chargeback of another payment');
    expect(() => dispute({ amount: 0 })).toThrow('$.amount must be more than zero');
    expect(() => dispute({ amount: null })).toThrow('$.amount is missing');
  });

  it('without a date of its own was opened when it last changed', () => {
    expect(dispute({ date_created: null }).openedAt).toEqual(new Date('2026-07-20T13:00:00.000Z'));
  });
});

describe('a payment whose sale the shop reports', () => {
  /** What a person is asked besides the events. */
  function askedOf(name: string, changes: Json = {}, others: FetchedAnswer[] = [], settings: Json = {}) {
    const payment = fetchedFixture(name, changes);
    const delivery = webhook(payment.id, [answer('payment', payment), ...others]);
    const { unbooked = [] } = normalise(delivery, { withoutSales: true, ...settings });
    return unbooked.map(({ businessKey, code, detail }) => {
      expect([businessKey, code]).toEqual([`loja/fee/${String(payment.id)}`, 'movement-not-booked']);
      return detail;
    });
  }
  const fee = (refunded: number) => ({
    charges_details: [
      {
        ...{ type: 'fee', accounts: { from: 'collector', to: 'mp' } },
        amounts: { original: 11.95, refunded },
      },
    ],
  });

  it('asks a person about nothing where its amounts agree', () => {
    expect(askedOf('card-approved')).toEqual([]);
    expect(askedOf('refunded', fee(11.95))).toEqual([]);
  });

  it.each<[string, string, Json, string]>([
    ['no number of an order', 'card-approved', { external_reference: null }, 'has no number of a shop'],
    ['a till', 'card-approved', { operation_type: 'pos_payment' }, 'has no number of a shop'],
    ['two refunds with fees', 'refunded-in-part', fee(3), '3.00 BRL of its fee back in all'],
    ['no chargeback', 'charged-back-unnamed', {}, 'has no chargeback of it'],
    [
      'less than its value less its fees',
      'card-approved',
      { transaction_details: { net_received_amount: 200 } },
      'the net value come to',
    ],
  ])('asks a person about %s', (_, name, changes, sentence) => {
    const gone = { name: 'chargeback', status: 404, body: Buffer.alloc(0) };
    const others = name === 'charged-back-unnamed' ? [gone] : [];
    expect(askedOf(name, changes, others)).toEqual([expect.stringContaining(sentence)]);
  });

  it('asks nobody about a test', () => {
    expect(askedOf('test-payment', { external_reference: null })).toEqual([]);
  });
});
