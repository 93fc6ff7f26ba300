import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { magentoList } from './list';
import { magento } from './magento';

const PERIOD = { from: new Date('2026-08-05T00:00:00.900Z'), to: new Date('2026-08-06T00:00:00.900Z') };
const SETTINGS = { apiUrl: 'https://loja.test' };
const ORDER = { entity_id: 7, updated_at: '2026-08-05 12:00:00' };

function read(body: unknown): ListPage {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const about = { place: undefined, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return magentoList.read({ name: 'orders', status: 200, body: Buffer.from(text) }, about);
}

/** What a request filters by: `field condition value`. */
function filters(place?: string): string[] {
  const access = { settings: SETTINGS, credentials: { accessToken: 'tok' } };
  const { path, headers } = magentoList.request(place, PERIOD, access);
  expect(headers.authorization).toBe('Bearer tok');
  const query = new URL(path, 'https://api.test').searchParams;
  const of = (group: number, name: string) =>
    query.get(`searchCriteria[filter_groups][${group}][filters][0][${name}]`);
  return [0, 1, 2]
    .filter((group) => of(group, 'field') !== null)
    .map((group) => ['field', 'condition_type', 'value'].map((name) => of(group, name)).join(' '));
}

describe("Magento's list of orders", () => {
  it('is asked for a period in UTC to the second, and leaves out nothing at its borders', () => {
    const period = ['updated_at gteq 2026-08-05 00:00:00', 'updated_at lteq 2026-08-06 00:00:00'];
    expect(filters()).toEqual(period);
    expect(filters('103')).toEqual([...period, 'entity_id gt 103']);
  });

  it('goes on after the last order while there are more than the page has', () => {
    const orders = [ORDER, { ...ORDER, entity_id: 9 }];
    expect(read({ items: orders, total_count: 3 })).toMatchObject({ items: { length: 2 }, next: '9' });
    expect(read({ items: orders, total_count: 2 }).next).toBeUndefined();
    expect(read({ items: [], total_count: 5 })).toEqual({ items: [] });
  });

  it('is empty where there is nothing, in either form', () => {
    expect(read({ items: [], total_count: 0 })).toEqual({ items: [] });
    expect(read({ items: null, total_count: 0 })).toEqual({ items: [] });
  });

  it('keeps every digit of an identifier, and has times in UTC', () => {
    const text = JSON.stringify({ items: [ORDER], total_count: 2 });
    const { items, next } = read(text.replace('"entity_id":7', '"entity_id":900719925474099267'));
    expect([items[0]?.entity, next]).toEqual(['order/900719925474099267', '900719925474099267']);
    expect(items[0]?.webhook.body.toString()).toContain('"900719925474099267"');
    expect(items[0]?.changedAt).toEqual(new Date('2026-08-05T12:00:00Z'));
  });

  it('has one event for each change of an order, whenever it is asked', () => {
    const keyOf = (order: object): string => {
      const [item] = read({ items: [order], total_count: 1 }).items;
      const rawBody = item?.webhook.body ?? Buffer.alloc(0);
      return magento.identify({ method: 'POST', headers: {}, query: {}, rawBody }).dedupeKey;
    };
    expect(keyOf(ORDER)).toBe(keyOf({ ...ORDER }));
    expect(keyOf({ ...ORDER, updated_at: '2026-08-05 12:00:01' })).not.toBe(keyOf(ORDER));
    expect(keyOf({ ...ORDER, entity_id: 8 })).not.toBe(keyOf(ORDER));
  });

  it.each([
    ['an order without entity_id', { items: [{ ...ORDER, entity_id: null }], total_count: 1 }],
    ['one whose entity_id is no number', { items: [{ ...ORDER, entity_id: 'A-7' }], total_count: 1 }],
    ['an order without updated_at', { items: [{ ...ORDER, updated_at: null }], total_count: 1 }],
    ['no total_count', { items: [ORDER] }],
    ['a total_count that is none', { items: [ORDER], total_count: 'many' }],
    ['no items where some are counted', { total_count: 1 }],
  ])('cannot be read with %s', (_what, body) => {
    expect(() => read(body)).toThrow(UnreadablePayload);
  });
});
