import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Clock } from '../kernel/clock';
import { backoffMs, isTransient, MAX_ATTEMPTS } from '../workflows/retry-policy';
import { type EventOutcome, WorkflowEngine } from '../workflows/workflow-engine';
import { type ClaimedDelivery, type Completion, DeliveryQueue } from './delivery-queue.repository';
import { Inbox } from './inbox';
import { understand, type Understood } from './understand';
import { SourceDirectory } from './source-directory';

const BATCH = 128;
const POLL_MS = 500;
const AFTER_FAILURE_MS = 1_000;

/**
 * Works on deliveries: claim, understanding, effects and completion are one transaction, so that a crash at any
 * point leaves either all of it or none. A batch that fails is halved until the one that cannot be worked on
 * stands alone; that one is tried again later, and given to a person in the end.
 */
@Injectable()
export class DeliveryWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly stopping = new AbortController();
  private awake = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly sources: SourceDirectory,
    private readonly engine: WorkflowEngine,
    private readonly clock: Clock,
    inbox: Inbox,
  ) {
    inbox.onStored(() => this.wake());
  }

  /** Starts working until the application shuts down. */
  start(): void {
    this.running ??= this.loop();
  }

  /** There may be something to do: do not wait for the next look. */
  wake(): void {
    this.awake.abort();
  }

  /** Ends after the batch in hand. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  /**
   * Works on one batch.
   * @returns how many deliveries were settled or put off
   */
  async workOnce(only?: readonly string[]): Promise<number> {
    let claimed: ClaimedDelivery[] = [];
    try {
      return await this.database.transaction(async (tx) => {
        claimed = await this.queue.claim(tx, this.clock.now(), BATCH, only);
        for (const round of rounds(claimed)) await this.workOn(tx, round);
        return claimed.length;
      });
    } catch (error) {
      if (claimed.length === 0 || isTransient(error)) throw error;
      return this.workApart(claimed, error);
    }
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // The embedded database works in this very thread: without this, requests would not be read meanwhile.
      await nextTurn();
      this.awake = new AbortController();
      const worked = await this.workOnce().catch(async (error: unknown) => {
        this.logger.warn({ msg: 'a batch of deliveries could not be worked on; trying again', err: error });
        await this.pause(AFTER_FAILURE_MS * (0.5 + Math.random()), this.stopping.signal);
        return 0;
      });
      if (worked === 0) await this.pause(POLL_MS, this.awake.signal);
    }
  }

  private async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }

  private async workOn(tx: Transaction, claimed: readonly ClaimedDelivery[]): Promise<void> {
    const understood = claimed.map((delivery) =>
      understand(delivery, this.sources.findById(delivery.sourceId)),
    );
    const work = understood.flatMap((item) => item.work);
    const outcomes = await this.engine.execute(tx, work);
    let next = 0;
    const completions = understood.map((item) => {
      const own = outcomes.slice(next, (next += item.work.length));
      return complete(item, own);
    });
    await this.queue.complete(tx, this.clock.now(), completions);
  }

  private async workApart(claimed: readonly ClaimedDelivery[], error: unknown): Promise<number> {
    const [only] = claimed;
    if (claimed.length === 1 && only) {
      await this.putOff(only, error);
      return 1;
    }
    const middle = Math.ceil(claimed.length / 2);
    const halves = [claimed.slice(0, middle), claimed.slice(middle)];
    let worked = 0;
    for (const half of halves) worked += await this.workOnce(half.map(({ id }) => id));
    return worked;
  }

  private async putOff(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const attempts = delivery.attempts + 1;
    this.logger.error({
      msg: 'a delivery could not be worked on',
      delivery: delivery.id,
      attempts,
      err: error,
    });
    await this.database.transaction(async (tx) => {
      const now = this.clock.now();
      if (attempts >= MAX_ATTEMPTS) {
        const reason = `failed ${attempts} times for a reason inside Ponte; the log has it under this delivery's id`;
        await this.queue.giveUp(tx, delivery.id, now, reason);
      } else {
        const readyAt = new Date(now.getTime() + backoffMs(attempts, Math.random()));
        await this.queue.retryLater(
          tx,
          delivery.id,
          readyAt,
          `failed ${attempts} times inside Ponte; trying again`,
        );
      }
    });
  }
}

/** Deliveries of one lane go one after another: the first of each lane, then the second of each, … */
function rounds(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const seen = new Map<string, number>();
  const result: ClaimedDelivery[][] = [];
  for (const delivery of claimed) {
    const round = seen.get(delivery.lane) ?? 0;
    seen.set(delivery.lane, round + 1);
    (result[round] ??= []).push(delivery);
  }
  return result;
}

function complete(item: Understood, outcomes: readonly EventOutcome[]): Completion {
  const { id, events, businessKey } = item;
  const base = { id, events, businessKey };
  if (item.unreadable !== undefined)
    return { ...base, state: 'dead', outcome: null, reason: item.unreadable };
  const refusals = outcomes.flatMap((outcome) => outcome.refusals);
  if (refusals.length > 0) return { ...base, state: 'dead', outcome: null, reason: refusals.join('; ') };
  const matched = outcomes.reduce((sum, outcome) => sum + outcome.matched, 0);
  const outcome = item.ignored ?? (matched > 0 ? 'applied' : `no rule for ${events.join(', ')}`);
  return { ...base, state: 'done', outcome, reason: null };
}
