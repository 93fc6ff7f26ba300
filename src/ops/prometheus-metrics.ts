import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import * as prometheus from 'prom-client';
import { type Counter, type Counts, type Histogram, Metrics } from '../kernel/metrics';

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
    const [labelNames, registers] = [[...labels], [this.registry]];
    const counter = new prometheus.Counter({ name, help, labelNames, registers });
    const bounded = boundedLabels();
    return { add: (given, by = 1) => counter.inc(bounded(given), by) };
  }

  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram {
    const [labelNames, registers] = [[...labels], [this.registry]];
    const histogram = new prometheus.Histogram({ name, help, labelNames, buckets: [...buckets], registers });
    const bounded = boundedLabels();
    return { observe: (given, value) => histogram.observe(bounded(given), value) };
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.collected(name, help, [], async (gauge) => gauge.set(await read()));
  }

  gauges(name: string, help: string, label: string, read: () => Counts | Promise<Counts>): void {
    this.collected(name, help, [label], async (gauge) => {
      for (const [of, value] of Object.entries(await read())) gauge.set({ [label]: of }, value);
    });
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }

  /** @param collect called at each scrape; where it fails the others are shown all the same */
  private collected(
    name: string,
    help: string,
    labelNames: string[],
    collect: (gauge: prometheus.Gauge) => Promise<void>,
  ): void {
    const gauge = new prometheus.Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: async () => {
        gauge.reset();
        await collect(gauge).catch(() => undefined);
      },
    });
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
