import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import type { DeliveryState, Prisma } from '../database/client/client';
import { countAll, type IndexWalk, lockOldestDead, type Place } from '../database/index-walk';
import type { Transaction } from '../database/transaction';
import { linkActiveSpan, traceparentOf } from '../kernel/tracing';
import type { Organization } from '../kernel/organization';
import { DATABASE_NOW } from './database-now.sql';
import { sourceSlugs } from './deliveries.repository';
import { type DeliveryFilter, walksOf } from './delivery-list.repository';

/** How a delivery stood before it was put back to work: what will be overwritten, without personal data. */
export interface DeliverySnapshot {
  id: string;
  state: DeliveryState;
  outcome: string | null;
  attempts: number;
  runs: RunSnapshot[];
}

/** A run as it stood; its steps by id, each with its state and the keys of its effects. */
export interface RunSnapshot {
  rule: string;
  version: number;
  event: string;
  eventIndex: number;
  state: string;
  steps: { id: string; state: string; effects: string[] }[];
}

/**
 * Puts deliveries back to work. One that comes back keeps its place in its lane: it goes before what arrived after it
 * and still waits, once whatever is being worked on in the lane is out of hand.
 */
@Injectable()
export class DeliveryRequeue {
  /**
   * Puts those of the deliveries that are in one of the states back to work, now. One whose body is purged stays.
   * @returns how they stood, in no order; their runs are overwritten as they are worked on
   */
  async putBack(
    tx: Transaction,
    organization: Pick<Organization, 'id'>,
    ids: readonly string[],
    states: readonly DeliveryState[],
  ): Promise<DeliverySnapshot[]> {
    // Locked in one order, so that two that want the same deliveries do not wait for each other.
    const rows = await tx.$queryRaw<(Omit<DeliverySnapshot, 'runs'> & { traceparent: string | null })[]>`
      select id::text as id, state::text as state, outcome, attempts, traceparent from delivery
      where id = any(${ids}::uuid[]) and organization_id = ${organization.id}::uuid
        and state = any(${states}::delivery_state[])
        and exists (
          select from delivery_body b where b.organization_id = delivery.organization_id and b.id = delivery.id)
      order by delivery.id for update`;
    if (rows.length === 0) return [];
    const taken = rows.map(({ id }) => id);
    const runs = await this.runsOf(tx, taken);
    await tx.$executeRaw`
      update delivery
      set state = 'waiting', ready_at = ${DATABASE_NOW}, attempts = 0, interrupted = 0, outcome = null, reason = null, finished_at = null,
        waits_for = null, waits_only = false, lease_id = null, woken = false, traceparent = coalesce(${traceparentOf() ?? null}, traceparent)
      where id = any(${taken}::uuid[])`;
    return rows.map(({ traceparent, ...delivery }) => {
      // What follows belongs to the trace of whoever asked for it, which leads back to the one before.
      linkActiveSpan(traceparent);
      return { ...delivery, runs: runs.get(delivery.id) ?? [] };
    });
  }

  /**
   * Takes a delivery that nobody works on out of what is to be done, for good; its lane goes on without it.
   * @param now when one that waited ended by it; a dead letter ended before
   * @returns how it stood; 'in work': a process has it just now; undefined: the organization has none in these states
   */
  async discard(
    tx: Transaction,
    organization: Organization,
    id: string,
    { states, reason, now }: { states: readonly DeliveryState[]; reason: string; now: Date },
  ): Promise<Omit<DeliverySnapshot, 'runs'> | 'in work' | undefined> {
    const [found] = await tx.$queryRaw<unknown[]>`
      select 1 from delivery
      where id = ${id}::uuid and organization_id = ${organization.id}::uuid and state = any(${states}::delivery_state[])`;
    if (!found) return undefined;
    const [locked] = await tx.$queryRaw<
      (Omit<DeliverySnapshot, 'runs'> & { lane: string; finishedAt: Date | null })[]
    >`
      select id::text as id, state::text as state, outcome, attempts, lane, finished_at as "finishedAt" from delivery
      where id = ${id}::uuid and state = any(${states}::delivery_state[])
        and (lease_id is null or ready_at <= ${DATABASE_NOW})
      for update skip locked`;
    if (!locked) return 'in work';
    const { lane, finishedAt, ...snapshot } = locked;
    await tx.delivery.update({
      where: { id },
      data: {
        state: 'discarded',
        outcome: `discarded: ${reason}`,
        leaseId: null,
        finishedAt: finishedAt ?? now,
      },
    });
    // What stood behind it was put off for as long as it, or is being put off just now by whoever has it locked.
    await tx.$executeRaw`
      update delivery set ready_at = ${DATABASE_NOW}
      where id = any(array(select id from open_delivery where lane = ${lane} and state = 'waiting' and lease_id is null))`;
    return snapshot;
  }

  /** Whether the organization has the delivery, in whatever state. @param id a UUID */
  async exists(tx: Transaction, organization: Organization, id: string): Promise<boolean> {
    return (await tx.delivery.count({ where: { id, organizationId: organization.id } })) > 0;
  }

  /** How many dead letters fit. */
  async countDead(tx: Transaction, organization: Organization, filter: DeliveryFilter): Promise<number> {
    const walk = await deadLetters(tx, organization, filter);
    if (!walk) return 0;
    await alongAnIndex(tx);
    const [row] = await tx.$queryRaw<{ count: number }[]>(countAll(walk));
    return row?.count ?? 0;
  }

  /**
   * Some dead letters that fit, oldest first, locked; those that another is at are left out.
   * @param after where the walk stands: it only goes forward, so a letter that comes back and dies again meanwhile is
   *   not taken twice
   */
  async lockDead(
    tx: Transaction,
    organization: Organization,
    filter: DeliveryFilter,
    { after, limit }: { after: Place | undefined; limit: number },
  ): Promise<Place[]> {
    const walk = await deadLetters(tx, organization, filter);
    if (!walk) return [];
    await alongAnIndex(tx);
    return tx.$queryRaw<Place[]>(lockOldestDead(walk, limit, after));
  }

  private async runsOf(tx: Transaction, ids: string[]): Promise<Map<string, RunSnapshot[]>> {
    const rows = await tx.run.findMany({
      where: { deliveryId: { in: ids } },
      select: {
        ...{ deliveryId: true, rule: true, ruleVersion: true, eventType: true, eventIndex: true },
        ...{ state: true, steps: true },
      },
      orderBy: [{ eventIndex: 'asc' }, { rule: 'asc' }],
    });
    const byDelivery = new Map<string, RunSnapshot[]>();
    for (const { deliveryId, ruleVersion: version, eventType: event, steps, ...run } of rows) {
      const snapshot = { ...run, version, event, steps: stepsOf(steps) };
      byDelivery.set(deliveryId, [...(byDelivery.get(deliveryId) ?? []), snapshot]);
    }
    return byDelivery;
  }
}

/** Of the stored steps (`StepRecord[]` of the workflows), what is kept for ever. */
function stepsOf(steps: Prisma.JsonValue): RunSnapshot['steps'] {
  return (steps as unknown as RunSnapshot['steps']).map(({ id, state, effects }) => ({ id, state, effects }));
}

async function deadLetters(
  tx: Transaction,
  organization: Organization,
  filter: DeliveryFilter,
): Promise<IndexWalk | undefined> {
  // By a state there is one walk, or none.
  const [walk] = walksOf(organization, { ...filter, state: 'dead' }, await sourceSlugs(tx, organization));
  return walk;
}
