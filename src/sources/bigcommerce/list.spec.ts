import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { bigcommerceList } from './list';

const PERIOD = { from: new Date('2026-07-15T00:00:00.250Z'), to: new Date('2026-07-16T00:00:00Z') };
const SETTINGS = { storeHash: 'abc123' };
const ORDER = { id: 7, status_id: 11, date_modified: 'Wed, 15 Jul 2026 11:02:41 -0300' };

function read(body: unknown, status = 200): ListPage {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const about = { place: undefined, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return bigcommerceList.read({ name: 'orders', status, body: Buffer.from(text) }, about);
}

function query(place?: string): Record<string, string> {
  const access = { settings: SETTINGS, credentials: { accessToken: 'tok' } };
  const { path, headers } = bigcommerceList.request(place, PERIOD, access);
  expect(headers['x-auth-token']).toBe('tok');
  return Object.fromEntries(new URL(path, 'https://api.test').searchParams);
}

describe("BigCommerce's list of orders", () => {
  it('is asked for a period in UTC, by the numbers of the orders', () => {
    const first = {
      ...{ min_date_modified: '2026-07-15T00:00:00.250Z', max_date_modified: '2026-07-16T00:00:00.000Z' },
      ...{ sort: 'id:asc', limit: '100' },
    };
    expect(query()).toEqual(first);
    expect(query('3105')).toEqual({ ...first, min_id: '3105' });
  });

  it('goes on after the last order of a full page, whatever that order is', () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ ...ORDER, id: 2 * index + 2 }));
    expect(read(full)).toMatchObject({ items: { length: 100 }, next: '201' });
    expect(read(full.map((order) => ({ ...order, status_id: 0 })))).toEqual({ items: [], next: '201' });
    expect(read(full.slice(1)).next).toBeUndefined();
  });

  it('goes on exactly after a number beyond 2^53', () => {
    const big = JSON.stringify({ ...ORDER, id: 1 }).replace('"id":1', '"id":900719925474099267');
    const page = `[${Array.from({ length: 100 }, () => big).join(',')}]`;
    expect(read(page).next).toBe('900719925474099268');
    expect(read(page).items[0]?.entity).toBe('order/900719925474099267');
  });

  it('is empty where the answer has no body', () => {
    expect(read('', 204)).toEqual({ items: [] });
    expect(() => read('', 200)).toThrow(UnreadablePayload);
  });

  it('has the time of the last change in its own zone', () => {
    expect(read([ORDER]).items[0]?.changedAt).toEqual(new Date('2026-07-15T14:02:41Z'));
  });

  it('leaves out checkouts that are not finished', () => {
    const orders = [0, 1, 7].map((status, index) => ({ ...ORDER, id: index + 1, status_id: status }));
    expect(read(orders).items.map(({ entity }) => entity)).toEqual(['order/3']);
  });

  it.each([
    ['id', null],
    ['id', 'seven'],
    ['status_id', null],
    ['date_modified', null],
    ['date_modified', 'yesterday'],
  ])('cannot be read where %s of an order is %j', (key, value) => {
    expect(() => read([{ ...ORDER, [key]: value }])).toThrow(UnreadablePayload);
  });

  it('needs the hash of the store', () => {
    expect(bigcommerceList.missingSetting({})).toBe('storeHash');
    expect(bigcommerceList.missingSetting({ storeHash: '../x' })).toBe('storeHash');
    expect(bigcommerceList.missingSetting(SETTINGS)).toBeUndefined();
  });
});
