import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { Prisma } from '../database/client/client';
import type { Transaction } from '../database/transaction';
import { checkOf, writeCursor } from './cursor';

/** From one instant to another, both included. */
export interface Interval {
  readonly from: Date;
  readonly to: Date;
}

/** What changes are about: any of these. */
export interface Subjects {
  readonly deliveryIds: readonly string[];
  readonly businessKeys: readonly string[];
  /** UUIDs. */
  readonly recordIds: readonly string[];
}

/** A change that connectors can read, without its data. */
export interface AppendedChange {
  readonly id: string;
  /** After the change. */
  readonly cursor: string;
  readonly type: string;
  readonly subject: string;
  readonly businessKey: string | null;
  readonly deliveryId: string | null;
  readonly at: Date;
}

/** In the order of the feed. */
export interface ChangesFound {
  readonly changes: readonly AppendedChange[];
  /** Whether there was more to look through than is looked through; the newest was. */
  readonly cut: boolean;
}

/**
 * Milliseconds by which a batch may stand behind one that is younger: it got its time in its transaction and its position after the
 * commit. Transactions end within 35 s, and the clocks of replicas differ.
 */
const DISORDER_MS = 60_000;
const MOST_RANGES = 40;
/** Batches that are looked through, and changes of those that were appended within the intervals. */
const MOST_BATCHES = 10_000;
const MOST_CHANGES = 20_000;

/** Where a batch stands that is the first of its age; null: there is no batch. */
interface Place {
  readonly position: bigint | null;
}

/** Batches by position. */
export interface Range {
  readonly first: bigint;
  /** Behind the last. */
  readonly end: bigint;
}

interface BatchRow {
  readonly id: bigint;
  readonly position: bigint;
  readonly key: string;
  readonly changes: number;
  readonly at: Date;
}

/** A batch, or none, and how many were looked through. */
type SeenRow = (BatchRow | { readonly id: null }) & { readonly seen: number };

interface ChangeRow extends Omit<AppendedChange, 'id' | 'cursor' | 'at'> {
  readonly batchId: bigint;
  readonly number: number;
}

/**
 * Finds changes by when they were appended: no index has what they are about. Positions grow with time but for
 * {@link DISORDER_MS}, so that the batches of an interval are found along the primary key. See ADR 0126.
 */
@Injectable()
export class ChangesAbout {
  async find(
    tx: Transaction,
    organizationId: string,
    intervals: readonly Interval[],
    subjects: Subjects,
  ): Promise<ChangesFound> {
    if (intervals.length === 0) return { changes: [], cut: false };
    await alongAnIndex(tx);
    const ranges = searched(intervals);
    const newest = ranges.slice(0, MOST_RANGES);
    const places = await tx.$queryRaw<Place[]>(placesOf(organizationId, newest));
    const oldest = newest.at(-1)?.from ?? new Date(0);
    const wanted = intervals.filter(({ to }) => to >= oldest);
    const found = await tx.$queryRaw<SeenRow[]>(batchesIn(organizationId, rangesOf(places), wanted));
    const within = found.filter((row): row is BatchRow & SeenRow => row.id !== null);
    const batches = newestOf(within, MOST_CHANGES).reverse();
    const rows = await tx.$queryRaw<ChangeRow[]>(changesIn(batches, subjects));
    return {
      changes: changesOf(organizationId, batches, rows),
      cut:
        newest.length < ranges.length ||
        (found[0]?.seen ?? 0) > MOST_BATCHES ||
        batches.length < within.length,
    };
  }
}

/** The times between which to search, newest first, none of which overlap. */
export function searched(intervals: readonly Interval[]): Interval[] {
  const wide = intervals.map(({ from, to }) => ({
    from: new Date(from.getTime() - DISORDER_MS),
    to: new Date(to.getTime() + DISORDER_MS),
  }));
  wide.sort((one, other) => other.to.getTime() - one.to.getTime());
  const merged: Interval[] = [];
  for (const next of wide) {
    const last = merged.at(-1);
    if (!last || next.to < last.from) merged.push(next);
    else if (next.from < last.from) merged[merged.length - 1] = { ...last, from: next.from };
  }
  return merged;
}

/**
 * Where the batches of each range begin, and where they end: by bisection, each step of which is one look-up by the primary key.
 */
export function placesOf(organizationId: string, ranges: readonly Interval[]): Prisma.Sql {
  return Prisma.sql`
    with recursive ends as materialized (
      select (${endOf(organizationId, Prisma.sql`asc`)}) as first, (${endOf(organizationId, Prisma.sql`desc`)}) + 1 as behind
    ), search as (
      select w.place, w.sought, e.first as low, e.behind as high
      from ends e cross join unnest(${ranges.flatMap(({ from, to }) => [from, to])}::timestamptz[])
        with ordinality as w(sought, place)
      union all
      select s.place, s.sought, case when b.at < s.sought then b.position + 1 else s.low end,
        case when b.at < s.sought then s.high else m.middle end
      from search s
      cross join lateral (select (s.low + s.high) / 2 as middle) m
      left join lateral (
        select position, at from feed_batch
        where (organization_id, position) >= (${organizationId}::uuid, m.middle)
          and (organization_id, position) < (${organizationId}::uuid, s.high)
        order by organization_id, position limit 1
      ) b on true
      where s.low < s.high
    )
    select max(low) as position from search group by place order by place`;
}

/** @param places of beginnings and ends, in turn */
function rangesOf(places: readonly Place[]): Range[] {
  return places.flatMap(({ position: first }, index) => {
    const end = places[index + 1]?.position ?? null;
    return index % 2 > 0 || first === null || end === null ? [] : [{ first, end }];
  });
}

/** The first or the last position of an organization. */
function endOf(organizationId: string, direction: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select position from feed_batch
    where (organization_id, position) >= (${organizationId}::uuid, 0::bigint)
      and (organization_id, position) <= (${organizationId}::uuid, 9223372036854775807::bigint)
    order by organization_id ${direction}, position ${direction} limit 1`;
}

/**
 * The batches of the ranges that were appended within the intervals, newest first, each row with how many were looked through; of
 * one that has no batch, the number alone. @param ranges newest first
 */
export function batchesIn(
  organizationId: string,
  ranges: readonly Range[],
  intervals: readonly Interval[],
): Prisma.Sql {
  return Prisma.sql`
    with seen as materialized (
      select b.* from unnest(${ranges.map(({ first }) => first)}::bigint[], ${ranges.map(({ end }) => end)}::bigint[])
        as r(first, behind)
      cross join lateral (
        select * from feed_batch
        where (organization_id, position) >= (${organizationId}::uuid, r.first)
          and (organization_id, position) < (${organizationId}::uuid, r.behind)
        order by organization_id desc, position desc limit ${MOST_BATCHES + 1}::int
      ) b
      limit ${MOST_BATCHES + 1}::int
    )
    select b.id, b.position, b.key::text as key, b.changes, b.at, c.seen
    from (select count(*)::int as seen from seen) c
    left join seen b on exists (
      select from unnest(${intervals.map(({ from }) => from)}::timestamptz[], ${intervals.map(({ to }) => to)}::timestamptz[])
        as i(since, until) where b.at >= i.since and b.at <= i.until)
    order by b.position desc`;
}

/** So many changes of the newest, in whole batches; of one alone, however many it has. @param batches newest first */
function newestOf(batches: readonly BatchRow[], most: number): BatchRow[] {
  let sum = 0;
  const end = batches.findIndex(({ changes }, index) => (sum += changes) > most && index > 0);
  return end < 0 ? [...batches] : batches.slice(0, end);
}

/** What is about any of the subjects, without data, which the view would make. */
export function changesIn(
  batches: readonly Pick<BatchRow, 'id'>[],
  { deliveryIds, businessKeys, recordIds }: Subjects,
): Prisma.Sql {
  return Prisma.sql`
    select c.batch_id as "batchId", c.number, c.type, c.subject, c.business_key as "businessKey",
      c.delivery_id::text as "deliveryId"
    from unnest(${batches.map(({ id }) => id)}::bigint[]) with ordinality as w(id, place)
    cross join lateral (
      select * from feed_stored_change f
      where f.batch_id = w.id and (f.delivery_id = any(${[...deliveryIds]}::uuid[])
        or f.business_key = any(${[...businessKeys]}::text[]) or split_part(f.subject, '/', 2) = any(${[...recordIds]}::text[]))
      order by f.batch_id, f.number offset 0
    ) c
    order by w.place, c.number`;
}

function changesOf(
  organizationId: string,
  batches: readonly BatchRow[],
  rows: readonly ChangeRow[],
): AppendedChange[] {
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  return rows.flatMap(({ batchId, number, ...row }) => {
    const batch = byId.get(batchId);
    if (!batch) return [];
    const { position, key, at } = batch;
    const cursor = writeCursor({ position, number, check: checkOf(organizationId, key) });
    return [{ ...row, id: `${key}-${number}`, cursor, at }];
  });
}
