import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DisputeFacts, OrderFacts } from '../../events/event';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { asaas } from './asaas';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'asaas', 'fetched');

type Json = Record<string, unknown>;

function fetched(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function request(body: unknown, headers: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(JSON.stringify(body)) };
}

function answer(name: string, body: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(JSON.stringify(body)) };
}

function webhook(event: string, paymentId: unknown, answers: FetchedAnswer[] = []): StoredWebhook {
  const { rawBody } = request({ id: 'evt_1&2', event, payment: { id: paymentId } });
  return { topic: event, attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched: answers };
}

/** Normalises a message about this payment, whose customer is not there any more. */
function normalise(payment: Json, event = 'PAYMENT_UPDATED', settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return asaas.normalise(webhook(event, payment['id'], [answer('payment', payment)]), context);
}

const eventsOf = (normalised: Normalised) => ('events' in normalised ? normalised.events : []);
const typesOf = (normalised: Normalised): string[] => eventsOf(normalised).map(({ type }) => type);

function orderOf(normalised: Normalised): OrderFacts {
  const event = eventsOf(normalised).find((one) => 'order' in one);
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

function disputeOf(normalised: Normalised): DisputeFacts | undefined {
  const event = eventsOf(normalised).find((one) => 'dispute' in one);
  return event && 'dispute' in event ? event.dispute : undefined;
}

describe("Asaas's token", () => {
  const verify = (token: string | undefined, secrets = ['tok-1', 'tok-2']) =>
    asaas.verify(
      request({ any: 'body' }, token === undefined ? {} : { 'asaas-access-token': token }),
      secrets,
      {},
      RECEIVED_AT,
    );

  it('proves the sender, and nothing of the body', () => {
    expect(verify('tok-2')).toEqual({ ok: true, bodyUnsigned: true });
    expect(verify('tok-3').ok).toBe(false);
    expect(verify(undefined).ok).toBe(false);
    expect(verify('', ['']).ok).toBe(false);
  });
});

describe('what a message of Asaas is known by', () => {
  it('is its own identifier, for ever, in the lane of its payment', () => {
    const body = { id: 'evt_05b7&368', event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1' } };
    expect(asaas.identify(request(body))).toEqual({
      topic: 'PAYMENT_RECEIVED',
      dedupeKey: 'evt_05b7&368',
      orderingKey: 'order/pay_1',
      attributes: {},
    });
  });

  it('is its content where it has none', () => {
    const { dedupeKey, orderingKey } = asaas.identify(request({ event: 'BILL_PAID', bill: {} }));
    expect(dedupeKey).toMatch(/^sha256:/);
    expect(orderingKey).toBe(`delivery/${dedupeKey}`);
  });
});

describe('what is fetched from Asaas', () => {
  const next = (event: string, id: unknown, answers: FetchedAnswer[] = []) =>
    asaas.fetchBack?.next(webhook(event, id, answers), { settings: {}, credentials: { apiKey: '$aact_x' } });

  it('shows the key, and goes to the address that the source names', () => {
    expect(next('PAYMENT_RECEIVED', 'pay_1')).toEqual({
      name: 'payment',
      path: '/v3/payments/pay_1',
      headers: { access_token: '$aact_x', 'user-agent': 'Ponte (webhooks)', accept: 'application/json' },
    });
    expect(asaas.api?.baseUrl({})).toBe('https://api.asaas.com');
    expect(asaas.api?.baseUrl({ apiUrl: 'https://sandbox.asaas.com/api/' })).toBe(
      'https://sandbox.asaas.com/api',
    );
  });

  it('is no path that an identifier could lead astray', () => {
    for (const id of ['../customers', 'pay_1?x=1', 'pay 1', '', null])
      expect(() => next('PAYMENT_RECEIVED', id)).toThrow('$.payment.id');
    const astray = answer('payment', { id: 'pay_1', customer: 'cus_1/../..' });
    expect(() => next('PAYMENT_RECEIVED', 'pay_1', [astray])).toThrow('$.customer is not an identifier');
  });

  it('is the payment alone where it names no customer', () => {
    expect(next('PAYMENT_RECEIVED', 'pay_1', [answer('payment', { id: 'pay_1' })])).toBeUndefined();
  });
});

describe('a payment of Asaas', () => {
  it('is what was fetched, whatever the message says of it', () => {
    const payment = fetched('boleto-created');
    const { rawBody } = request({
      id: 'evt_1',
      event: 'PAYMENT_RECEIVED',
      payment: { ...payment, status: 'RECEIVED', value: 1_000_000 },
    });
    const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
    const reported = { ...webhook('PAYMENT_RECEIVED', ''), rawBody, fetched: [answer('payment', payment)] };
    const normalised = asaas.normalise(reported, context);
    expect(typesOf(normalised)).toEqual(['order.pending']);
    expect(orderOf(normalised).total.toString()).toBe('450.00');
  });

  it('other than what was asked for, or of another customer, is unreadable', () => {
    const context = { source: 'loja', timeZone: 'UTC', currency: 'BRL', settings: {} };
    const payment = fetched('pix-received');
    const other = webhook('PAYMENT_RECEIVED', 'pay_other', [answer('payment', payment)]);
    expect(() => asaas.normalise(other, context)).toThrow('is not that of the payment');
    const answers = [answer('payment', payment), answer('customer', { id: 'cus_other' })];
    expect(() => asaas.normalise(webhook('PAYMENT_RECEIVED', payment['id'], answers), context)).toThrow(
      'is not that of the customer',
    );
  });

  it('is the same payment in each state that it has after it was paid', () => {
    const card = fetched('card-confirmed');
    const states = ['CONFIRMED', 'RECEIVED', 'REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED'];
    const seen = states.map((status) =>
      JSON.stringify(orderOf(normalise({ ...card, status, creditDate: '2026-08-18' })).payments),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('is settled when its money is there, and only where a card paid', () => {
    const card = { ...fetched('card-received'), creditDate: '2026-08-05' };
    expect(eventsOf(normalise(card)).at(-1)).toMatchObject({
      type: 'payment.settled',
      settlement: { settledAt: new Date('2026-08-05T03:00:00.000Z'), value: { minor: 60_000n } },
    });
    expect(typesOf(normalise({ ...card, status: 'CONFIRMED' }))).toEqual(['order.paid']);
    expect(typesOf(normalise({ ...card, billingType: 'PIX' }))).toEqual(['order.paid']);
    expect(orderOf(normalise({ ...card, billingType: 'PIX' })).payments[0]?.settlements).toBeUndefined();
  });

  it('says its fee with money that is there before the announced day, and not where that day has come', () => {
    const settled = (creditDate: string) => {
      const [last] = eventsOf(normalise({ ...fetched('card-received'), creditDate })).slice(-1);
      return last?.type === 'payment.settled' ? last.settlement : undefined;
    };
    expect(settled('2026-08-17')).toMatchObject({ fee: { minor: 1_988n }, feeAnnounced: true });
    for (const day of ['2026-08-18', '2026-08-19']) expect(settled(day)).not.toHaveProperty('fee');
    // The day that was announced is no evidence any more: it is not compared with what was booked, whatever comes later.
    const paid = (more: object) => eventsOf(normalise({ ...fetched('card-received'), ...more }))[0];
    const early = { creditDate: '2026-08-17' };
    expect(paid(early)).toHaveProperty('datedBy', 'estimatedCreditDate');
    expect(paid({ ...early, status: 'REFUND_REQUESTED' })).toHaveProperty('datedBy', 'estimatedCreditDate');
    expect(paid({})).not.toHaveProperty('datedBy');
  });

  it('reads each amount to the cent', () => {
    const pix = { ...fetched('pix-received'), value: 0.3, netValue: 0.1 };
    const [payment] = orderOf(normalise(pix)).payments;
    expect([payment?.value, payment?.fee, payment?.net].map(String)).toEqual(['0.30', '0.20', '0.10']);
    expect(() => normalise({ ...pix, value: 10.005 })).toThrow('is not an amount of BRL');
    expect(() => normalise({ ...pix, value: 0 })).toThrow('must be more than zero');
  });

  it('of which more reaches the account than was paid has no fee, and says so', () => {
    const order = orderOf(normalise({ ...fetched('pix-received'), netValue: 260 }));
    expect(order.payments[0]).not.toHaveProperty('fee');
    expect(order.differences).toEqual([
      '260.00 BRL are to reach the account, of a payment of 250.00 BRL: the fee is left out.',
    ]);
  });

  it('is dated by its making where nothing says when it was paid, and says so', () => {
    const { payments } = orderOf(normalise({ ...fetched('boleto-created'), status: 'RECEIVED' }));
    expect(payments).toMatchObject([
      { datedBy: 'dateCreated', paidAt: new Date('2026-07-15T03:00:00.000Z') },
    ]);
  });

  it('is called by the shop’s reference, else by its invoice', () => {
    const boleto = fetched('boleto-created');
    const numbers = [
      boleto,
      { ...boleto, externalReference: null },
      { ...boleto, externalReference: '', invoiceNumber: null },
    ];
    expect(numbers.map((one) => orderOf(normalise(one)).number)).toEqual([
      'PED-3301',
      '00071001',
      'pay_710045120011',
    ]);
  });

  it.each<[Json[], string | undefined]>([
    [[{ totalValue: 20 }, { fixedValue: 5.5, totalValue: 5.5 }], '25.50 BRL'],
    [[{ fixedValue: 20 }, { fixedValue: 1, totalValue: null }], '21.00 BRL'],
    [[{ fixedValue: 20 }, { percentualValue: 10 }], 'a part'],
    [[{ percentualValue: 10, totalValue: 9.94 }], '9.94 BRL'],
    [[{ fixedValue: 20, status: 'CANCELLED' }], undefined],
  ])('that is split by %j says what goes to others: %s', (split, what) => {
    const paid = fetched('pix-received');
    expect(orderOf(normalise({ ...paid, split })).differences).toEqual(
      what === undefined
        ? []
        : [`A split sends ${what} of it to other accounts of Asaas: book that by hand.`],
    );
  });

  it('that is removed after it was paid says so, and is not cancelled', () => {
    const order = orderOf(normalise({ ...fetched('pix-received'), deleted: true }));
    expect(order.differences).toEqual(['The payment is removed at Asaas, although it was paid.']);
    expect(order.cancelledAt).toBeUndefined();
  });

  it('that is there again after it was removed waits as any other, and is booked where it was paid', () => {
    const boleto = fetched('boleto-created');
    expect(normalise(boleto, 'PAYMENT_RESTORED')).not.toHaveProperty('unbooked');
    expect(typesOf(normalise(boleto, 'PAYMENT_RESTORED'))).toEqual(['order.pending']);
    expect(typesOf(normalise(fetched('pix-received'), 'PAYMENT_RESTORED'))).toEqual(['order.paid']);
  });

  it('of the sandbox asks nobody for anything', () => {
    const apiUrl = 'https://api-sandbox.asaas.com';
    expect(normalise(fetched('unknown-status'), 'PAYMENT_UPDATED', { apiUrl })).not.toHaveProperty(
      'unbooked',
    );
    expect(orderOf(normalise(fetched('pix-received'), 'PAYMENT_RECEIVED', { apiUrl })).test).toBe(true);
  });
});

describe('what goes back of a payment of Asaas', () => {
  const pix = fetched('pix-received');
  const back = (dateCreated: string, value: number, status = 'DONE') => ({ dateCreated, status, value });
  const refundsOf = (payment: Json) =>
    orderOf(normalise(payment)).refunds.map(({ key, value }) => [key.split('/').at(-1), value.toString()]);

  it('keeps its key as more goes back, and as what was asked for is done', () => {
    const first = back('2026-07-19 09:12:00', 60);
    const second = back('2026-07-20 09:12:00', 40, 'PENDING');
    const third = back('2026-07-21 09:12:00', 10);
    const [one, two, three] = [1, 2, 3].map((place) => `pay_710045120015.${place}`);
    expect(refundsOf({ ...pix, refunds: [first] })).toEqual([[one, '60.00']]);
    expect(refundsOf({ ...pix, refunds: [third, second, first] })).toEqual([
      [one, '60.00'],
      [three, '10.00'],
    ]);
    expect(refundsOf({ ...pix, refunds: [first, { ...second, status: 'DONE' }, third] })).toEqual([
      [one, '60.00'],
      [two, '40.00'],
      [three, '10.00'],
    ]);
  });

  it('is the same refund of all of it whether or not it is listed', () => {
    const whole = [['pay_710045120015', '250.00']];
    expect(refundsOf({ ...pix, status: 'REFUNDED' })).toEqual(whole);
    expect(refundsOf({ ...pix, status: 'REFUNDED', refunds: [back('2026-07-19 09:12:00', 250)] })).toEqual(
      whole,
    );
  });

  it('says so where it does not come to what the payment says', () => {
    const differencesOf = (payment: Json) => orderOf(normalise(payment)).differences;
    const refunds = [back('2026-07-19 09:12:00', 200)];
    expect(differencesOf({ ...pix, status: 'REFUNDED', refunds })).toEqual([
      '200.00 BRL went back of a payment of 250.00 BRL, which is REFUNDED.',
    ]);
    expect(differencesOf({ ...pix, refunds: [...refunds, back('2026-07-20 09:12:00', 100)] })).toEqual([
      '300.00 BRL went back of a payment of 250.00 BRL.',
    ]);
  });
});

describe('a chargeback of Asaas', () => {
  const requested = fetched('chargeback-requested');
  const withChargeback = (changes: Json, payment: Json = {}) => ({
    ...requested,
    ...payment,
    chargeback: { ...(requested['chargeback'] as Json), ...changes },
  });

  it('takes the money once: what is given back since is not booked besides', () => {
    const refunds = [
      { dateCreated: '2026-07-01 10:00:00', status: 'DONE', value: 20 },
      { dateCreated: '2026-07-21 10:00:00', status: 'DONE', value: 480 },
    ];
    const lost = withChargeback({ status: 'DISPUTE_LOST' }, { status: 'REFUNDED', refunds });
    const order = orderOf(normalise(lost));
    expect(order.refunds.map(({ value }) => value.toString())).toEqual(['20.00']);
    expect(order.differences).toEqual([
      '1 of its refunds are not booked, because a chargeback says that the same money went back.',
    ]);
    expect(disputeOf(normalise(lost))?.state).toBe('lost');
  });

  it('of several instalments is one, of whose order nothing is known', () => {
    const parts = ['pay_1', 'pay_2'].map((id) =>
      disputeOf(normalise(withChargeback({ payment: null, installment: 'b1a3', value: 1000 }, { id }))),
    );
    expect(parts[0]).toEqual(parts[1]);
    expect(parts[0]).not.toHaveProperty('orderKey');
    expect(disputeOf(normalise(withChargeback({ payment: null })))?.orderKey).toBe(
      'loja/order/pay_710045120040',
    );
  });

  it('is won once the money is back, and open while it is on its way', () => {
    const stateOf = (status: string) =>
      disputeOf(normalise(withChargeback({ status: 'REVERSED' }, { status })))?.state;
    expect(stateOf('AWAITING_CHARGEBACK_REVERSAL')).toBe('open');
    expect(stateOf('RECEIVED')).toBe('won');
  });

  it('asks a person where its end is not known, or nothing says of how much it is', () => {
    const done = normalise(withChargeback({ status: 'DONE' }, { status: 'RECEIVED' }));
    expect(disputeOf(done)?.state).toBe('open');
    expect(orderOf(done).differences).toEqual([
      'Chargeback 8e784c3e-afe8-4844-bb93-0000000040 is DONE: whether the money came back has to be seen at Asaas.',
    ]);
    for (const payment of [
      { ...requested, chargeback: null },
      withChargeback({ id: null }),
      withChargeback({ value: 0 }),
    ]) {
      expect(disputeOf(normalise(payment))).toBeUndefined();
      expect(orderOf(normalise(payment)).differences).toEqual([
        'The payment has a chargeback, and nothing says of how much: book it by hand.',
      ]);
    }
  });
});
