import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSettings } from '../check-settings';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { mercadoLivre } from './mercado-livre';
import { aboutOf } from './notification';

type Json = Record<string, unknown>;

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const SELLER = '410220815';
const ORDER = '2000018100000102';
const PAYMENT = '132814584102';
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'mercado-livre');

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function request(body: unknown): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers: {}, query: {}, rawBody };
}

function answer(name: string, body: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
}

const NOTIFICATION = read('order-pix-paid');
const DETAIL = read('fetched/payment-pix-paid')['collection'] as Json;

function webhook(answers: readonly FetchedAnswer[], notification: Json = {}): StoredWebhook {
  const { rawBody } = request({ ...NOTIFICATION, ...notification });
  return { topic: 'orders_v2', attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched: answers };
}

const CONTEXT = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };

/** The order that a Pix pays, with other members in it or in its payment as it was asked for. */
function normalise(order: Json, detail: Json = {}, settings: Json = {}): Normalised {
  const answers = [
    answer('order', { ...read('fetched/order-pix-paid'), ...order }),
    answer('billing-info', read('fetched/billing-person')),
    answer(`payment-${PAYMENT}`, { ...DETAIL, ...detail }),
  ];
  return mercadoLivre.normalise(webhook(answers), { ...CONTEXT, settings });
}

describe('what a notification of Mercado Livre is known by', () => {
  const identify = (changes: Json) => mercadoLivre.identify(request({ ...NOTIFICATION, ...changes }));

  it('is its topic, what it is about, and when it was sent', () => {
    const sent = String(NOTIFICATION['sent']);
    expect(identify({})).toEqual({
      topic: 'orders_v2',
      dedupeKey: `orders_v2:/orders/${ORDER}:${sent}`,
      orderingKey: `order/${ORDER}`,
      attributes: {},
    });
    const keys = [{}, { topic: 'orders' }, { resource: '/orders/1' }, { sent: '2026-07-16T13:09:09.001Z' }];
    expect(new Set(keys.map((changes) => identify(changes).dedupeKey)).size).toBe(keys.length);
  });

  it('is the same for another attempt at the same one', () => {
    expect(identify({ attempts: 3, received: '2026-07-16T14:00:00Z' })).toEqual(identify({}));
  });

  it('is its content where it has no time, or nothing that it is about', () => {
    for (const changes of [
      { sent: null },
      { sent: '' },
      { resource: 7 },
      { resource: `/${'x'.repeat(300)}` },
    ])
      expect(identify(changes).dedupeKey).toMatch(/^sha256:/);
  });

  it('puts payments and claims into lanes of their own until their order is known', () => {
    const lane = (topic: string, resource: string) => identify({ topic, resource }).orderingKey;
    expect(lane('payments', `/collections/${PAYMENT}`)).toBe(`payment/${PAYMENT}`);
    expect(lane('post_purchase', '/post-purchase/v1/claims/5255026106')).toBe('dispute/5255026106');
    expect(lane('questions', '/questions/1')).toMatch(/^delivery\//);
  });
});

describe('what a resource names', () => {
  it.each([
    ['orders_v2', `/orders/${ORDER}`, 'order', ORDER],
    ['orders', `orders/${ORDER}`, 'order', ORDER],
    ['payments', '/collections/3043111111', 'payment', '3043111111'],
    ['payments', '/payments/3043111111', 'payment', '3043111111'],
    ['payments', '/v1/payments/3043111111', 'payment', '3043111111'],
    ['claims', '/v1/claims/5255', 'claim', '5255'],
    ['claims', '/claims/5255', 'claim', '5255'],
    ['post_purchase', 'post-purchase/v1/claims/5255', 'claim', '5255'],
    ['post_purchase', '/post-purchase/v2/claims/5255/returns', 'claim', '5255'],
  ])('in a notification %s of %s is the %s', (topic, resource, kind, id) => {
    expect(aboutOf(topic, resource)).toEqual({ kind, id });
  });

  it.each([
    ['orders_v2', '/collections/1'],
    ['orders_v2', '/orders/1/../../users/me'],
    ['orders_v2', '/orders/cashback_1'],
    ['orders_v2', '/orders/123456789012345678901'],
    ['payments', '/orders/1'],
    ['items', '/items/MLB1'],
    ['orders_v2', undefined],
  ])('in a notification %s of %s is nothing', (topic, resource) => {
    expect(aboutOf(topic, resource)).toBeUndefined();
  });

  it('is unreadable where a topic that Ponte reads names nothing', () => {
    expect(() =>
      mercadoLivre.fetchBack?.next(webhook([], { resource: '/orders/cashback_1' }), {
        settings: {},
        credentials: {},
      }),
    ).toThrow('$.resource does not name the order');
  });
});

describe('the seller that a request is about', () => {
  it.each([
    [3638003733, '3638003733'],
    ['3638003733', '3638003733'],
    [1.5, undefined],
    [-1, undefined],
    [2 ** 60, undefined],
    ['../1', undefined],
    [null, undefined],
    [{ id: 1 }, undefined],
  ])('of the user_id %j is %j', (user_id, store) => {
    expect(mercadoLivre.storeOf?.(request({ ...NOTIFICATION, user_id }))).toBe(store);
  });

  it('is nobody where the body is none', () => {
    for (const body of ['', '{', '[]', 'null', '{}', 'user_id=1'])
      expect(mercadoLivre.storeOf?.(request(body))).toBeUndefined();
  });

  it('has to be the one of the source', () => {
    const next = (settings: Json) => mercadoLivre.fetchBack?.next(webhook([]), { settings, credentials: {} });
    expect(next({ storeId: '1' })).toBeUndefined();
    expect(next({ storeId: SELLER })).toMatchObject({ name: 'order' });
  });

  it('has to be who sold the order', () => {
    const settings = { storeId: SELLER };
    expect(normalise({}, {}, settings)).toMatchObject({ events: [{ type: 'order.paid' }] });
    expect(normalise({ seller: { id: 1 } }, {}, settings)).toEqual({
      ignored: 'the order was sold by another seller than that of the source',
    });
    expect(() => normalise({ seller: {} }, {}, settings)).toThrow('$.seller.id is missing');
  });

  it('is a number in the settings, and needed', () => {
    expect(checkSettings(mercadoLivre, { storeId: SELLER })).toEqual([]);
    for (const settings of [{}, { storeId: 'LOJA' }, { storeId: ' ' }])
      expect(checkSettings(mercadoLivre, settings)).toMatchObject([{ name: 'storeId' }]);
  });
});

describe('the access to the API of Mercado Livre', () => {
  const tokens = mercadoLivre.api?.accessTokens;
  const credentials = { clientId: '5503', clientSecret: 'c&d', refreshToken: 'TG-1' };

  it('is asked for at its usual address, or below the one that is set', () => {
    expect(tokens?.url({})).toBe('https://api.mercadolibre.com/oauth/token');
    expect(tokens?.url({ apiUrl: 'https://ml.example.com/x/' })).toBe('https://ml.example.com/x/oauth/token');
  });

  it('is asked for with the refresh token, in a form', () => {
    expect(tokens?.grant({ settings: {}, credentials }).body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      text: 'grant_type=refresh_token&client_id=5503&client_secret=c%26d&refresh_token=TG-1',
    });
  });

  it('comes with the refresh token for the next time, which takes the place of the old one', () => {
    const granted = { access_token: 'APP_USR-1', token_type: 'Bearer', expires_in: 21600, user_id: 8 };
    const read = (answered: unknown) => tokens?.read(Buffer.from(JSON.stringify(answered)));
    expect(read({ ...granted, refresh_token: 'TG-2' })).toEqual({
      ...{ accessToken: 'APP_USR-1', expiresInSeconds: 21600, refreshToken: 'TG-2' },
    });
    expect(read(granted)).toEqual({ accessToken: 'APP_USR-1', expiresInSeconds: 21600 });
    expect(read({ ...granted, access_token: 'has a space' })).toBeUndefined();
    expect(read({ error: 'invalid_grant', status: 400 })).toBeUndefined();
    expect(tokens?.refreshToken).toBe('refreshToken');
  });
});

describe('what is asked of Mercado Livre', () => {
  const access = { settings: { storeId: SELLER }, credentials: {}, accessToken: 'APP_USR-1' };
  const order = read('fetched/order-pix-paid');
  const next = (answers: readonly FetchedAnswer[], notification: Json = {}) =>
    mercadoLivre.fetchBack?.next(webhook(answers, notification), access);

  it('is shown the access token, and that the newer answer about invoices is wanted', () => {
    expect(next([])).toEqual({
      name: 'order',
      path: `/orders/${ORDER}`,
      headers: { authorization: 'Bearer APP_USR-1', accept: 'application/json' },
    });
    expect(next([answer('order', order)])).toMatchObject({
      path: '/orders/billing-info/MLB/776121809365303355',
      headers: { authorization: 'Bearer APP_USR-1', 'x-version': '2' },
      answers: [403, 404, 410],
    });
  });

  it.each([
    ['nothing to invoice by', { buyer: { id: 1 } }],
    ['something else to invoice by', { buyer: { id: 1, billing_info: { id: '../users' } } }],
    ['no site', { context: {} }],
  ])('is who pays for an order with %s by the number of the order', (_what, changes) => {
    expect(next([answer('order', { ...order, ...changes })])?.path).toBe(`/orders/${ORDER}/billing_info`);
  });

  it('is nothing more of an order that is not there', () => {
    expect(next([answer('order', undefined, 404)])).toBeUndefined();
  });

  it('is each payment that brought money, and no more than fifteen', () => {
    const paid = Array.from({ length: 40 }, (_, id) => ({ id: id + 1, status: 'approved' }));
    const payments = [{ id: 99, status: 'rejected' }, ...paid];
    const answers = [answer('order', { ...order, payments }), answer('billing-info', undefined, 404)];
    const asked: string[] = [];
    for (let one = next(answers); one !== undefined; one = next(answers)) {
      asked.push(one.path);
      answers.push(answer(one.name, undefined, 404));
    }
    expect(asked).toEqual(Array.from({ length: 15 }, (_, id) => `/collections/${id + 1}`));
  });

  it('is a part of an order that is not taken for all of it', () => {
    expect(() => next([answer('order', order, 206)])).toThrow('a part of the order only');
  });

  it('turns out to be about an order, whichever way it was named', () => {
    const lane = (notification: Json, answers: readonly FetchedAnswer[]) =>
      mercadoLivre.fetchBack?.orderingKey?.(webhook(answers, notification));
    const paid = { topic: 'payments', resource: `/collections/${PAYMENT}` };
    const name = `payment-${PAYMENT}`;
    const claimed = { topic: 'claims', resource: '/v1/claims/7' };
    expect(lane({}, [])).toBe(`order/${ORDER}`);
    expect(lane(paid, [answer(name, read('fetched/payment-pix-paid'))])).toBe(`order/${ORDER}`);
    const typed = (type: string) => ({ ...DETAIL, order: { id: ORDER, type } });
    expect(lane(paid, [answer(name, typed('mercadolibre'))])).toBe(`order/${ORDER}`);
    expect(lane(paid, [answer(name, typed('mercadopago'))])).toBeUndefined();
    expect(lane(paid, [answer(name, undefined, 403)])).toBeUndefined();
    const claim = { id: 7, resource: 'order', resource_id: Number(ORDER) };
    expect(lane(claimed, [answer('claim-7', claim)])).toBe(`order/${ORDER}`);
    expect(lane(claimed, [answer('claim-7', { ...claim, resource: 'shipment' })])).toBeUndefined();
    expect(lane({ topic: 'items', resource: '/items/MLB1' }, [])).toBeUndefined();
  });
});

describe('an answer of Mercado Livre', () => {
  it('about another order or payment than the one asked for is unreadable', () => {
    expect(() => normalise({ id: 7 })).toThrow('is not that of the order that was asked for');
    expect(() => normalise({}, { id: 7 })).toThrow('is not that of the payment that was asked for');
  });

  it('about another claim than the one asked for is unreadable', () => {
    const claimed = { topic: 'claims', resource: '/v1/claims/7' };
    expect(() => mercadoLivre.normalise(webhook([answer('claim-7', { id: 8 })], claimed), CONTEXT)).toThrow(
      'is not that of the claim that was asked for',
    );
  });
});

describe('a claim at Mercado Livre', () => {
  const claimed = { topic: 'post_purchase', resource: '/post-purchase/v1/claims/7' };
  const about = (claim: Json): Normalised =>
    mercadoLivre.normalise(
      webhook(
        [
          answer('claim-7', { id: 7, resource: 'order', resource_id: Number(ORDER), ...claim }),
          answer('order', read('fetched/order-pix-paid')),
          answer('billing-info', undefined, 403),
          answer(`payment-${PAYMENT}`, DETAIL),
        ],
        claimed,
      ),
      CONTEXT,
    );

  it.each(['opened', 'something_new', undefined])('that is %s is said with its order', (status) => {
    expect(about({ status })).toMatchObject({
      events: [{ type: 'order.paid', order: { differences: [expect.stringContaining('claim 7')] } }],
    });
  });

  it('that is closed says no more than its order', () => {
    expect(about({ status: 'closed' })).toMatchObject({
      events: [{ type: 'order.paid', order: { differences: [] } }],
    });
  });

  it('about a delivery asks a person until it is closed', () => {
    const resource = 'shipment';
    expect(about({ resource, status: 'opened' })).toMatchObject({ unbooked: [{ code: 'order-differs' }] });
    expect(about({ resource, status: 'closed' })).toEqual({
      ignored: 'claim 7 is about no order, and is closed',
    });
  });
});
