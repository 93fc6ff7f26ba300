import { nuvemshopHooks } from './hooks';

const access = { settings: { storeId: '1234' }, credentials: { accessToken: 'token' } };
const ADDRESS = 'https://ponte.example/hooks/main/loja';
const HEADERS = {
  authentication: 'bearer token',
  'user-agent': 'Ponte (webhooks)',
  accept: 'application/json',
};
const WANTED = { address: ADDRESS, topics: ['order/paid'], key: 'k' };
/** A webhook as `GET /v1/{store}/webhooks` lists it. */
const LISTED = {
  id: 5670,
  event: 'order/created',
  url: ADDRESS,
  created_at: '2026-04-07T09:11:51-03:00',
  updated_at: '2026-04-08T11:11:51-03:00',
};

function page(hooks: unknown, status = 200): { name: string; status: number; body: Buffer } {
  return { name: 'webhooks', status, body: Buffer.from(JSON.stringify(hooks)) };
}

describe('webhooks of Nuvemshop', () => {
  it('are listed two hundred at a time, and a page that is not there is empty', () => {
    expect(nuvemshopHooks.list(access, [])).toEqual({
      name: 'webhooks 1',
      path: '/v1/1234/webhooks?per_page=200&page=1',
      headers: HEADERS,
      answers: [404],
    });
    const full = page(Array.from({ length: 200 }, (_each, id) => ({ ...LISTED, id })));
    expect(nuvemshopHooks.list(access, [full])?.path).toBe('/v1/1234/webhooks?per_page=200&page=2');
    const none = page({ code: 404, message: 'Not Found', description: 'Last page is 1' }, 404);
    expect(nuvemshopHooks.list(access, [full, none])).toBeUndefined();
    expect(nuvemshopHooks.read([full, none])).toHaveLength(200);
  });

  it('are read as enabled, because Nuvemshop has no other', () => {
    expect(nuvemshopHooks.read([page([LISTED])])).toEqual([
      { id: '5670', address: ADDRESS, topics: ['order/created'], enabled: true },
    ]);
    expect(() => nuvemshopHooks.read([page({ error: 'x' })])).toThrow('not a JSON list');
  });

  it('are made and mended by event and address', () => {
    const made = nuvemshopHooks.create(access, WANTED);
    expect([made.method, made.path, made.headers]).toEqual(['POST', '/v1/1234/webhooks', HEADERS]);
    expect(JSON.parse(made.body.text)).toEqual({ event: 'order/paid', url: ADDRESS });
    const hook = { id: '5670', address: 'https://old.example', topics: ['order/paid'], enabled: true };
    const mended = nuvemshopHooks.repair(access, hook, WANTED);
    expect([mended.method, mended.path]).toEqual(['PUT', '/v1/1234/webhooks/5670']);
    expect(JSON.parse(mended.body.text)).toEqual({ event: 'order/paid', url: ADDRESS });
  });

  it('need the number of the store, and are for orders and customers', () => {
    expect(nuvemshopHooks.unready?.({})).toMatchObject({ name: 'storeId' });
    expect(nuvemshopHooks.unready?.(access.settings)).toBeUndefined();
    expect(nuvemshopHooks.topics({})).toEqual([
      ...['order/created', 'order/pending', 'order/paid', 'order/voided', 'order/edited'],
      ...['order/cancelled', 'order/updated', 'customer/created', 'customer/updated'],
    ]);
  });
});
