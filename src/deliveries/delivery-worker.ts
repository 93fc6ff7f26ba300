import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { keepPlans } from '../database/transaction-statements';
import { Clock } from '../kernel/clock';
import type { PlannedEvent } from '../workflows/planner';
import { isTransient } from '../workflows/retry-policy';
import { WorkflowEngine } from '../workflows/workflow-engine';
import { Catalog } from './catalog';
import { completionOf } from './completion';
import { type ClaimedDelivery, type Completion, DeliveryQueue } from './delivery-queue.repository';
import { DeliverySpans } from './delivery-spans';
import { failed } from './failed-delivery';
import { Inbox } from './inbox';
import { SourceDirectory } from './source-directory';
import { type Understood, understand } from './understand';
import { type Ended, WorkMetrics } from './work-metrics';
import { Worker } from './worker';

const BATCH = 128;
/** While webhooks crowd in: they are not read, nor turned away, while this thread computes for a batch. */
const BATCH_BETWEEN_WEBHOOKS = 32;
/** From here on a turn is a long one. */
const MANY = 32;

/** A delivery's end with what is told of it. */
type Completed = Completion & Ended;

/** A delivery with what its events came to. */
interface PlannedDelivery {
  understood: Omit<Understood, 'work'>;
  planned: PlannedEvent[];
}

/**
 * Works on deliveries: claim, understanding, effects and completion are one transaction, so that a crash at any
 * point leaves either all of it or none. A batch that fails is halved until the one that cannot be worked on
 * stands alone; that one is tried again later, and given to a person in the end.
 */
@Injectable()
export class DeliveryWorker extends Worker {
  protected override readonly turnsAtOnce: number;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly catalog: Catalog,
    private readonly sources: SourceDirectory,
    private readonly engine: WorkflowEngine,
    private readonly clock: Clock,
    private readonly metrics: WorkMetrics,
    private readonly inbox: Inbox,
  ) {
    super();
    this.turnsAtOnce = database.parallel ? 2 : 1;
    inbox.onStored(() => this.wake());
  }

  /**
   * Works on one batch.
   * @returns how many deliveries were settled or put off
   */
  async workOnce(only?: readonly string[]): Promise<number> {
    let claimed: ClaimedDelivery[] = [];
    const ended: Completed[] = [];
    const spans = new DeliverySpans();
    try {
      await this.database.transaction(async (tx) => {
        const most = this.inbox.crowded ? BATCH_BETWEEN_WEBHOOKS : BATCH;
        keepPlans(tx);
        claimed = await this.queue.claim(tx, this.clock.now(), most, only);
        if (claimed.length >= MANY) this.beside();
        if (claimed.length > 0) await this.catalog.refresh(tx);
        spans.begin(claimed);
        for (const round of rounds(claimed)) ended.push(...(await this.workOn(tx, round, spans)));
      });
      this.metrics.ended(this.clock.now(), ended);
      spans.end(ended);
      return claimed.length;
    } catch (error) {
      spans.fail(error);
      if (claimed.length === 0 || isTransient(error)) throw error;
      return this.workApart(claimed, error);
    }
  }

  protected override turn(): Promise<number> {
    return this.workOnce();
  }

  private async workOn(
    tx: Transaction,
    claimed: readonly ClaimedDelivery[],
    spans: DeliverySpans,
  ): Promise<Completed[]> {
    const items = claimed.map((delivery) => this.plan(delivery, spans.traceparentOf(delivery.id)));
    let completed: Completed[] = [];
    const planned = items.flatMap((item) => item.planned);
    await this.engine.execute(tx, planned, async (outcomes) => {
      let next = 0;
      completed = items.map(({ understood, planned: { length } }, index): Completed => {
        const own = outcomes.slice(next, (next += length));
        const { receivedAt } = claimed[index] as ClaimedDelivery;
        return { ...completionOf(understood, own), receivedAt, outcomes: own };
      });
      await this.queue.complete(tx, this.clock.now(), completed);
    });
    return completed;
  }

  /** One delivery after another, to the end: the payload of the one before it can go, and need not be moved. */
  private plan(delivery: ClaimedDelivery, traceparent: string | undefined): PlannedDelivery {
    const { work, ...understood } = understand(
      delivery,
      this.sources.findById(delivery.sourceId),
      traceparent,
    );
    return { understood, planned: work.map((item) => this.engine.plan(item)) };
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

  private async putOff({ id, attempts: before }: ClaimedDelivery, error: unknown): Promise<void> {
    const now = this.clock.now();
    const { attempts, readyAt, reason } = failed(before, now);
    this.logger.error({ msg: 'a delivery could not be worked on', delivery: id, attempts, err: error });
    await this.database.transaction((tx) =>
      readyAt ? this.queue.retryLater(tx, id, readyAt, reason) : this.queue.giveUp(tx, id, now, reason),
    );
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
