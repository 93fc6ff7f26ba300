import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Comparison } from './comparison';
import { ListingReader, type ListingPage, type ReadingPlace } from './listing-reader';
import { observationOf, UnusableListing } from './observation';
import { ObservedRecords, WHOLE_ORGANIZATION } from './observed-records.repository';
import { type PollLease, PollLeases } from './poll-leases.repository';

/** A longer listing goes on under the next lease, which may be another replica's. */
const PAGES_PER_LEASE = 50;

/** Before a number of records to pass over, where a service says that there is more and not where. */
const SKIP = 'skip:';
const TOKEN = 'token:';

/** Polls a listing of a whole organization. */
@Injectable()
export class ListingPoll {
  private readonly everyMs: number;

  constructor(
    private readonly leases: PollLeases,
    private readonly records: ObservedRecords,
    private readonly comparison: Comparison,
    private readonly reader: ListingReader,
    private readonly clock: Clock,
    { watchEverySeconds }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
  }

  /**
   * Reads on where the current poll has come to, page by page. Each page is committed with the token of the next, so
   * that a crash costs one page. After the last page the poll is compared with the one before.
   * @throws Problem, UnusableListing when the listing cannot be read; LostLease
   */
  async run(lease: PollLease, organization: Organization, signal: AbortSignal): Promise<void> {
    const place = await this.reader.placeOf(organization);
    let token = await this.begin(lease, place);
    for (let page = 0; page < PAGES_PER_LEASE; page += 1) {
      const read = await this.reader.page(place, lease.kind, organization, tokenOf(token), signal);
      const next = await this.stage(lease, organization, place, read);
      if (next === undefined) return this.finish(lease, organization);
      token = next;
    }
    await this.giveBack(lease);
  }

  /** Ends a lease before its time; the poll goes on under the next. @throws LostLease */
  async giveBack(lease: PollLease): Promise<void> {
    const now = this.clock.now();
    await this.leases.withLock(lease, (tx) =>
      this.leases.write(tx, lease, now, { leaseUntil: null, dueAt: now }),
    );
  }

  /** @returns where the current poll goes on; null: at the beginning */
  private begin(lease: PollLease, { service, spacingMs }: ReadingPlace): Promise<string | null> {
    return this.leases.withLock(lease, async (tx, state) => {
      const another = state.service !== service;
      if (another) await this.records.forget(tx, lease);
      const now = this.clock.now();
      if (!another && state.startedAt && state.nextToken !== null) {
        await this.leases.write(tx, lease, now, {}, spacingMs);
        return state.nextToken;
      }
      await this.records.clearStaged(tx, lease);
      const startPosition = await this.leases.feedPosition(tx);
      const start = { service, startedAt: now, startPosition, expected: null, found: 0, nextToken: null };
      const unknown = another ? { polledAt: null, feedPosition: null } : {};
      await this.leases.write(tx, lease, now, { ...start, ...unknown }, spacingMs);
      return null;
    });
  }

  /** @returns where the listing goes on; undefined: this was all of it */
  private stage(
    lease: PollLease,
    organization: Organization,
    { spacingMs }: ReadingPlace,
    { items, count, next }: ListingPage,
  ): Promise<string | undefined> {
    const now = this.clock.now();
    const today = CalendarDate.fromInstant(now, organization.timeZone);
    const observations = items.flatMap((item) => observationOf(lease.kind, item, organization, today) ?? []);
    const scoped = observations.map((observation) => ({ ...observation, scopeId: WHOLE_ORGANIZATION }));
    return this.leases.withLock(lease, async (tx, state) => {
      const added = await this.records.stage(tx, lease, scoped);
      const found = state.found + added;
      const expected = Math.min(state.expected ?? count, count);
      const nextToken = next !== undefined ? `${TOKEN}${next}` : found < expected ? `${SKIP}${found}` : null;
      if (nextToken !== null && added === 0)
        throw new UnusableListing(`a listing gives ${found} of ${expected} records and no more`);
      await this.leases.write(tx, lease, now, { nextToken, expected, found }, spacingMs);
      return nextToken ?? undefined;
    });
  }

  private finish(lease: PollLease, organization: Organization): Promise<void> {
    return this.leases.withLock(lease, async (tx, state) => {
      const { startedAt, startPosition, polledAt, feedPosition } = state;
      if (!startedAt || startPosition === null)
        throw new Error('a poll that did not begin has come to an end');
      const { organizationId, kind } = lease;
      const scope = { organizationId, kind, scopeIds: [WHOLE_ORGANIZATION] };
      const baseline = polledAt === null;
      const run = { organization, scope, startedAt, startPosition, polledAt, feedPosition, baseline };
      const now = this.clock.now();
      await this.comparison.compare(tx, run, now);
      await this.records.clearStaged(tx, lease);
      await this.leases.write(tx, lease, now, {
        polledAt: startedAt,
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
}

function tokenOf(stored: string | null): string | number | null {
  if (stored === null) return null;
  return stored.startsWith(SKIP) ? Number(stored.slice(SKIP.length)) : stored.slice(TOKEN.length);
}
