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

/** The plan must not depend on statistics, which are stale just when a backlog has built up. */
const ALONG_INDEXES = "select set_config('enable_seqscan', $1, true), set_config('enable_sort', $1, true)";

const LOCK_READY = `
  with ready as materialized (
    select d.id, d.lane from open_delivery o join delivery d on d.id = o.id
    where o.state = 'waiting' and o.ready_at <= $1::timestamptz and d.state = 'waiting' and d.ready_at <= $1::timestamptz
      and ($3::uuid[] is null or o.id = any($3::uuid[]))
      and o.organization_id <> all($4::uuid[])
    order by o.ready_at, o.seq
    limit $2::int
    for update of d skip locked
  ), mine as materialized (
    select id from ready where pg_try_advisory_xact_lock(hashtextextended(lane, 0))
  )
  select d.id, d.organization_id as "organizationId", d.source_id as "sourceId", d.topic, d.lane, d.seq, d.attributes,
         d.received_at as "receivedAt", d.attempts, d.traceparent,
         (select b.body from delivery_body b where b.organization_id = d.organization_id and b.id = d.id) as body
  from mine join delivery d on d.id = mine.id`;

const LANE_FRONTS = `
  select l.lane, w.seqs, w."frontReadyAt"
  from unnest($1::text[]) as l(lane)
  cross join lateral (
    select array_agg(f.seq order by f.seq) as seqs, (array_agg(f.ready_at order by f.seq))[1] as "frontReadyAt"
    from (
      select seq, ready_at from open_delivery where lane = l.lane and state = 'waiting' order by seq limit $2::int
    ) f
  ) w`;

const COMPLETE = `
  update delivery d
  set state = c.state::delivery_state, outcome = c.outcome, reason = c.reason, business_key = c."businessKey",
      events = array(select jsonb_array_elements_text(c.events)), finished_at = $2::timestamptz
  from jsonb_to_recordset($1::jsonb)
    as c(id uuid, state text, outcome text, reason text, "businessKey" text, events jsonb)
  where d.id = c.id`;

interface LaneFront {
  lane: string;
  seqs: bigint[];
  frontReadyAt: Date;
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
      await queryWithin(tx, ALONG_INDEXES, ['off']);
      const ready = await this.lockReady(tx, now, limit, only, except);
      const fronts = await this.laneFronts(tx, [...new Set(ready.map(({ lane }) => lane))], limit);
      await queryWithin(tx, ALONG_INDEXES, ['on']);
      const { workable, blocked } = splitByLane(ready, fronts);
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
  ): Promise<ClaimedDelivery[]> {
    const claimed = await queryWithin<ClaimedDelivery>(tx, LOCK_READY, [now, limit, only ?? null, except]);
    return claimed.sort((left, right) => (left.seq < right.seq ? -1 : 1));
  }

  /** For each lane its first waiting deliveries, in order, and when the very first may be worked on. */
  private async laneFronts(
    tx: Transaction,
    lanes: readonly string[],
    limit: number,
  ): Promise<Map<string, LaneFront>> {
    const rows = await queryWithin<LaneFront>(tx, LANE_FRONTS, [lanes, limit]);
    return new Map(rows.map((row) => [row.lane, row]));
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

function splitByLane(
  ready: readonly ClaimedDelivery[],
  fronts: ReadonlyMap<string, LaneFront>,
): { workable: ClaimedDelivery[]; blocked: { id: string; until: Date }[] } {
  const workable: ClaimedDelivery[] = [];
  const blocked: { id: string; until: Date }[] = [];
  const taken = new Map<string, number>();
  for (const delivery of ready) {
    const front = fronts.get(delivery.lane);
    const position = taken.get(delivery.lane) ?? 0;
    if (front?.seqs[position] === delivery.seq) {
      taken.set(delivery.lane, position + 1);
      workable.push(delivery);
    } else if (front) blocked.push({ id: delivery.id, until: front.frontReadyAt });
  }
  return { workable, blocked };
}
