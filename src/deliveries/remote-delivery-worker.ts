import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { isAway } from '../database/unavailable';
import { Clock } from '../kernel/clock';
import { EventLoopShare } from '../kernel/event-loop-share';
import { newId } from '../kernel/identifier';
import { traced } from '../kernel/tracing';
import { leftByAll, outcomeOf } from '../workflows/planner';
import { type Progress, RemoteWorkflowEngine } from '../workflows/remote-workflow-engine';
import { BegunBatches } from './begun-batches.repository';
import { Catalog } from './catalog';
import { completionOf } from './completion';
import { DeadLetterLog } from './dead-letter-log';
import {
  AT_ONCE,
  DeliveryLeases,
  LEASE_MS,
  type LeasedDelivery,
  type PutOff,
} from './delivery-leases.repository';
import { WORK, workSpan } from './delivery-spans';
import { failed } from './failed-delivery';
import { Fetches } from './fetch-back/fetches';
import { Inbox } from './inbox';
import { Interruptions } from './interruptions';
import { UnsupportedDeliveries } from './unsupported-deliveries';
import { SourceDirectory } from './source-directory';
import { normalizeDelivery, type NormalizedDelivery } from './normalize-delivery';
import { type Ended, WorkMetrics } from './work-metrics';
import { Worker } from './worker';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { beginErasures } from './begin-erasures';

/** Deliveries leased at once, at most; and of one organization, so that a slow service takes no other's place. */
const MAX_LEASED = 256;
const MAX_LEASED_PER_ORGANIZATION = 48;
/** For each call that an organization allows at once: so many that calls never wait for the database. */
const LEASED_PER_CALL = 3;
/** Of what may be leased so much has to be free before more is claimed: a claim costs as much for one as for many. */
const FREE_TO_CLAIM = 1 / 4;
/** Milliseconds after which it claims all the same, for organizations that this replica does not know of yet. */
const CLAIM_EVERY_MS = 500;
const AFTER_TRANSIENT_MS = 1_000;

/** What a transaction has leased. */
interface Taken {
  leased: LeasedDelivery[];
  /** What has to be fetched before it is worked on. */
  unfetched: LeasedDelivery[];
  /** Deliveries of which it was counted that work on them did not end. */
  counted: number;
}

const NOTHING_TAKEN: Taken = { leased: [], unfetched: [], counted: 0 };

/**
 * Works on deliveries whose effects are calls to a remote finance service. A delivery is leased, its runs are
 * walked effect by effect outside of any transaction, and how it ended is written under the lease. While
 * an effect cannot be decided the delivery waits, its lane behind it, and nothing else does. That each effect
 * happens once does not depend on the lease: the lease spares double work and keeps the lane's order.
 */
@Injectable()
export class RemoteDeliveryWorker extends Worker {
  private readonly leased = new Map<LeasedDelivery, Promise<void>>();
  /** When it last claimed, on the clock of `performance`. */
  private claimedAt: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly leases: DeliveryLeases,
    private readonly batches: BegunBatches,
    private readonly interruptions: Interruptions,
    private readonly catalog: Catalog,
    private readonly sources: SourceDirectory,
    private readonly unsupported: UnsupportedDeliveries,
    private readonly engine: RemoteWorkflowEngine,
    private readonly clock: Clock,
    private readonly metrics: WorkMetrics,
    private readonly deadLetters: DeadLetterLog,
    private readonly fetches: Fetches,
    private readonly erasures: ErasureRequests,
    inbox: Inbox,
  ) {
    super();
    fetches.onFetched(() => this.wake());
    inbox.onStored(() => this.wake());
  }

  protected override async runBatch(): Promise<number> {
    const free = MAX_LEASED - this.leased.size;
    if (free <= 0) return 0;
    const capacity = await this.capacity();
    const now = performance.now();
    if (this.claimedAt !== undefined && now - this.claimedAt < CLAIM_EVERY_MS && isFull(capacity)) return 0;
    this.claimedAt = now;
    await this.batches.forgetFailed();
    const batchId = newId();
    const { leased, unfetched, counted } = await this.database.transaction((tx) =>
      this.lease(tx, free, capacity, batchId),
    );
    this.fetches.start(unfetched);
    if (leased.length > 0) await this.beginAll(leased, batchId);
    return leased.length + unfetched.length + counted;
  }

  /** Leases deliveries, and commits with it that work on them begins. */
  private async lease(
    tx: Transaction,
    most: number,
    capacity: ReadonlyMap<string, number>,
    batchId: string,
  ): Promise<Taken> {
    const { except, exceptSources } = this.unsupported.limits;
    const limits = { except, exceptSources: [...exceptSources, ...this.fetches.busySources] };
    const taken = await this.leases.take(tx, most, capacity, limits);
    if (taken.length === 0) return NOTHING_TAKEN;
    await this.catalog.refresh(tx);
    const left = taken.filter((delivery) => this.unsupported.has(delivery));
    for (const delivery of left) await this.leases.putOff(tx, delivery, AT_ONCE);
    const known = taken.filter((delivery) => !left.includes(delivery));
    const { ready: leased, unfetched } = await this.fetches.divide(tx, known);
    await this.fetches.begin(tx, unfetched);
    if (leased.length === 0) return { ...NOTHING_TAKEN, unfetched };
    const ids = leased.map(({ id }) => id);
    const unended = await this.batches.beginWithin(tx, batchId, ids);
    if (unended.length === 0) return { leased, unfetched, counted: 0 };
    for (const delivery of leased) await this.leases.putOff(tx, delivery, AT_ONCE);
    return { leased: [], unfetched, counted: await this.interruptions.count(tx, unended, ids, batchId) };
  }

  /**
   * Begins work on the deliveries. It has begun, as far as a process can come to harm by it, when each of them is
   * normalized and planned: what follows are calls, and waiting for them. None goes on before all have begun and the
   * batch is forgotten: a process that dies by one of them would leave a row that names what had gone on, or ended.
   */
  private async beginAll(leased: readonly LeasedDelivery[], batchId: string): Promise<void> {
    const share = new EventLoopShare();
    const begun: Promise<void>[] = [];
    let proceed: () => void = () => undefined;
    const forgotten = new Promise<void>((resolve) => (proceed = resolve));
    for (const delivery of leased) {
      begun.push(this.begin(delivery, forgotten));
      if (share.isUsedUp) await share.giveWay();
    }
    await Promise.all(begun);
    try {
      await this.batches.forget(batchId);
    } finally {
      proceed();
    }
  }

  protected override async finish(): Promise<void> {
    await Promise.all([...this.leased.values(), this.fetches.stop()]);
  }

  @Interval(LEASE_MS / 3)
  async renew(): Promise<void> {
    const leaseIds = [...this.leased.keys()].map(({ leaseId }) => leaseId);
    if (leaseIds.length === 0) return;
    await this.database
      .transaction((tx) => this.leases.renew(tx, leaseIds))
      .catch((error: unknown) =>
        this.logger.warn({
          msg: 'delivery worker: leases could not be renewed; tried again in 20 s, and other workers take the deliveries over when the leases end',
          err: error,
        }),
      );
  }

  /** How many more deliveries of each organization are worth leasing; 0: too few to claim them. */
  private async capacity(): Promise<Map<string, number>> {
    const taken = new Map<string, number>();
    for (const { organizationId: id } of this.leased.keys()) taken.set(id, (taken.get(id) ?? 0) + 1);
    const capacity = new Map<string, number>();
    for (const id of new Set([...this.sources.organizationIds(), ...taken.keys()])) {
      const wanted = Math.min(
        LEASED_PER_CALL * (await this.engine.callsAtOnce(id)),
        MAX_LEASED_PER_ORGANIZATION,
      );
      const free = this.engine.backoffMs(id) > 0 ? 0 : wanted - (taken.get(id) ?? 0);
      capacity.set(id, free >= wanted * FREE_TO_CLAIM ? free : 0);
    }
    return capacity;
  }

  /**
   * @param forgotten when work on it may go on
   * @returns when the delivery is planned, or has failed before
   */
  private begin(delivery: LeasedDelivery, forgotten: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const begun = (): Promise<void> => {
        resolve();
        return forgotten;
      };
      const work = this.workOn(delivery, begun).finally(() => {
        this.leased.delete(delivery);
        this.wake();
      });
      this.leased.set(delivery, work);
    });
  }

  /** Never fails: what goes wrong puts the delivery off, or its lease runs out. */
  private async workOn(delivery: LeasedDelivery, begun: () => Promise<void>): Promise<void> {
    try {
      await traced(WORK, workSpan(delivery), async (span) => {
        const normalized = normalizeDelivery(delivery, this.sources.findById(delivery.sourceId));
        const progress = await this.engine.advance(delivery.id, normalized.work, this.stopping, begun);
        span.setAttribute('ponte.progress', progress.state);
        await this.settle(delivery, normalized, progress);
      });
    } catch (error) {
      await begun();
      await this.recover(delivery, error).catch((second: unknown) =>
        this.logger.warn({
          msg: 'delivery worker: how a delivery ended could not be stored; a worker claims it again when its lease ends',
          organizationId: delivery.organizationId,
          delivery: delivery.id,
          err: second,
        }),
      );
    }
  }

  private async settle(
    delivery: LeasedDelivery,
    normalized: NormalizedDelivery,
    progress: Progress,
  ): Promise<void> {
    const now = this.clock.now();
    let ended: Ended | undefined;
    let deadBecause: string | null = null;
    let waitsFor: string[] | undefined;
    await this.whileLeased(delivery, async (tx) => {
      if (progress.state === 'finished') {
        const { unbooked } = normalized;
        const besides = unbooked
          ? [this.engine.leave({ ...unbooked, deliveryId: delivery.id }, unbooked.items)]
          : [];
        const outcomes = [...progress.outcomes, ...besides.map(outcomeOf)];
        const completion = completionOf(normalized, outcomes);
        const left = [...progress.left, ...leftByAll(besides)];
        await this.engine.finish(tx, progress.runs, left);
        await beginErasures(tx, this.erasures, [normalized], now);
        const returning = await this.leases.complete(tx, now, delivery, completion);
        await this.engine.askAboutReturns(tx, returning);
        const { state, reason, waitsOnly } = completion;
        if (waitsOnly) waitsFor = completion.waitsFor;
        else deadBecause = reason && (normalized.unreadable ?? withoutAnswer(reason));
        ended = { state, waitsOnly, receivedAt: delivery.receivedAt, outcomes };
      } else if (progress.state === 'pending') {
        await this.engine.keep(tx, progress.runs);
        const { until, reason } = progress;
        // Said by the clock of this process, and meant as a while from now.
        const delayMs = Math.max(0, until.getTime() - now.getTime());
        await this.leases.putOff(tx, delivery, { delayMs, reason, failed: false });
      } else await this.leases.putOff(tx, delivery, AT_ONCE);
    });
    if (ended) this.metrics.ended(now, [ended]);
    if (waitsFor) this.deadLetters.waits(delivery, waitsFor);
    if (deadBecause !== null) this.deadLetters.write(delivery, deadBecause);
  }

  private async recover(delivery: LeasedDelivery, error: unknown): Promise<void> {
    if (isAway(error)) {
      this.logger.warn({
        msg: 'delivery worker: the database or a service is away; the delivery is tried again in about a second',
        organizationId: delivery.organizationId,
        delivery: delivery.id,
        err: error,
      });
      const delayMs = AFTER_TRANSIENT_MS * (0.5 + Math.random());
      return this.putOff(delivery, { delayMs, reason: null, failed: false });
    }
    const { delayMs, reason } = failed(delivery, error, this.logger);
    if (delayMs !== undefined) return this.putOff(delivery, { delayMs, reason, failed: true });
    const isGivenUp = await this.whileLeased(delivery, (tx) =>
      this.leases.giveUp(tx, this.clock.now(), delivery, reason),
    );
    if (isGivenUp) this.deadLetters.write(delivery, reason);
  }

  private async putOff(delivery: LeasedDelivery, how: PutOff): Promise<void> {
    await this.whileLeased(delivery, (tx) => this.leases.putOff(tx, delivery, how));
  }

  /** @returns false when the lease was lost: then nothing is written */
  private async whileLeased(
    delivery: LeasedDelivery,
    write: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isLeased = await this.leases.lock(tx, delivery);
      if (isLeased) await write(tx);
      else
        this.logger.warn({
          msg: 'delivery worker: the lease of a delivery was lost; this worker writes nothing, whoever has the delivery now goes on',
          organizationId: delivery.organizationId,
          delivery: delivery.id,
        });
      return isLeased;
    });
  }
}

/** A reason for the log: a finance service may have answered with personal data, which the delivery alone keeps. */
function withoutAnswer(reason: string): string {
  const where = /^rule [\w-]+(, step [\w-]+)?/.exec(reason)?.[0] ?? 'a rule';
  return `${where}: refused; the delivery has the reason in full`;
}

function isFull(capacity: ReadonlyMap<string, number>): boolean {
  return capacity.size > 0 && [...capacity.values()].every((free) => free <= 0);
}
