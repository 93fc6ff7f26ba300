import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { readCursor } from '../feed/cursor';
import { DAY_MS, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

interface OldBatch {
  id: bigint;
  position: bigint;
  key: string;
  changes: number;
  at: Date;
}

/** Batches of the feed are removed whole: changes of one share their data. So few hold as many changes as rows are removed elsewhere. */
const MOST_BATCHES = 100;

/**
 * The oldest batches of an organization's feed. What a connector with a stored cursor has not read stays, unless it is older
 * than `feedUnread`; so does what change detection has still to compare. Positions are never given again.
 */
export class FeedRetention implements RetainedKind {
  readonly kind = 'feed';
  readonly passMs = DAY_MS;
  /** It always begins with the oldest that there is. */
  readonly alongTime = true;

  async remove(
    tx: Transaction,
    { organizationId, before, days, now, limit }: RemovalBatch,
  ): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const most = Math.min(limit, MOST_BATCHES);
    const unread = await this.firstUnread(tx, organizationId);
    const unreadBefore =
      days.feedUnread === null ? undefined : new Date(now.getTime() - days.feedUnread * DAY_MS);
    const compared = await this.comparedUntil(tx, organizationId);
    const oldest = await this.oldest(tx, organizationId, most);
    const end = oldest.findIndex(
      ({ position, at }) =>
        at >= before ||
        (compared !== null && position > compared) ||
        (unread !== undefined && position >= unread && !(unreadBefore && at < unreadBefore)),
    );
    const gone = end < 0 ? oldest : oldest.slice(0, end);
    await this.removeBatches(tx, organizationId, gone, now);
    const removed = gone.reduce((sum, { changes }) => sum + changes, 0);
    return { removed, place: null, ended: gone.length < most };
  }

  /** The position that the connector stands at that is furthest behind; undefined: none has stored a cursor. */
  private async firstUnread(tx: Transaction, organizationId: string): Promise<bigint | undefined> {
    const cursors = await tx.feedCursor.findMany({ where: { organizationId }, select: { cursor: true } });
    const positions = cursors.map(({ cursor }) => readCursor(cursor)?.position ?? 0n);
    return positions.reduce<bigint | undefined>(
      (least, position) => (least === undefined || position < least ? position : least),
      undefined,
    );
  }

  /** Up to where change detection has compared what Ponte announced; null: it compares nothing. */
  private async comparedUntil(tx: Transaction, organizationId: string): Promise<bigint | null> {
    const [row] = await tx.$queryRaw<{ position: bigint | null }[]>`
      select least(min(t.mark), (select min(r.held_mark) from watch_record r
        where r.organization_id = ${organizationId}::uuid and r.held_mark is not null)) as position
      from watch_turn t where t.organization_id = ${organizationId}::uuid and t.mark is not null`;
    return row?.position ?? null;
  }

  private oldest(tx: Transaction, organizationId: string, limit: number): Promise<OldBatch[]> {
    return tx.$queryRaw<OldBatch[]>`
      select id, position, key::text as key, changes, at from feed_batch
      where (organization_id, position) >= (${organizationId}::uuid, 0::bigint) and organization_id = ${organizationId}::uuid
      order by organization_id, position limit ${limit}::int`;
  }

  private async removeBatches(
    tx: Transaction,
    organizationId: string,
    batches: readonly OldBatch[],
    now: Date,
  ): Promise<void> {
    const last = batches.at(-1);
    if (!last) return;
    await tx.$executeRaw`
      delete from feed_stored_change where batch_id = any(${batches.map(({ id }) => id)}::bigint[])`;
    await tx.$executeRaw`
      delete from feed_batch where organization_id = ${organizationId}::uuid and position <= ${last.position}::bigint`;
    const place = {
      position: last.position,
      key: last.key,
      changes: last.changes,
      at: last.at,
      removedAt: now,
    };
    await tx.feedRemoval.upsert({
      where: { organizationId },
      create: { organizationId, ...place },
      update: place,
      select: { organizationId: true },
    });
  }
}
