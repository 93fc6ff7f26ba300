import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { httpWire, wireConnection } from '../../../../test/support/http-finance';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import { Breaker, type Sign } from './breaker';
import type { HttpFinanceClient } from './http-finance-client';
import type { AttemptOutcome } from './finance-client';

const RULES = { failures: 3, firstMs: 1_000, longestMs: 8_000 };

/** Milliseconds: the time that breakers go by, moved by hand. */
let now: number;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  now = 1_000_000_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

describe('a breaker', () => {
  let waits: number[];
  let breaker: Breaker;

  beforeEach(() => {
    waits = [];
    breaker = new Breaker(RULES, (milliseconds) => waits.push(milliseconds));
  });

  /** @returns which of the calls were made */
  async function run(...signs: Sign[]): Promise<boolean[]> {
    const made: boolean[] = [];
    for (const sign of signs) made.push((await breaker.run(async () => ({ sign }))) !== undefined);
    return made;
  }

  async function open(): Promise<void> {
    await run('down', 'down', 'down');
    expect(breaker.closedForMs()).toBeGreaterThan(0);
  }

  it('opens after so many calls in a row that found the service down, and no sooner', async () => {
    expect(await run('down', 'down', 'up', 'down', 'down')).toEqual(Array(5).fill(true));
    expect(breaker.closedForMs()).toBe(0);
    expect(await run('down', 'up', 'up')).toEqual([true, false, false]);
    expect(breaker.closedForMs()).toBe(waits[0]);
  });

  it('neither counts nor forgets because of calls that say nothing', async () => {
    await run('down', 'nothing', 'down', 'nothing', 'nothing');
    expect(breaker.closedForMs()).toBe(0);
    await run('down');
    expect(breaker.closedForMs()).toBeGreaterThan(0);
  });

  it('lets one try when its time is over, and closes when that finds the service up', async () => {
    await open();
    now += waits[0]! - 1;
    expect(await run('up')).toEqual([false]);
    now += 1;
    expect(await run('up', 'up', 'down', 'up')).toEqual([true, true, true, true]);
    expect(breaker.closedForMs()).toBe(0);
  });

  it('lets nobody else try meanwhile', async () => {
    await open();
    now += waits[0]!;
    let answer: (result: { sign: Sign }) => void = () => undefined;
    const trial = breaker.run(() => new Promise<{ sign: Sign }>((resolve) => (answer = resolve)));
    expect(await run('up', 'up')).toEqual([false, false]);
    expect(breaker.closedForMs()).toBeGreaterThan(0);
    answer({ sign: 'up' });
    expect(await trial).toEqual({ sign: 'up' });
    expect(await run('up')).toEqual([true]);
  });

  it('opens again, each time for longer, when the one that tries finds it down', async () => {
    await open();
    for (let again = 0; again < 5; again += 1) {
      now += waits.at(-1)!;
      expect(await run('down', 'up')).toEqual([true, false]);
    }
    const full = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
    expect(waits.map((wait, index) => wait >= full[index]! * 0.75 && wait <= full[index]! * 1.25)).toEqual(
      Array(6).fill(true),
    );
  });

  it('closes when a call that did not ask it has found the service up', async () => {
    await open();
    breaker.close();
    expect([breaker.closedForMs(), breaker.isOpen]).toEqual([0, false]);
    expect(await run('down', 'down', 'down', 'up')).toEqual([true, true, true, false]);
    expect(waits.at(-1)).toBeLessThanOrEqual(1_250);
  });

  it('opens again after it was closed so, where the one that tried meanwhile finds it down', async () => {
    await open();
    now += waits[0]!;
    let answer: (result: { sign: Sign }) => void = () => undefined;
    const trial = breaker.run(() => new Promise<{ sign: Sign }>((resolve) => (answer = resolve)));
    breaker.close();
    expect(await run('up')).toEqual([true]);
    answer({ sign: 'down' });
    expect(await trial).toEqual({ sign: 'down' });
    expect(await run('up')).toEqual([false]);
    now += waits.at(-1)!;
    expect(await run('up')).toEqual([true]);
  });

  it('begins anew with a short time after the service was up', async () => {
    await open();
    now += waits[0]!;
    await run('down');
    now += waits[1]!;
    await run('up');
    await open();
    expect(waits[2]).toBeLessThanOrEqual(1_250);
  });
});

describe('calls to a service that is down', () => {
  let service: StubService;
  let wire: HttpFinanceClient;

  beforeEach(async () => {
    service = await StubService.start();
    wire = httpWire(undefined, { breaker: RULES });
  });
  afterEach(() => service.stop());

  const connection = (changes = {}) => wireConnection(service.url(), changes);

  function call(organizationId?: string): Promise<AttemptOutcome> {
    return wire.call(connection(organizationId && { organizationId }), { operation: 'accounts.list' });
  }

  async function takeDown(): Promise<void> {
    service.replies(503);
    for (let index = 0; index < RULES.failures; index += 1) await call();
    expect(await call()).toMatchObject({ kind: 'not-sent', retryAfterMs: expect.any(Number) as number });
    expect(service.requests).toHaveLength(RULES.failures);
  }

  const waitMs = () => wire.closedForMs(connection().organizationId);

  /** Twenty calls when its time is over, of which the service keeps waiting what it gets. */
  async function rush() {
    const before = service.requests.length;
    const held: ServerResponse[] = [];
    service.answer = (response) => void held.push(response);
    now += waitMs();
    let answered = 0;
    const calls = Array.from({ length: 20 }, () => call().finally(() => (answered += 1)));
    await until(() => answered + held.length === 20);
    expect(service.requests.length - before).toBe(1);
    return { trial: held[0]!, calls };
  }

  it('are left to one of many to try, and go on when it is answered', async () => {
    await takeDown();
    const { trial, calls } = await rush();
    expect(waitMs()).toBeGreaterThan(0);
    trial.writeHead(200).end('[]');
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([...Array<string>(19).fill('not-sent'), 'succeeded']);
    service.replies(200, '[]');
    const after = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(after.map(({ kind }) => kind)).toEqual(Array(20).fill('succeeded'));
  });

  it('wait again when the one that tries finds it down', async () => {
    await takeDown();
    const { trial, calls } = await rush();
    trial.writeHead(503).end();
    await Promise.all(calls);
    service.replies(200, '[]');
    expect(await call()).toMatchObject({ kind: 'not-sent' });
    expect(service.requests).toHaveLength(RULES.failures + 1);
    now += waitMs();
    expect(await call()).toMatchObject({ kind: 'succeeded' });
  });

  it('leave it down between two tries, until one is answered', async () => {
    const isDown = () => wire.isDown(connection().organizationId);
    expect(isDown()).toBe(false);
    await takeDown();
    now += waitMs();
    expect([waitMs(), isDown()]).toEqual([0, true]);
    await call();
    now += waitMs();
    expect([waitMs(), isDown()]).toEqual([0, true]);
    service.replies(200, '[]');
    await call();
    expect(isDown()).toBe(false);
  });

  it('leave it down until a person who tries it is answered, and go on at once then', async () => {
    await takeDown();
    await wire.tryNow(connection(), { operation: 'accounts.list' });
    expect(waitMs()).toBeGreaterThan(0);
    service.replies(200, '[]');
    await wire.tryNow(connection(), { operation: 'accounts.list' });
    expect([waitMs(), wire.isDown(connection().organizationId)]).toEqual([0, false]);
    expect(await call()).toMatchObject({ kind: 'succeeded' });
  });

  it('hold no other organization', async () => {
    await takeDown();
    service.replies(200, '[]');
    expect(await call('22222222-2222-4222-8222-222222222222')).toMatchObject({ kind: 'succeeded' });
  });
});
