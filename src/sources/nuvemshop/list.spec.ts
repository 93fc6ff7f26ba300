import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { nuvemshopList } from './list';

const PERIOD = { from: new Date('2026-07-15T00:00:00.250Z'), to: new Date('2026-07-16T00:00:00Z') };
const SETTINGS = { storeId: '2264107' };
const ORDER = { id: 7, store_id: '2264107', payment_status: 'paid', updated_at: '2026-07-15T12:00:00+0000' };

function read(body: unknown, { place, status = 200 }: { place?: string; status?: number } = {}): ListPage {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const about = { place, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return nuvemshopList.read({ name: 'orders', status, body: Buffer.from(text) }, about);
}

function query(place?: string): Record<string, string> {
  const { path } = nuvemshopList.request(place, PERIOD, { settings: SETTINGS, credentials: {} });
  return Object.fromEntries(new URL(path, 'https://api.test').searchParams);
}

describe("Nuvemshop's list of orders", () => {
  it('is asked for from an instant on, in UTC, and to no end', () => {
    expect(query()).toEqual({
      ...{ updated_at_min: '2026-07-15T00:00:00.250Z', payment_status: 'any', page: '1', per_page: '100' },
      fields: 'id,store_id,payment_status,updated_at',
    });
    expect(query('refunded/3')).toMatchObject({ payment_status: 'refunded', page: '3' });
  });

  it('goes on with the next page after a full one, and else with the next status until there is none', () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ ...ORDER, id: index + 1 }));
    expect(read(full)).toMatchObject({ items: { length: 100 }, next: 'any/2' });
    expect(read(full.slice(1), { place: 'any/2' })).toMatchObject({ next: 'refunded/1' });
    expect(read([], { place: 'refunded/1' })).toEqual({ items: [], next: 'voided/1' });
    expect(read('', { place: 'voided/9', status: 404 })).toEqual({ items: [], next: 'abandoned/1' });
    expect(read('', { place: 'abandoned/1', status: 404 })).toEqual({ items: [] });
  });

  it('takes a page that is not there for an empty one, and no other refusal', () => {
    const { answers } = nuvemshopList.request(undefined, PERIOD, { settings: SETTINGS, credentials: {} });
    expect(answers).toEqual([404]);
  });

  it('keeps every digit of an identifier, and the zone of a time without one', () => {
    const text = JSON.stringify([{ ...ORDER, updated_at: '2026-07-15T12:00:00' }]);
    const [item] = read(text.replace('"id":7', '"id":12345678901234567890')).items;
    expect(item?.entity).toBe('order/12345678901234567890');
    expect(item?.webhook.body.toString()).toContain('"12345678901234567890"');
    expect(item?.changedAt).toEqual(new Date('2026-07-15T15:00:00Z'));
  });

  it('takes the store of the source where the list does not name one', () => {
    const [item] = read([{ ...ORDER, store_id: null }]).items;
    expect(JSON.parse(item?.webhook.body.toString() ?? '')).toEqual({
      ...{ store_id: '2264107', event: 'order/updated', id: '7' },
    });
  });

  it.each(['id', 'payment_status', 'updated_at'])('cannot be read without %s of an order', (key) => {
    expect(() => read([{ ...ORDER, [key]: null }])).toThrow(UnreadablePayload);
  });

  it('needs the number of the store', () => {
    expect(nuvemshopList.missingSetting({})).toBe('storeId');
    expect(nuvemshopList.missingSetting(SETTINGS)).toBeUndefined();
  });
});
