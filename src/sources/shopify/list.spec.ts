import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { shopifyApi, shopifyList } from './list';

const settings = { apiUrl: 'https://minhaloja.myshopify.com/' };
const period = { from: new Date('2026-07-15T10:00:00.750Z'), to: new Date('2026-07-15T11:00:00.250Z') };

function order(id: number | string, more: object = {}): object {
  return { id, updated_at: '2026-07-15T07:30:00-03:00', total_price: '10.00', line_items: [], ...more };
}

function read(page: object | string): ListPage {
  const body = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
  return shopifyList.read(
    { name: 'orders', status: 200, body },
    { place: undefined, period, timeZone: 'America/Sao_Paulo', settings },
  );
}

describe('the list of orders of Shopify', () => {
  it('is asked with the token that was granted, for orders of every status by their number', () => {
    const access = {
      settings,
      credentials: { clientId: 'id', clientSecret: 'secret' },
      accessToken: 'shpat_1',
    };
    const { path, headers } = shopifyList.request('9007199254740993', period, access);
    expect(headers).toEqual({ 'x-shopify-access-token': 'shpat_1', accept: 'application/json' });
    expect(Object.fromEntries(new URL(path, settings.apiUrl).searchParams)).toEqual({
      status: 'any',
      updated_at_min: '2026-07-15T10:00:00Z',
      updated_at_max: '2026-07-15T11:00:00Z',
      limit: '50',
      since_id: '9007199254740993',
    });
    expect(shopifyList.request(undefined, period, access).path).toContain('since_id=1');
  });

  it('is not asked while nobody says where the shop is', () => {
    expect(shopifyList.missingSetting({})).toBe('apiUrl');
    expect(shopifyList.missingSetting(settings)).toBeUndefined();
  });

  it('goes on behind the last order of a full page, whose number it keeps to the digit', () => {
    const others = Array.from({ length: 49 }, (_, index) => JSON.stringify(order(index + 2)));
    const last = '{"id": 9223372036854775807, "updated_at": "2026-07-15T10:30:00Z"}';
    const full = read(`{"orders": [${[...others, last].join(', ')}]}`);
    expect([full.items.length, full.next]).toEqual([50, '9223372036854775807']);
    expect(read({ orders: others.map((one) => JSON.parse(one) as object) })).not.toHaveProperty('next');
    expect(read({ orders: [] })).toEqual({ items: [] });
  });

  it('has each order as its webhook would have it, to the byte', () => {
    const written =
      '{"id": 7, "updated_at":"2026-07-15T07:30:00-03:00", "total_price": 12345678901234567.10 }';
    const { items } = read(`{"orders":[${written}]}`);
    expect(items).toEqual([
      {
        webhook: { headers: { 'x-shopify-topic': 'orders/updated' }, body: Buffer.from(written) },
        changedAt: new Date('2026-07-15T10:30:00Z'),
      },
    ]);
  });

  it.each([
    ['without its list', {}],
    ['that says what was wrong', { errors: 'Not Found' }],
    ['with something else than a list', { orders: {} }],
    ['with something else than orders', { orders: [7] }],
    ['with an order without a number', { orders: [order('')] }],
    ['with an order that is named otherwise', { orders: [order('gid-7')] }],
    ['with an order without a time', { orders: [order(7, { updated_at: null })] }],
    ['with an order of an unreadable time', { orders: [order(7, { updated_at: 'yesterday' })] }],
  ])('cannot be read from a page %s', (_, page) => {
    expect(() => read(page)).toThrow(UnreadablePayload);
  });
});

describe('the access to the API of Shopify', () => {
  it('is granted by the shop itself to the app, whose secret is in no address', () => {
    const tokens = shopifyApi.accessTokens;
    const credentials = { clientId: 'app', clientSecret: 'shpss_1' };
    expect(tokens?.url(settings)).toBe('https://minhaloja.myshopify.com/admin/oauth/access_token');
    expect(tokens?.grant({ settings, credentials }).body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      text: 'grant_type=client_credentials&client_id=app&client_secret=shpss_1',
    });
    const answer = { access_token: 'shpat_1', scope: 'read_orders', expires_in: 86399 };
    expect(tokens?.read(Buffer.from(JSON.stringify(answer)))).toEqual({
      accessToken: 'shpat_1',
      expiresInSeconds: 86399,
    });
  });
});
