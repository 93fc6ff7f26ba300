import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSettings } from '../check-settings';
import type { OrderFacts } from '../../events/event';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { nuvemshop } from './nuvemshop';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'nuvemshop', 'fetched');
const CREDENTIALS = { accessToken: 'tok-123' };

type Json = Record<string, unknown>;

function fetched<T = Json>(name: string): T {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

function request(body: unknown, headers: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(JSON.stringify(body)) };
}

function answer(name: string, body: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
}

function webhook(event: string, id: unknown, answers: readonly FetchedAnswer[] = []): StoredWebhook {
  const { rawBody } = request({ store_id: 2264107, event, id });
  return { topic: event, attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched: answers };
}

function normalise(order: Json, transactions?: unknown, event = 'order/updated'): Normalised {
  const others =
    transactions === undefined
      ? answer('transactions', undefined, 403)
      : answer('transactions', transactions);
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
  return nuvemshop.normalise(webhook(event, order['id'], [answer('order', order), others]), context);
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

const typesOf = (normalised: Normalised): string[] =>
  'events' in normalised ? normalised.events.map(({ type }) => type) : [];

describe("Nuvemshop's signature", () => {
  const body = '{"store_id":123,"event":"order/paid","id":871254203}';
  // printf '%s' "$body" | openssl dgst -sha256 -hmac app-secret -hex
  const known = '5f9bf8317570f99e35f63ad9f212679a7d5ec8be97a729dfdcfe5c956c381e98';
  const verify = (shown: string | undefined, secrets: string[] = ['app-secret']) =>
    nuvemshop.verify(
      {
        ...request({}),
        headers: shown === undefined ? {} : { 'x-linkedstore-hmac-sha256': shown },
        rawBody: Buffer.from(body),
      },
      secrets,
      {},
      RECEIVED_AT,
    );

  it('is the one that openssl computes over the body', () => {
    expect(verify(known)).toEqual({ ok: true });
    expect(verify(known.toUpperCase())).toEqual({ ok: true });
    const message = { secret: 'app-secret', body, topic: '', id: '', sentAt: RECEIVED_AT };
    expect(nuvemshop.sign(message)['x-linkedstore-hmac-sha256']).toBe(known);
  });

  it('is refused where it is missing or made with another secret', () => {
    expect(verify(undefined).ok).toBe(false);
    expect(verify(known, ['another']).ok).toBe(false);
    expect(verify(known, []).ok).toBe(false);
  });
});

describe('what a notification of Nuvemshop is known by', () => {
  it('is the store, the event and the order until the order is fetched', () => {
    const body = { store_id: 2264107, event: 'order/updated', id: 1612004590 };
    expect(nuvemshop.identify(request(body))).toEqual({
      topic: 'order/updated',
      dedupeKey: '2264107:order/updated:1612004590',
      untilFetched: true,
      orderingKey: 'order/1612004590',
      attributes: {},
    });
  });

  it('of a customer has the lane of the customer', () => {
    const body = { store_id: 1, event: 'customer/created', id: 7 };
    expect(nuvemshop.identify(request(body))).toMatchObject({
      orderingKey: 'customer/7',
      untilFetched: true,
    });
  });

  it('is its content for ever where nothing is fetched, or its numbers cannot be told exactly', () => {
    const redact = nuvemshop.identify(request({ store_id: 1, customer: { id: 2 }, orders_to_redact: [3] }));
    expect(redact).toMatchObject({ topic: 'customers/redact' });
    expect(redact.dedupeKey).toMatch(/^sha256:/);
    expect(redact).not.toHaveProperty('untilFetched');
    const huge = { store_id: 1, event: 'order/paid', id: 2 ** 60 };
    expect(nuvemshop.identify(request(huge)).dedupeKey).toMatch(/^sha256:/);
  });

  it('names what the law on personal data makes it ask for, with an event or without', () => {
    for (const [topic, body] of [
      ['store/redact', { store_id: 1 }],
      ['customers/redact', { store_id: 1, customer: { id: 2 }, orders_to_redact: [] }],
      ['customers/data_request', { store_id: 1, customer: { id: 2 }, orders_requested: [] }],
      ['customers/data_request', { store_id: 1, event: 'customers/data_request' }],
    ] as const)
      expect(nuvemshop.identify(request(body)).topic).toBe(topic);
  });
});

describe('what is fetched from Nuvemshop', () => {
  const next = (event: string, id: unknown, settings: Json, answers: FetchedAnswer[] = []) =>
    nuvemshop.fetchBack?.next(webhook(event, id, answers), { settings, credentials: CREDENTIALS });

  it('shows the token in the header that the source names, and who asks', () => {
    expect(next('order/paid', 7, {})?.headers).toEqual({
      authentication: 'bearer tok-123',
      'user-agent': 'Ponte (webhooks)',
      accept: 'application/json',
    });
    const settings = { tokenHeader: 'authorization', userAgent: 'Loja (ti@loja.example)' };
    expect(next('order/paid', 7, settings)?.headers).toEqual({
      authorization: 'Bearer tok-123',
      'user-agent': 'Loja (ti@loja.example)',
      accept: 'application/json',
    });
  });

  it('comes from the address that the source names', () => {
    expect(nuvemshop.api?.baseUrl({})).toBe('https://api.nuvemshop.com.br');
    expect(nuvemshop.api?.baseUrl({ apiUrl: 'https://api.tiendanube.com/' })).toBe(
      'https://api.tiendanube.com',
    );
  });

  it('is nothing of another store, and no path that an identifier could lead astray', () => {
    expect(next('order/paid', 7, { storeId: '1' })).toBeUndefined();
    for (const id of ['../webhooks', '7?x=1', 'a', 1.5, null])
      expect(() => next('order/paid', id, {})).toThrow('$.id');
  });

  it('may lack the transactions where the app may not read them', () => {
    const answers = [answer('order', {})];
    expect(next('order/paid', 7, {}, answers)?.answers).toEqual([403, 404, 410]);
  });
});

describe('settings of Nuvemshop', () => {
  it('are refused where they cannot fit', () => {
    expect(checkSettings(nuvemshop, { tokenHeader: 'authorization', storeId: '2264107' })).toEqual([]);
    expect(checkSettings(nuvemshop, { tokenHeader: 'x-token' })).toMatchObject([{ name: 'tokenHeader' }]);
    expect(checkSettings(nuvemshop, { storeId: 'minha-loja' })).toMatchObject([{ name: 'storeId' }]);
  });
});

describe('an order of Nuvemshop', () => {
  const paid = fetched('order-card-paid');
  const transactions = fetched<Json[]>('transactions-card-paid');
  const [card = {}] = transactions;

  it('is the same payment whether or not its transactions may be read', () => {
    const keys = [normalise(paid, transactions), normalise(paid), normalise(paid, [])].map((one) =>
      orderOf(one).payments.map(({ key, value }) => [key, value.toString()]),
    );
    expect(keys[0]).toEqual([['loja/order/1612004590/payment/paid', '285.00']]);
    expect(new Set(keys.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('is the same refund of all of it whether or not its transactions may be read', () => {
    const refunded = { ...paid, payment_status: 'refunded' };
    const amount = { value: '285.00', currency: 'BRL' };
    const back = { type: 'refund', status: 'success', amount, created_at: '2026-07-20T10:00:00Z' };
    const events = [...(card['events'] as Json[]), back];
    const reported = [{ ...card, refunded_amount: amount, events }];
    const summed = [{ ...card, refunded_amount: amount }];
    for (const seen of [reported, summed, undefined])
      expect(orderOf(normalise(refunded, seen)).refunds).toMatchObject([
        { key: 'loja/order/1612004590/refund/paid', value: { minor: 28_500n } },
      ]);
  });

  it('keeps the keys of its refunds as more come', () => {
    const amount = { value: '10.00', currency: 'BRL' };
    const back = (created_at: string): Json => ({ type: 'refund', status: 'success', amount, created_at });
    const [first, second] = [back('2026-07-20T10:00:00Z'), back('2026-07-21T10:00:00Z')];
    const keysOf = (events: Json[]) =>
      orderOf(normalise(paid, [{ ...card, refunded_amount: null, events }])).refunds.map(({ key }) => key);
    const both = ['loja/order/1612004590/refund/paid.1', 'loja/order/1612004590/refund/paid.2'];
    expect(keysOf([first])).toEqual(both.slice(0, 1));
    expect(keysOf([first, second])).toEqual(both);
    expect(keysOf([second, first])).toEqual(both);
  });

  it('says so where refunds do not come to what is said to have gone back', () => {
    const amount = { value: '10.00', currency: 'BRL' };
    const events = [{ type: 'refund', status: 'success', amount, created_at: '2026-07-20T10:00:00Z' }];
    const reported = { ...card, refunded_amount: { value: '20.00', currency: 'BRL' }, events };
    expect(orderOf(normalise(paid, [reported])).differences).toEqual([
      'The refunds of a transaction come to 10.00 BRL, but the order says 20.00 BRL.',
    ]);
  });

  it('says so where it is refunded and its transactions know nothing of that', () => {
    for (const status of ['refunded', 'partially_refunded'])
      expect(orderOf(normalise({ ...paid, payment_status: status }, transactions)).differences).toEqual([
        `The order is ${status}, and nothing says how much went back: book it by hand.`,
      ]);
    expect(orderOf(normalise({ ...paid, payment_status: 'partially_refunded' })).differences).toHaveLength(1);
  });

  it('that is pending while its transactions brought money is paid, and says so', () => {
    const order = orderOf(normalise({ ...paid, payment_status: 'pending' }, transactions));
    expect(order.payments).toHaveLength(1);
    expect(order.differences).toEqual(['The order is pending, but its transactions brought money.']);
  });

  it('of which a part is paid is that part, or is left to a person where nothing says how much', () => {
    const partly = { ...paid, payment_status: 'partially_paid' };
    const part = { ...card, captured_amount: { value: '100.00', currency: 'BRL' } };
    const order = orderOf(normalise(partly, [part]));
    expect([order.payments[0]?.value.toString(), order.paidAt, order.differences]).toEqual([
      '100.00',
      undefined,
      [],
    ]);
    expect(normalise(partly)).toMatchObject({
      unbooked: [{ detail: 'A part of the order is paid, and nothing says how much: book it by hand.' }],
    });
  });

  it('says so where its payments or its parts do not come to its total', () => {
    const order = { ...paid, total: '290.00' };
    expect(orderOf(normalise(order, transactions)).differences).toEqual([
      'Goods and shipping less discounts come to 285.00 BRL, but the order says 290.00 BRL.',
      'The payments come to 285.00 BRL, but the order says 290.00 BRL.',
    ]);
  });

  it('in a status that nobody knows is left to a person where it says something of money', () => {
    const odd = { ...paid, payment_status: 'in_mediation' };
    expect(normalise(odd)).toMatchObject({ unbooked: [{ code: 'order-differs' }] });
    expect(normalise({ ...odd, paid_at: null })).toEqual({
      ignored: expect.stringContaining('in_mediation') as string,
      key: 'loja/order/1612004590',
    });
  });

  it('is dated by its last change where nothing says when it was paid, and says so', () => {
    expect(orderOf(normalise({ ...paid, paid_at: null })).payments).toMatchObject([
      { datedBy: 'updated_at' },
    ]);
    const undated = { ...card, events: [] };
    expect(orderOf(normalise({ ...paid, paid_at: null }, [undated])).payments).toMatchObject([
      { paidAt: new Date('2026-07-17T18:00:06.000Z'), datedBy: 'created_at' },
    ]);
  });

  it('was paid before it was cancelled where its last change alone dates both, and it changed after that', () => {
    const ended = { status: 'cancelled', cancelled_at: '2026-07-25T11:58:00+0000' };
    const order = orderOf(
      normalise({ ...paid, ...ended, paid_at: null, updated_at: '2026-07-25T12:00:00+0000' }),
    );
    expect(order.payments).toMatchObject([{ paidAt: order.cancelledAt, datedBy: 'its cancellation' }]);
    const late = orderOf(normalise({ ...paid, ...ended, paid_at: '2026-07-27T09:00:00+0000' }));
    expect(late.payments).toMatchObject([{ paidAt: new Date('2026-07-27T09:00:00Z') }]);
  });

  it('names the gateway of each payment where two took it', () => {
    const other = { ...card, id: 'tx-2', payment_provider_id: 'prov-2', created_at: '2026-07-17 16:00:00' };
    const later = {
      ...other,
      events: [{ ...(card['events'] as Json[])[0], happened_at: '2026-07-17T19:00:00Z' }],
    };
    const { payments } = orderOf(normalise(paid, [later, card]));
    expect(payments.map(({ key, gateway }) => [key.split('/').at(-1), gateway])).toEqual([
      ['paid', 'nuvempago'],
      ['tx-2', 'prov-2'],
    ]);
  });

  it('waits for its boleto too where its transactions may not be read', () => {
    const normalised = normalise(fetched('order-boleto-pending'));
    expect(typesOf(normalised)).toEqual(['order.pending']);
    expect(orderOf(normalised).charge).toMatchObject({
      key: 'loja/order/1612004471/payment/paid',
      method: 'boleto',
      value: { minor: 24_650n },
    });
  });

  it('waits for the last try, and for no card', () => {
    const [boleto = {}] = fetched<Json[]>('transactions-boleto-pending');
    const order = fetched('order-boleto-pending');
    const expired = { ...boleto, id: 'tx-0', status: 'expired' };
    expect(typesOf(normalise(order, [expired, boleto]))).toEqual(['order.pending']);
    expect(typesOf(normalise(order, [expired]))).toEqual(['order.expired']);
    const byCard = { ...order, payment_details: { method: 'credit_card' } };
    expect(normalise(byCard, [])).toHaveProperty('ignored');
  });

  it('is created only by its own event, whatever its state', () => {
    expect(typesOf(normalise(paid, transactions, 'order/created'))).toEqual(['order.created', 'order.paid']);
  });

  it.each([
    ['when it was completed', { completed_at: { date: '2026-07-19 22:42:19.000000', timezone: 'UTC' } }],
    ['when it last changed', { completed_at: null, updated_at: '2026-07-19T22:42:19+0000' }],
  ])('that the shop made by hand, without a time of its own, was made %s', (_when, changes) => {
    const order = { ...paid, created_at: '-0001-11-30T00:00:00+0000', ...changes };
    expect(orderOf(normalise(order)).createdAt).toEqual(new Date('2026-07-19T22:42:19Z'));
    const never = { ...order, completed_at: null, updated_at: null };
    expect(() => normalise(never)).toThrow('$.created_at is missing');
  });

  it('in two currencies, without a total, or other than what was asked for is unreadable', () => {
    const foreign = { ...card, captured_amount: { value: '285.00', currency: 'USD' } };
    expect(() => normalise(paid, [foreign])).toThrow('currency is not BRL');
    expect(() => normalise({ ...paid, total: null })).toThrow('$.total is missing');
    expect(() => normalise(paid, [card, card])).toThrow('is of two transactions');
    const context = { source: 'loja', timeZone: 'UTC', currency: 'BRL', settings: {} };
    expect(() => nuvemshop.normalise(webhook('order/paid', 7, [answer('order', paid)]), context)).toThrow(
      '$.id is not that of the order that was asked for',
    );
  });
});
