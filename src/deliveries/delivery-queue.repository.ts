import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { queryWithin } from '../database/transaction-statements';

/** Looks for something to work on before a claim gives up for now. */
const MOST_LOOKS = 20;

/** A delivery that this transaction may work on: its row and its lane are locked until the transaction ends. */
export interface ClaimedDelivery {
  id: string;
  organizationId: string;
  sourceId: string;
  topic: string;
  lane: string;
  seq: bigint;
  attributes: Record<string, string>;
  body: Uint8Array;
  receivedAt: Date;
  attempts: number;
  traceparent: string | null;
}

/** How work on a delivery ended. */
export interface Completion {
  id: string;
  state: 'done' | 'dead';
  outcome: string | null;
  reason: string | null;
  businessKey: string | null;
  events: string[];
}

const CLAIM = `
  select id, organization_id as "organizationId", source_id as "sourceId", topic, lane, seq, attributes,
         received_at as "receivedAt", attempts, traceparent, body, blocked_until as "blockedUntil"
  from claim_deliveries($1::timestamptz, $2::int, $3::uuid[], $4::uuid[])`;

const COMPLETE = `
  update delivery d
  set state = c.state::delivery_state, outcome = c.outcome, reason = c.reason, business_key = c."businessKey",
      events = array(select jsonb_array_elements_text(c.events)), finished_at = $2::timestamptz
  from jsonb_to_recordset($1::jsonb)
    as c(id uuid, state text, outcome text, reason text, "businessKey" text, events jsonb)
  where d.id = c.id`;

/** A delivery that is locked, with its lane. */
interface LockedDelivery extends ClaimedDelivery {
  /** When the front of its lane is ready, if something stands before it; it comes without its body then. */
  blockedUntil: Date | null;
}

/**
 * The queue that the `delivery` table is. A claim is a row lock and a transaction-level lock on the lane, both
 * gone when the transaction ends however it ends: a crash leaves nothing to clean up. What waits is found in
 * `open_delivery`; locked is the delivery itself, whose row has the last word.
 */
@Injectable()
export class DeliveryQueue {
  /**
   * Claims what is ready, in order of readiness: for each lane only what no earlier waiting delivery of that
   * lane stands before. Deliveries of one lane come in their order of arrival.
   * @param only restricts the claim to these identifiers
   * @param except organizations whose deliveries are left alone
   */
  async claim(
    tx: Transaction,
    now: Date,
    limit: number,
    only?: readonly string[],
    except: readonly string[] = [],
  ): Promise<ClaimedDelivery[]> {
    for (let look = 1; ; look += 1) {
      const locked = await this.lockReady(tx, now, limit, only, except);
      const workable = locked.filter(({ blockedUntil }) => blockedUntil === null);
      const blocked = locked.flatMap(({ id, blockedUntil: until }) => (until ? [{ id, until }] : []));
      const postponed = await this.postpone(tx, blocked);
      if (workable.length > 0 || postponed === 0 || look === MOST_LOOKS) return workable;
    }
  }

  /** Writes how each delivery ended. */
  async complete(tx: Transaction, now: Date, completions: readonly Completion[]): Promise<void> {
    if (completions.length === 0) return;
    const rows = completions.map(({ id, state, outcome, reason, businessKey, events }) => ({
      id,
      state,
      outcome,
      reason,
      businessKey,
      events,
    }));
    await queryWithin(tx, COMPLETE, [JSON.stringify(rows), now]);
  }

  /** Lets a failed delivery wait until `readyAt`; its lane waits with it. */
  async retryLater(tx: Transaction, id: string, readyAt: Date, reason: string): Promise<void> {
    await tx.$executeRaw`
      update delivery set attempts = attempts + 1, ready_at = ${readyAt}, reason = ${reason}
      where id = ${id}::uuid and state = 'waiting'`;
  }

  /** Gives a delivery up to a person. The lane goes on without it. */
  async giveUp(tx: Transaction, id: string, now: Date, reason: string): Promise<void> {
    await tx.$executeRaw`
      update delivery set attempts = attempts + 1, state = 'dead', finished_at = ${now}, reason = ${reason}
      where id = ${id}::uuid and state = 'waiting'`;
  }

  private async lockReady(
    tx: Transaction,
    now: Date,
    limit: number,
    only: readonly string[] | undefined,
    except: readonly string[],
  ): Promise<LockedDelivery[]> {
    const locked = await queryWithin<LockedDelivery>(tx, CLAIM, [now, limit, only ?? null, except]);
    return locked.sort((left, right) => (left.seq < right.seq ? -1 : 1));
  }

  /**
   * What must wait for the front of its lane need not be looked at before that is ready, and never before it: else
   * what may not be worked on could stand before all that may.
   * @returns how many deliveries had to wait longer than they did
   */
  private async postpone(tx: Transaction, blocked: readonly { id: string; until: Date }[]): Promise<number> {
    if (blocked.length === 0) return 0;
    return tx.$executeRaw`
      update delivery d set ready_at = b.until
      from jsonb_to_recordset(${JSON.stringify(blocked)}::jsonb) as b(id uuid, until timestamptz)
      where d.id = b.id and d.ready_at < b.until`;
  }
}
