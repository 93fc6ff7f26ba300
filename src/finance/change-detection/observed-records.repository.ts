import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import type { Transaction } from '../../database/transaction';
import type { Item, Observation } from './observation';
import type { PollLease } from './poll-leases.repository';

/** Records that a transaction compares at once. */
const CHUNK = 500;

/** Complete polls in a row that must not find a record before it counts as removed. */
const POLLS_WITHOUT = 2;

/** What a poll reads: a listing, and in it the organization's records or those of customers. */
export interface PollScope extends Pick<PollLease, 'organizationId' | 'kind'> {
  /** UUIDs of the customers; nil alone: the organization itself. */
  readonly scopeIds: readonly string[];
}

/** A record, and the listing in which it was found. */
export interface ScopedObservation extends Observation {
  /** One of the scope's. */
  readonly scopeId: string;
}

export const WHOLE_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** A record that differs from what it was, and what it was. */
export interface StagedDifference {
  readonly id: string;
  readonly scopeId: string;
  readonly digest: string;
  readonly due: string | null;
  readonly data: Item;
  readonly known: boolean;
  readonly before: Item | null;
  readonly digestBefore: string | null;
  readonly announcedDue: string | null;
  readonly gone: boolean | null;
  readonly deferredFrom: Date | null;
  readonly deferredPosition: bigint | null;
}

/** A record as it is stored from now on. */
export interface KeptRecord extends Omit<ScopedObservation, 'due'> {
  /** The due date for which it was announced to be overdue. */
  readonly announcedDue?: string;
}

/**
 * Records as they were last observed, and what the current poll has found. Each is looked up by its identifier: of
 * tables that are written as often as these, statistics say little, and a plan that joins them as a whole takes seconds.
 */
@Injectable()
export class ObservedRecords {
  /** Forgets everything that is known of a listing: the organization has another service now. */
  async forget(tx: Transaction, { organizationId, kind }: PollLease): Promise<void> {
    await tx.observedRecord.deleteMany({ where: { organizationId, kind } });
  }

  /** Forgets what was staged, by this poll or by one that did not end. */
  async clearStaged(tx: Transaction, { organizationId, kind }: Pick<PollScope, 'organizationId' | 'kind'>) {
    await tx.stagedObservation.deleteMany({ where: { organizationId, kind } });
  }

  /** Stages a page. What is as it was last observed is staged without its data. @returns how many were new to the poll */
  async stage(
    tx: Transaction,
    { organizationId, kind }: Pick<PollScope, 'organizationId' | 'kind'>,
    observations: readonly ScopedObservation[],
  ): Promise<number> {
    if (observations.length === 0) return 0;
    return tx.$executeRaw`
      insert into watch_staged (organization_id, kind, record_id, scope_id, digest, due, data)
      select ${organizationId}::uuid, ${kind}, p.id, p."scopeId", p.digest, p.due,
        case when r.digest = p.digest and not r.gone and r.held_mark is null
          and r.scope_id = p."scopeId" then null else p.data end
      from json_to_recordset(${JSON.stringify(observations)}::json)
        as p(id uuid, "scopeId" uuid, digest text, due date, data json)
      left join lateral (
        select * from watch_record
        where organization_id = ${organizationId}::uuid and kind = ${kind} and record_id = p.id offset 0
      ) r on true
      on conflict do nothing`;
  }

  /** Stores everything that was found as what was there before the first poll. One statement. */
  async adoptStaged(tx: Transaction, { organizationId, kind }: PollScope): Promise<void> {
    await tx.$executeRaw`
      insert into watch_record (organization_id, kind, record_id, scope_id, digest, data, told_due)
      select s.organization_id, s.kind, s.record_id, s.scope_id, s.digest, s.data, s.due
      from watch_staged s
      where s.organization_id = ${organizationId}::uuid and s.kind = ${kind} and s.data is not null
      on conflict (organization_id, kind, record_id) do update set scope_id = excluded.scope_id,
        digest = excluded.digest, data = excluded.data, told_due = coalesce(excluded.told_due, watch_record.told_due),
        missed = 0, gone = false, held_from = null, held_mark = null`;
  }

  /**
   * Records that differ from what they were, in the order of identifiers, so many at a time.
   * @param after the last before
   * @param besides records that are wanted even if they are as they were
   */
  async diff(
    tx: Transaction,
    { organizationId, kind }: PollScope,
    after: string,
    besides: readonly string[],
  ): Promise<StagedDifference[]> {
    return tx.$queryRaw<StagedDifference[]>`
      select s.record_id::text as id, s.scope_id::text as "scopeId", s.digest, s.due::text as due, coalesce(s.data, r.data) as data,
        r.record_id is not null as known, r.data as before, r.digest as "digestBefore", r.told_due::text as "announcedDue", r.gone, r.held_from as "deferredFrom", r.held_mark as "deferredPosition"
      from watch_staged s
      left join lateral (
        select * from watch_record
        where organization_id = s.organization_id and kind = s.kind and record_id = s.record_id offset 0
      ) r on true
      where s.organization_id = ${organizationId}::uuid and s.kind = ${kind} and s.record_id > ${after}::uuid
        and (s.data is not null or s.record_id = any(${[...besides]}::uuid[]))
      order by s.record_id limit ${CHUNK}`;
  }

  /** Stores records as they are observed now. One statement. */
  async keep(
    tx: Transaction,
    { organizationId, kind }: PollScope,
    records: readonly KeptRecord[],
  ): Promise<void> {
    if (records.length === 0) return;
    await tx.$executeRaw`
      insert into watch_record (organization_id, kind, record_id, scope_id, digest, data, told_due)
      select ${organizationId}::uuid, ${kind}, p.id, p."scopeId", p.digest, p.data, p."announcedDue"
      from json_to_recordset(${JSON.stringify(records)}::json)
        as p(id uuid, "scopeId" uuid, digest text, data json, "announcedDue" date)
      on conflict (organization_id, kind, record_id) do update set scope_id = excluded.scope_id,
        digest = excluded.digest, data = excluded.data, told_due = excluded.told_due,
        missed = 0, gone = false, held_from = null, held_mark = null`;
  }

  /** Leaves records as they were: the next poll compares them with the poll that counts now. One statement. */
  async defer(
    tx: Transaction,
    { organizationId, kind }: PollScope,
    recordIds: readonly string[],
    { polledAt, feedPosition }: { polledAt: Date | null; feedPosition: bigint | null },
  ): Promise<void> {
    if (recordIds.length === 0) return;
    await tx.$executeRaw`
      update watch_record set held_from = coalesce(held_from, ${polledAt}::timestamptz),
        held_mark = coalesce(held_mark, ${feedPosition}::bigint, 0)
      where organization_id = ${organizationId}::uuid and kind = ${kind}
        and record_id = any(${[...recordIds]}::uuid[])`;
  }

  /** @returns those of the records that neither this poll has found nor one before it */
  async neverObserved(
    tx: Transaction,
    { organizationId, kind }: PollScope,
    recordIds: readonly string[],
  ): Promise<string[]> {
    if (recordIds.length === 0) return [];
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select p.id::text as id from unnest(${[...recordIds]}::uuid[]) as p(id)
      where not exists (select from watch_staged s
          where s.organization_id = ${organizationId}::uuid and s.kind = ${kind} and s.record_id = p.id)
        and not exists (select from watch_record r
          where r.organization_id = ${organizationId}::uuid and r.kind = ${kind} and r.record_id = p.id
            and not r.gone)`;
    return rows.map(({ id }) => id);
  }

  /** Counts the polls that did not find a record, from the last that did. One statement. */
  async countMissed(tx: Transaction, scope: PollScope): Promise<void> {
    const { organizationId, kind } = scope;
    await tx.$executeRaw`
      with observed as materialized (
        select r.ctid as place, s.record_id is not null as found
        from ${recordsOf(scope)}
        left join lateral (
          select record_id from watch_staged
          where organization_id = ${organizationId}::uuid and kind = ${kind} and record_id = r.record_id offset 0
        ) s on true
        where not r.gone and (s.record_id is null or r.missed > 0)
      )
      update watch_record r set missed = case when observed.found then 0 else r.missed + 1 end
      from observed where r.ctid = observed.place`;
  }

  /** Marks some of those that are missing long enough as removed. @returns them; none: all are marked */
  async takeRemoved(tx: Transaction, scope: PollScope): Promise<{ id: string; data: object }[]> {
    return tx.$queryRaw<{ id: string; data: object }[]>`
      update watch_record set gone = true
      where ctid = any(array(
        select r.ctid from ${recordsOf(scope)} where not r.gone and r.missed >= ${POLLS_WITHOUT} limit ${CHUNK}))
      returning record_id::text as id, data`;
  }
}

/**
 * A scope's records as `r`: each scope's are found through their index, whatever statistics say. The primary key begins
 * with organization and kind, too, and must not seem to be as good. To change them, by their places (`ctid`): nobody
 * else writes them while the lease is locked.
 */
function recordsOf({ organizationId, kind, scopeIds }: PollScope): Prisma.Sql {
  return Prisma.sql`unnest(${[...scopeIds]}::uuid[]) as scope(id)
    cross join lateral (
      select ctid, * from watch_record
      where scope_id = scope.id and organization_id = ${organizationId}::uuid and kind || '' = ${kind} offset 0
    ) r`;
}
