import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { LISTING_KINDS, type ListingKind } from './observation';

/** How long a lease is left to whoever took it, from its last page on. */
const LEASE_MS = 120_000;

/** The first poll of an organization comes soon. */
const FIRST_AFTER_MS = 5_000;

/** The right to poll one listing of one organization; whoever knows its number has it. */
export interface PollLease {
  /** UUID */
  readonly organizationId: string;
  readonly kind: ListingKind;
  /** Counts the leases of the listing: whoever lost one can no longer write. */
  readonly number: bigint;
}

/** What is known of a listing, and how far the current poll has come. */
export interface PollState {
  readonly service: string | null;
  readonly nextToken: string | null;
  readonly expected: number | null;
  readonly found: number;
  readonly startedAt: Date | null;
  readonly startPosition: bigint | null;
  readonly polledAt: Date | null;
  readonly feedPosition: bigint | null;
}

/** What of a lease's row can be written. */
export interface PollStateChange extends Partial<PollState> {
  readonly failures?: number;
  readonly dueAt?: Date;
  readonly leaseUntil?: Date | null;
}

/** Another has taken the lease meanwhile. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

/** Leases to poll listings: one at a time of each organization, whichever replica has it. */
@Injectable()
export class PollLeases {
  constructor(private readonly database: Database) {}

  /** Creates the rows that are missing: of every organization with a finance connection, one for each kind. */
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

  /** @returns the lease that is due longest and that nobody has; undefined: there is none to be had now */
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

  /** Calls `work` in a transaction that has locked the lease. @throws LostLease */
  async withLock<T>(lease: PollLease, work: (tx: Transaction, state: PollState) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => work(tx, await this.lock(tx, lease)));
  }

  /**
   * Reads the lease's row. Nobody else takes the lease until the transaction ends.
   * @throws LostLease
   */
  async lock(tx: Transaction, { organizationId, kind, number }: PollLease): Promise<PollState> {
    const [row] = await tx.$queryRaw<PollState[]>`
      select service, next_token as "nextToken", expected, found, started_at as "startedAt", start_mark as "startPosition",
        looked_at as "polledAt", mark as "feedPosition"
      from watch_turn
      where organization_id = ${organizationId}::uuid and kind = ${kind} and number = ${number}::bigint
        and lease_until is not null
      for update`;
    if (!row) throw new LostLease('another has taken the lease');
    return row;
  }

  /**
   * To be called with the lease locked: it is renewed, unless the change says otherwise.
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

  /** Gives a lease back whose poll failed, and forgets what it had read. @returns how many have failed in a row; 0: it was lost */
  async failed(lease: PollLease, dueAt: (failures: number) => Date): Promise<number> {
    const { organizationId, kind } = lease;
    const where = { organizationId_kind: { organizationId, kind } };
    return this.withLock(lease, async (tx) => {
      const { failures } = await tx.pollLease.update({
        where,
        data: { failures: { increment: 1 }, leaseUntil: null, nextToken: null, startedAt: null },
      });
      await tx.pollLease.update({ where, data: { dueAt: dueAt(failures) } });
      return failures;
    }).catch(zeroIfLost);
  }

  /** The last position of the feed: what has a position is committed, so that whoever reads now sees it. */
  async feedPosition(tx: Transaction): Promise<bigint> {
    const [head] = await tx.$queryRaw<{ position: bigint }[]>`select position from feed_head`;
    return head?.position ?? 0n;
  }

  /** The start of the complete poll that is longest ago; undefined: nothing is polled. */
  async oldestPoll(): Promise<Date | undefined> {
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
 * Whether nobody polls another listing of the organization. Asked under a lock and in a statement of its own,
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

function zeroIfLost(error: unknown): number {
  if (error instanceof LostLease) return 0;
  throw error;
}
