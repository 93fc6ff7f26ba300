import { bigcommerceHooks } from './hooks';

const access = { settings: { storeHash: 'abc123' }, credentials: { accessToken: 'token' } };
const ADDRESS = 'https://ponte.example/hooks/main/loja';
const HEADERS = { accept: 'application/json', 'x-auth-token': 'token' };
const WANTED = { address: ADDRESS, topics: ['store/order/*'], key: 'k' };

/** A page as `GET /stores/{hash}/v3/hooks` answers it. */
function page(hooks: object[], pages = 1): { name: string; status: number; body: Buffer } {
  const pagination = { total: hooks.length, count: hooks.length, per_page: 100, total_pages: pages };
  const body = { data: hooks, meta: { pagination: { ...pagination, current_page: 1 } } };
  return { name: 'hooks', status: 200, body: Buffer.from(JSON.stringify(body)) };
}

const LISTED = {
  id: 18048287,
  client_id: 'the-account',
  store_hash: 'abc123',
  created_at: 1561488106,
  updated_at: 1561488106,
  scope: 'store/order/*',
  destination: ADDRESS,
  is_active: false,
  headers: null,
};

describe('webhooks of BigCommerce', () => {
  it('are listed by as many pages as there are', () => {
    const first = bigcommerceHooks.list(access, []);
    expect([first?.path, first?.headers, first?.answers]).toEqual([
      '/stores/abc123/v3/hooks?limit=100&page=1',
      HEADERS,
      [],
    ]);
    const two = page([LISTED], 2);
    expect(bigcommerceHooks.list(access, [two])?.path).toBe('/stores/abc123/v3/hooks?limit=100&page=2');
    expect(bigcommerceHooks.list(access, [two, two])).toBeUndefined();
    expect(bigcommerceHooks.list(access, [page([])])).toBeUndefined();
  });

  it('are read with their scope', () => {
    expect(bigcommerceHooks.read([page([LISTED]), page([{ ...LISTED, id: 2, is_active: true }])])).toEqual([
      { id: '18048287', address: ADDRESS, topics: ['store/order/*'], enabled: false },
      { id: '2', address: ADDRESS, topics: ['store/order/*'], enabled: true },
    ]);
    const strange = { name: 'hooks', status: 200, body: Buffer.from('{"title": "no"}') };
    expect(() => bigcommerceHooks.read([strange])).toThrow('$.data is missing');
  });

  it('are made and mended active', () => {
    const made = bigcommerceHooks.create(access, WANTED);
    expect([made.method, made.path, made.headers]).toEqual(['POST', '/stores/abc123/v3/hooks', HEADERS]);
    const body = { scope: 'store/order/*', destination: ADDRESS, is_active: true };
    expect(JSON.parse(made.body.text)).toEqual(body);
    const [hook] = bigcommerceHooks.read([page([LISTED])]);
    const mended = bigcommerceHooks.repair(access, hook!, WANTED);
    expect([mended.method, mended.path]).toEqual(['PUT', '/stores/abc123/v3/hooks/18048287']);
    expect(JSON.parse(mended.body.text)).toEqual(body);
  });
});
