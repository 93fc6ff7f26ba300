import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import { SharedClock } from '../kernel/clock';
import { RETENTION_BOUNDS } from '../kernel/retention';
import { type ChangeType } from './changes/change-types';
import {
  beginningOf,
  checkOf,
  type Cursor,
  endOf,
  expiredCursor,
  type RemovedPlace,
  unknownCursor,
} from './cursor';

/** How much of a feed is read at once. */
export interface Reach {
  changes: number;
  batches: number;
}

/** Changes of the longest page there may be. */
export const LONGEST_PAGE = 500;

/** For one page, at most, where only some types are wanted: more than is near the longest one. */
const MOST: Reach = { changes: 10 * LONGEST_PAGE, batches: 2 * LONGEST_PAGE };
/** Of so many changes one is expected to be wanted, before {@link MOST} are read. */
const ONE_OF = 4;

const LAST_POSITION = 2n ** 63n - 1n;

/** Younger batches are not removed, whatever is set: with a day for clocks that differ. */
const NEVER_REMOVED_MS = (RETENTION_BOUNDS.feed.least - 1) * 86_400_000;

/** A change in its place. */
export interface PlacedChange {
  /** For ever, and of this change alone. */
  id: string;
  type: ChangeType;
  subject: string;
  businessKey: string | null;
  deliveryId: string | null;
  at: Date;
  data: object;
}

export interface FeedPage {
  changes: PlacedChange[];
  /** After the last change that was read. */
  cursor: Cursor;
  /** Whether anything follows it. */
  more: boolean;
}

/** What is read of a feed. */
export interface PageRequest {
  organizationId: string;
  after: Cursor;
  /** Changes at most, from 1. */
  limit: number;
  /** Only these; absent: all. */
  types?: readonly ChangeType[];
}

export interface Batch {
  id: bigint;
  position: bigint;
  key: string;
  changes: number;
  at: Date;
}

/** Changes of one batch, one after another. */
export interface Span {
  batch: Batch;
  /** The number of the change before the first. */
  after: number;
  /** The number of the last. */
  to: number;
}

interface ChangeRow extends Omit<PlacedChange, 'id' | 'at'> {
  batchId: bigint;
  number: number;
}

/** Reads what has its place in the feed. */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: SharedClock,
  ) {}

  /** Where whoever has read nothing begins: before the oldest change that is kept. */
  async start(organizationId: string): Promise<Cursor> {
    const removed = await this.lastRemoved(organizationId);
    return removed ? endOf(organizationId, removed) : beginningOf(organizationId);
  }

  /**
   * Two statements, whose cost does not depend on how long the feed is; two more where only some types are wanted and
   * few of what comes next are of them. Then a page may have fewer than there are: its cursor is further on, and `more`
   * says so.
   * @throws Problem `cursor-unknown`, `cursor-expired`
   */
  async read(request: PageRequest): Promise<FeedPage> {
    const { limit, types } = request;
    if (!types) return this.page(request, { changes: limit, batches: limit });
    const near = { changes: ONE_OF * limit, batches: limit };
    const page = await this.page(request, near);
    const left = limit - page.changes.length;
    if (left === 0 || !page.more) return page;
    const far = { changes: MOST.changes - near.changes, batches: MOST.batches - near.batches };
    const rest = await this.page({ ...request, after: page.cursor, limit: left }, far);
    return { ...rest, changes: [...page.changes, ...rest.changes] };
  }

  private async page({ organizationId, after, limit, types }: PageRequest, reach: Reach): Promise<FeedPage> {
    const batches = await this.batches(organizationId, after, reach);
    const own = await this.ownBatch(organizationId, after, batches);
    const unread = batches
      .map((batch): Span => ({ batch, after: batch === own ? after.number : 0, to: batch.changes }))
      .filter((span) => span.after < span.to);
    const spans = firstOf(unread.slice(0, reach.batches), reach.changes);
    const rows = await this.changes(spans, limit, types);
    await this.refuseRemoved(organizationId, spans);
    const byId = new Map(spans.map(({ batch }) => [batch.id, batch]));
    const last = rows.length === limit ? rows.at(-1) : undefined;
    const end = last ? byId.get(last.batchId) : spans.at(-1)?.batch;
    if (!end) return { changes: [], cursor: after, more: false };
    const number = last?.number ?? spans.at(-1)?.to ?? 0;
    return {
      changes: rows.map((row) => placed(row, byId)),
      cursor: { position: end.position, number, check: checkOf(organizationId, end.key) },
      more: end !== unread.at(-1)?.batch || number < end.changes,
    };
  }

  /** @throws Problem `cursor-unknown` unless the cursor was given for this feed; `cursor-expired` */
  async check(organizationId: string, cursor: Cursor): Promise<void> {
    const batches = await this.batches(organizationId, cursor, { changes: 1, batches: 1 });
    await this.ownBatch(organizationId, cursor, batches);
  }

  /**
   * The batch that a cursor is in; undefined: it is before the first.
   * @throws Problem `cursor-unknown`, `cursor-expired`
   */
  private async ownBatch(
    organizationId: string,
    cursor: Cursor,
    batches: readonly Batch[],
  ): Promise<Batch | undefined> {
    const { position, number, check } = cursor;
    const [first] = batches;
    if (position !== 0n && first?.position === position) return fitting(organizationId, cursor, first);
    if (position === 0n && (number !== 0 || check !== checkOf(organizationId))) throw unknownCursor();
    const removed = await this.lastRemoved(organizationId);
    if (removed && position < removed.position) throw expiredCursor(removed);
    if (removed && position === removed.position) {
      fitting(organizationId, cursor, removed);
      if (number < removed.changes) throw expiredCursor(removed);
    } else if (position !== 0n) throw unknownCursor();
    return undefined;
  }

  /** What was removed between the two statements would be passed over. @throws Problem `cursor-expired` */
  private async refuseRemoved(organizationId: string, [first]: readonly Span[]): Promise<void> {
    if (!first || this.clock.now().getTime() - first.batch.at.getTime() < NEVER_REMOVED_MS) return;
    const removed = await this.lastRemoved(organizationId);
    if (removed && first.batch.position <= removed.position) throw expiredCursor(removed);
  }

  private async lastRemoved(organizationId: string): Promise<RemovedPlace | undefined> {
    const found = await this.database.prisma.feedRemoval.findUnique({
      where: { organizationId },
      select: { position: true, key: true, changes: true, removedAt: true },
    });
    return found ?? undefined;
  }

  /** The batch that the cursor is in, and those after it. */
  private batches(organizationId: string, cursor: Cursor, reach: Reach): Promise<Batch[]> {
    return this.database.prisma.$queryRaw<Batch[]>(batchesFrom(organizationId, cursor, reach));
  }

  private async changes(
    spans: readonly Span[],
    limit: number,
    types: readonly ChangeType[] | undefined,
  ): Promise<ChangeRow[]> {
    if (spans.length === 0) return [];
    return this.database.prisma.$queryRaw<ChangeRow[]>(changesOf(spans, limit, types));
  }
}

/**
 * The batch that a cursor is in, the batches after it that a reach has changes of, and one more, which shows whether any
 * follow. Bounds and order are over organization and position together: with an equality, the planner may as well walk
 * the positions of all organizations and pass over those of others.
 */
export function batchesFrom(
  organizationId: string,
  { position, number }: Pick<Cursor, 'position' | 'number'>,
  { changes, batches }: Reach,
): Prisma.Sql {
  return Prisma.sql`
    select id, position, key::text as key, changes, at from (
      select b.*, coalesce(sum(b.changes) over (
        order by b.organization_id, b.position rows between unbounded preceding and 2 preceding), 0) as before_the_last
      from (
        select * from feed_batch
        where (organization_id, position) >= (${organizationId}::uuid, ${position}::bigint)
          and (organization_id, position) <= (${organizationId}::uuid, ${LAST_POSITION}::bigint)
        order by organization_id, position limit ${batches + 2}::int
      ) b
    ) counted
    where before_the_last < ${changes + number}::bigint
    order by organization_id, position`;
}

/**
 * The changes of some batches, one batch after another, until there are enough.
 * @param types absent: all
 */
export function changesOf(
  spans: readonly Span[],
  limit: number,
  types: readonly ChangeType[] | undefined,
): Prisma.Sql {
  const ids = spans.map(({ batch }) => batch.id);
  const after = spans.map((span) => span.after);
  const to = spans.map((span) => span.to);
  // Limited within, so that each batch is looked up by its key, whatever statistics say of the tables.
  return Prisma.sql`
    select c.batch_id as "batchId", c.number, c.type, c.subject, c.business_key as "businessKey",
      c.delivery_id::text as "deliveryId", c.data
    from unnest(${ids}::bigint[], ${after}::int[], ${to}::int[]) with ordinality as w(id, after, upto, place)
    cross join lateral (
      select * from feed_change f
      where f.batch_id = w.id and f.number > w.after and f.number <= w.upto
        and (${types === undefined}::boolean or f.type = any(${[...(types ?? [])]}::text[]))
      order by f.number limit ${limit}::int
    ) c
    order by w.place, c.number limit ${limit}::int`;
}

/** @returns the batch @throws Problem `cursor-unknown` unless the cursor was given for it */
function fitting<B extends Pick<Batch, 'key' | 'changes'>>(
  organizationId: string,
  { number, check }: Cursor,
  batch: B,
): B {
  if (number < 1 || number > batch.changes || check !== checkOf(organizationId, batch.key))
    throw unknownCursor();
  return batch;
}

/** So many changes from the front, or all. */
function firstOf(spans: readonly Span[], wanted: number): Span[] {
  const first: Span[] = [];
  let left = wanted;
  for (const { batch, after, to } of spans) {
    if (left <= 0) break;
    const cut = Math.min(to, after + left);
    first.push({ batch, after, to: cut });
    left -= cut - after;
  }
  return first;
}

function placed({ batchId, number, ...row }: ChangeRow, batches: ReadonlyMap<bigint, Batch>): PlacedChange {
  const batch = batches.get(batchId);
  if (!batch) throw new Error('a change came of a batch that was not asked for');
  return { ...row, id: `${batch.key}-${number}`, at: batch.at };
}
