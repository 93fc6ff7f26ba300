import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ScheduledRun } from '../kernel/scheduled-run';
import { alongAnIndex } from '../database/along-an-index';
import { Database } from '../database/database';
import { SourceDirectory } from './source-directory';

const EVERY_MS = 30_000;
/** Of each organization, so many of the newest dead letters are checked in one run. */
const MOST_LETTERS = 1_000;

interface Closed {
  id: string;
  sourceId: string;
  /** The delivery that did its work. */
  laterId: string;
}

/**
 * Closes dead letters whose work a later delivery has done: it came from the same source, speaks of the same order (or
 * other entity) with all the events that the letter has, and every rule that took it succeeded. So it is when a shop
 * corrects a CPF and sends the order again. The letter's outcome names that delivery. One that waits for a record is left
 * alone: it is worked on again by itself. Any number of replicas may do so
 * at once.
 */
@Injectable()
export class SupersededLetters {
  private readonly logger = new Logger('dead-letter');
  private readonly runs = new ScheduledRun(
    () => this.close(),
    (error) =>
      this.logger.warn({
        msg: 'dead letters: those that later deliveries replaced could not be closed; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly sources: SourceDirectory,
  ) {}

  @Interval('superseded-letters', EVERY_MS)
  async tick(): Promise<void> {
    await this.runs.tick();
  }

  /** @returns how many were closed */
  async close(): Promise<number> {
    const closed = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return tx.$queryRaw<Closed[]>`
        with letter as (
          select l.id from organization o cross join lateral (
            select id from open_delivery
            where organization_id = o.id and state = 'dead'
            order by received_at desc, id desc limit ${MOST_LETTERS}) l),
        superseded as (
          select distinct on (d.id) d.id, later.id as later_id
          from letter join delivery d on d.id = letter.id
          join entity_delivery e on e.organization_id = d.organization_id and e.business_key = d.business_key
          join delivery later on later.id = e.id
          where d.state = 'dead' and d.events <> '{}' and d.waits_for is null
            and later.source_id = d.source_id and later.seq > d.seq and later.state = 'done' and later.events @> d.events
            and exists (select from run r
              where r.delivery_id = later.id and r.business_key = d.business_key and r.state = 'done')
            and not exists (select from run f where f.delivery_id = later.id and f.state <> 'done')
          order by d.id, later.seq desc),
        locked as (
          select d.id, superseded.later_id from delivery d join superseded on superseded.id = d.id
          where d.state = 'dead'
          order by d.id for update of d skip locked)
        update delivery d
        set state = 'discarded', outcome = 'closed: delivery ' || locked.later_id || ' came later and did its work'
        from locked where d.id = locked.id
        returning d.id::text as id, d.source_id::text as "sourceId", locked.later_id::text as "laterId"`;
    });
    for (const { id, sourceId, laterId } of closed) {
      const source = this.sources.findById(sourceId);
      this.logger.log({
        msg: 'dead letters: a dead letter was closed because a later delivery did its work',
        organization: source?.organization.slug,
        source: source?.slug,
        delivery: id,
        by: laterId,
      });
    }
    return closed.length;
  }
}
