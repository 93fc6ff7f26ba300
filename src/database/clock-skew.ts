import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Health, type HealthSource } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { DatabaseClock } from './database-clock';

const EVERY_MS = 30_000;

/** Milliseconds by which a clock may differ before somebody should set it. */
const MOST_SKEW_MS = 5_000;

/**
 * Compares this machine's clock with the database's. Calls to a finance service are reckoned by the database's, so
 * that a clock that differs harms none of them; times in logs, and whether a signature is fresh, go by the machine's.
 */
@Injectable()
export class ClockSkew implements HealthSource, OnModuleInit {
  readonly name = 'clock';
  readonly when = 'degraded';
  private readonly logger = new Logger(ClockSkew.name);
  private logged = false;

  constructor(
    private readonly clock: DatabaseClock,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
    this.metrics.gauge(
      'ponte_clock_skew_seconds',
      "Seconds by which this machine's clock is ahead of the database's; negative: behind it",
      () => this.clock.skewMs() / 1000,
    );
  }

  @Interval('clock-skew', EVERY_MS)
  async measure(): Promise<void> {
    await this.clock.measure().catch((error: unknown) => {
      this.logger.warn({
        msg: "clock check: the database's clock could not be read; the next run tries again",
        err: error,
      });
    });
    const reason = this.check();
    if (reason !== undefined && !this.logged)
      this.logger.warn({ msg: `clock check: ${reason}; set the clock of this machine` });
    this.logged = reason !== undefined;
  }

  check(): string | undefined {
    const skewMs = this.clock.skewMs();
    if (Math.abs(skewMs) <= MOST_SKEW_MS) return undefined;
    const seconds = Math.round(Math.abs(skewMs) / 1000);
    return `this machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`;
  }
}
