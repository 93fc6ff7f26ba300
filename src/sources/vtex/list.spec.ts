import type { AboutPage, ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { vtexList } from './list';

const FROM = '2026-08-01T00:00:00.000Z';
const TO = '2026-08-02T00:00:00.000Z';
const PERIOD = { from: new Date(FROM), to: new Date(TO) };
const SETTINGS = { account: 'lojaipe' };
const ACCESS = { settings: SETTINGS, credentials: { appKey: 'key', appToken: 'token' } };

type Json = Record<string, unknown>;

function order(orderId: string, more: Json = {}): Json {
  return {
    ...{ orderId, status: 'payment-approved', paymentNames: 'Visa' },
    ...{ creationDate: '2026-08-01T10:00:00+00:00', authorizedDate: '2026-08-01T10:05:00+00:00' },
    ...more,
  };
}

function full(more: Json = {}): Json[] {
  return Array.from({ length: 100 }, (_, index) => order(`v${index}ipe-01`, more));
}

function readText(body: string, place: string | undefined): ListPage {
  const about: AboutPage = { place, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return vtexList.read({ name: 'orders', status: 200, body: Buffer.from(body) }, about);
}

function read(list: Json[], place?: string): ListPage {
  return readText(JSON.stringify({ list, paging: {} }), place);
}

function asked(place: string | undefined): Record<string, string> {
  const { path } = vtexList.request(place, PERIOD, ACCESS);
  return Object.fromEntries(new URL(path, 'https://vtex.example').searchParams);
}

describe("VTEX's list of orders", () => {
  it('is asked for orders that were approved in the period, in the order of their making, with the key in headers', () => {
    const request = vtexList.request(undefined, PERIOD, ACCESS);
    expect(request.headers).toEqual({
      accept: 'application/json',
      'x-vtex-api-appkey': 'key',
      'x-vtex-api-apptoken': 'token',
    });
    expect(request.answers).toEqual([]);
    // A plus sign is none of the characters that VTEX takes.
    expect(request.path).not.toContain('+');
    expect(asked(undefined)).toEqual({
      f_authorizedDate: `authorizedDate:[${FROM} TO ${TO}]`,
      orderBy: 'creationDate,asc',
      page: '1',
      per_page: '100',
    });
  });

  it('goes on after a full page, and with the orders that were made after one that is not full', () => {
    expect(read(full()).next).toBe('approved 2');
    expect(asked('approved 2')).toMatchObject({
      page: '2',
      f_authorizedDate: `authorizedDate:[${FROM} TO ${TO}]`,
    });
    expect(read(full().slice(1), 'approved 2')).toMatchObject({ next: 'made 1' });
    expect(read([], 'approved 2')).toEqual({ items: [], next: 'made 1' });
    expect(asked('made 1')).toEqual({
      f_creationDate: `creationDate:[${FROM} TO ${TO}]`,
      orderBy: 'creationDate,asc',
      page: '1',
      per_page: '100',
    });
    expect(read(full(), 'made 1').next).toBe('made 2');
    expect(read(full().slice(1), 'made 2').next).toBeUndefined();
    expect(read([], 'made 1')).toEqual({ items: [] });
  });

  it('goes on with orders made since the last one, where VTEX gives no more pages', () => {
    expect(read(full(), 'approved 29').next).toBe('approved 30');
    expect(read(full(), 'approved 30').next).toBe('approved 1 2026-08-01T10:00:00.000Z');
    expect(read(full(), 'approved 3 2026-07-30T00:00:00.000Z').next).toBe(
      'approved 4 2026-07-30T00:00:00.000Z',
    );
    const { f_authorizedDate, f_creationDate, page } = asked('approved 1 2026-08-01T10:00:00.000Z');
    expect([f_authorizedDate, f_creationDate, page]).toEqual([
      `authorizedDate:[${FROM} TO ${TO}]`,
      `creationDate:[2026-08-01T10:00:00.000Z TO ${TO}]`,
      '1',
    ]);
    expect(asked('made 2 2026-08-01T10:00:00.000Z')).toMatchObject({
      f_creationDate: `creationDate:[2026-08-01T10:00:00.000Z TO ${TO}]`,
      page: '2',
    });
  });

  it('is refused where more orders were made at one time than VTEX gives', () => {
    expect(() => read(full(), 'approved 30 2026-08-01T10:00:00.000Z')).toThrow(UnreadablePayload);
    expect(read(full(), 'approved 30 2026-08-01T09:59:59.999Z').next).toBe(
      'approved 1 2026-08-01T10:00:00.000Z',
    );
  });

  it('has an approved order as it was approved, and one that waits for its buyer as it was made', () => {
    const [approved] = read([order('v1ipe-01')]).items;
    expect(approved).toMatchObject({
      changedAt: new Date('2026-08-01T10:05:00Z'),
      entity: 'order/v1ipe-01',
    });
    const waiting = { status: 'payment-pending', paymentNames: 'Visa,BOLETO', authorizedDate: null };
    const [made] = read([order('v1ipe-01', waiting)], 'made 1').items;
    expect(made).toMatchObject({ changedAt: new Date('2026-08-01T10:00:00Z'), entity: 'order/v1ipe-01' });
    expect(JSON.parse(String(made?.webhook.body))).toEqual({
      OrderId: 'v1ipe-01',
      State: 'unknow',
      LastChange: '2026-08-01T10:00:00+00:00',
      Origin: { Account: 'lojaipe' },
    });
    // Both may be missing, one after the other: they are two deliveries.
    expect(approved?.webhook.body).not.toEqual(made?.webhook.body);
  });

  it('leaves out of the orders that were made all that have nothing to book yet, or were approved', () => {
    const pending = { status: 'payment-pending', authorizedDate: null };
    const orders = [
      order('v1ipe-01'),
      order('v2ipe-01', pending),
      order('v3ipe-01', { ...pending, paymentNames: null }),
      order('v4ipe-01', { ...pending, paymentNames: 'Pix' }),
    ];
    expect(read(orders, 'made 1').items.map(({ entity }) => entity)).toEqual(['order/v4ipe-01']);
  });

  it('leaves out orders that are free, of which every notification is set aside', () => {
    const orders = [order('v1ipe-01', { totalValue: 0 }), order('v2ipe-01', { totalValue: 1 })];
    expect(read(orders).items.map(({ entity }) => entity)).toEqual(['order/v2ipe-01']);
  });

  it('keeps identifiers beyond 2^53 to the last digit', () => {
    const text = '{"list":[{"orderId":900719925474099301,"authorizedDate":"2026-08-01T10:05:00"}]}';
    const [item] = readText(text, undefined).items;
    expect(item?.entity).toBe('order/900719925474099301');
    expect(String(item?.webhook.body)).toContain('"OrderId":"900719925474099301"');
    expect(item?.changedAt).toEqual(new Date('2026-08-01T13:05:00Z'));
  });

  it.each([
    ['without a list', '{"paging":{}}', undefined],
    [
      'with an order without an identifier',
      '{"list":[{"authorizedDate":"2026-08-01T10:05:00Z"}]}',
      undefined,
    ],
    ['with an order that was never approved', '{"list":[{"orderId":"v1ipe-01"}]}', undefined],
    [
      'with an order without a time of its making',
      '{"list":[{"orderId":"v1ipe-01","status":"payment-pending","paymentNames":"Pix"}]}',
      'made 1',
    ],
  ])('is refused %s', (_, body, place) => {
    expect(() => readText(body, place)).toThrow(UnreadablePayload);
  });

  it('is not asked for while no account is set', () => {
    expect(vtexList.missingSetting({})).toBe('account');
    expect(vtexList.missingSetting(SETTINGS)).toBeUndefined();
  });
});
