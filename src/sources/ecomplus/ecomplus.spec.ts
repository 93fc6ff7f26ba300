import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { checkSettings } from '../check-settings';
import type { IncomingWebhook, Normalised } from '../source';
import { ecomplus } from './ecomplus';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'ecomplus');
const SETTINGS = { storeId: '20417' };

type Json = Record<string, unknown>;
interface Order extends Json {
  _id: string;
  transactions: Json[];
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

function request(body: unknown, changes: Partial<IncomingWebhook> = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers: {}, query: {}, rawBody, ...changes };
}

/** What comes of a case's notification when E-Com Plus answers this text about its order. */
function normaliseText(name: string, answer: string, status = 200, settings: Json = SETTINGS): Normalised {
  const incoming = request(read(name));
  const { topic, attributes } = ecomplus.identify(incoming);
  const fetched = [{ name: 'order', status, body: Buffer.from(answer) }];
  return ecomplus.normalise(
    { topic, attributes, rawBody: incoming.rawBody, receivedAt: RECEIVED_AT, fetched },
    { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings },
  );
}

/** A case's order with these fields instead of its own. */
function withOrder(name: string, changes: Json | ((order: Order) => Json) = {}): Normalised {
  const order = read<Order>(`fetched/${name}`);
  const changed = { ...order, ...(typeof changes === 'function' ? changes(order) : changes) };
  return normaliseText(name, JSON.stringify(changed));
}

/** With these fields of its first transaction instead of its own. */
function withTransaction(name: string, changes: Json, order: Json = {}): Normalised {
  return withOrder(name, ({ transactions: [first, ...others] }) => ({
    transactions: [{ ...first, ...changes }, ...others],
    ...order,
  }));
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe("E-Com Plus's token", () => {
  const verify = (changes: Partial<IncomingWebhook>, settings: Json = {}, secrets = ['segredo']) =>
    ecomplus.verify(request({}, changes), secrets, settings, RECEIVED_AT);
  const accepted = { ok: true, bodyUnsigned: true };

  it('stands after Bearer, in the header that the webhook names, or in the address', () => {
    expect(verify({ headers: { authorization: 'Bearer segredo' } })).toEqual(accepted);
    expect(verify({ headers: { authorization: 'bearer segredo ' } })).toEqual(accepted);
    expect(verify({ headers: { 'x-loja': 'segredo' } }, { secretHeader: 'X-Loja' })).toEqual(accepted);
    expect(verify({ token: 'segredo' })).toEqual(accepted);
    expect(
      verify({ headers: { authorization: 'Bearer segredo' } }, { secretHeader: 'Authorization' }),
    ).toEqual(accepted);
  });

  it('is refused without Bearer, in another header, when it is wrong, and where the source has none', () => {
    expect(verify({ headers: { authorization: 'segredo' } }).ok).toBe(false);
    expect(verify({ headers: { authorization: 'Bearer outro' }, token: 'segredo' }).ok).toBe(false);
    expect(verify({ headers: { authorization: 'Bearer segredo' } }, { secretHeader: 'x-loja' }).ok).toBe(
      false,
    );
    expect(verify({ token: 'outro' }).ok).toBe(false);
    expect(verify({}).ok).toBe(false);
    expect(verify({ headers: { authorization: 'Bearer ' } }, {}, ['']).ok).toBe(false);
  });
});

describe("E-Com Plus's settings", () => {
  it.each([
    [{ storeId: '20417' }, []],
    [{ storeId: '20417', secretHeader: 'X-Loja' }, []],
    [{}, ['storeId']],
    [{ storeId: '20417/../1' }, ['storeId']],
    [{ storeId: '20417', secretHeader: 'x loja' }, ['secretHeader']],
  ])('%j have these wrong: %j', (settings, wrong) => {
    expect(checkSettings(ecomplus, settings).map(({ name }) => name)).toEqual(wrong);
  });
});

describe('what a notification of E-Com Plus is known by', () => {
  const order = read<Order>('fetched/order-paid-card');

  it('is the order and its last change, whether it stands alone or not', () => {
    const known = {
      topic: 'order',
      dedupeKey: `${order._id}:2026-07-15T13:01:48.000Z`,
      orderingKey: `order/${order._id}`,
      attributes: {},
    };
    expect(ecomplus.identify(request(read('order-paid-card')))).toEqual(known);
    expect(ecomplus.identify(request(order))).toEqual(known);
    expect(ecomplus.identify(request({ order, customer: { _id: 'x' } }))).toEqual(known);
  });

  it('is its content where the order does not say when it changed', () => {
    const { updated_at: _updatedAt, ...undated } = order;
    expect(ecomplus.identify(request({ order: undated })).dedupeKey).toMatch(/^sha256:/);
  });

  it.each([
    ['cart', { storeId: 1, trigger: {}, cart: { _id: 'x' }, customer: {} }],
    ['customer', { storeId: 1, trigger: {}, customer: { _id: 'x' } }],
    ['unknown', {}],
  ])('says that it is of a %s', (topic, body) => {
    expect(ecomplus.identify(request(body)).topic).toBe(topic);
  });
});

describe('what is asked of E-Com Plus', () => {
  const next = (body: unknown, settings: Json = SETTINGS) => {
    const incoming = request(body);
    const { topic, attributes } = ecomplus.identify(incoming);
    const webhook = { topic, attributes, rawBody: incoming.rawBody, receivedAt: RECEIVED_AT };
    const credentials = { authenticationId: 'usuario', apiKey: 'chave' };
    return ecomplus.fetchBack?.next(webhook, { settings, credentials });
  };
  const _id = '66a500000000000000000c1d';

  it('is the order, as the user of the store', () => {
    expect(next({ order: { _id } })).toEqual({
      name: 'order',
      path: `/:20417/orders/${_id}`,
      headers: { accept: 'application/json', authorization: 'Basic dXN1YXJpbzpjaGF2ZQ==' },
    });
    expect(ecomplus.api?.baseUrl({})).toBe('https://ecomplus.io/v2');
    expect(ecomplus.api?.baseUrl({ apiUrl: 'https://api.example.com/v2/' })).toBe(
      'https://api.example.com/v2',
    );
  });

  it('is nothing of what is no order, or of another store', () => {
    expect(next({ cart: { _id } })).toBeUndefined();
    expect(() => next({ order: { _id: '../me' } })).toThrow('$.order._id is not the identifier of an order');
    expect(() => next({ storeId: 1, order: { _id } })).toThrow('$.storeId is another store');
    expect(() => next({ order: { _id, store_id: 1 } })).toThrow('$.order.store_id is another store');
    expect(() => next({ order: { _id } }, {})).toThrow('does not name its store');
  });
});

describe('an answer of E-Com Plus', () => {
  it('about another order or another store is unreadable', () => {
    expect(() => withOrder('order-paid-card', { _id: '66a500000000000000000c1e' })).toThrow(
      '$._id is not the order that was asked for',
    );
    expect(() => withOrder('order-paid-card', { store_id: 1 })).toThrow('$.store_id is another store');
  });

  it('that the order is gone is no error', () => {
    for (const status of [404, 410])
      expect(normaliseText('order-paid-card', '', status)).toEqual({
        ignored: 'the order is not there any more',
      });
  });
});

describe('an order of E-Com Plus', () => {
  it('has the same keys in whichever notification it is', () => {
    const orders = ['order-paid-card', 'order-refunded'].map((name) => orderOf(withOrder(name)));
    const payments = orders.map((order) => order.payments.map(({ key, paidAt }) => [key, paidAt]));
    expect(payments[1]).toEqual(payments[0]);
    const waiting = withOrder('order-created-pix');
    const [payment] = orderOf(withOrder('order-paid-pix')).payments;
    expect(waiting).toMatchObject({
      events: [{ type: 'order.created' }, { order: { charge: { key: payment?.key } } }],
    });
  });

  it('that the notification calls paid is not, where the answer does not', () => {
    const pending = {
      ...read<Order>('fetched/order-created-pix'),
      _id: read<Order>('fetched/order-paid-pix')._id,
    };
    expect(normaliseText('order-paid-pix', JSON.stringify(pending))).toMatchObject({
      events: [{ type: 'order.pending' }],
    });
  });

  it('that is paid by the one transaction that did not fail is dated by the order', () => {
    const order = orderOf(withTransaction('order-paid-card', { status: null }, { payments_history: [] }));
    expect(order.payments).toMatchObject([{ paidAt: new Date('2026-07-15T13:01:48.000Z') }]);
    expect(order.payments[0]?.key).toBe(orderOf(withOrder('order-paid-card')).payments[0]?.key);
  });

  it('is dated by its last change where nothing says when it was paid, and says so', () => {
    const status = { current: 'refunded' };
    const order = orderOf(withTransaction('order-refunded', { status }, { payments_history: [] }));
    expect(order.payments).toMatchObject([{ datedBy: 'updated_at' }]);
  });

  it('was paid before it was cancelled where nothing says when it was paid', () => {
    const cancelled = { status: 'cancelled', cancelled_at: '2026-07-22T17:30:05.000Z', payments_history: [] };
    const undated = [
      withTransaction('order-refunded', { status: { current: 'refunded' } }, cancelled),
      withOrder('order-refunded', { ...cancelled, transactions: [] }),
    ];
    for (const order of undated.map(orderOf))
      expect(order.payments).toMatchObject([{ paidAt: order.cancelledAt, datedBy: 'its cancellation' }]);
    const status = { current: 'paid', updated_at: '2026-07-24T10:00:00.000Z' };
    const late = orderOf(withTransaction('order-refunded', { status }, cancelled));
    expect(late.payments).toMatchObject([{ paidAt: new Date('2026-07-24T10:00:00Z') }]);
  });

  it('that is partly refunded and does not say by what asks for a person', () => {
    const financial_status = { current: 'partially_refunded', updated_at: '2026-07-20T10:00:00Z' };
    const order = orderOf(withOrder('order-paid-card', { financial_status }));
    expect(order.refunds).toEqual([]);
    expect(order.differences).toEqual([
      'A part of the order went back, and E-Com Plus does not say how much: enter it by hand.',
    ]);
  });

  it('that is refunded gives all of its payments back', () => {
    const financial_status = { current: 'refunded', updated_at: '2026-07-20T10:00:00Z' };
    const { refunds } = orderOf(withOrder('order-paid-card', { financial_status }));
    expect(refunds.map(({ key, refundedAt }) => [key, refundedAt])).toEqual([
      [
        'loja/order/66a500000000000000000c1d/refund/66a5000000000000000000a1',
        new Date('2026-07-20T10:00:00.000Z'),
      ],
    ]);
    expect(refunds[0]?.key).toBe(orderOf(withOrder('order-refunded')).refunds[0]?.key);
  });

  it('whose payment was voided after it came asks for a person', () => {
    const voided = { status: { current: 'voided', updated_at: '2026-07-20T10:00:00Z' } };
    const order = orderOf(
      withTransaction('order-paid-card', voided, { financial_status: { current: 'voided' } }),
    );
    expect(order.refunds).toEqual([]);
    expect(order.differences).toEqual([
      'A transaction of the order was paid, but the order is voided.',
      'The payment of 517.90 BRL is voided after it came: see at pagarme whether money went back, and enter what did.',
    ]);
  });

  it.each(['unknown', 'pending'])(
    'whose payment is %s after it came stays paid, and asks for a person',
    (current) => {
      const status = { current, updated_at: '2026-07-20T10:00:00Z' };
      const order = orderOf(
        withTransaction('order-paid-card', { status }, { financial_status: { current } }),
      );
      expect(order.payments).toEqual(orderOf(withOrder('order-paid-card')).payments);
      expect(order.differences).toEqual([
        `A transaction of the order was paid, but the order is ${current}.`,
        `The payment of 517.90 BRL is ${current} after it came: see at pagarme whether money went back, and enter what did.`,
      ]);
    },
  );

  it('that is paid asks nobody where its transaction was never said to be', () => {
    const order = withTransaction('order-paid-pix', { status: { current: 'pending' } });
    expect(orderOf(order).payments).toEqual(orderOf(withOrder('order-paid-pix')).payments);
    expect(orderOf(order).differences).toEqual([]);
  });

  it('of which a part is paid has that payment, and is not paid', () => {
    const financial_status = { current: 'partially_paid' };
    const order = orderOf(
      withTransaction('order-paid-card', { amount: 100, installments: null }, { financial_status }),
    );
    expect(order.payments.map(({ value }) => value.toString())).toEqual(['100.00']);
    expect([order.paidAt, order.differences]).toEqual([undefined, []]);
  });

  it('whose payments do not come to it says so', () => {
    const order = orderOf(withTransaction('order-paid-card', { amount: 500, installments: null }));
    expect(order.differences).toEqual(['The payments come to 500.00 BRL, but the order says 517.90 BRL.']);
  });

  it('has no interest where instalments are only rounded up', () => {
    const installments = { number: 2, value: 258.96, total: 517.92 };
    const order = orderOf(withTransaction('order-paid-card', { installments }));
    expect([order.total.toString(), order.lines.length]).toEqual(['517.90', 1]);
  });

  it('waits for a deposit that is no Pix under its own name', () => {
    const changes = { payment_method: { code: 'account_deposit', name: 'Depósito' }, intermediator: {} };
    expect(withTransaction('order-created-pix', changes)).toMatchObject({
      events: [{}, { order: { charge: { method: 'account_deposit' } } }],
    });
  });

  it('with a transaction in another currency, or without an identifier, is unreadable', () => {
    expect(() => withTransaction('order-paid-card', { currency_id: 'USD' })).toThrow(
      'currency_id is not BRL',
    );
    expect(() => withTransaction('order-paid-card', { _id: null })).toThrow('_id is missing');
  });
});
