import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { checkSettings } from '../check-settings';
import { UnreadablePayload } from '../payload';
import type { FetchedAnswer, IncomingWebhook, Normalised } from '../source';
import { bling } from './bling';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const COMPANY = '7c1e5a0d9b3f4c2e8a6d1b0f5e9c3a77';
const SETTINGS = { storeId: COMPANY };
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'bling');

type Json = Record<string, unknown>;

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function request(body: unknown, headers: IncomingWebhook['headers'] = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers, query: {}, rawBody };
}

function answer(name: string, data: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(JSON.stringify({ data })) };
}

function webhook(body: unknown, fetched: FetchedAnswer[] = []) {
  const { rawBody } = request(body);
  const { topic, attributes } = bling.identify(request(body));
  return { topic, attributes, rawBody, receivedAt: RECEIVED_AT, fetched };
}

const ORDER = read('fetched/order-created').data as Json;
const CONTACT = read('fetched/contact-jatoba').data as Json;

/** What comes of the notification that an order was made, with these fields of message, order and contact instead. */
function normalise(
  order: Json = {},
  { message = {}, contact = {}, settings = {} }: Record<string, Json> = {},
) {
  const fetched = [answer('order', { ...ORDER, ...order }), answer('contact', { ...CONTACT, ...contact })];
  return normaliseMessage({ ...read('order-created'), ...message }, fetched, settings);
}

function normaliseMessage(message: Json, fetched: FetchedAnswer[], settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
  return bling.normalise(webhook(message, fetched), { ...context, settings: { ...SETTINGS, ...settings } });
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe("Bling's signature", () => {
  const body = '{"event":"order.created"}';
  const hex = createHmac('sha256', 'segredo').update(body).digest('hex');
  const verify = (signature: string, secrets = ['segredo']) =>
    bling.verify(request(body, { 'x-bling-signature-256': signature }), secrets, {}, RECEIVED_AT);

  it('is sha256= and the HMAC of the body in hex', () => {
    expect(verify(`sha256=${hex}`)).toEqual({ ok: true });
    expect(verify(`sha256=${hex}`, ['outro', 'segredo'])).toEqual({ ok: true });
  });

  it.each([hex, `sha1=${hex}`, `sha256=${Buffer.from(hex, 'hex').toString('base64')}`, 'sha256='])(
    'is not %s',
    (signature) => {
      expect(verify(signature).ok).toBe(false);
    },
  );
});

describe('the company of a notification', () => {
  it('is the store that it is routed by', () => {
    expect(bling.storeOf?.(request(read('order-created')))).toBe(COMPANY);
    expect(bling.storeOf?.(request(read('stock')))).toBe(COMPANY);
  });

  it.each(['{}', '[]', 'x', '{"companyId":7}', '{"companyId":"a b"}', '{"companyId":null}', ''])(
    'is none in %j',
    (body) => {
      expect(bling.storeOf?.(request(body))).toBeUndefined();
    },
  );

  it('decides what is booked: another one is set aside, and nothing is asked about it', () => {
    const other = { ...read('order-created'), companyId: 'another' };
    expect(normaliseMessage(other, [])).toEqual({
      ignored: expect.stringContaining('another company') as string,
    });
    expect(next(other)).toBeUndefined();
  });

  it('cannot be left out', () => {
    const { companyId: _companyId, ...message } = read('order-created');
    expect(() => normaliseMessage(message, [answer('order', ORDER)])).toThrow('$.companyId is missing');
  });
});

describe('what a notification is known by', () => {
  it('is its eventId, whatever else it says', () => {
    const message = read('order-created');
    const [first, again] = [message, { ...message, date: '2026-07-06T15:00:00Z' }].map((body) =>
      bling.identify(request(body)),
    );
    expect(first).toEqual({ ...again, topic: 'order.created', orderingKey: 'order/23000000401' });
    expect(first?.untilFetched).toBeUndefined();
  });

  it('is its content where it has none, and a lane of its own where it is about no order', () => {
    const { eventId: _eventId, ...message } = read('order-created');
    expect(bling.identify(request(message)).dedupeKey).toMatch(/^sha256:/);
    const { dedupeKey, orderingKey } = bling.identify(request(read('stock')));
    expect(orderingKey).toBe(`delivery/${dedupeKey}`);
  });
});

describe("Bling's settings", () => {
  it.each<[Json, string[]]>([
    [{ storeId: COMPANY }, []],
    [{ storeId: COMPANY, paidSituations: ' 9 , 24,', leftOutChannels: '205010' }, []],
    [{}, ['storeId']],
    [{ storeId: 'a b' }, ['storeId']],
    [{ storeId: COMPANY, paidSituations: 'Atendido' }, ['paidSituations']],
    [{ storeId: COMPANY, leftOutChannels: 'Shopee' }, ['leftOutChannels']],
    [{ storeId: COMPANY, paidSituations: '9,12' }, ['paidSituations']],
    [{ storeId: COMPANY, paidSituations: '18' }, ['paidSituations']],
    [{ storeId: COMPANY, cancelledSituations: '12,21' }, ['cancelledSituations']],
  ])('%j: wrong are %j', (settings, wrong) => {
    expect(checkSettings(bling, settings).map(({ name }) => name)).toEqual(wrong);
  });
});

describe('access to Bling', () => {
  const tokens = bling.api?.accessTokens;

  it('is granted where its API is, for the refresh token, and to the application', () => {
    expect(tokens?.url({})).toBe('https://api.bling.com.br/Api/v3/oauth/token');
    expect(tokens?.url({ apiUrl: 'https://www.bling.com.br/Api/v3/' })).toBe(
      'https://www.bling.com.br/Api/v3/oauth/token',
    );
    const credentials = { clientId: 'c', clientSecret: 's:1', refreshToken: 'r+1' };
    expect(tokens?.grant({ settings: {}, credentials })).toEqual({
      headers: { accept: 'application/json', authorization: 'Basic YzpzOjE=', 'enable-jwt': '1' },
      body: {
        contentType: 'application/x-www-form-urlencoded',
        text: 'grant_type=refresh_token&refresh_token=r%2B1',
      },
    });
    expect(tokens?.refreshToken).toBe('refreshToken');
  });

  it('comes with the refresh token that has to be used next', () => {
    const granted = {
      access_token: 'a',
      expires_in: 21_600,
      token_type: 'Bearer',
      scope: '1',
      refresh_token: 'r2',
    };
    expect(tokens?.read(Buffer.from(JSON.stringify(granted)))).toEqual({
      ...{ accessToken: 'a', expiresInSeconds: 21_600, refreshToken: 'r2' },
    });
    expect(tokens?.read(Buffer.from('{"error":{"type":"invalid_grant"}}'))).toBeUndefined();
  });
});

function next(message: Json, fetched: FetchedAnswer[] = [], settings: Json = {}) {
  const access = { settings: { ...SETTINGS, ...settings }, credentials: {}, accessToken: 'granted' };
  return bling.fetchBack?.next(webhook(message, fetched), access);
}

describe('what is asked of Bling', () => {
  const message = read('order-created');

  it('is the order and then its buyer, with the token that was granted', () => {
    expect(next(message)).toEqual({
      ...{ name: 'order', path: '/pedidos/vendas/23000000401' },
      headers: { accept: 'application/json', authorization: 'Bearer granted', 'enable-jwt': '1' },
    });
    expect(next(message, [answer('order', ORDER)])?.path).toBe('/contatos/16990000101');
    expect(next(message, [answer('order', ORDER), answer('contact', CONTACT)])).toBeUndefined();
  });

  it('is nothing about an order that was removed: it is not there to be asked for', () => {
    expect(next(read('order-deleted'))).toBeUndefined();
  });

  it.each<[string, Json, Json]>([
    ['is not there', {}, {}],
    ['is left out', { situacao: { id: 21 } }, {}],
    ['is of a channel that is left out', { loja: { id: 5 } }, { leftOutChannels: '5' }],
    ['names nobody', { contato: { id: 0 } }, {}],
  ])('is no buyer where the order %s', (says, changes, settings) => {
    const order = answer('order', { ...ORDER, ...changes }, says === 'is not there' ? 404 : 200);
    expect(next(message, [order], settings)).toBeUndefined();
  });

  it.each(['../../oauth', '1/../2', '1?x=1', 'abc', '-1', '1.5'])('is never at a path made of %j', (id) => {
    const about = (data: Json) => ({ ...message, data });
    expect(() => next(about({ id }))).toThrow(UnreadablePayload);
    const order = answer('order', { ...ORDER, contato: { id } });
    expect(() => next(message, [order])).toThrow(UnreadablePayload);
  });
});

describe('an order of Bling', () => {
  it('must be the one that was asked for, and so must its buyer', () => {
    expect(() => normalise({ id: 1 })).toThrow('$.data.id is not the one that was asked for');
    expect(() => normalise({}, { contact: { id: 1 } })).toThrow(
      '$.data.id is not the one that was asked for',
    );
  });

  it('is never believed on the word of its notification, although that is signed', () => {
    expect(() => normaliseMessage(read('order-created'), [])).toThrow('was not fetched');
  });

  it('has the buyer that it names itself where nobody asked for the contact', () => {
    const { customer } = orderOf(normaliseMessage(read('order-created'), [answer('order', ORDER)]));
    expect(customer).toEqual({
      key: 'loja/customer/16990000101',
      name: 'Móveis Jatobá Comércio Ltda',
      document: '11.222.333/0001-81',
    });
  });

  it('is not paid, whatever its situation, where the company does not say which one means it', () => {
    for (const id of [6, 9, 15, 24, 883_047])
      expect(orderOf(normalise({ situacao: { id } })).payments).toEqual([]);
    const settings = { paidSituations: '9,883047' };
    expect(orderOf(normalise({ situacao: { id: 883_047 } }, { settings })).payments).toHaveLength(1);
    expect(orderOf(normalise({ situacao: { id: 6 } }, { settings })).payments).toEqual([]);
  });

  it('is cancelled in the situations that the company says, by the time of the notification, or its arrival', () => {
    const message = { event: 'order.updated', date: '2026-07-15T08:45:00' };
    const cancelledAt = (id: number, settings: Json = {}) =>
      orderOf(normalise({ situacao: { id } }, { message, settings })).cancelledAt?.toISOString();
    expect(cancelledAt(12)).toBe('2026-07-15T11:45:00.000Z');
    expect(orderOf(normalise({ situacao: { id: 12 } }, { message: { date: '' } })).cancelledAt).toEqual(
      RECEIVED_AT,
    );
    expect(cancelledAt(6)).toBeUndefined();
    expect(cancelledAt(12, { cancelledSituations: '99' })).toBeUndefined();
    expect(cancelledAt(99, { cancelledSituations: '12, 99' })).toBe('2026-07-15T11:45:00.000Z');
  });

  it('is no sale in the situations that are left out', () => {
    for (const id of [18, 21]) expect(normalise({ situacao: { id } })).toHaveProperty('ignored');
    const settings = { leftOutSituations: '15' };
    expect(normalise({ situacao: { id: 15 } }, { settings })).toHaveProperty('ignored');
    expect(normalise({ situacao: { id: 21 } }, { settings })).toHaveProperty('events');
  });

  it.each<[Json, string]>([
    [{ total: 89.99000000000001 }, '$.data.total is not an amount of BRL: more than 2 decimals'],
    [{ total: -1 }, '$.data.total is negative'],
    [{ total: null }, '$.data.total is missing'],
    [{ data: '0000-00-00' }, '$.data.data is not a day'],
    [{ situacao: {} }, '$.data.situacao.id is missing'],
    [{ parcelas: [{ dataVencimento: '2026-08-05' }] }, '$.data.parcelas[0].valor is missing'],
    [
      { parcelas: [{ valor: 1, dataVencimento: '2026-02-30' }] },
      '$.data.parcelas[0].dataVencimento is not a day',
    ],
    [{ parcelas: Array(121).fill({ valor: 1 }) }, '$.data.parcelas has 121 elements'],
  ])('cannot be read with %j', (changes, why) => {
    expect(() => normalise(changes)).toThrow(why);
  });

  it('takes a discount in reais, and not one in per cent of nobody knows what', () => {
    const discount = (desconto: Json) => orderOf(normalise({ desconto })).discount?.toString();
    expect(discount({ valor: 12.5, unidade: 'REAL' })).toBe('12.50');
    expect(discount({ valor: 10, unidade: 'PERCENTUAL' })).toBeUndefined();
    expect(discount({ valor: 0, unidade: 'REAL' })).toBeUndefined();
  });

  it('begins on its day where the books are kept, whatever clocks Bling has', () => {
    const context = {
      source: 'loja',
      timeZone: 'America/Sao_Paulo',
      dayZone: 'America/Manaus',
      currency: 'BRL',
    };
    const fetched = [answer('order', ORDER), answer('contact', CONTACT)];
    const made = bling.normalise(webhook(read('order-created'), fetched), { ...context, settings: SETTINGS });
    expect(orderOf(made).createdAt.toISOString()).toBe(`${String(ORDER['data'])}T04:00:00.000Z`);
  });

  it('begins on its day in the zone of the source, and has its digits', () => {
    const { createdAt, total, id } = orderOf(normalise({ total: 1500 }));
    expect([createdAt.toISOString(), total.toString(), id]).toEqual([
      '2026-07-06T03:00:00.000Z',
      '1500.00',
      '23000000401',
    ]);
  });
});
