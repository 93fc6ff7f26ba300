import { type Clock, SharedClock } from '../kernel/clock';
import type { Database, HotStatement } from './database';

/** Milliseconds by which the machine's clock and the monotonic one may drift apart between two measurements. */
const MOST_DRIFT_MS = 250;

/** Of so many measurements the one that took least counts: its error is at most half of what it took. */
const MEASUREMENTS = 3;

const NOW: HotStatement = {
  name: 'clock-timestamp',
  text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
};

/** An instant of the database's clock, and when that was on the monotonic clock of this process. */
interface Reading {
  readonly databaseMs: number;
  /** As `performance.now()`. */
  readonly at: number;
  /** What the machine's clock said then. */
  readonly ownMs: number;
  /** How long it took to ask, in milliseconds. */
  readonly tookMs: number;
}

/**
 * The database's clock, as last measured, carried on by this process's monotonic clock: setting the machine's clock
 * changes nothing, and replicas agree to within half of what asking the database takes. The monotonic clock stands still
 * while the machine is suspended, so that it has to be measured again then: {@link sure}.
 */
export class DatabaseClock extends SharedClock {
  private constructor(
    private readonly database: Database,
    private readonly own: Clock,
    private reading: Reading,
  ) {
    super();
  }

  static async start(database: Database, own: Clock): Promise<DatabaseClock> {
    return new DatabaseClock(database, own, await read(database, own));
  }

  override now(): Date {
    const { databaseMs, at } = this.reading;
    return new Date(databaseMs + performance.now() - at);
  }

  /** Milliseconds by which this machine's clock is ahead of the database's; negative: behind it. */
  skewMs(): number {
    return this.own.now().getTime() - this.now().getTime();
  }

  /** Measures it again. @throws DatabaseUnavailable, and what was measured before goes on */
  async measure(): Promise<void> {
    this.reading = await read(this.database, this.own);
  }

  /** Measures it again where the machine's clock went on while the monotonic one stood still, or was set. */
  override async sure(): Promise<void> {
    const { at, ownMs } = this.reading;
    const drift = this.own.now().getTime() - ownMs - (performance.now() - at);
    if (Math.abs(drift) > MOST_DRIFT_MS) await this.measure();
  }

  override stopwatch(): () => number {
    const [at, ownMs] = [performance.now(), this.own.now().getTime()];
    return () => Math.max(performance.now() - at, this.own.now().getTime() - ownMs);
  }
}

async function read(database: Database, own: Clock): Promise<Reading> {
  const readings: Reading[] = [];
  while (readings.length < MEASUREMENTS) {
    const asked = performance.now();
    const [row] = await database.query<{ ms: number }>(NOW, []);
    const answered = performance.now();
    const ownMs = own.now().getTime() - (answered - asked) / 2;
    if (!row) throw new Error('the database did not say what time it is');
    readings.push({ databaseMs: row.ms, at: (asked + answered) / 2, ownMs, tookMs: answered - asked });
  }
  return readings.reduce((best, each) => (each.tookMs < best.tookMs ? each : best));
}
