import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ScheduledRun } from '../kernel/scheduled-run';
import { alongAnIndex } from '../database/along-an-index';
import { Database } from '../database/database';
import { covers } from '../events/covers';
import type { CanonicalEvent } from '../events/event';
import { BoundedMap } from '../kernel/bounded-map';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { SourceDirectory } from './source-directory';
import { EventsOfDeliveries } from './stored-events';

const EVERY_MS = 30_000;
/** Of each organization, so many of the newest dead letters are checked in one run. */
const MOST_LETTERS = 1_000;
/** So many of the newest deliveries that could have done a letter's work are read. */
const MOST_LATER = 20;
/** Pairs of a letter and a later delivery that says something else; neither changes. */
const MOST_PAIRS = 20_000;
/** Pairs of which the bodies are read in one run, so that a long list of dead letters does not keep the process from its work. */
const MOST_READ = 500;

interface Pair {
  id: string;
  sourceId: string;
  laterId: string;
}

/**
 * Closes dead letters whose work a later delivery has done: it came from the same source, speaks of the same order (or
 * other entity) with all the events, payments, refunds and edits that the letter has, is no older state of it, and every
 * rule that took it succeeded. So it is when a shop corrects a CPF and sends the order again. The letter's outcome names
 * that delivery. One that waits for a record is left alone: it is worked on again by itself. Any number of replicas may
 * do so at once.
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
  private readonly different = new BoundedMap<string, true>(MOST_PAIRS);

  constructor(
    private readonly database: Database,
    private readonly sources: SourceDirectory,
    private readonly events: EventsOfDeliveries,
  ) {}

  @Interval('superseded-letters', EVERY_MS)
  async tick(): Promise<void> {
    await this.runs.tick();
  }

  /** @returns how many were closed */
  async close(): Promise<number> {
    const found = new Map<string, string>();
    const open = (await this.pairs()).filter((pair) => !this.different.has(nameOf(pair)));
    for (const pair of open.slice(0, MOST_READ))
      if (!found.has(pair.id) && (await this.isDone(pair))) found.set(pair.id, pair.laterId);
    if (found.size === 0) return 0;
    const closed = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return tx.$queryRaw<Pair[]>`
        with locked as (
          select d.id, superseded.later_id
          from unnest(${[...found.keys()]}::uuid[], ${[...found.values()]}::uuid[]) as superseded(id, later_id)
          join delivery d on d.id = superseded.id
          where d.state = 'dead' and d.waits_for is null
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

  /** The newest letters first, each with the deliveries that could have done its work, of which the newest is first. */
  private async pairs(): Promise<Pair[]> {
    return this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return tx.$queryRaw<Pair[]>`
        with letter as (
          select l.id from organization o cross join lateral (
            select id from open_delivery
            where organization_id = o.id and state = 'dead'
            order by received_at desc, id desc limit ${MOST_LETTERS}) l)
        select d.id::text as id, d.source_id::text as "sourceId", l.id::text as "laterId"
        from letter join delivery d on d.id = letter.id
        cross join lateral (
          select later.id, later.seq
          from entity_delivery e join delivery later on later.id = e.id
          where e.organization_id = d.organization_id and e.business_key = d.business_key
            and later.source_id = d.source_id and later.seq > d.seq and later.state = 'done' and later.events @> d.events
            and exists (select from run r
              where r.delivery_id = later.id and r.business_key = d.business_key and r.state = 'done')
            and not exists (select from run f where f.delivery_id = later.id and f.state <> 'done')
          order by later.seq desc limit ${MOST_LATER}) l
        where d.state = 'dead' and d.events <> '{}' and d.waits_for is null
        order by d.id desc, l.seq desc`;
    });
  }

  /** Whether the later delivery says all that the letter says. One that has no body any more cannot be asked. */
  private async isDone(pair: Pair): Promise<boolean> {
    const { id, sourceId, laterId } = pair;
    const organization = this.sources.findById(sourceId)?.organization;
    const said = (delivery: string): Promise<CanonicalEvent[]> => this.saidBy(organization, delivery);
    const [letter, later] = await Promise.all([said(id), said(laterId)]);
    const isDone = letter.length > 0 && covers(later, letter);
    if (!isDone) this.different.set(nameOf(pair), true);
    return isDone;
  }

  /** @param organization undefined: this process does not know the source, and cannot read it */
  private async saidBy(organization: Organization | undefined, id: string): Promise<CanonicalEvent[]> {
    if (!organization) return [];
    try {
      return (await this.events.read(organization, id)).normalized.work.map(({ event }) => event);
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  }
}

function nameOf({ id, laterId }: Pair): string {
  return `${id}/${laterId}`;
}
