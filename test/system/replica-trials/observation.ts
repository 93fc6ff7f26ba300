import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyOrder } from '../remote-chaos/verdict';
import type { FeedReader } from './feed-reader';
import type { Trial } from './trial';
import type { HealthReply, TrialReplica } from './trial-replica';

const EVERY_MS = 500;

/** What was so at one moment, and what the replica said of it. */
export interface Sample {
  /** Milliseconds since the observation began. */
  atMs: number;
  /** How many of the orders are applied. */
  applied: number;
  /** How many changes are committed, and how many of them the feed has shown. */
  committed: number;
  shown: number;
  health: HealthReply;
  /** `ponte_feed_unplaced_seconds` and `ponte_oldest_waiting_seconds`; undefined: no answer. */
  unplacedSeconds: number | undefined;
  waitingSeconds: number | undefined;
  /** Milliseconds since the observation began, when these were told. */
  toldAtMs: number;
}

/** Watches one replica while another stands still: what it gets done, and what it says of that. */
export class Observation {
  readonly samples: Sample[] = [];
  /** When each reading of the feed to its end began, and how many changes had been shown at its end. */
  private readonly readings: { readonly beganAtMs: number; readonly shown: number }[] = [];
  private readonly started = performance.now();
  private endedAt?: number;
  private isOver = false;
  private readonly running: Promise<unknown>;

  /**
   * @param orders those that only the watched replica can apply
   * @param usualMs how long as many orders took on this machine while neither replica stood still
   */
  constructor(
    private readonly trial: Trial,
    private readonly replica: TrialReplica,
    private readonly feed: FeedReader,
    readonly orders: readonly CompanyOrder[],
    readonly usualMs: number,
  ) {
    this.running = Promise.all([this.observe(), this.readFeed()]);
  }

  /** Milliseconds since it began, until it ended. */
  get ageMs(): number {
    return (this.endedAt ?? performance.now()) - this.started;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.running;
    this.endedAt = performance.now();
  }

  /** Whether all orders are applied, the feed shows all that was committed in the beginning, and all is well. */
  get recovered(): boolean {
    const last = this.samples.at(-1);
    return (
      last !== undefined &&
      last.applied === this.orders.length &&
      last.shown >= (this.samples[0]?.committed ?? 0) &&
      last.health.status === 'ok'
    );
  }

  /** When so many orders were applied; undefined: never. */
  appliedAtMs(count = this.orders.length): number | undefined {
    return this.samples.find(({ applied }) => applied >= count)?.atMs;
  }

  /** When the feed had shown what was committed in the beginning; undefined: never. */
  get shownAtMs(): number | undefined {
    const first = this.samples[0];
    return first && this.samples.find(({ shown }) => shown >= first.committed)?.atMs;
  }

  /** The longest that something committed was not in the feed, in milliseconds, as far as was watched. */
  get longestUnshownMs(): number {
    const end = this.ageMs;
    const lags = this.samples.map(({ committed, atMs }) => {
      const shownAt = this.samples.find(({ shown, atMs: at }) => at >= atMs && shown >= committed)?.atMs;
      return (shownAt ?? end) - atMs;
    });
    return Math.max(0, ...lags);
  }

  /** How many changes the first reading of the feed had shown that began then or later, of those that there were. */
  shownAfter(atMs: number): number {
    return this.readings.find(({ beganAtMs }) => beganAtMs >= atMs)?.shown ?? this.feed.seen.length;
  }

  private async observe(): Promise<void> {
    while (!this.isOver) {
      const next = sleep(EVERY_MS);
      this.samples.push(await this.sample());
      await next;
    }
  }

  /** Apart from the samples: a feed that is stuck takes its time to answer. */
  private async readFeed(): Promise<void> {
    while (!this.isOver) {
      const next = sleep(EVERY_MS);
      const beganAtMs = this.ageMs;
      const isWhole = await this.feed.read(this.replica);
      if (isWhole) this.readings.push({ beganAtMs, shown: this.feed.seen.length });
      await next;
    }
  }

  private async sample(): Promise<Sample> {
    const atMs = Math.round(this.ageMs);
    const applied = await this.trial.applied(this.orders);
    const committed = await this.trial.committedChanges();
    const shown = this.feed.seen.length;
    const [health, metrics] = await Promise.all([this.replica.health(), this.replica.metrics()]);
    return {
      atMs,
      applied,
      committed,
      shown,
      health,
      unplacedSeconds: metrics?.get('ponte_feed_unplaced_seconds'),
      waitingSeconds: metrics?.get('ponte_oldest_waiting_seconds'),
      toldAtMs: this.ageMs,
    };
  }
}
