import { PaidOrders } from '../../bench/load/paid-orders';
import { shopify } from '../../src/sources/shopify/shopify';

describe('the orders of the load', () => {
  const kind = { secret: 's', organization: 'main', topic: 'orders/paid', instalments: 3 } as const;

  it('are about as large as real ones, signed, and known by the key that the generator keeps', () => {
    const { request, dedupeKey } = new PaidOrders('http://127.0.0.1:1', kind).next();
    const text = request.toString('utf8');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const headers = Object.fromEntries(
      head.split('\r\n').flatMap((line) => {
        const [, name, value] = /^([a-z0-9-]+): (.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value ?? '']];
      }),
    );
    const webhook = { method: 'POST', headers, query: {}, rawBody: Buffer.from(body) };
    expect(shopify.verify(webhook, ['s'], {}, new Date()).ok).toBe(true);
    expect(shopify.identify(webhook).dedupeKey).toBe(dedupeKey);
    expect(webhook.rawBody.length).toBeGreaterThan(4_000);
    expect(webhook.rawBody.length).toBeLessThan(6_000);
  });

  it('are each another one', () => {
    const orders = new PaidOrders('http://127.0.0.1:1', kind);
    const keys = Array.from({ length: 50 }, () => orders.next().dedupeKey);
    expect(new Set(keys).size).toBe(50);
  });
});
