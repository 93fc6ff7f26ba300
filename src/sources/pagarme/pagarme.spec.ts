import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import type { FetchedAnswer, Normalised, StoredWebhook } from '../source';
import { pagarme } from './pagarme';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'pagarme', 'fetched');

type Json = Record<string, unknown>;
interface Order extends Json {
  id: string;
  charges: Json[];
}

function fetchedFixture(name: string): Order {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Order;
}

function answer(name: string, body: Json): FetchedAnswer {
  return { name, status: 200, body: Buffer.from(JSON.stringify(body)) };
}

function webhook(type: string, data: Json, fetched: FetchedAnswer[] = []): StoredWebhook {
  const rawBody = Buffer.from(JSON.stringify({ id: 'hook_1', type, data }));
  return { topic: type, attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched };
}

function normalise(order: Order, ...others: FetchedAnswer[]): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
  const fetched = [answer('order', order), ...others];
  return pagarme.normalise(webhook('order.updated', { id: order.id }, fetched), context);
}

/** A fixture with these fields of its first charge instead of its own. */
function withCharge(name: string, changes: Json, ofOrder: Json = {}): Order {
  const order = fetchedFixture(name);
  order.charges[0] = { ...order.charges[0], ...changes };
  return { ...order, ...ofOrder };
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

const next = (delivery: StoredWebhook) =>
  pagarme.fetchBack?.next(delivery, { settings: {}, credentials: { secretKey: 'sk_1' } });

describe('the secret of Pagar.me', () => {
  const verify = (token: string | undefined, secrets = ['um-segredo-longo']) =>
    pagarme.verify(
      {
        method: 'POST',
        headers: { authorization: 'Basic dW0tc2VncmVkby1sb25nbzo=' },
        query: {},
        ...(token !== undefined && { token }),
        rawBody: Buffer.from('{}'),
      },
      secrets,
      {},
      RECEIVED_AT,
    );

  it('stands in the address, and proves nothing of the body', () => {
    expect(verify('um-segredo-longo')).toEqual({ ok: true, bodyUnsigned: true });
    expect(verify('outro')).toEqual({ ok: false, reason: 'the signature does not match' });
    expect(verify(undefined).ok).toBe(false);
    expect(verify('', ['']).ok).toBe(false);
  });
});

describe('what a webhook of Pagar.me is known by', () => {
  const identify = (body: Json) =>
    pagarme.identify({
      method: 'POST',
      headers: {},
      query: {},
      rawBody: Buffer.from(JSON.stringify(body)),
    });

  it('is its own identifier, in the lane of the order', () => {
    expect(identify({ id: 'hook_1', type: 'order.paid', data: { id: 'or_1' } })).toEqual({
      topic: 'order.paid',
      dedupeKey: 'hook_1',
      orderingKey: 'order/or_1',
      attributes: {},
    });
    const ofCharge = { id: 'hook_2', type: 'charge.paid', data: { id: 'ch_1', order: { id: 'or_1' } } };
    expect(identify(ofCharge).orderingKey).toBe('order/or_1');
    const alone = { id: 'hook_3', type: 'charge.paid', data: { id: 'ch_1' } };
    expect(identify(alone).orderingKey).toBe('order/ch_1');
  });

  it('is its content where it has none', () => {
    expect(identify({ type: 'order.paid' }).dedupeKey).toMatch(/^sha256:/);
    expect(identify({ type: 'order.paid' }).orderingKey).toMatch(/^delivery\/sha256:/);
  });
});

describe('what Ponte asks Pagar.me', () => {
  it('is the order, with the secret key as the user of HTTP Basic', () => {
    // printf '%s' 'sk_1:' | base64
    const headers = { authorization: 'Basic c2tfMTo=', accept: 'application/json' };
    expect(next(webhook('order.paid', { id: 'or_1' }))).toEqual({
      name: 'order',
      path: '/orders/or_1',
      headers,
    });
    expect(next(webhook('charge.paid', { id: 'ch_1', order: { id: 'or_1' } }))?.path).toBe('/orders/or_1');
    expect(next(webhook('charge.paid', { id: 'ch_1' }))?.path).toBe('/charges/ch_1');
  });

  it('is nothing that is not called as orders and charges are', () => {
    for (const id of ['../accounts', 'ch_1', 'or_', 'or_1?x=1'])
      expect(() => next(webhook('order.paid', { id }))).toThrow('$.data.id is not');
    expect(() => next(webhook('order.paid', {}))).toThrow('$.data.id is missing');
    expect(next(webhook('subscription.created', { id: 'or_1' }))).toBeUndefined();
  });

  it('goes to another host where the source says so', () => {
    const baseUrl = pagarme.api?.baseUrl({ apiUrl: 'https://sdx-api.pagar.me/core/v5/' });
    expect(baseUrl).toBe('https://sdx-api.pagar.me/core/v5');
    expect(pagarme.api?.baseUrl({})).toBe('https://api.pagar.me/core/v5');
  });

  it('puts the delivery into the lane of its order', () => {
    const lane = (...fetched: FetchedAnswer[]) =>
      pagarme.fetchBack?.orderingKey?.(webhook('charge.paid', { id: 'ch_1' }, fetched));
    expect(lane()).toBeUndefined();
    expect(lane(answer('charge', { id: 'ch_1' }))).toBe('order/ch_1');
    expect(lane(answer('charge', { id: 'ch_1' }), answer('order', { id: 'or_1' }))).toBe('order/or_1');
    expect(lane(answer('charge', { id: 'x/y' }))).toBeUndefined();
  });
});

describe('an order of Pagar.me', () => {
  it('that is another than the one asked for, or not asked for, is unreadable', () => {
    const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
    const other = webhook('order.paid', { id: 'or_1' }, [answer('order', fetchedFixture('order-paid'))]);
    expect(() => pagarme.normalise(other, context)).toThrow('another order than the one asked for');
    const unfetched = webhook('order.paid', { id: 'or_1' });
    expect(() => pagarme.normalise(unfetched, context)).toThrow('the order was not fetched');
    expect(() => normalise(fetchedFixture('partial-canceled-again'))).toThrow(
      '/charges/ch_Aro55081/transactions was not fetched',
    );
  });

  it('of which the buyer pays interest is what the shop asked for, and says so', () => {
    const order = withCharge('order-paid', { amount: 28_000, paid_amount: 28_000 });
    const { total, payments, differences } = orderOf(normalise(order));
    expect([total.toString(), payments[0]?.value.toString()]).toEqual(['274.90', '280.00']);
    expect(differences).toEqual([
      'The charges that were paid come to 280.00 BRL, but the order says 274.90 BRL.',
    ]);
  });

  it('that is divided among recipients says so, once it is paid', () => {
    const split = [
      { id: 'sr_1', type: 'percentage', amount: 90, recipient: { id: 're_1', name: 'Ateliê Aroeira' } },
      { id: 'sr_2', type: 'percentage', amount: 10, recipient: { id: 're_2', name: 'Feira Ltda' } },
    ];
    const divided = (name: string, list: string) => {
      const [{ last_transaction: last } = {}] = fetchedFixture(name).charges;
      return orderOf(normalise(withCharge(name, { last_transaction: { ...(last as Json), [list]: split } })))
        .differences;
    };
    for (const list of ['split', 'splits'])
      expect(divided('pix-paid', list)).toEqual([
        'Pagar.me divides the charge among 2 recipients (split): book by hand what goes to others.',
      ]);
    expect(divided('pix-pending', 'split')).toEqual([]);
    split.pop();
    expect(divided('pix-paid', 'split')).toEqual([]);
  });

  it('of which one of two charges is paid so far says nothing of the other', () => {
    const order = fetchedFixture('order-two-cards');
    order.status = 'pending';
    order.charges[2] = { ...order.charges[2], status: 'pending', paid_amount: null, paid_at: null };
    const { payments, differences } = orderOf(normalise(order));
    expect(payments).toHaveLength(1);
    expect(differences).toEqual([]);
  });

  it('with a charge twice, or in two currencies, is unreadable', () => {
    const order = fetchedFixture('order-paid');
    const [charge = {}] = order.charges;
    expect(() => normalise({ ...order, charges: [charge, charge] })).toThrow('is that of another charge');
    expect(() => normalise({ ...order, charges: [{ ...charge, currency: 'USD' }] })).toThrow('is not BRL');
    expect(() => normalise(withCharge('order-paid', { amount: 0 }))).toThrow('must be more than zero');
  });

  it.each([
    ['BR-PR', 'BR', 'PR'],
    ['br-sp', 'br', 'SP'],
    ['PR', 'BR', 'PR'],
    ['Paraná', 'BR', 'PR'],
    ['CA-ON', 'CA', 'CA-ON'],
  ])('of a buyer in %s, %s, has the state %s', (state, country, reported) => {
    const order = fetchedFixture('order-paid');
    const customer = { ...(order['customer'] as Json), address: { line_1: 'Rua A, 1', state, country } };
    expect(orderOf(normalise({ ...order, customer })).customer.address?.state).toBe(reported);
  });

  it('with money in a state that nobody knows is left to a person', () => {
    expect(normalise(withCharge('order-paid', { status: 'processing' }))).toHaveProperty('unbooked');
    expect(normalise(withCharge('card-failed', { status: 'processing' }))).toEqual({
      ignored: 'the order is processing: nothing was paid, and no boleto or Pix is waited for',
    });
  });

  it('is paid in full where what is left of it is told as paid', () => {
    const order = withCharge('partial-canceled', { paid_amount: 20_490 });
    const { payments, refunds, differences } = orderOf(normalise(order));
    expect(payments[0]?.value.toString()).toBe('274.90');
    expect(refunds.map(({ value }) => value.toString())).toEqual(['70.00']);
    expect(differences).toEqual([]);
  });

  it('whose operations do not come to what went back books none of it', () => {
    const order = fetchedFixture('partial-canceled-again');
    const operations = fetchedFixture('operations') as unknown as { data: Json[] };
    const id = 'transactions-ch_Aro55081';
    const keys = (data: Json[]) =>
      orderOf(normalise(order, answer(id, { data }))).refunds.map(({ key }) => key.split('/').at(-1));
    expect(keys(operations.data)).toEqual(['tran_Aro5508r1', 'tran_Aro5508r2']);
    expect(keys(operations.data.slice(0, 2))).toEqual([]);
    expect(keys([...operations.data, ...operations.data.slice(0, 1)])).toEqual([]);
  });

  it('that is canceled after it was paid, with nothing back, says so', () => {
    const order = withCharge('order-paid', { status: 'canceled' });
    expect(orderOf(normalise(order)).differences).toEqual([
      'The charge is canceled after 274.90 BRL were paid, and nothing is said to have gone back.',
    ]);
  });

  it('of which more went back than was paid says so', () => {
    const last = { id: 'tran_1', status: 'refunded', amount: 30_000, created_at: '2026-07-20T12:15:00Z' };
    const order = withCharge('order-paid', { canceled_amount: 30_000, last_transaction: last });
    expect(orderOf(normalise(order)).differences).toEqual([
      '300.00 BRL went back of a charge of which 274.90 BRL were paid.',
    ]);
  });

  it('has times in UTC, and the day of a boleto as it is written', () => {
    const order = withCharge('order-paid', { paid_at: '2026-07-15T23:30:00' });
    expect(orderOf(normalise(order)).paidAt).toEqual(new Date('2026-07-15T23:30:00Z'));
    const last = { status: 'generated', due_at: 'soon' };
    expect(() => normalise(withCharge('boleto-pending', { last_transaction: last }))).toThrow('is not a day');
  });

  it('of which nothing is waited for any more is cancelled where Pagar.me calls it failed', () => {
    const types = (status: string, charge: string) => {
      const normalised = normalise(withCharge('pix-pending', { status: charge }, { status }));
      return 'events' in normalised ? normalised.events.map(({ type }) => type) : [];
    };
    expect(types('failed', 'failed')).toEqual(['order.expired', 'order.cancelled']);
    expect(types('pending', 'failed')).toEqual(['order.expired']);
    expect(types('failed', 'pending')).toEqual(['order.pending']);
  });

  it('is of a guest where Pagar.me has no customer', () => {
    const customer = { name: 'Jane Roe', document: 'X1', document_type: 'passport', phones: {} };
    expect(orderOf(normalise({ ...fetchedFixture('boleto-paid'), customer })).customer).toEqual({
      key: 'loja/order/or_Aro5504/guest',
      name: 'Jane Roe',
    });
  });
});

describe('a chargeback of Pagar.me', () => {
  const disputed = (changes: Json) => {
    const normalised = normalise(withCharge('chargedback', changes));
    const events = 'events' in normalised ? normalised.events : [];
    return events.flatMap((event) => ('dispute' in event ? [event.dispute.value.toString()] : []));
  };

  it('is of what had not gone back', () => {
    const last = {
      id: 'tran_1',
      status: 'partial_refunded',
      amount: 7_000,
      created_at: '2026-07-20T12:15:00Z',
    };
    expect(disputed({})).toEqual(['274.90']);
    expect(disputed({ canceled_amount: 7_000, last_transaction: last })).toEqual(['204.90']);
    expect(disputed({ canceled_amount: 27_490, last_transaction: { ...last, amount: 27_490 } })).toEqual([]);
  });
});
