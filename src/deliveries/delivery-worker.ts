import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { usePreparedStatements } from '../database/transaction-statements';
import { Clock } from '../kernel/clock';
import type { PlannedEvent } from '../workflows/planner';
import { isTimeout, isTransient } from '../workflows/retry-policy';
import { EmbeddedWorkflowEngine } from '../workflows/embedded-workflow-engine';
import { Batch, type Completed } from './batch';
import { partsOf, piecesOf, roundsOf, workedTogether } from './batch-order';
import { BegunBatches } from './begun-batches.repository';
import { Catalog } from './catalog';
import { completionOf } from './completion';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue.repository';
import { DeadLetterLog } from './dead-letter-log';
import { failed } from './failed-delivery';
import { FairShare } from './fair-share';
import { Fetches } from './fetch-back/fetches';
import { Inbox } from './inbox';
import { Interruptions } from './interruptions';
import { UnsupportedDeliveries } from './unsupported-deliveries';
import { SourceDirectory } from './source-directory';
import { type NormalizedDelivery, normalizeDelivery } from './normalize-delivery';
import { WorkMetrics } from './work-metrics';
import { Worker } from './worker';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { beginErasures } from './begin-erasures';

const BATCH = 128;
/** While the intake is crowded: webhooks are neither read nor refused while this thread computes for a batch. */
const BATCH_BETWEEN_WEBHOOKS = 32;
/** Of a batch on the embedded database, which works on one at a time: the rest is planned while it writes this much. */
const PIECE = 64;
/** Milliseconds of planning one delivery, from which on a connection that broke meanwhile counts as time that is up. */
const LONG_PLAN_MS = 5_000;
/** Milliseconds for which a transaction that failed waits until it is forgotten that it was begun. */
const FORGET_MS = 3_000;

interface PlannedDelivery {
  delivery: ClaimedDelivery;
  normalized: Omit<NormalizedDelivery, 'work'>;
  planned: PlannedEvent[];
}

/**
 * Works on deliveries: claim, normalization, effects and completion are one transaction, so that a crash at any
 * point leaves either all of it or none. A batch that fails or takes too long is divided until the one that cannot be
 * worked on stands alone; that one is tried again later, and given to a person in the end. That a batch is begun is
 * committed before, so that work which did not end is counted whatever ended it.
 */
@Injectable()
export class DeliveryWorker extends Worker {
  protected override readonly batchesAtOnce: number;
  /** Whether the next batch takes what goes alone; else that could wait for as long as there is anything else. */
  private aloneFirst = false;
  /** Whether the next batch takes large bodies that have waited for long, for the same reason. */
  private largeFirst = false;
  private readonly fairShare = new FairShare();

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly batches: BegunBatches,
    private readonly interruptions: Interruptions,
    private readonly catalog: Catalog,
    private readonly sources: SourceDirectory,
    private readonly unsupported: UnsupportedDeliveries,
    private readonly engine: EmbeddedWorkflowEngine,
    private readonly clock: Clock,
    private readonly metrics: WorkMetrics,
    private readonly inbox: Inbox,
    private readonly deadLetters: DeadLetterLog,
    private readonly fetches: Fetches,
    private readonly erasures: ErasureRequests,
  ) {
    super();
    fetches.onFetched(() => this.wake());
    this.batchesAtOnce = database.parallel ? 2 : 1;
    inbox.onStored(() => this.wake());
  }

  /**
   * Works on one batch.
   * @returns how many deliveries were settled or put off
   */
  async workOnce(only?: readonly string[]): Promise<number> {
    if (only) return this.workOn(new Batch(only));
    const { waitingOrganizations: waiting } = this.fairShare;
    const worked = await this.workOn(new Batch(undefined, waiting));
    if (worked > 0 || waiting.length === 0) return worked;
    this.fairShare.reset();
    return this.workOn(new Batch());
  }

  private async workOn(batch: Batch): Promise<number> {
    await this.batches.forgetFailed();
    try {
      const worked = await (this.database.parallel
        ? this.inOneTransaction(batch)
        : this.inTwoTransactions(batch));
      this.fetches.start(batch.unfetched);
      this.metrics.ended(this.clock.now(), batch.ended);
      this.logDead(batch);
      batch.spans.end(batch.ended);
      if (batch.usedUp) this.fairShare.usedUp(batch.taken);
      else if (!batch.only) this.fairShare.reset();
      return worked;
    } catch (error) {
      batch.spans.fail(error);
      return this.recover(batch, error);
    }
  }

  protected override runBatch(): Promise<number> {
    return this.workOnce();
  }

  protected override finish(): Promise<void> {
    return this.fetches.stop();
  }

  private logDead({ ended, taken }: Batch): void {
    const dead = new Map(ended.filter(({ reason }) => reason !== null).map((letter) => [letter.id, letter]));
    for (const delivery of taken.keys()) {
      const { reason, waitsOnly, waitsFor = [] } = dead.get(delivery.id) ?? {};
      if (waitsOnly) this.deadLetters.waits(delivery, waitsFor);
      else if (reason != null) this.deadLetters.write(delivery, reason);
    }
  }

  /** That work begins is committed on a second connection, while the transaction that will do it has the deliveries. */
  private inOneTransaction(batch: Batch): Promise<number> {
    // Inside a transaction the database refuses to be used in any other way.
    const outside = AsyncLocalStorage.snapshot();
    return this.database.transaction(async (tx) => {
      usePreparedStatements(tx);
      batch.claimed = this.choose(await this.queue.claim(tx, this.most, this.limits(batch)));
      if (batch.claimed.length === 0) return 0;
      if (batch.isLong) this.startAnother();
      const begin = outside(() => this.batches.begin(batch.id, batch.ids));
      try {
        const [unended] = await Promise.all([begin, this.catalog.refresh(tx)]);
        if (unended.length > 0) return await this.interruptions.count(tx, unended, batch.ids, batch.id);
        return await this.work(tx, batch);
      } catch (error) {
        // As long as the deliveries are locked, so that nobody takes it for work that did not end; but not for so long
        // that the server ends the silent transaction, which would then have failed by that.
        const forgotten = outside(() => begin.catch(() => []).then(() => this.batches.forget(batch.id)));
        await Promise.race([forgotten, sleep(FORGET_MS, undefined, { ref: false })]);
        throw error;
      }
    });
  }

  /** With one connection, that work begins is committed by a transaction of its own; nobody else claims meanwhile. */
  private async inTwoTransactions(batch: Batch): Promise<number> {
    const begun = await this.database.transaction(async (tx) => {
      usePreparedStatements(tx);
      const chosen = this.choose(await this.queue.choose(tx, this.most, this.limits(batch)));
      const ids = chosen.map(({ id }) => id);
      if (ids.length === 0) return { ids, counted: 0 };
      const unended = await this.batches.beginWithin(tx, batch.id, ids);
      const counted = unended.length > 0 ? await this.interruptions.count(tx, unended, ids, batch.id) : 0;
      return { ids, counted };
    });
    if (begun.ids.length === 0 || begun.counted > 0) return begun.counted;
    return this.database.transaction(async (tx) => {
      usePreparedStatements(tx);
      const limits = this.limits({ only: begun.ids, except: [] });
      const claiming = this.queue.claim(tx, begun.ids.length, limits);
      [batch.claimed] = await Promise.all([claiming, this.catalog.refresh(tx)]);
      return this.work(tx, batch);
    });
  }

  private get most(): number {
    return this.inbox.crowded ? BATCH_BETWEEN_WEBHOOKS : BATCH;
  }

  private limits({ only, except }: Pick<Batch, 'only' | 'except'>): Parameters<DeliveryQueue['claim']>[2] {
    const { limits } = this.unsupported;
    return {
      only,
      except: [...limits.except, ...except],
      exceptSources: [...limits.exceptSources, ...this.fetches.busySources],
    };
  }

  private choose<Delivery extends Parameters<typeof workedTogether>[0][number]>(
    claimed: readonly Delivery[],
  ): Delivery[] {
    const chosen = workedTogether(claimed, this.aloneFirst);
    if (claimed.length > 0) this.aloneFirst = chosen[0]?.interrupted === 0;
    return chosen;
  }

  /** @returns how many were taken into the transaction; the others are as ready as before when it ends */
  private async work(tx: Transaction, batch: Batch): Promise<number> {
    const known = batch.claimed.filter((delivery) => !this.unsupported.has(delivery));
    const { ready: mine, unfetched } = await this.fetches.divide(tx, known);
    batch.unfetched = await this.fetches.lease(tx, unfetched);
    batch.spans.begin(mine);
    const rounds = roundsOf(mine, this.clock.now(), (this.largeFirst = !this.largeFirst));
    await this.workInTurn(tx, this.database.parallel ? rounds : piecesOf(rounds, PIECE), batch);
    if (batch.taken.size === 0) await this.batches.end(tx, batch.id);
    batch.usedUp = batch.full;
    return batch.taken.size + batch.unfetched.length;
  }

  /** Each round is planned while the database writes what came of the one before. */
  private async workInTurn(
    tx: Transaction,
    rounds: readonly (readonly ClaimedDelivery[])[],
    batch: Batch,
  ): Promise<void> {
    let writing: Promise<void> | undefined;
    try {
      for (const round of rounds) {
        const items = await this.planAll(round, batch);
        await writing;
        const last = round === rounds.at(-1) || items.length < round.length || batch.full;
        writing = this.carryOut(tx, items, batch, last);
        if (last) break;
        // Its failure ends the work when the next round is planned, and not as one that nobody waits for.
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
  }

  private async planAll(round: readonly ClaimedDelivery[], batch: Batch): Promise<PlannedDelivery[]> {
    const items: PlannedDelivery[] = [];
    for (const delivery of round) {
      if (batch.full) break;
      items.push(await this.plan(delivery, batch));
      if (batch.share.isUsedUp) await batch.share.giveWay();
    }
    return items;
  }

  /** One delivery after another, to the end: the payload of the one before it can go, and need not be moved. */
  private async plan(delivery: ClaimedDelivery, batch: Batch): Promise<PlannedDelivery> {
    const startedAt = performance.now();
    batch.taken.set(delivery, 0);
    const source = this.sources.findById(delivery.sourceId);
    const { work, ...normalized } = normalizeDelivery(
      delivery,
      source,
      batch.spans.traceparentOf(delivery.id),
    );
    const planned = await this.engine.plan(work, batch.share);
    const { unbooked } = normalized;
    if (unbooked) planned.push(this.engine.leave({ ...unbooked, deliveryId: delivery.id }, unbooked.items));
    batch.taken.set(delivery, performance.now() - startedAt);
    return { delivery, normalized, planned };
  }

  /** @param last whether nothing else is done in the transaction */
  private async carryOut(
    tx: Transaction,
    items: readonly PlannedDelivery[],
    batch: Batch,
    last: boolean,
  ): Promise<void> {
    const planned = items.flatMap((item) => item.planned);
    await this.engine.execute(tx, planned, async (outcomes) => {
      let next = 0;
      const completed = items.map(({ delivery, normalized, planned: { length } }): Completed => {
        const own = outcomes.slice(next, (next += length));
        const { receivedAt } = delivery;
        return { ...completionOf(normalized, own), receivedAt, outcomes: own };
      });
      batch.ended.push(...completed);
      await beginErasures(
        tx,
        this.erasures,
        items.map(({ normalized }) => normalized),
        this.clock.now(),
      );
      const [returning] = await Promise.all([
        this.queue.complete(tx, this.clock.now(), completed),
        ...(last ? [this.batches.end(tx, batch.id)] : []),
      ]);
      await this.engine.askAboutReturns(tx, returning);
    });
  }

  /**
   * What takes too long together is divided. One alone is counted when a statement or its own transaction took too long,
   * or planning it; a connection that was silent or broke otherwise is nobody's fault, and all of it is tried again.
   */
  private async recover(batch: Batch, error: unknown): Promise<number> {
    await this.batches.forget(batch.id);
    const tooLong = isTimeout(error) || (isTransient(error) && batch.longestPlanMs > LONG_PLAN_MS);
    const { taken } = batch;
    if (taken.size === 0 || (isTransient(error) && !tooLong)) throw error;
    const [only] = taken.keys();
    if (taken.size === 1 && only) {
      if (tooLong && batch.claimed.length > 1) return this.workOnce([only.id]);
      await (tooLong ? this.interruptions.record(only.id, error) : this.putOff(only, error));
      return 1;
    }
    let worked = 0;
    for (const part of partsOf(taken)) {
      if (this.stopping.aborted) break;
      worked += await this.workOnce(part.map(({ id }) => id));
    }
    return worked;
  }

  private async putOff(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const { id } = delivery;
    const { delayMs, reason } = failed(delivery, error, this.logger);
    await this.database.transaction((tx) =>
      delayMs === undefined
        ? this.queue.giveUp(tx, id, this.clock.now(), reason)
        : this.queue.retryLater(tx, id, delayMs, reason),
    );
    if (delayMs === undefined) this.deadLetters.write(delivery, reason);
  }
}
