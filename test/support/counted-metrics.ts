import { type Counter, Metrics } from '../../src/kernel/metrics';

/** Adds up what counters count, whichever they are. */
export class CountedMetrics extends Metrics {
  /** By the label `kind`; empty: it has none. */
  readonly totals: Record<string, number> = {};

  get total(): number {
    return Object.values(this.totals).reduce((sum, count) => sum + count, 0);
  }

  override counter(): Counter {
    return {
      add: ({ kind = '' }, by = 1) => void (this.totals[kind] = (this.totals[kind] ?? 0) + by),
    };
  }

  override histogram(): never {
    throw new Error('nothing is spread here');
  }

  override gauges(): void {
    throw new Error('nothing is read here');
  }

  override gauge(): void {
    throw new Error('nothing is read here');
  }
}
