import { Injectable } from '@nestjs/common';
import { type Counter, type Histogram, Metrics } from '../kernel/metrics';
import type { EventOutcome } from '../workflows/planner';

/** Seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];

/** What metrics call the state of a dead letter that waits for a record, and for no person. */
export const WAITING_FOR_RECORD = 'waiting-for-record';

/** What is counted of a delivery whose end is committed. */
export interface Ended {
  receivedAt: Date;
  state: 'done' | 'dead';
  /** Whether it is dead only because it waits for a record. */
  waitsOnly?: boolean;
  outcomes: readonly EventOutcome[];
}

/** Counts what came of deliveries; each after the commit, so that what was rolled back is not counted. */
@Injectable()
export class WorkMetrics {
  private readonly deliveries: Counter;
  private readonly effects: Counter;
  private readonly seconds: Histogram;

  constructor(metrics: Metrics) {
    this.deliveries = metrics.counter(
      'ponte_deliveries_ended_total',
      'Deliveries worked on to an end: done, dead and waiting for a person, or waiting for a record',
      ['state'],
    );
    this.effects = metrics.counter(
      'ponte_effects_total',
      'Effects of deliveries that ended, by operation and state; existing: applied before',
      ['operation', 'state'],
    );
    this.seconds = metrics.histogram(
      'ponte_delivery_duration_seconds',
      'Time from receiving a webhook to its end, by that end',
      ['state'],
      BUCKETS,
    );
  }

  ended(now: Date, deliveries: readonly Ended[]): void {
    for (const { receivedAt, state: came, waitsOnly = false, outcomes } of deliveries) {
      const state = waitsOnly ? WAITING_FOR_RECORD : came;
      this.deliveries.add({ state });
      this.seconds.observe({ state }, Math.max(0, now.getTime() - receivedAt.getTime()) / 1000);
      for (const { effects } of outcomes)
        for (const { operation, state: became } of effects) this.effects.add({ operation, state: became });
    }
  }
}
