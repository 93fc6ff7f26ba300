import { Injectable } from '@nestjs/common';
import { booleanArray, textArray, uuidArray } from '../database/binary-array';
import { rowsOf } from '../database/rows-of';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import { fromNow } from './database-now.sql';
import { MOST_INTERRUPTED } from './failed-delivery';
import type { ReturningOrder } from '../workflows/returned-twice.repository';
import { storeMoneyFacts, type ReportedFacts } from './money-facts.repository';

/** Scans for ready deliveries before a claim gives up for now. */
const MAX_SCANS = 20;
/** Bytes that the bodies of a claim have together, at most, unless the first alone has more. */
const MOST_BYTES = 8 * 1024 * 1024;

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
  /** What its provider's API answered about it; null or absent: nothing was fetched. */
  fetched?: Uint8Array | null;
  receivedAt: Date;
  attempts: number;
  /** How many of the attempts did not end: the process was gone, or the time was up. */
  interrupted: number;
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
  /** What it says of the money of orders and payouts; absent: nothing. */
  reported?: readonly ReportedFacts[];
  /** Business keys of the effects that a dead letter waits for; absent: it waits for none. */
  waitsFor?: string[];
  /** Whether that is all that is wrong with it. */
  waitsOnly?: boolean;
}

/** What a claim leaves alone, or is restricted to. */
export interface ClaimLimits {
  only?: readonly string[] | undefined;
  /** None of these organizations. */
  except?: readonly string[];
  exceptSources?: readonly string[];
}

/**
 * Ready deliveries, locked. From here on the transaction's statements have the plan that is kept of each: PostgreSQL would
 * go on making new ones for small batches, whose arrays it takes for cheaper than any.
 * @param columns of what `claim_ready_deliveries` gives
 */
const claimOf = (columns: string): string => `
  with kept_plans as materialized (select set_config('plan_cache_mode', 'force_generic_plan', true))
  select ${columns}, c.blocked_until as "blockedUntil"
  from kept_plans, claim_ready_deliveries($1::int, ${MOST_BYTES}, $2::uuid[], $3::uuid[], $4::uuid[]) c`;

const CLAIM =
  claimOf(`c.id, c.organization_id as "organizationId", c.source_id as "sourceId", c.topic, c.lane, c.seq, c.attributes,
    c.received_at as "receivedAt", c.attempts, c.interrupted, c.traceparent, c.body`);

const CHOOSE = claimOf('c.id, c.lane, c.seq, c.interrupted');

/** A delivery that work on did not end, and what becomes of it. */
export interface InterruptedDelivery {
  id: string;
  /** The organization's slug. */
  organization: string;
  /** The source's slug. */
  source: string;
  lane: string;
  /** How often by now. */
  interrupted: number;
  state: 'waiting' | 'dead';
  /** For a person. */
  reason: string;
}

/** Milliseconds until what could not be worked on to an end twice is tried for the last time: others go first. */
const AFTER_INTERRUPTION_MS = 2_000;
/** Milliseconds until it is checked again whether work that seems not to have ended has failed. */
const RETRY_MS = 1_000;
export const GIVEN_UP = `work on it did not end ${MOST_INTERRUPTED} times: each time the process was gone or the time was up; the log has it under this delivery's id`;

/** What {@link DeliveryQueue.complete} sends of each delivery. */
const COMPLETED = rowsOf(`
  id uuid, state text, outcome text, reason text, business_key text, events text, waits_for text,
  waits_only boolean`);

/** Types of events have no spaces; what a delivery waits for is a text of its own, as JSON. */
const COMPLETE = `
  update delivery d
  set state = c.state::delivery_state, outcome = c.outcome, reason = c.reason, business_key = c.business_key,
      events = string_to_array(c.events, ' '), finished_at = $9::timestamptz,
      waits_for = case when c.waits_for is not null
        then array(select jsonb_array_elements_text(c.waits_for::jsonb)) end,
      waits_only = c.waits_only
  from ${COMPLETED} c
  where d.id = c.id`;

/** As much of a claimed delivery as decides whether it is worked on now. */
export type ChosenDelivery = Pick<ClaimedDelivery, 'id' | 'lane' | 'seq' | 'interrupted'>;

/** A delivery that is locked, with its lane. */
interface Locked {
  id: string;
  seq: bigint;
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
   * lane stands before. Deliveries of one lane come in their order of arrival. What is ready is decided by the
   * database's clock. Bodies have 8 MiB together at most, unless the first alone has more.
   */
  claim(tx: Transaction, limit: number, limits: ClaimLimits = {}): Promise<ClaimedDelivery[]> {
    return this.lockWorkable<ClaimedDelivery & Locked>(tx, CLAIM, limit, limits);
  }

  /** What {@link claim} would give, and locked like it, without the bodies. */
  choose(tx: Transaction, limit: number, limits: ClaimLimits = {}): Promise<ChosenDelivery[]> {
    return this.lockWorkable<ChosenDelivery & Locked>(tx, CHOOSE, limit, limits);
  }

  private async lockWorkable<Row extends Locked>(
    tx: Transaction,
    statement: string,
    limit: number,
    { only, except = [], exceptSources = [] }: ClaimLimits,
  ): Promise<Row[]> {
    for (let scan = 1; ; scan += 1) {
      const locked = await queryInTransaction<Row>(tx, statement, [
        limit,
        only ?? null,
        except,
        exceptSources,
      ]);
      locked.sort((left, right) => (left.seq < right.seq ? -1 : 1));
      const workable = locked.filter(({ blockedUntil }) => blockedUntil === null);
      const blocked = locked.flatMap(({ id, blockedUntil: until }) => (until ? [{ id, until }] : []));
      const postponed = await this.postpone(tx, blocked);
      if (workable.length > 0 || postponed === 0 || scan === MAX_SCANS) return workable;
    }
  }

  /**
   * Writes how each delivery ended, and what they said of money.
   * @returns the orders of which money went back, as {@link storeMoneyFacts}
   */
  async complete(tx: Transaction, now: Date, completions: readonly Completion[]): Promise<ReturningOrder[]> {
    if (completions.length === 0) return [];
    const [, returning] = await Promise.all([
      queryInTransaction(tx, COMPLETE, [
        uuidArray(completions.map(({ id }) => id)),
        textArray(completions.map(({ state }) => state)),
        textArray(completions.map(({ outcome }) => outcome)),
        textArray(completions.map(({ reason }) => reason)),
        textArray(completions.map(({ businessKey }) => businessKey)),
        textArray(completions.map(({ events }) => events.join(' '))),
        textArray(completions.map(({ waitsFor }) => waitsFor && JSON.stringify(waitsFor))),
        booleanArray(completions.map(({ waitsOnly }) => waitsOnly ?? false)),
        now,
      ]),
      storeMoneyFacts(
        tx,
        completions.flatMap(({ reported = [] }) => reported),
      ),
    ]);
    return returning;
  }

  /** Lets a failed delivery wait for so many milliseconds; its lane waits with it. */
  async retryLater(tx: Transaction, id: string, delayMs: number, reason: string): Promise<void> {
    await tx.$executeRaw`
      update delivery set attempts = attempts + 1, ready_at = ${fromNow(delayMs)}, reason = ${reason}
      where id = ${id}::uuid and state = 'waiting'`;
  }

  /** Gives a delivery up to a person. The lane goes on without it. */
  async giveUp(tx: Transaction, id: string, now: Date, reason: string): Promise<void> {
    await tx.$executeRaw`
      update delivery set attempts = attempts + 1, state = 'dead', finished_at = ${now}, reason = ${reason}
      where id = ${id}::uuid and state = 'waiting'`;
  }

  /**
   * Counts work that did not end. Whoever could not be worked on to an end three times is given up to a person; the
   * others come again, alone: at once the first time, later the second.
   * @returns how they stand now
   */
  async interrupted(tx: Transaction, ids: readonly string[], now: Date): Promise<InterruptedDelivery[]> {
    return tx.$queryRaw<InterruptedDelivery[]>`
      update delivery
      set attempts = attempts + 1, interrupted = interrupted + 1, lease_id = null,
        state = case when interrupted + 1 >= ${MOST_INTERRUPTED} then 'dead'::delivery_state else state end,
        finished_at = case when interrupted + 1 >= ${MOST_INTERRUPTED} then ${now}::timestamptz end,
        ready_at = case when interrupted = 0 then ready_at else ${fromNow(AFTER_INTERRUPTION_MS)} end,
        reason = case
          when interrupted + 1 >= ${MOST_INTERRUPTED} then ${GIVEN_UP}
          else 'work on it did not end ' || (interrupted + 1) || ' times; trying again, by itself' end
      where id = any(${ids}::uuid[]) and state = 'waiting'
      returning id::text as id, lane, interrupted, state::text as state, reason,
        (select slug from organization o where o.id = delivery.organization_id) as organization,
        (select slug from source s where s.id = delivery.source_id) as source`;
  }

  /** Lets deliveries of which it is not known yet whether work on them has failed wait for a moment, and their lanes. */
  async retrySoon(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.$executeRaw`
      update delivery set ready_at = ${fromNow(RETRY_MS)}
      where id = any(${ids}::uuid[]) and state = 'waiting'`;
  }

  /**
   * What must wait for the front of its lane need not be scanned before that is ready, and never before it: else
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
