import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedWebhook } from './paid-orders';
import { HttpConnection, retryAfterOf, type TimedReply } from './http-connection';

/** One second of a flood. */
export interface Second {
  sent: number;
  accepted: number;
  refused: number;
}

export interface FloodResult {
  seconds: number;
  /** Of what was to be sent a second, what really was. */
  sentPerSecond: number;
  acceptedPerSecond: number;
  /** Milliseconds to 200, and to 503. */
  accepted: number[];
  refused: number[];
  /** 503 answers without a `Retry-After`. */
  withoutRetryAfter: number;
  /** Answers that are neither, by status; 0: the connection ended. */
  others: ReadonlyMap<number, number>;
  /** Dedupe keys of what was acknowledged. */
  acknowledged: string[];
  /** Requests that were due when every connection was waiting for an answer: they were not sent. */
  notSent: number;
  bySecond: Second[];
}

export interface Flood {
  url: string;
  perSecond: number;
  seconds: number;
  /** Requests on their way at most. */
  connections: number;
  orders: { next(): SignedWebhook };
}

const TICK_MS = 2;
const OK = 200;
const SATURATED = 503;
/** Webhooks that were answered 503 are sent again later, as shops do; this many are kept for it. */
const MOST_KEPT = 2_048;

/** Sends at a rate of its own, whatever comes back. */
export async function flood(loop: Flood): Promise<FloodResult> {
  const connections = Array.from({ length: loop.connections }, () => new HttpConnection(loop.url));
  try {
    for (const connection of connections) await connection.connected();
    return await new FloodRun(loop, [...connections]).run();
  } finally {
    for (const connection of connections) connection.close();
  }
}

class FloodRun {
  private readonly started = performance.now();
  private readonly refusedOnes: SignedWebhook[] = [];
  private readonly others = new Map<number, number>();
  private readonly accepted: number[] = [];
  private readonly refused: number[] = [];
  private readonly acknowledged: string[] = [];
  private readonly bySecond: Second[];
  private readonly inFlight = new Set<Promise<void>>();
  private withoutRetryAfter = 0;
  private sent = 0;
  private notSent = 0;

  constructor(
    private readonly loop: Flood,
    private readonly free: HttpConnection[],
  ) {
    this.bySecond = Array.from({ length: Math.ceil(loop.seconds) }, () => ({
      sent: 0,
      accepted: 0,
      refused: 0,
    }));
  }

  async run(): Promise<FloodResult> {
    const { seconds, perSecond } = this.loop;
    while (this.elapsed < seconds) {
      const due = Math.floor(this.elapsed * perSecond) - this.sent - this.notSent;
      const now = Math.min(due, this.free.length);
      for (let count = 0; count < now; count += 1) this.sendOne();
      this.notSent += due - now;
      await sleep(TICK_MS);
    }
    const took = this.elapsed;
    const result = {
      seconds: took,
      sentPerSecond: this.sent / took,
      acceptedPerSecond: this.accepted.length / took,
    };
    await Promise.all(this.inFlight);
    const { accepted, refused, withoutRetryAfter, others, acknowledged, notSent, bySecond } = this;
    return { ...result, accepted, refused, withoutRetryAfter, others, acknowledged, notSent, bySecond };
  }

  private get elapsed(): number {
    return (performance.now() - this.started) / 1000;
  }

  private sendOne(): void {
    // The one that has been idle longest: none is idle so long that the service closes it.
    const connection = this.free.shift();
    if (!connection) throw new Error('no connection is free');
    // New ones and old ones alternate, so that what is taken stays mostly new.
    const webhook = this.refusedOnes.length >= MOST_KEPT / 2 ? this.refusedOnes.shift() : undefined;
    const flight = this.exchange(connection, webhook ?? this.loop.orders.next());
    this.sent += 1;
    this.count('sent');
    this.inFlight.add(flight);
    void flight.finally(() => this.inFlight.delete(flight));
  }

  private async exchange(connection: HttpConnection, webhook: SignedWebhook): Promise<void> {
    this.take(await connection.ask(webhook.request), webhook);
    this.free.push(connection);
  }

  private take(answer: TimedReply, webhook: SignedWebhook): void {
    if (answer.status === OK) {
      this.accepted.push(answer.milliseconds);
      this.acknowledged.push(webhook.dedupeKey);
      this.count('accepted');
    } else if (answer.status === SATURATED) {
      this.refused.push(answer.milliseconds);
      if (retryAfterOf(answer) === undefined) this.withoutRetryAfter += 1;
      if (this.refusedOnes.length < MOST_KEPT) this.refusedOnes.push(webhook);
      this.count('refused');
    } else this.others.set(answer.status, (this.others.get(answer.status) ?? 0) + 1);
  }

  private count(what: keyof Second): void {
    const second = this.bySecond[Math.floor(this.elapsed)];
    if (second) second[what] += 1;
  }
}
