import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { ecomplus } from './ecomplus';
import { ecomPlusList } from './list';

const PERIOD = { from: new Date('2026-07-15T00:00:00.250Z'), to: new Date('2026-07-16T00:00:00Z') };
const SETTINGS = { storeId: '20417' };
const ORDER = { _id: '66a500000000000000000c1d', store_id: 20417, updated_at: '2026-07-15T12:00:00.123Z' };

function read(body: unknown, place?: string): ListPage {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const about = { place, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return ecomPlusList.read({ name: 'orders', status: 200, body: Buffer.from(text) }, about);
}

function query(place?: string): Record<string, string> {
  const access = { settings: SETTINGS, credentials: { authenticationId: 'me', apiKey: 'key' } };
  const { path, headers } = ecomPlusList.request(place, PERIOD, access);
  expect(headers.authorization).toBe(`Basic ${Buffer.from('me:key').toString('base64')}`);
  return Object.fromEntries(new URL(path, 'https://api.test').searchParams);
}

function orders(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    ...ORDER,
    _id: index.toString(16).padStart(24, '0'),
  }));
}

describe("E-Com Plus's list of orders", () => {
  it('is asked for from an instant on, in UTC, and to no end', () => {
    const first = { fields: '_id,store_id,updated_at', 'updated_at>': '2026-07-15T00:00:00.250Z' };
    expect(query()).toEqual({ ...first, sort: 'number', limit: '100', offset: '0' });
    expect(query('200')).toMatchObject({ ...first, offset: '200' });
  });

  it('goes on after a full page, and ends with one that is not', () => {
    expect(read({ result: orders(100) })).toMatchObject({ items: { length: 100 }, next: '100' });
    expect(read({ result: orders(100) }, '100').next).toBe('200');
    expect(read({ result: orders(99) }, '100').next).toBeUndefined();
    expect(read({ result: [] }, '100')).toEqual({ items: [] });
  });

  it('goes on where the API gives fewer a page than it was asked for', () => {
    expect(read({ result: orders(30), meta: { limit: 30 } }, '60').next).toBe('90');
    expect(read({ result: orders(29), meta: { limit: 30 } }).next).toBeUndefined();
    expect(read({ result: orders(100), meta: { limit: 1000 } }).next).toBe('100');
    expect(read({ result: [], meta: { limit: 0 } })).toEqual({ items: [] });
  });

  it('has what the webhook of the same change is known by', () => {
    const keyOf = (rawBody: Buffer): string =>
      ecomplus.identify({ method: 'POST', headers: {}, query: {}, rawBody }).dedupeKey;
    const [item] = read({ result: [ORDER] }).items;
    const sent = { storeId: 20417, trigger: { action: 'change' }, order: { ...ORDER, status: 'open' } };
    expect(keyOf(item?.webhook.body ?? Buffer.alloc(0))).toBe(keyOf(Buffer.from(JSON.stringify(sent))));
    expect(item?.changedAt).toEqual(new Date('2026-07-15T12:00:00.123Z'));
  });

  it('names an order by its identifier in lower case, as its events do', () => {
    const [item] = read({ result: [{ ...ORDER, _id: ORDER._id.toUpperCase() }] }).items;
    expect(item?.entity).toBe(`order/${ORDER._id}`);
  });

  it('lets an order of another store be refused as its webhook would be, and takes the others', () => {
    const { items } = read({ result: [{ ...ORDER, store_id: 7 }, ORDER] });
    const [other, own] = items.map(({ webhook }) => () => {
      const stored = { topic: 'order', attributes: {}, rawBody: webhook.body, receivedAt: PERIOD.to };
      return ecomplus.fetchBack?.next(stored, { settings: SETTINGS, credentials: {} })?.path;
    });
    expect(other).toThrow(UnreadablePayload);
    expect(own?.()).toBe(`/:20417/orders/${ORDER._id}`);
  });

  it.each([
    ['an order without _id', { result: [{ ...ORDER, _id: null }] }],
    ['an order without updated_at', { result: [{ ...ORDER, updated_at: null }] }],
    ['an updated_at that is no time', { result: [{ ...ORDER, updated_at: 'now' }] }],
    ['no result', { meta: {} }],
    ['a result that is no list', { result: 7 }],
    ['a limit that is no number', { result: [ORDER], meta: { limit: 'all' } }],
  ])('cannot be read with %s', (_what, body) => {
    expect(() => read(body)).toThrow(UnreadablePayload);
  });

  it('needs the number of the store', () => {
    expect(ecomPlusList.missingSetting({})).toBe('storeId');
    expect(ecomPlusList.missingSetting({ storeId: 'loja' })).toBe('storeId');
    expect(ecomPlusList.missingSetting(SETTINGS)).toBeUndefined();
  });
});
