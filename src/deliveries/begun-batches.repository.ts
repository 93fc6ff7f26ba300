import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, type HotStatement } from '../database/database';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import { BoundedMap } from '../kernel/bounded-map';

/** Milliseconds between two removals of rows that nobody needs any more. */
const TIDY_EVERY_MS = 3_600_000;

/** Milliseconds: a transaction with deliveries locked waits for it, and is ended when it has been silent for too long. */
const ANSWER_WITHIN_MS = 3_000;

/** Milliseconds in which a process that lives says that work has failed, after its connection was ended. */
const SAID_WITHIN_MS = 5_000;

/** Batches that did not end and that are remembered, at most. */
const MOST_FOUND = 10_000;

const OVERLAPPING = `select id::text as id from begun_batch where delivery_ids && $2::uuid[] and id <> $1::uuid`;

/** Commits without waiting for the disk: what a crash of the whole server forgets was no delivery's fault. */
const BEGIN: HotStatement = {
  name: 'begin-batch',
  answerWithinMs: ANSWER_WITHIN_MS,
  text: `
    with setting as (select set_config('synchronous_commit', 'off', true)),
    begun as (insert into begun_batch (id, delivery_ids) select $1::uuid, $2::uuid[] from setting)
    ${OVERLAPPING}`,
};

const ADD = 'insert into begun_batch (id, delivery_ids) values ($1::uuid, $2::uuid[])';
const END = 'delete from begun_batch where id = $1::uuid';

/** Answers with what is left: a transaction of this process has it locked and will remove it itself, if it commits. */
const FORGET: HotStatement = {
  name: 'forget-batch',
  answerWithinMs: ANSWER_WITHIN_MS,
  text: `
    with present as (select id from begun_batch where id = any($1::uuid[])),
    gone as (
      delete from begun_batch
      where id in (select id from begun_batch where id = any($1::uuid[]) for update skip locked)
      returning id)
    select id::text as id from present where id not in (select id from gone)`,
};

/**
 * What is being worked on, committed before the work and removed in its transaction, so that work that did not end is
 * known whatever ended it: a killed process leaves its row, and the locks on its deliveries are gone. Whoever has
 * claimed a delivery and finds it in another row knows therefore that work on it was begun and did not end. One row a
 * batch; nothing is written for a delivery by itself.
 */
@Injectable()
export class BegunBatches {
  /** Batches that failed and could not be removed yet. */
  private readonly failed = new Set<string>();
  /** When a batch was first found that did not end, on the clock of `performance`. */
  private readonly foundAt = new BoundedMap<string, number>(MOST_FOUND);

  constructor(private readonly database: Database) {}

  /**
   * Commits that work on claimed deliveries begins, on a connection of its own, beside the transaction that has them.
   * @returns earlier batches with any of the deliveries, which did not end
   */
  async begin(id: string, deliveryIds: readonly string[]): Promise<string[]> {
    return identifiers(await this.database.query(BEGIN, [id, deliveryIds]));
  }

  /** What {@link begin} does, in a transaction that commits before the work begins. */
  async beginWithin(tx: Transaction, id: string, deliveryIds: readonly string[]): Promise<string[]> {
    await queryInTransaction(tx, ADD, [id, deliveryIds]);
    return identifiers(await queryInTransaction(tx, OVERLAPPING, [id, deliveryIds]));
  }

  /** The work has come to an end if the transaction commits. */
  async end(tx: Transaction, id: string): Promise<void> {
    await queryInTransaction(tx, END, [id]);
  }

  /** The work has failed, and this process knows of it. Never fails: {@link forgetFailed} does it then. */
  async forget(id: string): Promise<void> {
    this.failed.add(id);
    await this.forgetFailed().catch(() => undefined);
  }

  /** Removes what could not be removed when it failed; to be called before more is begun. */
  async forgetFailed(): Promise<void> {
    const ids = [...this.failed];
    if (ids.length === 0) return;
    const left = new Set(identifiers(await this.database.query(FORGET, [ids])));
    for (const id of ids) if (!left.has(id)) this.failed.delete(id);
  }

  /**
   * Finds which of the deliveries, all of them locked, work did not end on. That is counted once: they are no longer among
   * what these batches had begun. Where the process that began a batch may only be about to say what came of it, as when
   * its connection was ended and it was not, nothing is taken.
   * @returns work on which did not end, and of which it is not known yet
   */
  async take(
    tx: Transaction,
    batchIds: readonly string[],
    deliveryIds: readonly string[],
  ): Promise<{ unended: string[]; unsaid: string[] }> {
    const rows = await tx.$queryRaw<{ id: string; begun: string[] }[]>`
      with locked as (
        select id, delivery_ids from begun_batch where id = any(${batchIds}::uuid[]) order by id for update)
      select id::text as id,
        array(select unnest(delivery_ids) intersect select unnest(${deliveryIds}::uuid[]))::text[] as begun
      from locked`;
    const unsaid = new Set(rows.flatMap(({ id, begun }) => (this.mayStillBeSaid(id) ? begun : [])));
    const unended = new Set(rows.flatMap(({ begun }) => begun.filter((id) => !unsaid.has(id))));
    await tx.$executeRaw`
      update begun_batch
      set delivery_ids = array(select unnest(delivery_ids) except select unnest(${[...unended]}::uuid[]))
      where id = any(${batchIds}::uuid[])`;
    await tx.$executeRaw`delete from begun_batch where id = any(${batchIds}::uuid[]) and delivery_ids = '{}'`;
    return { unended: [...unended], unsaid: [...unsaid] };
  }

  /** Since this process found it without locks on its deliveries. Nobody shares the embedded database. */
  private mayStillBeSaid(batchId: string): boolean {
    if (!this.database.parallel) return false;
    const now = performance.now();
    return now - this.foundAt.getOrMake(batchId, () => now) < SAID_WITHIN_MS;
  }

  /** Removes what a crash has left of deliveries that do not wait any more. */
  @Interval(TIDY_EVERY_MS)
  async tidy(): Promise<void> {
    await this.database.query(TIDY, []);
  }
}

const TIDY: HotStatement = {
  name: 'tidy-begun-batches',
  text: `
    delete from begun_batch b
    where begun_at < now() - interval '1 hour' and not exists (
      select from open_delivery o where o.id = any(b.delivery_ids) and o.state = 'waiting')`,
};

function identifiers(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
