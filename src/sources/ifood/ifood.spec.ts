import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import type { OrderFacts } from '../../events/event';
import { UnreadablePayload } from '../payload';
import type { IncomingWebhook, Normalised } from '../source';
import { ifood } from './ifood';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'ifood');
const MERCHANT = '3d9f0c1a-5b7e-4e21-9a64-8c2d1f0b7e55';
const ACCESS = { settings: {}, credentials: {}, accessToken: 'ficha' };

type Json = Record<string, unknown>;

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function request(body: unknown, headers: IncomingWebhook['headers'] = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers, query: {}, rawBody };
}

function stored(event: unknown, order?: unknown) {
  const fetched = order === undefined ? [] : [{ name: 'order', status: 200, body: bytes(order) }];
  const receivedAt = new Date('2026-08-10T12:00:00Z');
  return { topic: 'CONCLUDED', attributes: {}, rawBody: bytes(event), receivedAt, fetched };
}

function bytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function normalise(event: Json, order?: unknown, settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return ifood.normalise(stored(event, order), context);
}

/** A case's order with these fields instead of its own. */
function withOrder(name: string, changes: Json): Normalised {
  return normalise(read(name), { ...read(`fetched/${name}`), ...changes });
}

function factsOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

/** What the books see of an order: the total, and each payment by its gateway, in cents. */
function sums(facts: OrderFacts): Record<string, bigint> {
  const paid = facts.payments.map(({ gateway, value }) => [gateway, value.minor] as const);
  return { total: facts.total.minor, ...Object.fromEntries(paid) };
}

describe("iFood's signature", () => {
  // The example of iFood's documentation, made with the secret "dummysecret".
  const body =
    '{"code":"PLC","createdAt":"2023-02-20T18:19:03.20162269Z","fullCode":"PLACED","id":"a38ba215-f949-4b2c-982a-0582a9d0c10e","merchantId":"cad65e8f-6fc6-438a-b159-e64a902a6b9a","orderId":"2c97e104-35ed-4c18-85d7-854a40b6b9e3"}';
  const signature = '6f9ed23a7b505a3b6907c5f6eb2ad1b056fbf35a643d365a9a072ed7aabca153';
  const verify = (given: string) =>
    ifood.verify(request(body, { 'x-ifood-signature': given }), ['dummysecret'], {}, new Date(0));

  it('is that of its own example, in either case', () => {
    expect(verify(signature)).toEqual({ ok: true });
    expect(verify(signature.toUpperCase())).toEqual({ ok: true });
    expect(verify(signature.replace('6', '7')).ok).toBe(false);
  });
});

describe('what an event of iFood is known by', () => {
  const event = read('concluded-online');

  it('is its own identifier, in the lane of its order', () => {
    expect(ifood.identify(request(event))).toEqual({
      topic: 'CONCLUDED',
      dedupeKey: event['id'],
      orderingKey: `order/${String(event['orderId'])}`,
      attributes: {},
    });
    const { id: _id, ...unnamed } = event;
    expect(ifood.identify(request(unnamed)).dedupeKey).toMatch(/^sha256:/);
  });

  it('is the short code where it has no full one', () => {
    expect(ifood.identify(request({ ...event, fullCode: undefined })).topic).toBe('CONCLUDED');
    expect(ifood.identify(request({ ...event, fullCode: '', code: 'XYZ' })).topic).toBe('XYZ');
  });

  it('names the restaurant, without being believed', () => {
    expect(ifood.storeOf?.(request(event))).toBe(MERCHANT);
    for (const body of ['', '[]', 'x', { merchantId: 7 }, { merchantId: 'a b' }])
      expect(ifood.storeOf?.(request(body))).toBeUndefined();
  });
});

describe('a heartbeat of iFood', () => {
  const signed = { 'x-ifood-signature': 'x' };
  const beat = { code: 'KEEPALIVE', fullCode: 'KEEPALIVE', id: 'a38ba215' };

  it('is answered with 202, naming no restaurant, and not stored', () => {
    const reply = { status: 202, contentType: 'text/plain; charset=utf-8', body: 'ok' };
    expect(ifood.handshake?.(request(beat, signed))).toEqual(reply);
    expect(ifood.handshake?.(request({ ...beat, merchantIds: [MERCHANT] }, signed))).toEqual(reply);
  });

  it.each([
    ['without a signature', request(beat)],
    ['that names an order', request({ ...beat, orderId: 'x' }, signed)],
    ['with the word elsewhere', request({ code: 'CON', id: 'KEEPALIVE' }, signed)],
    ['by GET', { ...request(beat, signed), method: 'GET' }],
    ['that is too long', request({ ...beat, merchantIds: 'x'.repeat(70_000) }, signed)],
  ])('is none %s', (_what, incoming) => {
    expect(ifood.handshake?.(incoming)).toBeUndefined();
  });
});

describe('what is asked of iFood', () => {
  const next = (event: Json, settings: Json = {}) =>
    ifood.fetchBack?.next({ ...stored(event), fetched: [] }, { ...ACCESS, settings });

  it('is the order, with the access token; one that is not there is no answer', () => {
    expect(next(read('concluded-online'), { storeId: MERCHANT })).toEqual({
      name: 'order',
      path: '/order/v1.0/orders/0a1b2c3d-4e5f-4a6b-8c7d-000000000001',
      headers: { accept: 'application/json', authorization: 'Bearer ficha' },
      answers: [],
    });
  });

  it('is nothing of what is no sale, or of another restaurant', () => {
    for (const name of ['placed', 'cancelled-early', 'settlement-rejected', 'heartbeat'])
      expect(next(read(name))).toBeUndefined();
    expect(next(read('concluded-online'), { storeId: 'another' })).toBeUndefined();
    expect(
      next({ ...read('concluded-online'), merchantId: undefined }, { storeId: MERCHANT }),
    ).toBeUndefined();
  });

  it('never leaves the path of orders', () => {
    expect(() => next({ ...read('concluded-online'), orderId: '../x' })).toThrow('$.orderId is not');
  });

  it('is a token first, in the way of OAuth that iFood has', () => {
    const { accessTokens } = ifood.api ?? {};
    const credentials = { clientId: 'a', clientSecret: 'b&c' };
    expect(accessTokens?.url({ apiUrl: 'https://sandbox.example.com/' })).toBe(
      'https://sandbox.example.com/authentication/v1.0/oauth/token',
    );
    expect(accessTokens?.grant({ settings: {}, credentials }).body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      text: 'grantType=client_credentials&clientId=a&clientSecret=b%26c',
    });
    expect(accessTokens?.read(bytes({ accessToken: 't', type: 'bearer', expiresIn: 21_600 }))).toEqual({
      accessToken: 't',
      expiresInSeconds: 21_600,
    });
    expect(accessTokens?.read(bytes({ accessToken: 't' }))).toEqual({ accessToken: 't' });
    expect(accessTokens?.read(bytes({ error: 'x' }))).toBeUndefined();
  });
});

describe('an order of iFood', () => {
  it('that was not fetched, is another, or is of another restaurant, is unreadable', () => {
    const event = read('concluded-online');
    const order = read('fetched/concluded-online');
    expect(() => normalise(event)).toThrow('was not fetched');
    expect(() => normalise(event, { ...order, id: 'x' })).toThrow('$.id is not the order');
    expect(() => normalise(event, { ...order, merchant: { id: 'x' } })).toThrow('$.merchant.id is another');
  });

  it('of a test is booked where the source says so', () => {
    const [event, order] = [read('concluded-test'), read('fetched/concluded-test')];
    expect(factsOf(normalise(event, order)).test).toBe(true);
    expect(factsOf(normalise(event, order, { bookTestOrders: true })).test).toBe(false);
  });

  it("has the buyer's own telephone only where it is no switchboard", () => {
    const phone = { number: '21 99999-0000' };
    const facts = factsOf(withOrder('concluded-cash', { customer: { id: 'c', name: 'N', phone } }));
    expect(facts.customer.phone).toBe(phone.number);
    expect(factsOf(withOrder('concluded-cash', {})).customer.phone).toBeUndefined();
  });

  it('that was cancelled when nobody says how far it was may be in the books', () => {
    const event = { ...read('cancelled-late'), metadata: undefined };
    expect(factsOf(normalise(event, read('fetched/cancelled-late'))).cancelledAt).toEqual(
      new Date('2026-07-15T17:12:26.000Z'),
    );
  });

  it('in two currencies is unreadable', () => {
    const method = { value: 25.5, method: 'PIX', type: 'ONLINE' };
    const methods = [
      { ...method, currency: 'BRL' },
      { ...method, currency: 'COP' },
    ];
    expect(() => withOrder('concluded-cash', { payments: { methods } })).toThrow(UnreadablePayload);
  });

  const differences = (name: string, changes: Json) => factsOf(withOrder(name, changes)).differences;
  const total = { subTotal: 45, deliveryFee: 6, benefits: 0, additionalFees: 0, orderAmount: 51 };
  const benefit = (value: number, ...sponsorshipValues: Json[]) => ({
    benefits: [{ value, target: 'CART', sponsorshipValues }],
  });
  const half = { name: 'IFOOD', value: 5 };

  it.each<[string, Json, string[]]>([
    [
      'parts that do not come to it',
      { total: { ...total, deliveryFee: 7 } },
      ['less discounts come to 52.00'],
    ],
    [
      'payments that do not come to it',
      { payments: { methods: [{ value: 50, method: 'CASH', type: 'OFFLINE' }] } },
      ['The payments come to 50.00'],
    ],
    [
      'items that do not come to it',
      { items: [{ name: 'Suco', quantity: 1, totalPrice: 9 }] },
      ['The items come to 9.00 BRL, but the order says 45.00 BRL'],
    ],
    [
      'a discount that is not all paid by somebody',
      { total: { ...total, benefits: 6, orderAmount: 45 }, ...benefit(6, half) },
      ['The payments come', 'What was paid before', 'A discount of 6.00 BRL is paid with 5.00'],
    ],
    [
      'a discount of somebody else',
      { total: { ...total, benefits: 5, orderAmount: 46 }, ...benefit(5, { name: 'CHAIN', value: 5 }) },
      ['The payments come', 'What was paid before', '5.00 BRL of a discount are paid by CHAIN'],
    ],
    ['more from iFood than was taken off', benefit(5, half), ['iFood pays 5.00 BRL of discounts']],
    ['a delivery by nobody', { delivery: {} }, ['It is not said who delivered']],
    ['a courier who takes money', { delivery: { deliveredBy: 'IFOOD' } }, ['51.00 BRL are paid on delivery']],
    [
      'a fee that may be the restaurant’s',
      { additionalFees: [{ value: 0, liabilities: [{ name: 'MERCHANT', percentage: 100 }] }] },
      ['An additional fee names the restaurant'],
    ],
    [
      'a payment of a third kind',
      { payments: { methods: [{ value: 51, method: 'PIX', type: 'LATER' }] } },
      ['A payment is LATER'],
    ],
  ])('with %s asks for a person', (_what, changes, expected) => {
    const found = differences('concluded-cash', changes);
    expect(found).toHaveLength(expected.length);
    for (const part of expected) expect(found.join('\n')).toContain(part);
  });

  it.each(['IFOOD', 'EXTERNAL'])('has a discount that %s pays in what iFood owes', (name) => {
    const changes = {
      total: { ...total, benefits: 5, orderAmount: 46 },
      ...benefit(5, { name, value: 5 }),
      payments: { prepaid: 0, pending: 46, methods: [{ value: 46, method: 'CASH', type: 'OFFLINE' }] },
    };
    const facts = factsOf(withOrder('concluded-cash', changes));
    expect(sums(facts)).toEqual({ total: 5_000n + 100n, ifood: 500n, ifood_cash: 4_600n });
    expect(facts.differences).toEqual([]);
  });

  it('that a courier of iFood’s takes the money of is owed by iFood, and not in the till', () => {
    const facts = factsOf(withOrder('concluded-cash', { delivery: { deliveredBy: 'IFOOD' } }));
    expect(sums(facts)).toEqual({ total: 4_500n, ifood: 4_500n });
  });

  it('has a payment for each way that the till took, and one for the rest', () => {
    const offline = { type: 'OFFLINE', prepaid: false };
    const methods = [
      { ...offline, value: 10, method: 'CASH' },
      { ...offline, value: 11, method: 'CASH' },
      { ...offline, value: 5, method: 'PIX' },
      { value: 25, method: 'CREDIT', type: 'ONLINE', prepaid: true },
    ];
    const facts = factsOf(withOrder('concluded-cash', { payments: { methods } }));
    expect(sums(facts)).toEqual({ total: 5_100n, ifood: 2_500n, ifood_cash: 2_100n, ifood_pix: 500n });
    expect(new Set(facts.payments.map(({ key }) => key)).size).toBe(3);
  });

  it('whose discounts are more than what was sold is unreadable', () => {
    expect(() => withOrder('concluded-cash', { total: { ...total, benefits: 52 } })).toThrow(
      '$.total.benefits is more',
    );
  });

  it('gives the restaurant what is its own, wherever the money is', () => {
    const cents = fc.integer({ min: 0, max: 20_000 });
    const money = (value: number): number => value / 100;
    const order = fc.record({
      ...{ goods: fc.integer({ min: 100, max: 50_000 }), fee: cents, service: cents, ofIfood: cents },
      ...{ own: cents, share: fc.integer({ min: 0, max: 100 }), isOwnDelivery: fc.boolean() },
    });
    fc.assert(
      fc.property(order, ({ goods, fee, service, ofIfood, own, share, isOwnDelivery }) => {
        const most = goods + fee + service;
        const [paidByIfood, paidByOwn] = [
          Math.min(ofIfood, most),
          Math.min(own, most - Math.min(ofIfood, most)),
        ];
        const due = most - paidByIfood - paidByOwn;
        const sale = goods + (isOwnDelivery ? fee : 0) - paidByOwn;
        fc.pre(sale > 0);
        const cash = isOwnDelivery ? Math.floor((due * share) / 100) : 0;
        const facts = factsOf(
          withOrder('concluded-cash', {
            ...{ items: [], delivery: { deliveredBy: isOwnDelivery ? 'MERCHANT' : 'IFOOD' } },
            total: {
              ...{ subTotal: money(goods), deliveryFee: money(fee), additionalFees: money(service) },
              ...{ benefits: money(paidByIfood + paidByOwn), orderAmount: money(due) },
            },
            ...benefit(
              money(paidByIfood + paidByOwn),
              { name: 'IFOOD', value: money(paidByIfood) },
              { name: 'MERCHANT', value: money(paidByOwn) },
            ),
            payments: {
              ...{ prepaid: money(due - cash), pending: money(cash) },
              methods: [
                { value: money(due - cash), method: 'PIX', type: 'ONLINE', prepaid: true },
                { value: money(cash), method: 'CASH', type: 'OFFLINE', prepaid: false },
              ],
            },
          }),
        );
        expect(facts.differences).toEqual([]);
        expect(sums(facts)).toEqual({
          total: BigInt(Math.max(sale, cash)),
          ...(sale > cash && { ifood: BigInt(sale - cash) }),
          ...(cash > 0 && { ifood_cash: BigInt(cash) }),
        });
        expect(facts.commission?.minor ?? 0n).toBe(BigInt(Math.max(0, cash - sale)));
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
