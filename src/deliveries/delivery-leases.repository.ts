import type { ReturningOrder } from '../workflows/returned-twice.repository';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import { workedTogether } from './batch-order';
import { DATABASE_NOW, fromNow } from './database-now.sql';
import {
  type ClaimedDelivery,
  type ClaimLimits,
  type Completion,
  DeliveryQueue,
} from './delivery-queue.repository';

/** How long a delivery is left to whoever leased it, unless the lease is renewed. */
export const LEASE_MS = 60_000;

/** A delivery that nobody else works on until its lease ends. */
export interface LeasedDelivery extends ClaimedDelivery {
  /** Identifies this lease: who lost it can no longer write. */
  leaseId: string;
}

/** How a leased delivery is given back unfinished. */
export interface PutOff {
  /** Milliseconds until it may be worked on again. */
  delayMs: number;
  reason: string | null;
  failed: boolean;
}

/** Given back as it was. */
export const AT_ONCE: PutOff = { delayMs: 0, reason: null, failed: false };

/**
 * Leases on deliveries, for work that takes longer than a transaction may stay open. When one ends is decided by the
 * database's clock. A leased delivery waits like
 * any other, with the end of its lease as its time; while the front of a lane is leased the lane waits.
 */
@Injectable()
export class DeliveryLeases {
  private aloneFirst = false;

  constructor(private readonly queue: DeliveryQueue) {}

  /**
   * Leases what is ready: of each lane the first alone, of each organization as many as `capacity` says.
   * @param capacity how many more of an organization's deliveries are wanted; organizations it does not name: as many
   *   as there are
   * @param limits what else is not leased
   */
  async take(
    tx: Transaction,
    limit: number,
    capacity: ReadonlyMap<string, number>,
    limits: ClaimLimits = {},
  ): Promise<LeasedDelivery[]> {
    const full = [...capacity].filter(([, free]) => free <= 0).map(([id]) => id);
    const except = [...full, ...(limits.except ?? [])];
    const claimed = await this.queue.claim(tx, limit, { ...limits, except });
    const free = await this.inFreeLanes(tx, fronts(claimed));
    return this.leaseClaimed(
      tx,
      workedTogether(withinCapacity(free, capacity), (this.aloneFirst = !this.aloneFirst)),
    );
  }

  /** Leases what this transaction has claimed. */
  async leaseClaimed(tx: Transaction, deliveries: readonly ClaimedDelivery[]): Promise<LeasedDelivery[]> {
    if (deliveries.length === 0) return [];
    const taken = deliveries.map((delivery) => ({ ...delivery, leaseId: newId() }));
    const rows = taken.map(({ id, leaseId }) => ({ id, lease_id: leaseId }));
    await tx.$executeRaw`
      update delivery d set lease_id = l.lease_id, ready_at = ${fromNow(LEASE_MS)}, woken = false
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(id uuid, lease_id uuid)
      where d.id = l.id`;
    return taken;
  }

  /**
   * Leaves out what would overtake a lease: the front of a lane may have come back to it while a later delivery of the
   * lane was leased. It waits until that one is given back, which wakes the lane, or its lease has ended.
   */
  private async inFreeLanes(
    tx: Transaction,
    claimed: readonly ClaimedDelivery[],
  ): Promise<ClaimedDelivery[]> {
    if (claimed.length === 0) return [];
    const postponed = await tx.$queryRaw<{ id: string }[]>`
      update delivery d set ready_at = h.until
      from (
        select lane, max(ready_at) as until from open_delivery
        where lane = any(${claimed.map(({ lane }) => lane)}::text[]) and state = 'waiting'
          and lease_id is not null and ready_at > ${DATABASE_NOW}
        group by lane
      ) h
      where d.id = any(${claimed.map(({ id }) => id)}::uuid[]) and d.lane = h.lane
      returning d.id::text as id`;
    const postponedIds = new Set(postponed.map(({ id }) => id));
    return claimed.filter(({ id }) => !postponedIds.has(id));
  }

  /** Renews leases that have not ended. */
  async renew(tx: Transaction, leaseIds: readonly string[]): Promise<void> {
    if (leaseIds.length === 0) return;
    await tx.$executeRaw`
      update delivery set ready_at = ${fromNow(LEASE_MS)}
      where lease_id = any(${leaseIds}::uuid[]) and state = 'waiting'`;
  }

  /**
   * Locks the delivery for the rest of the transaction, if the lease still counts.
   * @returns false when another has taken over, or an operator has ended it
   */
  async lock(tx: Transaction, { id, leaseId }: LeasedDelivery): Promise<boolean> {
    const locked = await tx.$queryRaw<unknown[]>`
      select 1 from delivery
      where id = ${id}::uuid and lease_id = ${leaseId}::uuid and state = 'waiting'
      for update`;
    return locked.length === 1;
  }

  /** Writes how a locked delivery ended, and wakes its lane. @returns as {@link DeliveryQueue.complete} */
  async complete(
    tx: Transaction,
    now: Date,
    delivery: LeasedDelivery,
    completion: Completion,
  ): Promise<ReturningOrder[]> {
    const returning = await this.queue.complete(tx, now, [completion]);
    await this.end(tx, delivery);
    return returning;
  }

  /**
   * Gives a locked delivery back to the queue; its lane waits with it. What it waits for may have been
   * settled meanwhile: then it is ready at once.
   */
  async putOff(tx: Transaction, { id }: LeasedDelivery, { delayMs, reason, failed }: PutOff): Promise<void> {
    await tx.$executeRaw`
      update delivery
      set lease_id = null, reason = ${reason}, attempts = attempts + ${failed ? 1 : 0}::int,
        ready_at = case when woken and not ${failed} then ${DATABASE_NOW} else ${fromNow(delayMs)} end
      where id = ${id}::uuid`;
  }

  /**
   * Gives a locked delivery back, to be worked on at once, and with it all that was put off until the end of its lease in
   * the lane that it was in: it may have left that lane, and whoever works on it next may wake nobody.
   */
  async release(tx: Transaction, { id, lane }: LeasedDelivery): Promise<void> {
    await tx.$executeRaw`
      update delivery set lease_id = null, ready_at = ${DATABASE_NOW} where id = ${id}::uuid`;
    await tx.$executeRaw`
      update delivery set ready_at = ${DATABASE_NOW}
      where id = any(array(select id from open_delivery where lane = ${lane} and state = 'waiting' and lease_id is null))`;
  }

  /** Makes a locked delivery a dead letter, and wakes its lane. */
  async giveUp(tx: Transaction, now: Date, delivery: LeasedDelivery, reason: string): Promise<void> {
    await this.queue.giveUp(tx, delivery.id, now, reason);
    await this.end(tx, delivery);
  }

  /** What stood behind it in its lane was put off until the end of its lease, or is just now by who has it locked. */
  private async end(tx: Transaction, { id, lane }: LeasedDelivery): Promise<void> {
    await tx.$executeRaw`update delivery set lease_id = null where id = ${id}::uuid`;
    await tx.$executeRaw`
      update delivery set ready_at = ${DATABASE_NOW}
      where id = (select id from open_delivery where lane = ${lane} and state = 'waiting' order by seq limit 1)
        and lease_id is null`;
  }
}

function fronts(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[] {
  const seen = new Set<string>();
  return claimed.filter(({ lane }) => !seen.has(lane) && seen.add(lane));
}

function withinCapacity(
  deliveries: readonly ClaimedDelivery[],
  capacity: ReadonlyMap<string, number>,
): ClaimedDelivery[] {
  const left = new Map(capacity);
  return deliveries.filter(({ organizationId }) => {
    const free = left.get(organizationId) ?? Infinity;
    left.set(organizationId, free - 1);
    return free > 0;
  });
}
