import { neededFolders } from '../../bench/traffic/installed';
import { PaidOrders } from '../../bench/traffic/paid-orders';
import { growthBetween, type Sample } from '../../bench/traffic/steadiness';
import { readAnswer } from '../../bench/traffic/wire';
import { shopify } from '../../src/sources/shopify/shopify';

describe('an answer on the wire', () => {
  const head = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 4\r\n\r\n';

  it('is complete when its body is, whatever pieces it comes in', () => {
    expect(readAnswer(head.slice(0, 30), 1)).toBeUndefined();
    expect(readAnswer(`${head}abc`, 1)).toBeUndefined();
    expect(readAnswer(`${head}abcd`, 1)).toEqual({ status: 503, retryAfter: '2', milliseconds: 1 });
  });

  it('has no body when there is no content', () => {
    expect(readAnswer('HTTP/1.1 204 No Content\r\nVary: Accept\r\n\r\n', 2)).toEqual({
      status: 204,
      milliseconds: 2,
    });
  });

  it('without a length is an error, not an endless wait', () => {
    expect(() => readAnswer('HTTP/1.1 200 OK\r\n\r\n', 1)).toThrow('without Content-Length');
  });
});

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

describe('growth over time', () => {
  const sample = (memory: number, heap: number): Sample => ({
    memory,
    heap,
    connections: 10,
    files: 40,
    handles: 9,
  });

  it('leaves out the warm-up and what is only garbage', () => {
    const samples = [50, 90, 100, 100, 100, 100, 104, 104].map((memory, index) =>
      sample(memory, index % 2 === 0 ? 30 : 60),
    );
    expect(growthBetween(samples, 'memory')).toBe(4);
    expect(growthBetween(samples, 'heap')).toBe(0);
    expect(growthBetween(samples, 'connections')).toBe(0);
  });
});

describe('the folders of a production install', () => {
  it('are those of packages that neither development nor options ask for', () => {
    const packages = {
      '': {},
      'node_modules/pg': {},
      'node_modules/jest': { dev: true },
      'node_modules/prisma': { devOptional: true },
      'node_modules/pg/node_modules/pg-native': { optional: true },
    };
    expect(neededFolders(packages)).toEqual(['node_modules/pg']);
  });
});
