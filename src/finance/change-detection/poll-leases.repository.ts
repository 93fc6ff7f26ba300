import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { LISTING_KINDS, type ListingKind } from './observation';

/** How long a turn is left to whoever took it, from its last page on. */
const LEASE_MS = 120_000;

/** The first look at an organization comes soon; the kinds do not all come at once. */
const FIRST_AFTER_MS = 5_000;

/** A turn to look at one listing of one organization, held by whoever knows its number. */
export interface PollLease {
  /** UUID */
  readonly organizationId: string;
  readonly kind: ListingKind;
  /** Tells this turn from every other: who lost it can no longer write. */
  readonly number: bigint;
}

/** What is known of a listing, and how far the look under way has come. */
export interface PollState {
  readonly service: string | null;
  readonly nextToken: string | null;
  readonly expected: number | null;
  readonly found: number;
  readonly startedAt: Date | null;
  readonly startPosition: bigint | null;
  readonly lookedAt: Date | null;
  readonly feedPosition: bigint | null;
}

/** What of a turn's row can be written. */
export interface PollStateChange extends Partial<PollState> {
  readonly failures?: number;
  readonly dueAt?: Date;
  readonly leaseUntil?: Date | null;
}

/** Another has taken the turn over meanwhile. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

/** Whose turn it is to look at what: one at a time of each organization, whichever replica. */
@Injectable()
export class PollLeases {
  constructor(private readonly database: Database) {}

  /** Makes the turns that there should be: of every organization whose finance system can be read. */
  async ensure(now: Date): Promise<void> {
    const firstAt = new Date(now.getTime() + FIRST_AFTER_MS);
    await this.database.prisma.$executeRaw`
      insert into watch_turn (organization_id, kind, due_at, created_at)
      select o.id, k.kind, ${firstAt}::timestamptz, ${now}::timestamptz
      from organization o cross join unnest(${[...LISTING_KINDS]}::text[]) as k(kind)
      where exists (select from finance_connection f where f.organization_id = o.id)
        and not exists (select from watch_turn t where t.organization_id = o.id and t.kind = k.kind)
      on conflict do nothing`;
  }

  /** @returns the turn that is due longest and that nobody holds; undefined: there is none to be had now */
  async take(now: Date): Promise<PollLease | undefined> {
    return this.database.transaction(async (tx) => {
      const due = await this.lockDue(tx, now);
      if (!due || !(await isAlone(tx, due.organizationId, now))) return undefined;
      const [taken] = await tx.$queryRaw<{ number: bigint }[]>`
        update watch_turn set number = number + 1, lease_until = ${leaseEnd(now)}::timestamptz
        where organization_id = ${due.organizationId}::uuid and kind = ${due.kind}
        returning number`;
      return taken && { ...due, number: taken.number };
    });
  }

  /**
   * What the turn's row says, and nobody else takes the turn over until the transaction ends.
   * @throws LostLease
   */
  async hold(tx: Transaction, { organizationId, kind, number }: PollLease): Promise<PollState> {
    const [row] = await tx.$queryRaw<PollState[]>`
      select service, next_token as "nextToken", expected, found, started_at as "startedAt", start_mark as "startPosition",
        looked_at as "lookedAt", mark as "feedPosition"
      from watch_turn
      where organization_id = ${organizationId}::uuid and kind = ${kind} and number = ${number}::bigint
        and lease_until is not null
      for update`;
    if (!row) throw new LostLease('another has taken the turn over');
    return row;
  }

  /**
   * To be called with the turn held: it stays so for another while, unless the change says otherwise.
   * @param backoffMs milliseconds that pass before anything is read
   */
  async write(
    tx: Transaction,
    { organizationId, kind }: PollLease,
    now: Date,
    change: PollStateChange,
    backoffMs = 0,
  ): Promise<void> {
    const leaseUntil = new Date(leaseEnd(now).getTime() + backoffMs);
    await tx.pollLease.update({
      where: { organizationId_kind: { organizationId, kind } },
      data: { leaseUntil, ...change },
    });
  }

  /** Gives a turn that failed back, and what it had read away. @returns how many have failed in a row; 0: it was lost */
  async failed(turn: PollLease, dueAt: (failures: number) => Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const held = await this.hold(tx, turn).catch(unlessLost);
      if (!held) return 0;
      const { organizationId, kind } = turn;
      const where = { organizationId_kind: { organizationId, kind } };
      const { failures } = await tx.pollLease.update({
        where,
        data: { failures: { increment: 1 }, leaseUntil: null, nextToken: null, startedAt: null },
      });
      await tx.pollLease.update({ where, data: { dueAt: dueAt(failures) } });
      return failures;
    });
  }

  /** The last position of the feed: what has its place is committed, so that whoever reads now sees it. */
  async feedPosition(tx: Transaction): Promise<bigint> {
    const [head] = await tx.$queryRaw<{ position: bigint }[]>`select position from feed_head`;
    return head?.position ?? 0n;
  }

  /** When the listing was begun to be read that was read whole longest ago; undefined: there is nothing to look at. */
  async oldestLook(): Promise<Date | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ at: Date | null }[]>`
      select min(coalesce(t.looked_at, t.created_at)) as at from watch_turn t
      where exists (select from finance_connection f where f.organization_id = t.organization_id)`;
    return row?.at ?? undefined;
  }

  private async lockDue(
    tx: Transaction,
    now: Date,
  ): Promise<Pick<PollLease, 'organizationId' | 'kind'> | undefined> {
    const [row] = await tx.$queryRaw<Pick<PollLease, 'organizationId' | 'kind'>[]>`
      select t.organization_id::text as "organizationId", t.kind from watch_turn t
      where t.due_at <= ${now}::timestamptz and (t.lease_until is null or t.lease_until <= ${now}::timestamptz)
        and not exists (select from watch_turn o
          where o.organization_id = t.organization_id and o.lease_until > ${now}::timestamptz)
        and exists (select from finance_connection f where f.organization_id = t.organization_id)
      order by t.due_at, t.organization_id, t.kind limit 1 for update of t skip locked`;
    return row;
  }
}

/**
 * Whether nobody looks at another listing of the organization. Asked under a lock and in a statement of its own,
 * which sees what was committed before the lock was had.
 */
async function isAlone(tx: Transaction, organizationId: string, now: Date): Promise<boolean> {
  const [lock] = await tx.$queryRaw<{ had: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`finance-watch/${organizationId}`}, 0)) as had`;
  if (!lock?.had) return false;
  const others = await tx.$queryRaw<unknown[]>`
    select 1 from watch_turn
    where organization_id = ${organizationId}::uuid and lease_until > ${now}::timestamptz limit 1`;
  return others.length === 0;
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

function unlessLost(error: unknown): undefined {
  if (!(error instanceof LostLease)) throw error;
}
