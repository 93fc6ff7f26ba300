import { checkSettings } from '../check-settings';
import { UnreadablePayload } from '../payload';
import { woocommerceHooks } from './hooks';
import { woocommerce } from './woocommerce';

const access = {
  settings: { apiUrl: 'https://minhaloja.com.br/' },
  credentials: { consumerKey: 'ck_123', consumerSecret: 'cs_456' },
};
const AUTHORIZATION = 'Basic Y2tfMTIzOmNzXzQ1Ng==';
const ADDRESS = 'https://ponte.example/hooks/main/loja';
const WANTED = { address: ADDRESS, topics: ['order.updated'], secret: 'the secret', key: 'k' };

/** A webhook as `GET /wp-json/wc/v3/webhooks` lists it. */
function listed(id: number, changes: object = {}): object {
  return {
    id,
    name: 'Order updated',
    status: 'active',
    topic: 'order.updated',
    resource: 'order',
    event: 'updated',
    hooks: ['woocommerce_update_order'],
    delivery_url: ADDRESS,
    date_created: '2026-05-15T20:17:52',
    date_created_gmt: '2026-05-15T23:17:52',
    _links: { self: [{ href: `https://minhaloja.com.br/wp-json/wc/v3/webhooks/${id}` }] },
    ...changes,
  };
}

function page(hooks: unknown): { name: string; status: number; body: Buffer } {
  return { name: 'webhooks', status: 200, body: Buffer.from(JSON.stringify(hooks)) };
}

const FULL = page(Array.from({ length: 100 }, (_each, index) => listed(index)));

describe('webhooks of WooCommerce', () => {
  it('are listed a hundred at a time, until a page is not full', () => {
    expect(woocommerceHooks.list(access, [])).toEqual({
      name: 'webhooks 1',
      path: '/wp-json/wc/v3/webhooks?per_page=100&page=1',
      headers: { authorization: AUTHORIZATION, accept: 'application/json' },
      answers: [],
    });
    expect(woocommerceHooks.list(access, [FULL])?.path).toBe('/wp-json/wc/v3/webhooks?per_page=100&page=2');
    expect(woocommerceHooks.list(access, [FULL, page([])])).toBeUndefined();
    expect(woocommerceHooks.list(access, [page([listed(1)])])).toBeUndefined();
  });

  it('are not listed for ever', () => {
    const pages = Array.from({ length: 10 }, () => FULL);
    expect(() => woocommerceHooks.list(access, pages)).toThrow('more than 10 pages');
  });

  it('are read with what WooCommerce says is wrong', () => {
    const hooks = [listed(142), listed(143, { status: 'disabled' }), listed(144, { status: 'paused' })];
    expect(woocommerceHooks.read([page(hooks)])).toEqual([
      { id: '142', address: ADDRESS, topics: ['order.updated'], enabled: true },
      expect.objectContaining({
        id: '143',
        enabled: false,
        problem: expect.stringContaining('five') as string,
      }),
      expect.objectContaining({
        id: '144',
        enabled: false,
        problem: expect.stringContaining('paused') as string,
      }),
    ]);
    expect(woocommerceHooks.read([page([])])).toEqual([]);
  });

  it.each([
    ['an object', { code: 'woocommerce_rest_cannot_view' }],
    ['a hook without a name', [{ topic: 'order.updated' }]],
    ['no objects', ['142']],
  ])('cannot be read from %s', (_what, body) => {
    expect(() => woocommerceHooks.read([page(body)])).toThrow(UnreadablePayload);
  });

  it('are made active, with the secret of the source', () => {
    const { body, ...request } = woocommerceHooks.create(access, WANTED);
    expect(request).toEqual({
      method: 'POST',
      path: '/wp-json/wc/v3/webhooks',
      headers: { authorization: AUTHORIZATION, accept: 'application/json' },
    });
    expect([body.contentType, JSON.parse(body.text)]).toEqual([
      'application/json',
      {
        name: 'Ponte: order.updated',
        topic: 'order.updated',
        status: 'active',
        delivery_url: ADDRESS,
        secret: 'the secret',
      },
    ]);
  });

  it('are mended where they are, and keep their topic', () => {
    const [hook] = woocommerceHooks.read([page([listed(142, { status: 'disabled' })])]);
    const { method, path, body } = woocommerceHooks.repair(access, hook!, WANTED);
    expect([method, path]).toEqual(['PUT', '/wp-json/wc/v3/webhooks/142']);
    expect(JSON.parse(body.text)).toEqual({ status: 'active', delivery_url: ADDRESS, secret: 'the secret' });
  });

  it('need the address of the shop', () => {
    expect(woocommerceHooks.unready?.({})).toMatchObject({ name: 'apiUrl' });
    expect(woocommerceHooks.unready?.(access.settings)).toBeUndefined();
    expect(woocommerce.api?.baseUrl(access.settings)).toBe('https://minhaloja.com.br');
    expect(checkSettings(woocommerce, access.settings)).toEqual([]);
  });
});
