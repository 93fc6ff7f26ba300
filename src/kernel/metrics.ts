/** A number that only grows. */
export interface Counter {
  /** @param by defaults to 1 */
  add(labels: Record<string, string>, by?: number): void;
}

/** A spread of values, such as durations in seconds. */
export interface Histogram {
  observe(labels: Record<string, string>, value: number): void;
}

/** By the value of a label. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Where modules register what can be measured about them; `ops/` serves it. Labels must be few and bounded: never
 * an identifier, a slug or anything a client can choose; only gauges that name the few an operator has to act on now
 * may name them by their slugs.
 */
export abstract class Metrics {
  abstract counter(name: string, help: string, labels: readonly string[]): Counter;
  abstract histogram(
    name: string,
    help: string,
    labels: readonly string[],
    buckets: readonly number[],
  ): Histogram;
  /** @param read called at each scrape */
  abstract gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /**
   * A gauge for each value of one label.
   * @param read called at each scrape; what it does not name is gone
   */
  abstract gauges(name: string, help: string, label: string, read: () => Counts | Promise<Counts>): void;
}
