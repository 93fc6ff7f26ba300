import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import { failureCodes } from '../database/failure-codes';
import type { Transaction } from '../database/transaction';

/** Batches placed in one transaction. */
const CHUNK = 2_000;

/** Milliseconds between rounds when nobody reads, so that a first reader finds little to do. */
const EVERY_MS = 2_000;

/** How long a round waits for another's, as PostgreSQL spells it; a replica may hang in the midst of its own. */
const LOCK_TIMEOUT = '1s';
const LOCK_NOT_AVAILABLE = '55P03';

/** Where the feed ends, and whether something is committed that has no place yet. */
const END = {
  name: 'feed-end',
  text: 'select h.position, exists (select from feed_waiting) as waiting from feed_head h',
};

/**
 * Gives committed batches their positions. One transaction at a time does so, with the head's row locked before
 * anything is read: it sees whatever was committed when the one before it ended, so that the feed only
 * ever grows at its end. Batches are placed in the order of their numbers, which is the order of commit of each
 * record (see `appendChanges`); one that is committed late simply comes later.
 */
@Injectable()
export class FeedOrder implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FeedOrder.name);
  private running?: Promise<bigint>;
  private following?: Promise<bigint>;
  private stopping = false;
  /** Since when this process has failed to place what is committed, of `performance.now()`. */
  private stuckSince: number | undefined;

  constructor(private readonly database: Database) {}

  /** Milliseconds for which this process has failed to place what is committed; 0: everything has its place, or will. */
  get stuckMs(): number {
    return this.stuckSince === undefined ? 0 : performance.now() - this.stuckSince;
  }

  /**
   * Places everything that was committed before the call, unless another replica keeps it from that. However many
   * ask at once, one of them does it.
   * @returns the feed's last position
   */
  assignPositions(): Promise<bigint> {
    if (!this.running) return this.begin();
    // What is under way may have read before this call: the next one has not.
    this.following ??= this.running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.following;
  }

  @Interval('feed-order', EVERY_MS)
  async tick(): Promise<void> {
    if (this.stopping) return;
    await this.assignPositions().catch((error: unknown) => {
      this.logger.warn({
        msg: 'feed: positions could not be assigned to new rows; the next run tries again',
        err: error,
      });
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    while (this.running) await this.running.catch(() => undefined);
  }

  /** Organizations whose feed grew after one position and up to another. */
  async organizationsWithNew(after: bigint, upTo: bigint): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select distinct organization_id::text as id from feed_batch
      where position > ${after}::bigint and position <= ${upTo}::bigint`;
    return rows.map(({ id }) => id);
  }

  /** When the oldest change was made that has no place yet; undefined: all have theirs. */
  async oldestUnplaced(): Promise<Date | undefined> {
    const row = await this.database.prisma.feedWaiting.findFirst({
      orderBy: { id: 'asc' },
      select: { at: true },
    });
    return row?.at;
  }

  private begin(): Promise<bigint> {
    this.following = undefined;
    this.running = this.place().finally(() => (this.running = undefined));
    return this.running;
  }

  private async place(): Promise<bigint> {
    const startedAt = performance.now();
    let done = false;
    try {
      const head = await this.placeAll();
      done = head.done;
      return head.position;
    } finally {
      this.stuckSince = done ? undefined : (this.stuckSince ?? startedAt);
    }
  }

  /** @returns the feed's last position, and whether everything has its place */
  private async placeAll(): Promise<{ position: bigint; done: boolean }> {
    const [head] = await this.database.query<{ position: bigint; waiting: boolean }>(END, []);
    if (!head) throw new Error('the feed has no head');
    let { position } = head;
    for (let placed = head.waiting ? CHUNK : 0; placed === CHUNK;) {
      const chunk = await this.database.transaction(placeChunk).catch(unlessHeld);
      if (!chunk) return { position, done: false };
      ({ position, placed } = chunk);
    }
    return { position, done: true };
  }
}

/** What has its place can be read all the same. */
function unlessHeld(error: unknown): undefined {
  if (!failureCodes(error).includes(LOCK_NOT_AVAILABLE)) throw error;
}

async function placeChunk(tx: Transaction): Promise<{ position: bigint; placed: number }> {
  await tx.$executeRaw`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  // A statement of its own: the next one then sees everything that was committed before the lock was had.
  await tx.$queryRaw`select position from feed_head where id = 1 for update`;
  const [head] = await tx.$queryRaw<{ position: bigint; placed: number }[]>`
    with taken as (
      delete from feed_waiting where id in (select id from feed_waiting order by id limit ${CHUNK})
      returning id, key, organization_id, changes, at
    ), placed as (
      insert into feed_batch (organization_id, position, id, key, changes, at)
      select t.organization_id, h.position + row_number() over (order by t.id), t.id, t.key, t.changes, t.at
      from taken t cross join feed_head h
      returning id
    )
    update feed_head h set position = h.position + (select count(*) from placed)
    where h.id = 1
    returning h.position, (select count(*)::int from placed) as placed`;
  if (!head) throw new Error('the feed has no head');
  return head;
}
