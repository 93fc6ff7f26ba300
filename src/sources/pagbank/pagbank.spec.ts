import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import type { IncomingWebhook, Normalised } from '../source';
import { pagbank } from './pagbank';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'pagbank');

type Json = Record<string, unknown>;
interface Order extends Json {
  charges: Json[];
}

function fixture(name: string): Order {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Order;
}

function request(body: string | Json, headers: Record<string, string> = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers, query: {}, rawBody };
}

function normalise(body: Json): Normalised {
  const incoming = request(body);
  const { topic, attributes } = pagbank.identify(incoming);
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
  return pagbank.normalise(
    { topic, attributes, rawBody: incoming.rawBody, receivedAt: RECEIVED_AT },
    context,
  );
}

/** A fixture with these fields of its first charge instead of its own. */
function withCharge(name: string, changes: Json): Order {
  const order = fixture(name);
  order.charges[0] = { ...order.charges[0], ...changes };
  return order;
}

function amount(value: number, paid: number, refunded: number): Json {
  return { value, currency: 'BRL', summary: { total: value, paid, refunded } };
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe("PagBank's signature", () => {
  const body = '{"id":"CHAR_1","status":"PAID","amount":{"value":1990}}';
  // printf '%s' 'B0A1-segredo-{"id":"CHAR_1",…}' | openssl dgst -sha256 -hex
  const known = '7dc305ef5f45e4fd43ff031802d212de8320b3344e21776f4568ce15813c4b23';
  const verify = (token: string | undefined, secrets: string[] = ['B0A1-segredo']) =>
    pagbank.verify(
      request(body, token === undefined ? {} : { 'x-authenticity-token': token }),
      secrets,
      {},
      RECEIVED_AT,
    );

  it('is the one that openssl computes over token and body', () => {
    expect(verify(known)).toEqual({ ok: true });
    expect(verify(known.toUpperCase())).toEqual({ ok: true });
    const message = { secret: 'B0A1-segredo', body, topic: '', id: '', sentAt: RECEIVED_AT };
    expect(pagbank.sign(message)['x-authenticity-token']).toBe(known);
  });

  it('that is missing, as the sandbox may leave it out, is refused', () => {
    expect(verify(undefined)).toEqual({ ok: false, reason: 'the request carries no signature' });
    expect(verify(undefined, []).ok).toBe(false);
    expect(verify(known, ['another']).ok).toBe(false);
  });
});

describe('what a notification of PagBank is known by', () => {
  const identify = (body: Json) => pagbank.identify(request(body, { 'x-product-id': 'ORDE_1' }));

  it('is the order with each charge, its status and what went back', () => {
    const part = identify(fixture('order-refunded-in-part'));
    expect(part).toEqual({
      topic: 'PAID',
      dedupeKey:
        'ORDE_1D3F8B21-52E6-4C70-9F88-A1B4C2E3D502/CHAR_6B1F74C8-2A55-4A1E-8D1C-9A35E2B8F702:PAID:11500',
      orderingKey: 'order/5502',
      attributes: { productId: 'ORDE_1' },
    });
    const keys = ['order-card-paid', 'order-refunded-in-part', 'order-refunded'].map(
      (name) => identify(fixture(name)).dedupeKey,
    );
    expect(new Set(keys).size).toBe(3);
  });

  it('of a charge alone is the charge, its status and what went back', () => {
    const { dedupeKey, orderingKey } = identify(fixture('charge-boleto-paid'));
    expect(dedupeKey).toBe('CHAR_B06EC913-7FAA-4F63-8261-EF80D7A3EC07:PAID:0');
    expect(orderingKey).toBe('order/CHAR_B06EC913-7FAA-4F63-8261-EF80D7A3EC07');
  });

  it('is its content where it has no charge, or too many', () => {
    expect(identify(fixture('order-pix-waiting')).dedupeKey).toMatch(/^sha256:/);
    const order = fixture('order-card-paid');
    const many = { ...order, charges: Array.from({ length: 9 }, () => order.charges[0]) };
    expect(identify(many).dedupeKey).toMatch(/^sha256:/);
  });

  it('of a chargeback has a lane of its own', () => {
    expect(identify(fixture('chargeback')).orderingKey).toMatch(/^dispute\/CBKS_/);
  });
});

describe('an order of PagBank', () => {
  it('that two charges pay comes to both, each a payment', () => {
    const order = fixture('order-card-paid');
    const [first] = order.charges;
    const second = {
      ...first,
      id: 'CHAR_2',
      amount: amount(1_000, 1_000, 0),
      paid_at: '2026-07-15T10:00:00-03:00',
    };
    const { total, payments, paidAt } = orderOf(normalise({ ...order, charges: [first, second] }));
    expect(total.toString()).toBe('284.90');
    expect(payments.map(({ value }) => value.toString())).toEqual(['10.00', '274.90']);
    expect(paidAt).toEqual(new Date('2026-07-15T13:00:00.000Z'));
  });

  it('that a card pays while its boleto is still open comes to what the card paid', () => {
    const boleto = fixture('order-boleto-waiting').charges[0];
    const order = fixture('order-card-paid');
    const normalised = normalise({ ...order, charges: [boleto, ...order.charges] });
    expect(orderOf(normalised)).toMatchObject({ instalments: 3 });
    expect(orderOf(normalised).total.toString()).toBe('274.90');
    expect(normalised).toMatchObject({ events: [{ type: 'order.paid' }] });
  });

  it('whose charges are one Pix is one payment', () => {
    const order = fixture('order-pix-paid');
    const again = { ...order.charges[0], id: 'CHAR_2' };
    expect(() => normalise({ ...order, charges: [...order.charges, again] })).toThrow(
      '$.charges[1].id is of a payment that another charge is of',
    );
  });

  it('is known by PagBank where the shop gave it no reference', () => {
    for (const reference_id of [null, '', undefined])
      expect(orderOf(normalise({ ...fixture('order-card-paid'), reference_id })).id).toBe(
        'ORDE_1D3F8B21-52E6-4C70-9F88-A1B4C2E3D502',
      );
  });

  it('is dated by its charge where nothing says when it was paid, and says so', () => {
    const { payments } = orderOf(normalise(withCharge('order-card-paid', { paid_at: null })));
    expect(payments).toMatchObject([{ paidAt: new Date('2026-07-15T13:20:02.100Z'), datedBy: 'created_at' }]);
  });

  it('of which less was paid than charged is what was paid, and says so', () => {
    const order = orderOf(normalise(withCharge('order-card-paid', { amount: amount(27_490, 20_000, 0) })));
    expect([order.total.toString(), order.payments[0]?.value.toString()]).toEqual(['200.00', '200.00']);
    expect(order.differences).toEqual(['The charge of 274.90 BRL is PAID, but 200.00 BRL were paid.']);
  });

  it('that is divided among accounts says so, once it is paid', () => {
    const links = [{ rel: 'SPLIT', href: 'https://api.pagseguro.com/splits/SPLI_61729513', type: 'GET' }];
    const [paid, waiting] = ['order-card-paid', 'order-boleto-waiting'].map(
      (name) => orderOf(normalise(withCharge(name, { links }))).differences,
    );
    expect([paid, waiting]).toEqual([
      ['PagBank divides the charge among several accounts (split): book by hand what goes to others.'],
      [],
    ]);
  });

  it('that is paid and has nothing paid says so', () => {
    const order = orderOf(normalise(withCharge('order-card-paid', { amount: amount(27_490, 0, 0) })));
    expect(order.payments[0]?.value.toString()).toBe('274.90');
    expect(order.differences).toEqual(['The charge of 274.90 BRL is PAID, but 0.00 BRL were paid.']);
  });

  it('that was canceled after it was paid, with nothing back, says so', () => {
    const canceled = withCharge('order-card-paid', { status: 'CANCELED' });
    expect(orderOf(normalise(canceled)).differences).toEqual([
      'The charge is CANCELED after 274.90 BRL were paid, and nothing is said to have gone back.',
    ]);
  });

  it('of which more went back than was paid says so', () => {
    const order = withCharge('order-card-paid', { amount: amount(27_490, 27_490, 30_000) });
    expect(orderOf(normalise(order)).differences).toEqual([
      '300.00 BRL went back of a charge of which 274.90 BRL were paid.',
    ]);
  });

  it('has one refund for each charge, so that another sum is another value of the same', () => {
    const keyOf = (refunded: number) =>
      orderOf(
        normalise(withCharge('order-card-paid', { amount: amount(27_490, 27_490, refunded) })),
      ).refunds.map(({ key, value }) => [key, value.toString()]);
    expect(keyOf(1_000)[0]?.[0]).toBe(keyOf(2_000)[0]?.[0]);
    expect([keyOf(1_000)[0]?.[1], keyOf(2_000)[0]?.[1]]).toEqual(['10.00', '20.00']);
  });

  it('whose authorised card is canceled waits for nothing', () => {
    const canceled = withCharge('order-card-in-analysis', { status: 'CANCELED' });
    expect(normalise(canceled)).toEqual({
      ignored: 'the order is CANCELED: nothing was paid, and no boleto or Pix is waited for',
    });
  });

  it.each([
    [{ buyer: { interest: { total: 2490, installments: 3 } } }, '24.90'],
    [{ buyer: { interest: { total: 0, installments: 3 } } }, undefined],
    [{ buyer: { interest: { total: 27490, installments: 3 } } }, undefined],
    [{ buyer: {} }, undefined],
    [null, undefined],
  ])('whose buyer pays the interest %j has it as the fee of its payment: %s', (fees, fee) => {
    const order = withCharge('order-card-paid', { amount: { ...amount(27490, 27490, 0), fees } });
    const { total, payment } = orderOf(normalise(order));
    expect([total.toString(), payment?.value.toString(), payment?.fee?.toString()]).toEqual([
      ...['274.90', '274.90', fee],
    ]);
  });

  it.each(['55', '+55', 55])('has the phone of its buyer in the country %j', (country) => {
    const phones = [{ type: 'MOBILE', country, area: '31', number: '955550143' }];
    const { customer } = orderOf(normalise({ ...fixture('order-card-paid'), customer: { phones } }));
    expect(customer.phone).toBe('+5531955550143');
  });

  it('was paid at a time whose offset has no minutes', () => {
    const order = withCharge('order-card-paid', { paid_at: '2026-07-15T10:20:03.002-03' });
    expect(orderOf(normalise(order)).paidAt).toEqual(new Date('2026-07-15T13:20:03.002Z'));
  });

  it('in two currencies, or of nothing, is unreadable', () => {
    const order = fixture('order-card-paid');
    const foreign = { ...order.charges[0], id: 'CHAR_2', amount: { value: 1, currency: 'USD' } };
    expect(() => normalise({ ...order, charges: [...order.charges, foreign] })).toThrow(
      'currency is not BRL',
    );
    expect(() => normalise(withCharge('order-card-paid', { amount: amount(0, 0, 0) }))).toThrow(
      'more than zero',
    );
    expect(() => normalise(withCharge('order-card-paid', { amount: {} }))).toThrow('amount.value is missing');
  });

  it('with money in a state that nobody knows is left to a person, unless it is a test', () => {
    expect(normalise(fixture('order-unknown-status'))).toHaveProperty('unbooked');
    const links = [{ rel: 'SELF', href: 'https://sandbox.api.pagseguro.com/charges/CHAR_1' }];
    const test = withCharge('order-unknown-status', { links });
    expect(normalise(test)).toEqual({ ignored: expect.stringContaining('IN_DISPUTE') as string });
  });
});

describe('a chargeback of PagBank', () => {
  it('without an amount is unreadable, so that a person sees it', () => {
    expect(() => normalise({ id: 'CBKS_1', status: 'RECEIVED' })).toThrow(
      '$.amount.value is missing: see the chargeback at PagBank and book it by hand',
    );
  });
});
