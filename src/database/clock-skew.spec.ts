import { openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import { Clock } from '../kernel/clock';
import { Health, type HealthSource } from '../kernel/health';
import { type Counter, type Histogram, Metrics } from '../kernel/metrics';
import { ClockSkew } from './clock-skew';
import type { Database } from './database';
import { DatabaseClock } from './database-clock';

const MINUTE_MS = 60_000;
/** Generous: the machine may be busy. */
const SOON_MS = 10_000;

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

class Registered extends Health {
  readonly sources: HealthSource[] = [];

  override register(source: HealthSource): void {
    this.sources.push(source);
  }
}

class Gauges extends Metrics {
  readonly read = new Map<string, () => number | Promise<number>>();

  override gauge(name: string, _help: string, read: () => number | Promise<number>): void {
    this.read.set(name, read);
  }

  override counter(): Counter {
    throw new Error('not asked for');
  }

  override histogram(): Histogram {
    throw new Error('not asked for');
  }

  override gauges(): void {
    throw new Error('not asked for');
  }
}

/** A machine whose clock differs from the database's, which is this one's. */
async function machine(aheadMs: number) {
  const own = new SettableClock(new Date(Date.now() + aheadMs).toISOString());
  const clock = await DatabaseClock.start(database, own);
  const [health, metrics] = [new Registered(), new Gauges()];
  const skew = new ClockSkew(clock, health, metrics);
  skew.onModuleInit();
  return { own, clock, skew, health, metrics };
}

it.each([-MINUTE_MS, 0, MINUTE_MS])(
  'tells the time of the database whatever the own clock says: %i ms',
  async (aheadMs) => {
    const { own, clock, metrics } = await machine(aheadMs);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(SOON_MS);
    expect(Math.abs(clock.skewMs() - aheadMs)).toBeLessThan(SOON_MS);
    own.set(new Date(Date.now() + 60 * MINUTE_MS).toISOString());
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(SOON_MS);
    const seconds = await metrics.read.get('ponte_clock_skew_seconds')!();
    expect(Math.abs(seconds - 3_600)).toBeLessThan(SOON_MS / 1_000);
  },
);

it.each([
  [-MINUTE_MS, /^this machine's clock is \d+ s behind the database's$/],
  [MINUTE_MS, /^this machine's clock is \d+ s ahead of the database's$/],
])('is degraded where the clocks differ by %i ms, and says by how much', async (aheadMs, reason) => {
  const { own, skew, health } = await machine(aheadMs);
  expect(health.sources).toEqual([expect.objectContaining({ name: 'clock', when: 'degraded' })]);
  expect(skew.check()).toMatch(reason);
  own.set(new Date().toISOString());
  await skew.measure();
  expect(skew.check()).toBeUndefined();
});

/** A machine whose clock can be set; to a process that was suspended it looks set forward. */
class Machine extends Clock {
  aheadMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

it('is measured again before anything is decided by it, where the machine may have been suspended', async () => {
  const own = new Machine();
  const clock = await DatabaseClock.start(database, own);
  const asked = jest.spyOn(database, 'query');
  await clock.sure();
  expect(asked).not.toHaveBeenCalled();
  own.aheadMs = MINUTE_MS;
  await clock.sure();
  expect(asked).toHaveBeenCalled();
  asked.mockClear();
  await clock.sure();
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

it('counts the time in which the machine was suspended', async () => {
  const own = new Machine();
  const elapsedMs = (await DatabaseClock.start(database, own)).stopwatch();
  expect(elapsedMs()).toBeLessThan(MINUTE_MS);
  own.aheadMs = MINUTE_MS;
  expect(elapsedMs()).toBeGreaterThanOrEqual(MINUTE_MS);
});
