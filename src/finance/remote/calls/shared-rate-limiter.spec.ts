import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { openTestDatabase } from '../../../../test/support/database';
import { FreeRateLimiter, httpWire, wireConnection } from '../../../../test/support/http-finance';
import { SettableClock } from '../../../../test/support/settable-clock';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { HttpFinanceClient } from '../client/http-finance-client';
import type { FinanceConnection } from '../client/connection';
import type { AttemptOutcome } from '../client/finance-client';
import { RateLimiter } from '../client/rate-limiter';
import { RateLimiterRepository } from './rate-limiter.repository';

const MINUTE_MS = 60_000;
const clock = new SettableClock('2026-11-21T12:00:00Z');

let database: Database;
let service: StubService;
/** Two replicas. */
let wires: [HttpFinanceClient, HttpFinanceClient];
let connection: FinanceConnection;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await StubService.start();
  service.replies(200, '[]');
  wires = [httpWire(database, { clock }), httpWire(database, { clock })];
  connection = wireConnection(service.url(), { organizationId: newId() });
});
afterEach(() => service.stop());
afterAll(() => database.close());

const call = (wire: HttpFinanceClient, changes: Partial<FinanceConnection> = {}): Promise<AttemptOutcome> =>
  wire.call({ ...connection, ...changes }, { operation: 'accounts.list' });

/** So many calls by each of the replicas. */
const callAll = (count: number, changes: Partial<FinanceConnection>) =>
  Promise.all(Array.from({ length: 2 * count }, (_, index) => call(wires[index % 2]!, changes)));

function limits(perSecond: number): Pick<FinanceConnection, 'limits'> {
  return { limits: { ...connection.limits, perSecond } };
}

describe('the rate', () => {
  it('is one for both replicas: whoever would have to wait too long is told how long', async () => {
    const slow = { ...limits(1 / 60), settleMs: 8_000 };
    const outcomes = await callAll(5, slow);
    expect(service.requests).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'not-sent')).toHaveLength(9);
    // Who asked at the same time as the first may not have seen how far away the next slot is. These come later.
    const others = [httpWire(database, { clock }), httpWire(database, { clock })];
    const later = await Promise.all(others.map((wire) => call(wire, slow)));
    const waits = later.flatMap((outcome) => (outcome.kind === 'not-sent' ? [outcome.retryAfterMs!] : []));
    expect(waits).toHaveLength(2);
    expect([Math.min(...waits) > 1_000, Math.max(...waits) <= MINUTE_MS]).toEqual([true, true]);
    expect(service.requests).toHaveLength(1);
  });

  it('that allowed a call allows it, although others were told meanwhile that they are too early', async () => {
    let allow!: () => void;
    const answers = [
      new Promise<number>((resolve) => (allow = () => resolve(0))),
      Promise.resolve(MINUTE_MS),
    ];
    class Answers extends FreeRateLimiter {
      override take = (): Promise<number> => answers.shift()!;
    }
    const wire = httpWire(undefined, { pace: new Answers() });
    const first = call(wire);
    expect(await call(wire)).toMatchObject({ kind: 'not-sent', retryAfterMs: MINUTE_MS });
    allow();
    expect(await first).toMatchObject({ kind: 'succeeded' });
    expect(service.requests).toHaveLength(1);
    expect(wire.closedForMs(connection.organizationId)).toBeGreaterThan(0);
  });

  it('is waited for where that is not long: no request comes before its time', async () => {
    const slots: number[] = [];
    const arrivals: number[] = [];
    service.answer = (response) => {
      arrivals.push(performance.now());
      response.writeHead(200).end('[]');
    };
    const noted = wires.map(() => httpWire(undefined, { pace: new NotedPace(database, slots) }));
    const calls = Array.from({ length: 6 }, (_, index) => call(noted[index % 2]!, limits(4)));
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(6).fill('succeeded'));
    // A timer may be a millisecond early.
    const early = slots.toSorted(ascending).filter((slot, index) => arrivals[index]! < slot - 2);
    expect([slots.length, early]).toEqual([6, []]);
  });

  it("is each organization's own", async () => {
    const slow = { ...limits(1 / 60), settleMs: 8_000 };
    expect(await call(wires[0], slow)).toMatchObject({ kind: 'succeeded' });
    expect(await call(wires[1], { ...slow, organizationId: newId() })).toMatchObject({ kind: 'succeeded' });
  });
});

describe('the rate, while a permit is waited for,', () => {
  it.each([
    ['nobody where that would be more than a tenth of it', 9, 0],
    ['one for each permit', 1_000, 1],
  ])('is asked for by %s', async (_who, perSecond, ahead) => {
    const oneAtATime = { limits: { ...connection.limits, perSecond, atOnce: 1 } };
    const pace = new ThrottledRateLimiter();
    const wire = httpWire(undefined, { clock, pace });
    const held: ServerResponse[] = [];
    service.answer = (response) => void held.push(response);
    const calls = [call(wire, oneAtATime)];
    await until(() => pace.waiting.length === 1);
    pace.waiting.shift()?.();
    await until(() => held.length === 1);
    calls.push(...[1, 2, 3].map(() => call(wire, oneAtATime)));
    // Another organization, which waits for nobody, comes after them.
    calls.push(call(wire, { ...oneAtATime, organizationId: newId() }));
    await until(() => pace.waiting.length > ahead);
    expect([pace.waiting.length, service.requests.length]).toEqual([ahead + 1, 1]);
    service.replies(200, '[]');
    held[0]?.end('[]');
    for (let left = 4; left > 0; left -= 1) {
      await until(() => pace.waiting.length > 0);
      pace.waiting.shift()?.();
    }
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(5).fill('succeeded'));
  });
});

describe('a service that asks to be left alone', () => {
  it.each<[number, Record<string, string>, number]>([
    [429, { 'retry-after': '600' }, 10 * MINUTE_MS],
    [429, { 'retry-after': 'Sat, 21 Nov 2026 12:05:00 GMT' }, 5 * MINUTE_MS],
    [503, { 'retry-after': '60' }, MINUTE_MS],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 23:00:00 GMT' }, 15 * MINUTE_MS],
    [425, { 'retry-after': '60' }, MINUTE_MS],
  ])('is left alone by both replicas: %i %j', async (status, headers, milliseconds) => {
    service.replies(status, '', headers);
    expect(await call(wires[0])).toMatchObject({ kind: 'not-sent', retryAfterMs: milliseconds });
    for (const wire of wires) {
      const { retryAfterMs } = (await call(wire)) as { retryAfterMs: number };
      expect([retryAfterMs > milliseconds / 2, retryAfterMs <= milliseconds]).toEqual([true, true]);
      expect(wire.closedForMs(connection.organizationId)).toBeGreaterThan(milliseconds / 2);
    }
    expect(service.requests).toHaveLength(1);
  });

  it('is called by others', async () => {
    service.replies(429, '', { 'retry-after': '600' });
    await call(wires[0]);
    service.replies(200, '[]');
    expect(await call(wires[0], { organizationId: newId() })).toMatchObject({ kind: 'succeeded' });
  });

  it('is not called by whoever was waiting for a permit or for the rate when it asked', async () => {
    const pace = new ThrottledRateLimiter();
    const wire = httpWire(undefined, { clock, pace });
    const held: ServerResponse[] = [];
    service.answer = (response) => void held.push(response);
    const first = call(wire);
    await until(() => pace.waiting.length === 1);
    pace.waiting.shift()?.();
    await until(() => held.length === 1);
    const others = Array.from({ length: 6 }, () => call(wire));
    await until(() => pace.waiting.length >= connection.limits.atOnce - 1);
    held[0]?.writeHead(429, { 'retry-after': '600' }).end();
    await first;
    service.replies(200, '[]');
    for (const go of pace.waiting) go();
    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(Array(6).fill('not-sent'));
    expect(service.requests).toHaveLength(1);
  });
});

/** Gives slots when it is told to. */
class ThrottledRateLimiter extends RateLimiter {
  readonly waiting: (() => void)[] = [];

  override async take(): Promise<number> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 0;
  }

  override async throttle(): Promise<void> {
    return undefined;
  }
}

/** Notes when the slots are that it gives. */
class NotedPace extends RateLimiterRepository {
  constructor(
    database: Database,
    private readonly slots: number[],
  ) {
    super(database);
  }

  override async take(...args: Parameters<RateLimiterRepository['take']>): Promise<number> {
    const asked = performance.now();
    const wait = await super.take(...args);
    this.slots.push(asked + wait);
    return wait;
  }
}

const ascending = (left: number, right: number): number => left - right;
