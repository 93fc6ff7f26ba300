import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Clock } from '../kernel/clock';
import { traced } from '../kernel/tracing';
import { isTransient } from '../workflows/retry-policy';
import { type Progress, StepwiseEngine } from '../workflows/stepwise-engine';
import { Catalog } from './catalog';
import { completionOf } from './completion';
import { DeliveryLeases, LEASE_MS, type LeasedDelivery, type PutOff } from './delivery-leases.repository';
import { WORK, workSpan } from './delivery-spans';
import { failed } from './failed-delivery';
import { Inbox } from './inbox';
import { SourceDirectory } from './source-directory';
import { understand, type Understood } from './understand';
import { type Ended, WorkMetrics } from './work-metrics';
import { Worker } from './worker';

/** Deliveries in hand at once, at most; and of one organization, so that a slow service takes no other's place. */
const MOST_IN_HAND = 256;
const MOST_OF_ONE = 48;
/** For each call that an organization allows at once: so many that calls never wait for the database. */
const IN_HAND_FOR_A_CALL = 3;
/** Of what may be in hand so much has to be free before more is looked for: a look costs as much for one as for many. */
const FREE_FOR_A_LOOK = 1 / 4;
/** Milliseconds after which it is looked all the same, for organizations that this replica does not know of yet. */
const LOOK_EVERY_MS = 500;
const AFTER_TRANSIENT_MS = 1_000;

/**
 * Works on deliveries whose effects are calls to a remote finance service. A delivery is leased, its runs are
 * walked effect by effect outside of any transaction, and how it ended is written while the lease is held. While
 * an effect cannot be decided the delivery waits, its lane behind it, and nothing else does. That each effect
 * happens once does not hang on the lease: it spares double work and keeps the lane's order.
 */
@Injectable()
export class StepwiseWorker extends Worker {
  private readonly inHand = new Map<LeasedDelivery, Promise<void>>();
  /** When it was last looked for more, on the clock of `performance`. */
  private lookedAt: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly leases: DeliveryLeases,
    private readonly catalog: Catalog,
    private readonly sources: SourceDirectory,
    private readonly engine: StepwiseEngine,
    private readonly clock: Clock,
    private readonly metrics: WorkMetrics,
    inbox: Inbox,
  ) {
    super();
    inbox.onStored(() => this.wake());
  }

  protected override async turn(): Promise<number> {
    const free = MOST_IN_HAND - this.inHand.size;
    if (free <= 0) return 0;
    const room = await this.room();
    const now = performance.now();
    if (this.lookedAt !== undefined && now - this.lookedAt < LOOK_EVERY_MS && isFull(room)) return 0;
    this.lookedAt = now;
    const leased = await this.database.transaction(async (tx) => {
      const taken = await this.leases.take(tx, this.clock.now(), free, room);
      if (taken.length > 0) await this.catalog.refresh(tx);
      return taken;
    });
    for (const delivery of leased) this.begin(delivery);
    return leased.length;
  }

  protected override async finish(): Promise<void> {
    await Promise.all(this.inHand.values());
  }

  @Interval(LEASE_MS / 3)
  async renew(): Promise<void> {
    const leaseIds = [...this.inHand.keys()].map(({ leaseId }) => leaseId);
    if (leaseIds.length === 0) return;
    await this.database
      .transaction((tx) => this.leases.renew(tx, this.clock.now(), leaseIds))
      .catch((error: unknown) => this.logger.warn({ msg: 'leases could not be renewed', err: error }));
  }

  /** How many more deliveries of each organization are worth having in hand; 0: too few to look for them. */
  private async room(): Promise<Map<string, number>> {
    const taken = new Map<string, number>();
    for (const { organizationId: id } of this.inHand.keys()) taken.set(id, (taken.get(id) ?? 0) + 1);
    const room = new Map<string, number>();
    for (const id of new Set([...this.sources.organizationIds(), ...taken.keys()])) {
      const wanted = Math.min(IN_HAND_FOR_A_CALL * (await this.engine.callsAtOnce(id)), MOST_OF_ONE);
      const free = this.engine.restMs(id) > 0 ? 0 : wanted - (taken.get(id) ?? 0);
      room.set(id, free >= wanted * FREE_FOR_A_LOOK ? free : 0);
    }
    return room;
  }

  private begin(delivery: LeasedDelivery): void {
    const work = this.workOn(delivery).finally(() => {
      this.inHand.delete(delivery);
      this.wake();
    });
    this.inHand.set(delivery, work);
  }

  /** Never fails: what goes wrong puts the delivery off, or its lease runs out. */
  private async workOn(delivery: LeasedDelivery): Promise<void> {
    try {
      await traced(WORK, workSpan(delivery), async (span) => {
        const understood = understand(delivery, this.sources.findById(delivery.sourceId));
        const progress = await this.engine.advance(delivery.id, understood.work, this.stopping);
        span.setAttribute('ponte.progress', progress.state);
        await this.settle(delivery, understood, progress);
      });
    } catch (error) {
      await this.recover(delivery, error).catch((second: unknown) =>
        this.logger.warn({ msg: 'a delivery is left to its lease', delivery: delivery.id, err: second }),
      );
    }
  }

  private async settle(delivery: LeasedDelivery, understood: Understood, progress: Progress): Promise<void> {
    const now = this.clock.now();
    let ended: Ended | undefined;
    await this.whileHeld(delivery, async (tx) => {
      if (progress.state === 'finished') {
        const completion = completionOf(understood, progress.outcomes);
        await this.engine.finish(tx, progress.runs);
        await this.leases.complete(tx, now, delivery, completion);
        ended = { state: completion.state, receivedAt: delivery.receivedAt, outcomes: progress.outcomes };
      } else if (progress.state === 'pending') {
        await this.engine.keep(tx, progress.runs);
        const { until: readyAt, reason } = progress;
        await this.leases.putOff(tx, now, delivery, { readyAt, reason, failed: false });
      } else await this.leases.putOff(tx, now, delivery, { readyAt: now, reason: null, failed: false });
    });
    if (ended) this.metrics.ended(now, [ended]);
  }

  private async recover(delivery: LeasedDelivery, error: unknown): Promise<void> {
    const now = this.clock.now();
    const { id } = delivery;
    if (isTransient(error)) {
      this.logger.warn({ msg: 'a delivery could not be worked on; trying again', delivery: id, err: error });
      const readyAt = new Date(now.getTime() + AFTER_TRANSIENT_MS * (0.5 + Math.random()));
      return this.putOff(delivery, { readyAt, reason: null, failed: false });
    }
    const { attempts, readyAt, reason } = failed(delivery.attempts, now);
    this.logger.error({ msg: 'a delivery could not be worked on', delivery: id, attempts, err: error });
    if (readyAt) return this.putOff(delivery, { readyAt, reason, failed: true });
    return this.whileHeld(delivery, (tx) => this.leases.giveUp(tx, now, delivery, reason));
  }

  private putOff(delivery: LeasedDelivery, how: PutOff): Promise<void> {
    return this.whileHeld(delivery, (tx) => this.leases.putOff(tx, this.clock.now(), delivery, how));
  }

  private async whileHeld(
    delivery: LeasedDelivery,
    write: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (await this.leases.hold(tx, delivery)) await write(tx);
      else this.logger.warn({ msg: 'another has taken over a delivery', delivery: delivery.id });
    });
  }
}

function isFull(room: ReadonlyMap<string, number>): boolean {
  return room.size > 0 && [...room.values()].every((free) => free <= 0);
}
