import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import * as prometheus from 'prom-client';
import { Metrics, type Counter, type Histogram } from '../kernel/metrics';

/** Label sets a metric may have; beyond that a bug is naming things, and it must not fill the memory. */
const MAX_LABEL_SETS = 500;

/** {@link Metrics} as Prometheus reads them, with those of the process itself. */
@Injectable()
export class PrometheusMetrics extends Metrics implements OnModuleDestroy {
  private readonly registry = new prometheus.Registry();

  constructor() {
    super();
    prometheus.collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The text of a scrape. */
  read(): Promise<string> {
    return this.registry.metrics();
  }

  counter(name: string, help: string, labels: readonly string[]): Counter {
    const counter = new prometheus.Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
    });
    const bounded = boundedLabels();
    return { add: (given, by = 1) => counter.inc(bounded(given), by) };
  }

  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram {
    const histogram = new prometheus.Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [...buckets],
      registers: [this.registry],
    });
    const bounded = boundedLabels();
    return { observe: (given, value) => histogram.observe(bounded(given), value) };
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new prometheus.Gauge({
      name,
      help,
      registers: [this.registry],
      /** One that cannot be read is left out of this scrape; the others are not. */
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.reset();
        }
      },
    });
  }

  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void {
    new prometheus.Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        const values = await read().catch(() => ({}));
        for (const [of, value] of Object.entries(values)) this.set({ [label]: of }, value);
      },
    });
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }
}

/** Lets the first label sets through and calls everything in later ones `other`. */
function boundedLabels(): (labels: Record<string, string>) => Record<string, string> {
  const seen = new Set<string>();
  return (labels) => {
    const set = JSON.stringify(Object.values(labels));
    if (seen.has(set)) return labels;
    if (seen.size >= MAX_LABEL_SETS)
      return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']));
    seen.add(set);
    return labels;
  };
}
