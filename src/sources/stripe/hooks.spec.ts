import { stripeHooks } from './hooks';
import { stripe } from './stripe';

const access = { settings: {}, credentials: { secretKey: 'sk_test_1' } };
const ADDRESS = 'https://ponte.example/hooks/main/stripe';
const HEADERS = { authorization: 'Bearer sk_test_1', accept: 'application/json' };
const WANTED = { address: ADDRESS, topics: ['payout.paid', 'payout.failed'], key: 'key-1' };

/** An endpoint as `GET /v1/webhook_endpoints` lists it. */
const LISTED = {
  id: 'we_1',
  object: 'webhook_endpoint',
  api_version: null,
  application: null,
  created: 1680122196,
  description: null,
  enabled_events: ['charge.succeeded', 'charge.failed'],
  livemode: false,
  metadata: {},
  status: 'enabled',
  url: ADDRESS,
};

function page(data: object[], more = false): { name: string; status: number; body: Buffer } {
  const body = { object: 'list', url: '/v1/webhook_endpoints', has_more: more, data };
  return { name: 'endpoints', status: 200, body: Buffer.from(JSON.stringify(body)) };
}

describe('endpoints of Stripe', () => {
  it('are listed page by page', () => {
    const first = stripeHooks.list(access, []);
    expect([first?.path, first?.headers]).toEqual(['/v1/webhook_endpoints?limit=100', HEADERS]);
    expect(stripeHooks.list(access, [page([LISTED], true)])?.path).toBe(
      '/v1/webhook_endpoints?limit=100&starting_after=we_1',
    );
    expect(stripeHooks.list(access, [page([LISTED])])).toBeUndefined();
    expect(() => stripeHooks.list(access, [page([], true)])).toThrow('behind an empty page');
  });

  it('are read with all their events', () => {
    expect(stripeHooks.read([page([LISTED, { ...LISTED, id: 'we_2', status: 'disabled' }])])).toEqual([
      { id: 'we_1', address: ADDRESS, topics: LISTED.enabled_events, enabled: true },
      { id: 'we_2', address: ADDRESS, topics: LISTED.enabled_events, enabled: false },
    ]);
    const [every] = stripeHooks.read([page([{ ...LISTED, enabled_events: ['*'] }])]);
    expect(every?.topics).toEqual(expect.arrayContaining(['*', 'payout.paid', 'charge.succeeded']));
  });

  it('are made with a key, so that the same request twice makes one', () => {
    const { body, ...request } = stripeHooks.create(access, WANTED);
    expect(request).toEqual({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      headers: { ...HEADERS, 'idempotency-key': 'key-1' },
    });
    expect(body.contentType).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(body.text)]).toEqual([
      ['url', ADDRESS],
      ['description', 'Ponte'],
      ['enabled_events[]', 'payout.paid'],
      ['enabled_events[]', 'payout.failed'],
    ]);
  });

  it('are mended where they are; one for every event stays so', () => {
    const [hook] = stripeHooks.read([page([LISTED])]);
    const mended = stripeHooks.repair(access, hook!, { ...WANTED, topics: ['*', 'payout.paid'] });
    expect([mended.method, mended.path]).toEqual(['POST', '/v1/webhook_endpoints/we_1']);
    expect([...new URLSearchParams(mended.body.text)]).toEqual([
      ['url', ADDRESS],
      ['disabled', 'false'],
      ['enabled_events[]', '*'],
    ]);
  });

  it('give their secret with the answer to the creation alone', () => {
    const answer = Buffer.from(JSON.stringify({ ...LISTED, secret: 'whsec_abc' }));
    expect(stripeHooks.readSecret?.(answer)).toBe('whsec_abc');
    expect(stripeHooks.readSecret?.(Buffer.from(JSON.stringify(LISTED)))).toBeUndefined();
  });

  it('are made for sales only where somebody has said that the shop does not send them', () => {
    expect(stripeHooks.unready?.({})).toMatchObject({ name: 'endpointEvents' });
    const all = { endpointEvents: 'all' };
    expect(stripeHooks.unready?.(all)).toBeUndefined();
    expect([stripeHooks.topics(all), stripeHooks.unwantedTopics?.(all)]).toEqual([
      expect.arrayContaining(['charge.succeeded', 'charge.dispute.closed', 'payout.paid']),
      [],
    ]);
    const some = { withoutSales: true };
    expect(stripeHooks.topics({ ...all, ...some })).toEqual(stripeHooks.topics(some));
    expect(stripeHooks.unready?.(some)).toBeUndefined();
    expect(stripeHooks.topics(some).filter((topic) => /^charge\.(?!dispute)/.test(topic))).toEqual([]);
    // No shop says that a refund came to nothing afterwards.
    expect(stripeHooks.topics(some)).toEqual(expect.arrayContaining(['refund.updated', 'refund.failed']));
    expect(stripeHooks.unwantedTopics?.(some)).toEqual(expect.arrayContaining(['charge.succeeded', '*']));
    expect(stripe.checkSettings?.({ endpointEvents: 'some' })).toMatchObject({ name: 'endpointEvents' });
    expect(stripe.checkSettings?.(some)).toBeUndefined();
  });

  it('are for the events that the steps name', () => {
    const step = stripe.setUp.find((text) => text.startsWith('Choose these events')) ?? '';
    const named = step.match(/[a-z_]+(?:\.[a-z_]+)+/g);
    expect([...(named ?? [])].sort()).toEqual([...stripeHooks.topics({ endpointEvents: 'all' })].sort());
  });
});
