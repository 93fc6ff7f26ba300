import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { hotmart } from './hotmart';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const CONTEXT = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'hotmart', 'fetched');

type Json = Record<string, unknown>;

function request(body: unknown, headers: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(JSON.stringify(body)) };
}

function answer(name: string, body: unknown): FetchedAnswer {
  return { name, status: 200, body: Buffer.from(JSON.stringify(body)) };
}

/** The one sale of an answer among the fixtures. */
function item(file: string): Json {
  const { items } = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as { items: Json[] };
  return items[0] ?? {};
}

const sale = item('card-approved');
const purchase = sale['purchase'] as Json;
const TRANSACTION = purchase['transaction'];

/** A message about the sale of {@link TRANSACTION}; its event may come in any state of it. */
function message(
  answers: FetchedAnswer[] = [],
  transaction: unknown = TRANSACTION,
  event = 'PURCHASE_PROTEST',
): StoredWebhook {
  const { rawBody } = request({
    event,
    data: { product: { id: 1 }, purchase: { transaction } },
  });
  return {
    ...{ topic: event, attributes: {}, rawBody, receivedAt: RECEIVED_AT },
    ...{ fetched: answers },
  };
}

const history = (changes: Json = {}) =>
  answer('history', { items: [{ ...sale, purchase: { ...purchase, ...changes } }] });
const commissions = (listed: Record<string, number>, currency = 'BRL') =>
  answer('commissions', {
    items: [
      {
        transaction: TRANSACTION,
        commissions: Object.entries(listed).map(([source, value]) => ({
          source,
          commission: { value, currency_value: currency },
        })),
      },
    ],
  });

const normalise = (...answers: FetchedAnswer[]): Normalised => hotmart.normalise(message(answers), CONTEXT);

const typesOf = (normalised: Normalised): string[] =>
  'events' in normalised ? normalised.events.map(({ type }) => type) : [];

function orderOf(normalised: Normalised): OrderFacts {
  const event = 'events' in normalised ? normalised.events.find((one) => 'order' in one) : undefined;
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe("Hotmart's token", () => {
  const verify = (token: string | undefined, secrets = ['tok-1', 'tok-2']) =>
    hotmart.verify(
      request({ any: 'body' }, token === undefined ? {} : { 'x-hotmart-hottok': token }),
      ...([secrets, {}, RECEIVED_AT] as const),
    );

  it('proves the sender, and nothing of the body', () => {
    expect(verify('tok-2')).toEqual({ ok: true, bodyUnsigned: true });
    for (const token of ['tok-3', '', undefined]) expect(verify(token).ok).toBe(false);
    expect(verify('', ['']).ok).toBe(false);
  });

  it('in the body alone is none', () => {
    const body = { hottok: 'tok-1', event: 'PURCHASE_APPROVED' };
    expect(hotmart.verify(request(body), ['tok-1'], {}, RECEIVED_AT).ok).toBe(false);
  });
});

describe('what a message of Hotmart is known by', () => {
  it('is its own identifier, for ever, in the lane of its sale', () => {
    const body = { id: '5c1f', event: 'PURCHASE_REFUNDED', data: { purchase: { transaction: 'HP1' } } };
    expect(hotmart.identify(request(body))).toEqual({
      ...{ topic: 'PURCHASE_REFUNDED', dedupeKey: '5c1f', orderingKey: 'order/HP1', attributes: {} },
    });
  });

  it('is its content where it has none', () => {
    const { dedupeKey, orderingKey } = hotmart.identify(request({ event: 'SWITCH_PLAN', data: {} }));
    expect(dedupeKey).toMatch(/^sha256:/);
    expect(orderingKey).toBe(`delivery/${dedupeKey}`);
  });
});

describe('what is fetched from Hotmart', () => {
  const access = {
    settings: {},
    credentials: { clientId: 'id', clientSecret: 's&cret' },
    accessToken: 'tok',
  };
  const next = (webhook: StoredWebhook) => hotmart.fetchBack?.next(webhook, access);

  it('shows the token that was granted, and takes nothing but 2xx for an answer', () => {
    expect(next(message())).toEqual({
      name: 'history',
      path: `/payments/api/v1/sales/history?transaction=${String(TRANSACTION)}`,
      headers: { authorization: 'Bearer tok', accept: 'application/json' },
      answers: [],
    });
  });

  it('is no path that a message could lead astray', () => {
    for (const transaction of ['../x', 'HP1&page=2', 'HP 12345', '', null])
      expect(() => next(message([], transaction))).toThrow('$.data.purchase.transaction');
  });

  it('is nobody else’s buyer, and of what was not paid no commission', () => {
    const nameAfter = (changes: Json) => next(message([history(changes)]))?.name;
    expect(nameAfter({})).toBe('users');
    expect(nameAfter({ commission_as: 'AFFILIATE' })).toBe('commissions');
    expect(nameAfter({ commission_as: 'AFFILIATE', status: 'WAITING_PAYMENT' })).toBeUndefined();
    const users = answer('users', { items: [] });
    expect(next(message([history({ status: 'WAITING_PAYMENT' }), users]))).toBeUndefined();
  });

  it('comes from the address that the source names, with a token from the one that goes with it', () => {
    const tokens = hotmart.api?.accessTokens;
    const usual = 'https://api-sec-vlc.hotmart.com/security/oauth/token';
    const apiUrl = 'https://hotmart.example.com/';
    expect(hotmart.api?.baseUrl({})).toBe('https://developers.hotmart.com');
    expect(tokens?.url({})).toBe(usual);
    expect(tokens?.url({ apiUrl })).toBe('https://hotmart.example.com/security/oauth/token');
    expect(tokens?.url({ apiUrl, tokenUrl: usual })).toBe(usual);
  });

  it('is asked for with the credentials in header and form, and never in the address', () => {
    const tokens = hotmart.api?.accessTokens;
    expect(tokens?.grant(access)).toEqual({
      headers: { authorization: 'Basic aWQ6cyZjcmV0', accept: 'application/json' },
      body: {
        contentType: 'application/x-www-form-urlencoded',
        text: 'grant_type=client_credentials&client_id=id&client_secret=s%26cret',
      },
    });
    const granted = Buffer.from('{"access_token":"abc","token_type":"bearer","expires_in":86400}');
    expect(tokens?.read(granted)).toEqual({ accessToken: 'abc', expiresInSeconds: 86_400 });
    expect(tokens?.read(Buffer.from('{"error":"unauthorized"}'))).toBeUndefined();
  });
});

describe('a sale of Hotmart', () => {
  const divided = commissions({ MARKETPLACE: 30.7, AFFILIATE: 90, COPRODUCER: 26.93, PRODUCER: 149.37 });

  it('is what was fetched, whatever the message says of it', () => {
    const { rawBody } = request({
      event: 'PURCHASE_PROTEST',
      data: { purchase: { transaction: TRANSACTION, status: 'APPROVED', price: { value: 1_000_000 } } },
    });
    const reported = { ...message([history({ status: 'WAITING_PAYMENT' })]), rawBody };
    expect(hotmart.normalise(reported, CONTEXT)).toMatchObject({ ignored: expect.any(String) as string });
  });

  it.each([
    ['PURCHASE_APPROVED', 'WAITING_PAYMENT', 'REFUNDED'],
    ['PURCHASE_COMPLETE', 'UNDER_ANALISYS', 'COMPLETE'],
    ['PURCHASE_REFUNDED', 'APPROVED', 'PARTIALLY_REFUNDED'],
    ['PURCHASE_CHARGEBACK', 'COMPLETE', 'CHARGEBACK'],
    ['PURCHASE_EXPIRED', 'PRINTED_BILLET', 'EXPIRED'],
    ['PURCHASE_CANCELED', 'WAITING_PAYMENT', 'CANCELLED'],
  ])(
    'of which %s is told is asked for again while it is %s, and not when it is %s',
    (event, behind, there) => {
      const reported = (status: string) => () =>
        hotmart.normalise(message([history({ status }), divided], TRANSACTION, event), CONTEXT);
      expect(reported(behind)).toThrow(`the event is ${event}, but Hotmart’s history says ${behind}`);
      expect(reported(there)).not.toThrow();
    },
  );

  it('that Hotmart does not have yet, or has another of, is asked for again', () => {
    expect(() => normalise()).toThrow('the sale was not fetched');
    expect(() => normalise(answer('history', { items: [] }))).toThrow('does not have the sale');
    expect(() => normalise(history({ transaction: 'HP9999999999999' }))).toThrow('does not have the sale');
  });

  it('leaves what Hotmart pays out when its fee and the commissions of others are taken off', () => {
    const { total, commission, payments } = orderOf(normalise(history(), divided));
    const kept = (payments[0]?.fee?.minor ?? 0n) + (commission?.minor ?? 0n);
    expect([total.minor - kept, payments[0]?.net?.minor]).toEqual([14_937n, 14_937n]);
  });

  it('whose fee is more than Hotmart names and the buyer’s interest asks a person', () => {
    const listed = commissions({ MARKETPLACE: 30.7, PRODUCER: 250 });
    expect(orderOf(normalise(history(), listed)).differences).toEqual([
      'Hotmart names a fee of 30.70 BRL, but keeps 62.00 BRL of what the buyer paid.',
    ]);
  });

  it('takes the fee that the sale names where the commissions name none', () => {
    const hotmart_fee = { total: 30.7, base: 297, currency_code: 'BRL' };
    const reported = orderOf(normalise(history({ hotmart_fee }), commissions({ PRODUCER: 266.3 })));
    expect([reported.payments[0]?.fee?.toString(), reported.differences]).toEqual(['45.70', []]);
  });

  it('is paid, and says so, before anybody knows how it is divided', () => {
    for (const answers of [[], [answer('commissions', { items: [] })], [commissions({ AFFILIATE: 9 })]]) {
      const { payments, commission, differences } = orderOf(normalise(history(), ...answers));
      expect([payments.length, payments[0]?.fee, commission]).toEqual([1, undefined, undefined]);
      expect(differences).toEqual([
        'Hotmart does not say yet what the shop gets of the sale: its fee and the commissions of others are left out.',
      ]);
    }
  });

  it.each([
    ['APPROVED', ['order.paid']],
    ['COMPLETE', ['order.paid']],
    ['PROTESTED', ['order.paid']],
    ['PARTIALLY_REFUNDED', ['order.paid']],
    ['REFUNDED', ['order.paid', 'order.refunded']],
    ['CHARGEBACK', ['order.paid', 'payment.disputed']],
    ['WAITING_PAYMENT', []],
    ['UNDER_ANALISYS', []],
    ['CANCELLED', []],
    ['EXPIRED', []],
    ['SOMETHING_NEW', []],
  ])('by card that is %s becomes %j', (status, types) => {
    const approved_date = types.includes('order.paid') ? 1_784_120_556_000 : undefined;
    expect(typesOf(normalise(history({ status, approved_date }), divided))).toEqual(types);
  });

  it('that has a day of approval in any other state asks a person', () => {
    for (const status of ['EXPIRED', 'OVERDUE', 'SOMETHING_NEW'])
      expect(normalise(history({ status }))).toMatchObject({ unbooked: [{ code: 'order-differs' }] });
    expect(typesOf(normalise(history({ status: 'WAITING_PAYMENT' })))).toEqual([]);
  });

  it('by anything but a card waits for it, with the key of the payment that would pay it', () => {
    const payment = { type: 'BILLET', method: 'BILLET', installments_number: 1 };
    const waiting = normalise(history({ status: 'WAITING_PAYMENT', payment }));
    const paid = normalise(history({ payment }), divided);
    const [event] = 'events' in waiting ? waiting.events : [];
    expect(event).toMatchObject({
      type: 'order.pending',
      order: { charge: { key: orderOf(paid).payments[0]?.key, method: 'boleto' } },
    });
  });

  it.each([
    ['EXPIRED', ['order.expired', 'order.cancelled']],
    ['CANCELLED', ['order.cancelled']],
  ])('by boleto that is %s is over: %j', (status, types) => {
    const payment = { type: 'BILLET', method: 'BILLET', installments_number: 1 };
    expect(typesOf(normalise(history({ status, payment, approved_date: undefined })))).toEqual(types);
  });

  it('is the same payment in each state that it has after it was paid', () => {
    const states = ['APPROVED', 'PROTESTED', 'COMPLETE', 'REFUNDED', 'CHARGEBACK', 'PARTIALLY_REFUNDED'];
    const seen = states.map((status) =>
      JSON.stringify(orderOf(normalise(history({ status }), divided)).payments),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('is dated by its making where Hotmart does not say when it was approved', () => {
    const { payments } = orderOf(normalise(history({ approved_date: null }), divided));
    expect(payments).toMatchObject([{ datedBy: 'order_date', paidAt: new Date(1_784_120_553_000) }]);
    expect(() => normalise(history({ approved_date: '2026-07-15' }), divided)).toThrow('milliseconds');
  });

  it('does not guess whose it is', () => {
    expect(() => normalise(history({ commission_as: null }), divided)).toThrow('commission_as is missing');
  });

  it('of somebody else is never booked, and its commission is left to a person', () => {
    const ofCoproducer = (status: string) =>
      normalise(history({ commission_as: 'COPRODUCER', status }), divided);
    const detailOf = (status: string) => {
      const normalised = ofCoproducer(status);
      return 'ignored' in normalised ? normalised.unbooked?.map(({ detail }) => detail) : undefined;
    };
    expect(detailOf('APPROVED')?.[0]).toContain('26.93 BRL was earned as COPRODUCER');
    expect(detailOf('REFUNDED')?.[0]).toContain('26.93 BRL was taken back as COPRODUCER');
    expect(detailOf('WAITING_PAYMENT')).toBeUndefined();
  });
});
