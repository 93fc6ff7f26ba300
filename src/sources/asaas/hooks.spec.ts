import { asaasHooks } from './hooks';
import { isAboutPayment } from './message';

const access = { settings: { noticeEmail: 'ti@minhaloja.com.br' }, credentials: { apiKey: '$aact_1' } };
const ADDRESS = 'https://ponte.example/hooks/main/asaas';
const HEADERS = { access_token: '$aact_1', 'user-agent': 'Ponte (webhooks)', accept: 'application/json' };
const WANTED = { address: ADDRESS, topics: ['PAYMENT_RECEIVED'], secret: 'the token', key: 'k' };

/** A webhook as `GET /v3/webhooks` lists it. */
const LISTED = {
  id: '6d56a09a-5c65-4d6f-9f0b-9d0c1f1f2a3b',
  name: 'Ponte',
  url: ADDRESS,
  email: 'ti@minhaloja.com.br',
  enabled: true,
  interrupted: false,
  hasAuthToken: true,
  sendType: 'SEQUENTIALLY',
  events: ['PAYMENT_RECEIVED'],
};

function page(data: object[], hasMore = false): { name: string; status: number; body: Buffer } {
  const body = { object: 'list', hasMore, totalCount: data.length, limit: 100, offset: 0, data };
  return { name: 'webhooks', status: 200, body: Buffer.from(JSON.stringify(body)) };
}

describe('webhooks of Asaas', () => {
  it('are listed while there are more', () => {
    const first = asaasHooks.list(access, []);
    expect([first?.path, first?.headers]).toEqual(['/v3/webhooks?limit=100&offset=0', HEADERS]);
    expect(asaasHooks.list(access, [page([LISTED], true)])?.path).toBe('/v3/webhooks?limit=100&offset=100');
    expect(asaasHooks.list(access, [page([LISTED])])).toBeUndefined();
  });

  it('are read as not enabled where their queue was stopped', () => {
    expect(asaasHooks.read([page([LISTED, { ...LISTED, id: '2', interrupted: true }])])).toEqual([
      { id: LISTED.id, address: ADDRESS, topics: ['PAYMENT_RECEIVED'], enabled: true },
      expect.objectContaining({ enabled: false, problem: expect.stringContaining('fifteen') as string }),
    ]);
    const off = asaasHooks.read([page([{ ...LISTED, enabled: false }])]);
    expect(off[0]).toMatchObject({ enabled: false });
  });

  it('are made and mended as a whole, one event after another, with the token of the source', () => {
    const content = {
      ...{ name: 'Ponte', url: ADDRESS, email: 'ti@minhaloja.com.br', enabled: true, interrupted: false },
      ...{ apiVersion: 3, authToken: 'the token', sendType: 'SEQUENTIALLY', events: ['PAYMENT_RECEIVED'] },
    };
    const made = asaasHooks.create(access, WANTED);
    expect([made.method, made.path, made.headers]).toEqual(['POST', '/v3/webhooks', HEADERS]);
    expect(JSON.parse(made.body.text)).toEqual(content);
    const [hook] = asaasHooks.read([page([LISTED])]);
    const mended = asaasHooks.repair(access, hook!, WANTED);
    expect([mended.method, mended.path]).toEqual(['PUT', `/v3/webhooks/${LISTED.id}`]);
    expect(JSON.parse(mended.body.text)).toEqual(content);
  });

  it('are for events that Ponte reads, and need an e-mail address', () => {
    const events = asaasHooks.topics({});
    expect([events.length, events.filter((event) => !isAboutPayment(event))]).toEqual([21, []]);
    expect(asaasHooks.unready?.({})).toMatchObject({ name: 'noticeEmail' });
    expect(asaasHooks.unready?.(access.settings)).toBeUndefined();
  });
});
