import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Comparison } from './comparison';
import { ListingReader, type ListingPage, type ReadingPlace } from './listing-reader';
import { observationOf, UnusableListing } from './observation';
import { ObservedRecords, type WatchScope, WHOLE_ORGANIZATION } from './observed-records.repository';
import { type PollState, type PollLease, PollLeases } from './poll-leases.repository';

/** Pages that a turn reads; a longer listing goes on in the next turn, which may be another replica's. */
const PAGES_PER_TURN = 50;

/** Before a number of records to pass over, where a service says that there is more and not where. */
const SKIP = 'skip:';
const TOKEN = 'token:';

/** One turn at a listing of a whole organization. */
@Injectable()
export class ListingPoll {
  private readonly everyMs: number;

  constructor(
    private readonly database: Database,
    private readonly turns: PollLeases,
    private readonly records: ObservedRecords,
    private readonly comparison: Comparison,
    private readonly reader: ListingReader,
    private readonly clock: Clock,
    { watchEverySeconds }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
  }

  /**
   * Reads on where the look under way has come to, page by page. Each page is committed with where it ends, so that
   * a crash costs one page; the last one's commit is followed by that of the differences.
   * @throws Problem, UnusableListing when the listing cannot be read; LostLease
   */
  async take(turn: PollLease, organization: Organization, signal: AbortSignal): Promise<void> {
    const place = await this.reader.placeOf(organization);
    let token = await this.begin(turn, place);
    for (let page = 0; page < PAGES_PER_TURN; page += 1) {
      const read = await this.reader.page(place, turn.kind, organization, tokenOf(token), signal);
      const next = await this.takeIn(turn, organization, place, read);
      if (next === undefined) return this.finish(turn, organization);
      token = next;
    }
    await this.giveBack(turn);
  }

  /** Ends a turn before its end; the look goes on in the next. @throws LostLease */
  async giveBack(turn: PollLease): Promise<void> {
    const now = this.clock.now();
    await this.held(turn, (tx) => this.turns.write(tx, turn, now, { leaseUntil: null, dueAt: now }));
  }

  /** @returns where the look under way goes on; null: at the beginning */
  private begin(turn: PollLease, { service, spacingMs }: ReadingPlace): Promise<string | null> {
    return this.held(turn, async (tx, state) => {
      const another = state.service !== service;
      if (another) await this.records.forget(tx, turn);
      const now = this.clock.now();
      if (!another && state.startedAt && state.nextToken !== null) {
        await this.turns.write(tx, turn, now, {}, spacingMs);
        return state.nextToken;
      }
      await this.records.clear(tx, turn);
      const startPosition = await this.turns.feedPosition(tx);
      const start = { service, startedAt: now, startPosition, expected: null, found: 0, nextToken: null };
      const unknown = another ? { lookedAt: null, feedPosition: null } : {};
      await this.turns.write(tx, turn, now, { ...start, ...unknown }, spacingMs);
      return null;
    });
  }

  /** @returns where the listing goes on; undefined: this was all of it */
  private takeIn(
    turn: PollLease,
    organization: Organization,
    { spacingMs }: ReadingPlace,
    { items, count, next }: ListingPage,
  ): Promise<string | undefined> {
    const now = this.clock.now();
    const today = CalendarDate.fromInstant(now, organization.timeZone);
    const observations = items.flatMap((item) => observationOf(turn.kind, item, organization, today) ?? []);
    const scoped = observations.map((observation) => ({ ...observation, scopeId: WHOLE_ORGANIZATION }));
    return this.held(turn, async (tx, state) => {
      const fresh = await this.records.stage(tx, turn, scoped);
      const found = state.found + fresh;
      const expected = Math.min(state.expected ?? count, count);
      const nextToken = next !== undefined ? `${TOKEN}${next}` : found < expected ? `${SKIP}${found}` : null;
      if (nextToken !== null && fresh === 0)
        throw new UnusableListing(`a listing gives ${found} of ${expected} records and no more`);
      await this.turns.write(tx, turn, now, { nextToken, expected, found }, spacingMs);
      return nextToken ?? undefined;
    });
  }

  private finish(turn: PollLease, organization: Organization): Promise<void> {
    return this.held(turn, async (tx, state) => {
      const { startedAt, startPosition, lookedAt, feedPosition } = state;
      if (!startedAt || startPosition === null)
        throw new Error('a look that did not begin has come to an end');
      const scope = scopeOf(turn);
      const baseline = lookedAt === null;
      const look = { organization, scope, startedAt, startPosition, lookedAt, feedPosition, baseline };
      const now = this.clock.now();
      await this.comparison.compare(tx, look, now);
      await this.records.clear(tx, turn);
      await this.turns.write(tx, turn, now, {
        lookedAt: startedAt,
        feedPosition: startPosition,
        startedAt: null,
        startPosition: null,
        nextToken: null,
        failures: 0,
        leaseUntil: null,
        dueAt: new Date(startedAt.getTime() + this.everyMs),
      });
    });
  }

  private held<T>(turn: PollLease, work: (tx: Transaction, state: PollState) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => work(tx, await this.turns.hold(tx, turn)));
  }
}

function scopeOf({ organizationId, kind }: PollLease): WatchScope {
  return { organizationId, kind, scopeIds: [WHOLE_ORGANIZATION] };
}

function tokenOf(stored: string | null): string | number | null {
  if (stored === null) return null;
  return stored.startsWith(SKIP) ? Number(stored.slice(SKIP.length)) : stored.slice(TOKEN.length);
}
