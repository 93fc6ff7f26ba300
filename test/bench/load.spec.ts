import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpConnection, type Reply } from '../../bench/load/http-connection';
import { flood } from '../../bench/load/flood';
import { allAccepted, closedLoop, openLoop, persistentLoop } from '../../bench/load/loops';
import { endlessDeliveries, orderBody, orderRequests } from '../../bench/load/orders';
import { PaidOrders } from '../../bench/load/paid-orders';
import { addressedBits } from '../../bench/load/tell-apart';
import { sumOfBalances } from '../../bench/parts/latency';
import { shopify } from '../../src/sources/shopify/shopify';
import { SECRET } from '../../bench/frame/measured-service';

interface Received {
  headers: Record<string, unknown>;
  body: Buffer;
}

describe('a generator', () => {
  const received: Received[] = [];
  /** What the next requests are answered; then 200. */
  let statuses: number[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, reply) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(parts) });
        const status = statuses.shift() ?? 200;
        if (status === 0) return request.socket.destroy();
        if (status === 204) return reply.writeHead(status).end();
        return reply.writeHead(status, { 'content-length': '2', 'retry-after': '7' }).end('ok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    received.length = 0;
    statuses = [];
  });

  afterAll(() => server.close());

  it('sends every request once, whole and signed as the source verifies it', async () => {
    const requests = orderRequests(url, 0, 50);
    let sent = 0;
    const traffic = allAccepted(await closedLoop({ url, connections: 8, next: () => requests[sent++] }));
    expect(traffic.accepted).toHaveLength(50);
    expect(new Set(received.map(({ headers }) => headers['x-shopify-event-id']))).toHaveProperty('size', 50);
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
    const request = { method: 'POST', headers: headers as Record<string, string>, query: {}, rawBody: body };
    expect(shopify.verify(request, [SECRET], {}, new Date())).toMatchObject({ ok: true });
  });

  it('makes each of endless requests a delivery of its own, though bodies come again', async () => {
    const next = endlessDeliveries(url, '/hooks/main/shopify', 8);
    let left = 40;
    await closedLoop({ url, connections: 4, next: () => (left-- > 0 ? next() : undefined) });
    expect(new Set(received.map(({ headers }) => headers['x-shopify-event-id']))).toHaveProperty('size', 40);
  });

  it('tells refusals from answers, and connects again when a connection breaks', async () => {
    statuses = [503, 0];
    const requests = orderRequests(url, 0, 5);
    let sent = 0;
    const heads: string[] = [];
    const traffic = await closedLoop({
      url,
      connections: 1,
      next: () => requests[sent++],
      onReply: ({ head }) => heads.push(head),
    });
    expect(traffic.accepted).toHaveLength(3);
    expect([...traffic.refused].map(([status, { length }]) => [status, length])).toEqual([
      [503, 1],
      [0, 1],
    ]);
    expect(heads[0]).toMatch(/^retry-after: 7$/im);
    expect(() => allAccepted(traffic)).toThrow('1 with 503, 1 with 0');
  });

  it('does not send before it may', async () => {
    const requests = orderRequests(url, 0, 4);
    let [sent, waits] = [0, 0];
    const may = async (): Promise<void> => {
      expect(received).toHaveLength((waits += 1));
      await Promise.resolve();
    };
    await closedLoop({ url, connections: 1, next: () => requests[sent++], may });
    expect(waits).toBe(4);
  });

  it('in an open loop sends what is due, whatever became of what was before', async () => {
    statuses = [0, 503];
    const requests = orderRequests(url, 0, 20);
    let sent = 0;
    const due: number[] = [];
    const traffic = await openLoop({
      url,
      rate: 200,
      seconds: 0.1,
      connections: 3,
      next: () => requests[sent++],
      onDue: (index) => due.push(index),
    });
    expect(due).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(traffic.accepted).toHaveLength(18);
    expect(received).toHaveLength(20);
  });

  it('comes back with the same request when it is told to, and with nothing else', async () => {
    statuses = [503, 200, 503, 503];
    const requests = orderRequests(url, 0, 6);
    let sent = 0;
    const traffic = await persistentLoop({ url, connections: 2, next: () => requests[sent++] });
    expect([traffic.accepted.length, traffic.refused.size]).toEqual([6, 0]);
    const ids = received.map(({ headers }) => headers['x-shopify-event-id']);
    expect([ids.length, new Set(ids).size]).toEqual([9, 6]);
    statuses = [500];
    const one = orderRequests(url, 6, 1);
    await expect(persistentLoop({ url, connections: 1, next: () => one.shift() })).rejects.toThrow(
      '1 with 500',
    );
  });

  it('takes another status than 200 for good where that is what is to come', async () => {
    statuses = [204, 204];
    const requests = orderRequests(url, 0, 2);
    const loop = { url, connections: 1, next: () => requests.shift(), good: 204 };
    expect((await persistentLoop(loop)).accepted).toHaveLength(2);
  });

  it('in a flood counts what was accepted and refused, and keeps the keys of what was acknowledged', async () => {
    statuses = [503, 0, 500];
    const kind = { secret: SECRET, organization: 'main', topic: 'orders/paid', instalments: 1 } as const;
    const orders = new PaidOrders(url, kind);
    const load = await flood({ url, perSecond: 100, seconds: 0.2, connections: 1, orders });
    expect([load.refused.length, load.withoutRetryAfter, [...load.others]]).toEqual([
      1,
      0,
      [
        [0, 1],
        [500, 1],
      ],
    ]);
    expect(load.acknowledged).toHaveLength(load.accepted.length);
    expect(received).toHaveLength(load.accepted.length + 3);
    const sum = (what: 'sent' | 'accepted' | 'refused') =>
      load.bySecond.reduce((all, second) => all + second[what], 0);
    expect([sum('accepted'), sum('refused')]).toEqual([load.accepted.length, 1]);
  });

  it('reads an answer that comes in pieces', async () => {
    const slow = createServer((_request, reply) => {
      reply.writeHead(200, { 'content-length': '6' });
      reply.write('abc', () => setImmediate(() => reply.end('def')));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const connection = new HttpConnection(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
    const [request] = orderRequests(url, 0, 1);
    const reply = await new Promise<Reply>((resolve) => connection.exchange(request!, resolve));
    expect([reply.status, reply.body.toString()]).toEqual([200, 'abcdef']);
    connection.close();
    slow.close();
  });
});

describe('an order of the load', () => {
  it('has the size of a real one and is paid, in three instalments, without anything to look at', () => {
    const rawBody = orderBody({ number: 5, customer: 2, total: '123.45' });
    expect(rawBody.length).toBeGreaterThan(4_500);
    expect(rawBody.length).toBeLessThan(5_500);
    const webhook = { topic: 'orders/paid', attributes: {}, rawBody, receivedAt: new Date() };
    const context = { source: 'shopify', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
    const normalised = shopify.normalise(webhook, context);
    const [event] = 'events' in normalised ? normalised.events : [];
    expect(event).toMatchObject({
      type: 'order.paid',
      order: { id: '7000000000005', instalments: 3, test: false, differences: [] },
    });
    expect(event).toHaveProperty('order.total.minor', 12_345n);
    expect(event).toHaveProperty('order.payment.value.minor', 12_345n);
  });
});

describe('orders that are told apart by what they are worth', () => {
  const worth = (bits: ReturnType<typeof addressedBits>, ...indexes: number[]): bigint =>
    indexes.reduce((sum, index) => sum + BigInt(bits.amountOf(index).replace('.', '')), 0n);

  it('are found in the sum, in whatever order they were booked', () => {
    const bits = addressedBits();
    expect(bits.take(worth(bits, 3, 0, 7), 10)).toEqual([0, 3, 7]);
    expect(bits.take(0n, 10)).toEqual([]);
    expect(bits.take(worth(bits, 1, 2), 10)).toEqual([1, 2]);
  });

  it('are found when powers come again', () => {
    const bits = addressedBits();
    for (let from = 0; from < 400; from += 4)
      expect(bits.take(worth(bits, from, from + 1, from + 2, from + 3), from + 4)).toEqual([
        from,
        from + 1,
        from + 2,
        from + 3,
      ]);
  });

  it('are never more than were sent', () => {
    const bits = addressedBits();
    expect(() => bits.take(worth(bits, 5), 5)).toThrow('of no order that was sent');
  });

  it('are read from balances without a float in between', () => {
    expect(sumOfBalances('[{"balance":123456789012.34},{"balance": 5},{"balance":1.5}]')).toBe(
      12345678901884n,
    );
  });
});
