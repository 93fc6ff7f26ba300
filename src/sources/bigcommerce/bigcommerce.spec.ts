import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, OrderFacts } from '../../events/event';
import { checkSettings } from '../check-settings';
import { UnreadablePayload } from '../payload';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { bigcommerce } from './bigcommerce';
import { parseRfc2822 } from './dates';
import { stateOf } from '../mapping/brazilian-states';

const NOW = new Date('2026-08-10T12:00:00Z');
const STORE = { storeHash: 'k7m2q9xwz1' };
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'bigcommerce');

type Json = Record<string, unknown>;

function fixture(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function listed(name: string): Json[] {
  return (fixture(`fetched/${name}`) as { data: Json[] }).data;
}

function request(body: Json, headers: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(JSON.stringify(body)) };
}

function answer(name: string, value: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(JSON.stringify(value)) };
}

function delivery(body: Json, fetched: readonly FetchedAnswer[]): StoredWebhook {
  const { rawBody } = request(body);
  return { topic: 'store/order/updated', attributes: {}, rawBody, receivedAt: NOW, fetched };
}

/** A notification of an order that is fetched as this, with these transactions and refunds. */
function normalise(
  order: Json,
  transactions: Json[],
  refunds: Json[] = [],
  settings: Json = STORE,
): Normalised {
  const data = { type: 'order', id: order.id };
  const body = { scope: 'store/order/updated', producer: 'stores/k7m2q9xwz1', data };
  const answers = [
    answer('order', order),
    answer('transactions', { data: transactions }),
    answer('refunds', { data: refunds }),
  ];
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return bigcommerce.normalise(delivery(body, answers), context);
}

function eventsOf(normalised: Normalised): CanonicalEvent[] {
  return 'events' in normalised ? normalised.events : [];
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = eventsOf(normalised);
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

function paymentsOf(normalised: Normalised): string[] {
  return orderOf(normalised).payments.map(({ key, value }) => `${key.split('/').at(-1)} ${value.toString()}`);
}

const CARD = { ...fixture('fetched/order-card-paid') };
const [PURCHASE = {}] = listed('order-card-paid-transactions');

describe("BigCommerce's signature", () => {
  const body = '{"scope":"store/order/created","data":{"type":"order","id":3104}}';
  const secret = 'c0ffee1234abcd';
  // printf '%s' "msg_1.1784046009.$BODY" | openssl dgst -sha256 -hmac c0ffee1234abcd -binary | base64
  const known = 'v1,7xWNbbd+93EY9xKA8gwm3iCfQ8PU422bH/3aWfrIlUY=';
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1784046009', 'webhook-signature': known };
  const verify = (secrets: string[], seconds = 0) =>
    bigcommerce.verify(
      { method: 'POST', headers, query: {}, rawBody: Buffer.from(body) },
      secrets,
      {},
      new Date((1_784_046_009 + seconds) * 1_000),
    );

  it('is the one that openssl computes with the text of the client secret', () => {
    expect(verify([secret])).toEqual({ ok: true });
    expect(verify([`${secret}\n`])).toEqual({ ok: true });
    const message = { secret, body, topic: '', id: 'msg_1', sentAt: new Date(1_784_046_009_000) };
    expect(bigcommerce.sign(message)['webhook-signature']).toBe(known);
  });

  it('is not that of the base64 that the client secret could be', () => {
    expect(verify([Buffer.from(secret).toString('base64')]).ok).toBe(false);
    expect(verify([`whsec_${Buffer.from(secret).toString('base64')}`]).ok).toBe(false);
  });

  it('is taken as long as BigCommerce tries again', () => {
    expect(verify([secret], 48 * 3_600)).toEqual({ ok: true });
    expect(verify([secret], 48 * 3_600 + 1)).toMatchObject({ ok: false, signed: true });
  });
});

describe('what a notification of BigCommerce is known by', () => {
  const body = fixture('order-checkout-finished');

  it('is its hash, until the order is fetched', () => {
    expect(bigcommerce.identify(request(body, { 'webhook-id': 'msg_1' }))).toEqual({
      topic: 'store/order/statusUpdated',
      dedupeKey: body.hash,
      untilFetched: true,
      orderingKey: 'order/3104',
      attributes: {},
    });
  });

  it('is the id of the message, else its content, where it has no hash', () => {
    const bare = { ...body, hash: null };
    expect(bigcommerce.identify(request(bare, { 'webhook-id': 'msg_1' })).dedupeKey).toBe('msg_1');
    expect(bigcommerce.identify(request(bare)).dedupeKey).toMatch(/^sha256:/);
  });

  it('has the lane of its order or customer, whatever it says of them', () => {
    const laneOf = (name: string) => bigcommerce.identify(request(fixture(name))).orderingKey;
    expect(laneOf('order-3104-transaction')).toBe('order/3104');
    expect(laneOf('customer-address-created')).toBe('customer/58');
  });
});

describe('what is fetched from BigCommerce', () => {
  const access = (settings: Json) => ({ settings, credentials: { accessToken: 'a token' } });
  const next = (body: Json, fetched: FetchedAnswer[], settings: Json = STORE) =>
    bigcommerce.fetchBack?.next(delivery(body, fetched), access(settings));

  it('is asked for with the token, from the address of the settings', () => {
    expect(next(fixture('order-checkout-finished'), [])?.headers).toEqual({
      accept: 'application/json',
      'x-auth-token': 'a token',
    });
    const baseUrl = (settings: Json) => bigcommerce.api?.baseUrl(settings);
    expect(baseUrl({})).toBe('https://api.bigcommerce.com');
    expect(baseUrl({ apiUrl: 'https://proxy.example.com/' })).toBe('https://proxy.example.com');
  });

  it.each([{}, { storeHash: '../v2' }])('is nothing while the store is %j', (settings) => {
    const body = { ...fixture('order-checkout-finished'), producer: 'stores/../v2' };
    expect(() => next(body, [], settings)).toThrow(UnreadablePayload);
  });

  it.each(['1/../2', '1e3', '-1', 1.5, true, { id: 1 }])('is nothing for the number %j', (id) => {
    const body = { ...fixture('order-checkout-finished'), data: { type: 'order', id } };
    expect(() => next(body, [])).toThrow(UnreadablePayload);
  });

  it('is unreadable where it is another order, transaction, refund or customer than asked for', () => {
    const [refund = {}] = listed('order-mixed-refunded-in-part-refunds');
    const context = { source: 'loja', timeZone: 'UTC', currency: 'BRL', settings: STORE };
    const other = delivery(fixture('order-checkout-finished'), [
      answer('order', { ...CARD, id: 3105 }),
      answer('transactions', { data: [] }),
      answer('refunds', { data: [] }),
    ]);
    expect(() => bigcommerce.normalise(other, context)).toThrow('$.id is not that of the order');
    expect(() => normalise(CARD, [{ ...PURCHASE, order_id: '1' }])).toThrow('order_id is not that');
    expect(() => normalise(CARD, [], [refund])).toThrow('order_id is not that');
    const customer = delivery(fixture('customer-60-created'), [
      answer('customer', fixture('fetched/customer-58')),
    ]);
    expect(() => bigcommerce.normalise(customer, context)).toThrow('not that of the customer');
  });

  it('is unreadable where a part is missing, or has more pages than one', () => {
    const context = { source: 'loja', timeZone: 'UTC', currency: 'BRL', settings: STORE };
    const body = fixture('order-checkout-finished');
    const only = [answer('order', CARD)];
    expect(() => bigcommerce.normalise(delivery(body, only), context)).toThrow('transactions of the order');
    const paged = { data: [PURCHASE], meta: { pagination: { total_pages: 2 } } };
    const more = [...only, answer('transactions', paged), answer('refunds', { data: [] })];
    expect(() => bigcommerce.normalise(delivery(body, more), context)).toThrow('more transactions than');
  });
});

describe('the payments of an order of BigCommerce', () => {
  it('are those that a gateway took, each once, and the first is the order’s one payment', () => {
    const settled = { ...PURCHASE, id: 7, event: 'settled', reference_transaction_id: PURCHASE.id };
    const later = { ...PURCHASE, id: 90210040, amount: 10, date_created: '2026-07-15T10:00:00+00:00' };
    const failed = { ...later, id: 90210041, status: 'error' };
    expect(paymentsOf(normalise(CARD, [later, failed, settled, PURCHASE]))).toEqual([
      'paid 274.90',
      '90210040 10.00',
    ]);
    expect(paymentsOf(normalise(CARD, []))).toEqual(['paid 274.90']);
    expect(paymentsOf(normalise(CARD, [PURCHASE]))).toEqual(['paid 274.90']);
  });

  it('have the same keys whatever has become of the order since', () => {
    const states = ['order-mixed-paid', 'order-mixed-refunded-in-part', 'order-mixed-refunded'].map((name) =>
      orderOf(
        normalise(fixture(`fetched/${name}`), listed(`${name}-transactions`), listed(`${name}-refunds`)),
      ),
    );
    const keys = states.map(({ payments }) => payments.map(({ key, paidAt }) => [key, paidAt]));
    expect(new Set(keys.map((state) => JSON.stringify(state))).size).toBe(1);
    const [, part, all] = states.map(({ refunds }) => refunds.map(({ key }) => key));
    expect(all?.slice(0, 1)).toEqual(part);
  });

  it('that are more than the order comes to say so', () => {
    const { differences } = orderOf(normalise(CARD, [{ ...PURCHASE, amount: 280 }]));
    expect(differences).toEqual(['The payments come to 280.00 BRL, but the order says 274.90 BRL.']);
  });

  it('are there although the status is none that means paid, where a gateway took money', () => {
    const order = { ...CARD, status_id: 12, payment_status: '' };
    expect(paymentsOf(normalise(order, [PURCHASE]))).toEqual(['paid 274.90']);
    expect(normalise(order, [])).toMatchObject({
      ignored: expect.stringContaining('Manual Verification Required') as string,
    });
  });

  it.each([
    'authorized',
    'capture pending',
    'declined',
    'held for review',
    'pending',
    'void',
    'void pending',
  ])('are none where a gateway is said to have %s the money, whatever the status is', (payment_status) => {
    expect(normalise({ ...CARD, payment_status }, [])).toHaveProperty('ignored');
  });

  it('are none before the statuses that the settings name', () => {
    const order = { ...fixture('fetched/order-deposit-paid'), status_id: 11 };
    expect(paymentsOf(normalise(order, []))).toEqual(['paid 189.00']);
    expect(normalise(order, [], [], { ...STORE, paidStatuses: '2, 10' })).toHaveProperty('ignored');
  });

  it('of a transfer are no proof that it came', () => {
    const [offline = {}] = listed('order-deposit-awaited-transactions');
    const order = fixture('fetched/order-deposit-awaited');
    expect(eventsOf(normalise(order, [{ ...offline, event: 'purchase' }]))).toMatchObject([
      { type: 'order.pending' },
    ]);
  });

  it.each([
    ['token', 'Cartão de crédito', 'Cartão de crédito'],
    ['nonce', 'Cartão de crédito', 'Cartão de crédito'],
    ['offsite', 'Pix', 'Pix'],
    ['offsite', '', 'offsite'],
    ['', 'Pix', 'Pix'],
    ['electronic_wallet', 'PayPal', 'electronic_wallet'],
  ])('of the transaction method %j in an order by %j have the method %j', (method, named, expected) => {
    const read = (credit_card: Json) =>
      orderOf(normalise({ ...CARD, payment_method: named }, [{ ...PURCHASE, method, credit_card }]));
    expect(read({}).payments).toMatchObject([{ method: expected }]);
    expect(read({ card_type: 'visa' }).payments).toMatchObject([{ method: 'credit_card', brand: 'visa' }]);
  });

  it('are in the currency that the buyer pays in', () => {
    const order = { ...CARD, currency_code: 'USD' };
    expect(orderOf(normalise(order, [PURCHASE])).total.currency).toBe('BRL');
    expect(() => normalise(order, [{ ...PURCHASE, currency: 'USD' }])).toThrow('is not BRL');
  });

  it('that were voided after they were taken say so', () => {
    const voided = { ...PURCHASE, id: 90210032, event: 'void', reference_transaction_id: PURCHASE.id };
    expect(orderOf(normalise(CARD, [PURCHASE, voided])).differences).toEqual([
      'Transaction 90210031 of 274.90 BRL was voided after it was paid.',
    ]);
  });

  it('of a gateway in its test mode are a test', () => {
    expect(orderOf(normalise(CARD, [{ ...PURCHASE, test: true }])).test).toBe(true);
  });

  it('have the rest of an order that store credit pays in part from its transaction', () => {
    const order = { ...fixture('fetched/order-deposit-paid'), store_credit_amount: '39.0000' };
    const [offline = {}] = listed('order-deposit-awaited-transactions');
    expect(paymentsOf(normalise(order, [{ ...offline, amount: 150 }]))).toEqual([
      'store-credit 39.00',
      'paid 150.00',
    ]);
  });
});

describe('what went back of an order of BigCommerce', () => {
  const MIXED = fixture('fetched/order-mixed-refunded');
  const transactions = listed('order-mixed-refunded-transactions');
  const refunds = listed('order-mixed-refunded-refunds');

  it('is less than the gateways say', () => {
    expect(orderOf(normalise(MIXED, transactions, refunds.slice(0, 1))).differences).toEqual([
      'The gateways gave 210.00 BRL back, but the refunds of the order come to 60.00 BRL.',
    ]);
  });

  it('is more than was paid', () => {
    const [first = {}] = refunds;
    const twice = { ...first, id: 99, payments: [{ id: 99, provider_id: 'authorizenet', amount: 300 }] };
    expect(orderOf(normalise(MIXED, transactions, [...refunds, twice])).differences).toEqual([
      '600.00 BRL went back of an order of which 300.00 BRL were paid.',
    ]);
  });

  it('is not told, although the status says so', () => {
    expect(orderOf(normalise({ ...CARD, status_id: 14 }, [PURCHASE])).differences).toEqual([
      'The order is Partially Refunded, but no refund says what went back.',
    ]);
  });

  it('does not say by which way', () => {
    const [first = {}] = refunds;
    const { differences } = orderOf(normalise(MIXED, transactions.slice(0, 4), [{ ...first, payments: [] }]));
    expect(differences).toContain('Refund 17 is of 60.00 BRL, and does not say by which way they went back.');
  });

  it('has the payment that it gives back only where there is one alone', () => {
    const [first = {}] = refunds;
    const refund = { ...first, order_id: 3104, payments: [{ id: 1, provider_id: 'adyen', amount: 5 }] };
    const again = { ...PURCHASE, id: 90210040, amount: 10 };
    const keyOf = (all: Json[]) => orderOf(normalise(CARD, all, [refund])).refunds[0]?.paymentKey;
    expect(keyOf([PURCHASE])).toBe('loja/order/3104/payment/paid');
    expect(keyOf([PURCHASE, again])).toBeUndefined();
  });
});

describe('the customer of an order of BigCommerce', () => {
  const customerWith = (billing: Json, settings: Json = STORE) =>
    orderOf(
      normalise(
        { ...CARD, billing_address: { ...(CARD.billing_address as Json), ...billing } },
        [PURCHASE],
        [],
        settings,
      ),
    ).customer;

  it('has the document of the field that the settings name', () => {
    const form_fields = [
      { name: 'Identificação fiscal', value: '529.982.247-25' },
      { name: 'CPF', value: '1' },
    ];
    expect(customerWith({ form_fields }).document).toBe('1');
    const settings = { ...STORE, documentField: 'identificação fiscal' };
    expect(customerWith({ form_fields }, settings).document).toBe('529.982.247-25');
  });

  it('lives in a state of two letters, in Brazil', () => {
    expect(customerWith({ state: 'Mato Grosso do Sul' }).address?.state).toBe('MS');
    expect(stateOf('SP', 'BR')).toBe('SP');
    expect(stateOf('Pará', 'AR')).toBe('Pará');
  });
});

describe('a date of BigCommerce', () => {
  it.each([
    ['Tue, 05 Mar 2019 21:40:11 +0000', '2019-03-05T21:40:11.000Z'],
    ['5 Mar 2019 18:40:11 -0300', '2019-03-05T21:40:11.000Z'],
    ['Tue, 05 Mar 2019 21:40:11 GMT', '2019-03-05T21:40:11.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseRfc2822(text)).toEqual(new Date(instant));
  });

  it.each(['Tue, 31 Feb 2019 21:40:11 +0000', 'Tue, 05 Mai 2019 21:40:11 +0000', '2019-03-05', ''])(
    '%j is none',
    (text) => {
      expect(parseRfc2822(text)).toBeUndefined();
    },
  );
});

describe('settings of BigCommerce', () => {
  it.each([
    [{}, 'storeHash', 'required'],
    [{ storeHash: 'stores/abc' }, 'storeHash', 'unfit'],
    [{ ...STORE, paidStatuses: 'Completed' }, 'paidStatuses', 'unfit'],
  ])('%j are refused', (settings, name, code) => {
    expect(checkSettings(bigcommerce, settings)).toMatchObject([{ name, code }]);
  });

  it('need the store alone', () => {
    expect(checkSettings(bigcommerce, STORE)).toEqual([]);
  });
});
