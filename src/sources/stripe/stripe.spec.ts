import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import type { DisputeFacts, OrderFacts } from '../../events/event';
import type { IncomingWebhook, Normalised } from '../source';
import { stripe } from './stripe';

const SECRET = 'whsec_dGhpcyBpcyBhIGtleSBmb3IgdGVzdHMgb25seQ==';
const NOW = new Date('2026-07-15T13:42:33.000Z');
const SECONDS = NOW.getTime() / 1000;
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'stripe');

type Json = Record<string, unknown>;
interface Message extends Json {
  type: string;
  data: { object: Json; previous_attributes?: Json };
}

function fixture(name: string): Message {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Message;
}

function request(header: string | undefined, body: string | Buffer): IncomingWebhook {
  return {
    method: 'POST',
    headers: { 'stripe-signature': header },
    query: {},
    rawBody: Buffer.from(body),
  };
}

function normalise(message: Message, settings: Json = {}): Normalised {
  const rawBody = Buffer.from(JSON.stringify(message));
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return stripe.normalise({ topic: message.type, attributes: {}, rawBody, receivedAt: NOW }, context);
}

/** A fixture's outcome, with these fields of its object instead of its own. */
function changed(name: string, changes: Json, settings: Json = {}): Normalised {
  const message = fixture(name);
  Object.assign(message.data.object, changes);
  return normalise(message, settings);
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

function disputeOf(normalised: Normalised): DisputeFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event?.type !== 'payment.disputed') throw new Error('no dispute');
  return event.dispute;
}

describe("Stripe's signature", () => {
  const body = readFileSync(join(folder, 'charge-succeeded.json'));
  const signed = (timestamp = SECONDS, secret = SECRET): string =>
    Stripe.webhooks.generateTestHeaderString({ payload: body.toString('utf8'), secret, timestamp });
  const verify = (header: string | undefined, now = NOW) =>
    stripe.verify(request(header, body), [SECRET], {}, now);

  it("is accepted as Stripe's own library makes it", () => {
    expect(verify(signed())).toEqual({ ok: true });
    expect(verify(signed(SECONDS, 'whsec_other')).ok).toBe(false);
  });

  it("is made so that Stripe's own library accepts it", () => {
    const now = Math.floor(Date.now() / 1000);
    const message = { secret: SECRET, body, topic: '', id: '', sentAt: new Date(now * 1000) };
    const header = stripe.sign(message)['stripe-signature'] ?? '';
    expect(Stripe.webhooks.constructEvent(body, header, SECRET)).toMatchObject({ type: 'charge.succeeded' });
  });

  it('may be one of several, as while a secret is replaced', () => {
    const [time, right = ''] = signed().split(',');
    const wrong = `v1=${'0'.repeat(64)}`;
    expect(verify(`${time},${wrong},${right}`)).toEqual({ ok: true });
    expect(verify(`${time}, ${right} ,${wrong}`)).toEqual({ ok: true });
    expect(verify(`${time},${wrong},${wrong}`).ok).toBe(false);
  });

  it('of the older scheme, or without a time of its own, counts for nothing', () => {
    const [time = '', right = ''] = signed().split(',');
    expect(verify(`${time},${right.replace('v1', 'v0')}`).ok).toBe(false);
    for (const header of [right, `t=,${right}`, `t=1e9,${right}`, `t=${SECONDS + 1},${right}`, undefined])
      expect(verify(header).ok).toBe(false);
  });

  it('that is right and stale is told apart from a wrong one', () => {
    const stale = new Date(NOW.getTime() + 301_000);
    expect(verify(signed(), stale)).toMatchObject({ ok: false, signed: true });
    expect(verify(signed(SECONDS, 'whsec_other'), stale)).not.toHaveProperty('signed');
  });

  it('is made with a secret that begins with whsec_, which an API key does not', () => {
    expect(stripe.checkSecret?.(SECRET)).toBeUndefined();
    expect(stripe.checkSecret?.('sk_live_123')).toMatch(/^must be the signing secret/);
  });
});

describe('what a Stripe event is known by', () => {
  const identify = (name: string) =>
    stripe.identify(request(undefined, readFileSync(join(folder, `${name}.json`))));

  it('is its identifier', () => {
    expect(identify('charge-succeeded').dedupeKey).toBe('evt_3Ra7Kq2LwA1');
  });

  it('is its content where it has none', () => {
    const { dedupeKey, orderingKey } = stripe.identify(request(undefined, '{"type": "charge.succeeded"}'));
    expect(dedupeKey).toMatch(/^sha256:/);
    expect(orderingKey).toBe(`delivery/${dedupeKey}`);
  });

  it.each([
    ['charge-succeeded', 'order/10482'],
    ['charge-refunded-rest', 'order/10482'],
    ['payment-intent-succeeded', 'order/10482'],
    ['charge-succeeded-boleto', 'order/pi_3RbV0m4Tx'],
    ['refund-failed', 'order/pi_3RbV0m4Tx'],
    ['dispute-created', 'dispute/du_1Ri6Disp0'],
    ['payout-failed', 'payout/po_1Rj3Bank0'],
    ['checkout-session-completed', 'delivery/evt_1Ra7Kq2LwC1'],
  ])('puts %s into the lane %s', (name, lane) => {
    expect(identify(name).orderingKey).toBe(lane);
  });
});

describe('a sale of Stripe', () => {
  it('is one payment, whichever of its events are sent', () => {
    const sale = [
      'payment-intent-succeeded',
      'charge-succeeded',
      'checkout-session-completed',
      'charge-refunded-first',
      'charge-refunded-rest',
    ];
    const events = sale.map(fixture).flatMap((message) => {
      const normalised = normalise(message);
      return 'events' in normalised ? normalised.events : [];
    });
    const paid = events.flatMap((event) => (event.type === 'order.paid' ? [event.order] : []));
    expect(new Set(paid.map(({ key, payment }) => `${key} ${payment?.key}`)).size).toBe(1);
    expect(new Set(paid.map(({ total }) => total.toString()))).toEqual(new Set(['349.90']));
  });

  it.each(['charge-succeeded', 'charge-refunded-first', 'charge-captured-in-part'])(
    'is left to the shop where the setting says so: %s',
    (name) => {
      expect(normalise(fixture(name), { endpointEvents: 'all' })).toHaveProperty('events');
      for (const settings of [{ endpointEvents: 'all', withoutSales: true }, { withoutSales: true }])
        expect(normalise(fixture(name), settings)).toEqual({
          ignored: expect.stringContaining('the shop reports the sale') as string,
        });
    },
  );

  it('is left to the shop, and a refund that came to nothing is told all the same', () => {
    const withoutSales = { withoutSales: true };
    expect(normalise(fixture('refund-created'), withoutSales)).toEqual({
      ignored: expect.stringContaining('the shop reports it') as string,
    });
    expect(normalise(fixture('refund-failed'), withoutSales)).toMatchObject({
      unbooked: [{ code: 'refund-not-booked' }],
    });
  });

  it('without a payment intent is known by its charge', () => {
    const order = orderOf(changed('charge-succeeded', { payment_intent: null, metadata: {} }));
    expect(order.key).toBe('loja/order/ch_3Ra7Kq2Lw0');
    expect(order.payments[0]?.key).toBe('loja/order/ch_3Ra7Kq2Lw0/payment/ch_3Ra7Kq2Lw0');
  });

  it('is the same where Stripe expands what it otherwise names', () => {
    const expanded = { payment_intent: { id: 'pi_3Ra7Kq2Lw', object: 'payment_intent' }, metadata: {} };
    const { key, payments } = orderOf(changed('charge-succeeded', expanded));
    expect([key, payments[0]?.key]).toEqual([
      'loja/order/pi_3Ra7Kq2Lw',
      'loja/order/pi_3Ra7Kq2Lw/payment/pi_3Ra7Kq2Lw',
    ]);
  });

  it('in two payments has two keys of payments', () => {
    const rest = orderOf(changed('charge-succeeded', { payment_intent: 'pi_other' }));
    expect(rest.key).toBe('loja/order/10482');
    expect(rest.payments[0]?.key).toBe('loja/order/10482/payment/pi_other');
  });

  it('that failed, or whose status nobody knows, is not paid', () => {
    expect(changed('charge-succeeded', { status: 'failed' })).toEqual({
      ignored: 'the charge is failed: nothing was paid',
    });
    expect(() => changed('charge-succeeded', { status: null })).toThrow('status is missing');
  });

  it('is a test unless the event says that it is live, and the charge does not deny it', () => {
    expect(orderOf(changed('charge-succeeded', { livemode: false })).test).toBe(true);
    const { livemode: _, ...message } = fixture('charge-succeeded');
    expect(orderOf(normalise(message)).test).toBe(true);
  });

  it('takes the document and the instalments from the fields that the settings name', () => {
    const metadata = { order_id: '7', documento_fiscal: '529.982.247-25', vezes: '6', cpf: '1' };
    const settings = { documentField: 'documento_fiscal', instalmentsField: 'vezes' };
    expect(orderOf(changed('charge-succeeded', { metadata }, settings))).toMatchObject({
      customer: { document: '529.982.247-25' },
      instalments: 6,
    });
  });

  it.each([
    [{ type: 'card', card: { funding: 'credit' } }, 'credit_card'],
    [{ type: 'card', card: { funding: 'debit' } }, 'debit_card'],
    [{ type: 'card', card: { funding: 'prepaid' } }, 'credit_card'],
    [{ type: 'card_present', card_present: { funding: 'debit' } }, 'debit_card'],
    [{ type: 'boleto', boleto: {} }, 'boleto'],
    [null, ''],
  ])('paid by %j has the method %j', (payment_method_details, method) => {
    const [payment] = orderOf(changed('charge-succeeded', { payment_method_details })).payments;
    expect(payment?.method).toBe(method);
  });

  it('that is captured and has no captured amount says so', () => {
    const { total, differences } = orderOf(changed('charge-succeeded', { amount_captured: 0 }));
    expect(total.toString()).toBe('349.90');
    expect(differences).toEqual(['The charge of 349.90 BRL is captured, but its captured amount is zero.']);
  });

  it('of which a part goes to another account says so', () => {
    const differences = (changes: Json, name = 'charge-succeeded') =>
      orderOf(changed(name, changes)).differences;
    expect(differences({ application_fee_amount: 3_500, transfer_data: null })).toEqual([
      'A platform keeps 35.00 BRL of it as its application fee: book that by hand.',
    ]);
    expect(differences({ application_fee_amount: 3_500, transfer_data: { destination: 'acct_1' } })).toEqual([
      '314.90 BRL of it go to another account of Stripe (transfer_data): book that by hand.',
    ]);
    expect(differences({ transfer_data: { amount: 10_000, destination: 'acct_1' } })).toEqual([
      '100.00 BRL of it go to another account of Stripe (transfer_data): book that by hand.',
    ]);
    expect(differences({ application_fee_amount: 100 }, 'charge-succeeded-expanded')).toEqual([]);
  });

  it('whose fee and net value do not come to it says so', () => {
    const balance = { currency: 'brl', fee: 837, net: 19_000 };
    expect(
      orderOf(changed('charge-succeeded-expanded', { balance_transaction: balance })).differences,
    ).toEqual(["Stripe's fee and net value come to 198.37 BRL, but the order says 200.00 BRL."]);
  });

  it('of another kind of object than its type says is unreadable', () => {
    expect(() => changed('charge-succeeded', { object: 'refund' })).toThrow('is not charge');
  });
});

describe('an amount of Stripe', () => {
  const totalOf = (currency: string, amount: unknown): string => {
    const amounts = { amount, amount_captured: amount, balance_transaction: null };
    return orderOf(changed('charge-succeeded', { currency, ...amounts })).total.toString();
  };

  it.each([
    ['brl', 12_345, '123.45'],
    ['jpy', 12_345, '12345'],
    ['kwd', 12_340, '12.340'],
    ['isk', 12_300, '123'],
    ['ugx', 500, '5'],
    ['mga', 12_345, '12345.00'],
    ['huf', 12_300, '123.00'],
  ])('in %s of %d is %s', (currency, amount, text) => {
    expect(totalOf(currency, amount)).toBe(text);
  });

  it.each([
    ['brl', 12.5],
    ['brl', -1],
    ['brl', '1,50'],
    ['isk', 12_345],
    ['reais', 100],
  ])('in %s of %j is unreadable', (currency, amount) => {
    expect(() => totalOf(currency, amount)).toThrow(/^\$\.data\.object\./);
  });
});

describe('a refund of Stripe', () => {
  const refundOf = (before: unknown, sum: number) => {
    const message = fixture('charge-refunded-first');
    message.data.object['amount_refunded'] = sum;
    message.data.previous_attributes = { amount_refunded: before };
    const [refund] = orderOf(normalise(message)).refunds;
    return [refund?.key.split('/').at(-1), refund?.value.toString()];
  };

  it('is what went back since the one before, under a key of its own', () => {
    expect(refundOf(0, 9_990)).toEqual(['ch_3Ra7Kq2Lw0.9990', '99.90']);
    expect(refundOf(9_990, 19_980)).toEqual(['ch_3Ra7Kq2Lw0.19980', '99.90']);
  });

  it('is unreadable where nothing says what went back before', () => {
    expect(() => refundOf(undefined, 9_990)).toThrow('$.data.previous_attributes.amount_refunded is missing');
    expect(() => refundOf(9_990, 9_990)).toThrow('amount_refunded is not more than before');
  });

  it('of more than was captured says so', () => {
    const { differences } = orderOf(changed('charge-refunded-first', { amount_captured: 5_000 }));
    expect(differences).toEqual([
      '99.90 BRL went back, but only 50.00 BRL were captured.',
      'Of 349.90 BRL only 50.00 BRL were captured: Stripe may count what it released as refunded.',
    ]);
  });

  it('that failed in test mode asks nobody', () => {
    const failed = fixture('refund-failed');
    expect(normalise(failed)).toHaveProperty('unbooked');
    expect(normalise({ ...failed, livemode: false })).not.toHaveProperty('unbooked');
    expect(normalise({ ...failed, livemode: false }, { bookTestOrders: true })).toHaveProperty('unbooked');
  });
});

describe('a dispute of Stripe', () => {
  it.each([
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
  ])('that is %s is %s', (status, state) => {
    expect(disputeOf(changed('dispute-created', { status })).state).toBe(state);
  });

  it('that is prevented takes nothing; one in a state that nobody knows is unreadable', () => {
    expect(changed('dispute-created', { status: 'prevented' })).toHaveProperty('ignored');
    expect(() => changed('dispute-created', { status: 'settled' })).toThrow('is none of a dispute');
  });

  it('has its fee and its day from the withdrawal, else none and its own', () => {
    const { fee, openedAt } = disputeOf(changed('dispute-created', { balance_transactions: [] }));
    expect(fee).toBeUndefined();
    expect(openedAt).toEqual(new Date('2026-08-04T13:39:30.000Z'));
    const [withdrawal] = fixture('dispute-created').data.object['balance_transactions'] as Json[];
    const inDollars = [{ ...withdrawal, currency: 'usd' }];
    expect(disputeOf(changed('dispute-created', { balance_transactions: inDollars })).fee).toBeUndefined();
  });

  it('that has no identifier, as in old versions of the API, is known by its charge', () => {
    const old = { id: undefined, charge: 'ch_1Ri6Old' };
    expect(disputeOf(changed('dispute-created', old)).key).toBe('loja/dispute/ch_1Ri6Old');
    expect(() => changed('dispute-created', { id: undefined, charge: null })).toThrow('id is missing');
  });
});

describe('a payout of Stripe', () => {
  it('has the day of arrival in the zone of the organization, east and west of Greenwich', () => {
    const message = fixture('payout-paid');
    for (const timeZone of ['America/Sao_Paulo', 'Asia/Tokyo']) {
      const rawBody = Buffer.from(JSON.stringify(message));
      const context = { source: 'loja', timeZone, currency: 'BRL', settings: {} };
      const delivery = { topic: message.type, attributes: {}, rawBody, receivedAt: NOW };
      const normalised = stripe.normalise(delivery, context);
      const [event] = 'events' in normalised ? normalised.events : [];
      const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(event?.occurredAt);
      expect(day).toBe('2026-07-21');
    }
  });

  it('without a day of arrival is dated by its event', () => {
    const normalised = changed('payout-paid', { arrival_date: null });
    expect(normalised).toMatchObject({ events: [{ occurredAt: new Date('2026-07-21T01:00:00.000Z') }] });
  });
});

describe('an invoice of Stripe', () => {
  it('that was paid outside in part asks for a person about that part', () => {
    expect(changed('invoice-paid', { amount_paid_off_stripe: 1_990 })).toMatchObject({
      unbooked: [
        { code: 'order-differs', detail: expect.stringContaining('19.90 BRL of invoice') as string },
      ],
    });
  });
});
