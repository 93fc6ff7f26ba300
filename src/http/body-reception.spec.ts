import { PassThrough } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { BODY_LIMIT, BodyReception, NETWORK_LIMIT, RECEIVING_LIMIT } from './body-reception';

const ALMOST_ALL = Buffer.alloc(BODY_LIMIT - 1, 'x');

/** A body under way from an address. */
class Sent {
  private readonly payload = new PassThrough({ highWaterMark: BODY_LIMIT });
  outcome: 'under way' | 'given up' | number = 'under way';

  constructor(reception: BodyReception, ip: string, length?: number, discardsBody = false) {
    const request = {
      ip,
      headers: length === undefined ? {} : { 'content-length': String(length) },
      discardsBody,
      bodyMost: null,
      raw: { socket: {} },
    } as unknown as FastifyRequest;
    reception.receive(request, this.payload as unknown as IncomingMessage, (error, body) => {
      this.outcome = error ? 'given up' : (body?.length ?? 0);
    });
  }

  async send(bytes: Buffer): Promise<this> {
    this.payload.write(bytes);
    await nextTick();
    return this;
  }

  async end(): Promise<void> {
    this.payload.end();
    await nextTick();
  }
}

describe('bodies from several networks', () => {
  it('are given up where one network has too many under way, and only those of that network', async () => {
    const reception = new BodyReception();
    const other = await new Sent(reception, '203.0.113.1').send(ALMOST_ALL);
    const greedy: Sent[] = [];
    for (let sent = 0; sent <= NETWORK_LIMIT; sent += BODY_LIMIT)
      greedy.push(await new Sent(reception, `2001:db8::${sent / BODY_LIMIT}`).send(ALMOST_ALL));
    expect(greedy[0]?.outcome).toBe('given up');
    expect(greedy.at(-1)?.outcome).toBe('under way');
    await other.end();
    expect(other.outcome).toBe(BODY_LIMIT - 1);
  });

  it('are given up whether they are kept or thrown away: the reply does not say which', async () => {
    const outcomes = async (discards: boolean): Promise<unknown[]> => {
      const reception = new BodyReception();
      const all: Sent[] = [];
      for (let sent = 0; sent <= NETWORK_LIMIT; sent += BODY_LIMIT)
        all.push(await new Sent(reception, '203.0.113.1', undefined, discards).send(ALMOST_ALL));
      return all.map(({ outcome }) => outcome === 'given up');
    };
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const kept = await outcomes(false);
    expect(kept).toContain(true);
    expect(await outcomes(true)).toEqual(kept);
    jest.restoreAllMocks();
  });

  it('are given up where all together are too many, and a newcomer is taken', async () => {
    const reception = new BodyReception();
    const all: Sent[] = [];
    for (let sent = 0; sent <= RECEIVING_LIMIT; sent += BODY_LIMIT)
      all.push(await new Sent(reception, `203.0.113.${sent / BODY_LIMIT}`).send(ALMOST_ALL));
    expect(all[0]?.outcome).toBe('given up');
    const newcomer = await new Sent(reception, '198.51.100.1').send(Buffer.from('hello'));
    await newcomer.end();
    expect(newcomer.outcome).toBe(5);
    expect(all.filter(({ outcome }) => outcome === 'under way').length).toBeGreaterThan(30);
  });
});

describe('a slow body', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] }));
  afterEach(() => void jest.useRealTimers());

  it('is given up after five seconds where it is large, and waited for where it is small', async () => {
    const reception = new BodyReception();
    const large = await new Sent(reception, '203.0.113.1', 100_000).send(Buffer.alloc(6_000));
    const unknown = await new Sent(reception, '203.0.113.1').send(Buffer.alloc(6_000));
    const small = await new Sent(reception, '203.0.113.1', 6_001).send(Buffer.alloc(6_000));
    jest.advanceTimersByTime(6_000);
    expect([large.outcome, unknown.outcome, small.outcome]).toEqual(['given up', 'given up', 'under way']);
    jest.advanceTimersByTime(15_000);
    expect(small.outcome).toBe('given up');
  });

  it('is given up also after a time without any, in which there is no timer', async () => {
    const reception = new BodyReception();
    await new Sent(reception, '203.0.113.1', 5).end();
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    const slow = new Sent(reception, '203.0.113.1', 5);
    jest.advanceTimersByTime(20_000);
    expect(slow.outcome).toBe('given up');
  });
});
