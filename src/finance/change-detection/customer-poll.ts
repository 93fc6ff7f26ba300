import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { Comparison } from './comparison';
import { ListingReader, type ReadingPlace } from './listing-reader';
import { observationOf, UnusableListing } from './observation';
import { type WatchedCustomer, PolledCustomers } from './polled-customers.repository';
import { type ScopedSighting, ObservedRecords } from './observed-records.repository';
import { type PollState, type PollLease, PollLeases } from './poll-leases.repository';

/** Calls that a turn makes, about; the rotation goes on in the next turn, which may be another replica's. */
const CALLS_PER_TURN = 50;

/** Pages of one customer; one with more schedules is not looked at. */
const MOST_PAGES = 100;

/** No service gives fewer records than this where there are more. */
const SMALLEST_PAGE = 10;

/** Rounds of looking up customers in one turn. */
const DISCOVERIES = 20;

/** A turn, and what it goes by. */
interface Round {
  readonly turn: PollLease;
  readonly organization: Organization;
  readonly place: ReadingPlace;
  readonly signal: AbortSignal;
}

/** The listing of a customer as it is before it is read. */
interface Visit {
  readonly customer: WatchedCustomer;
  readonly startedAt: Date;
  readonly startPosition: bigint;
}

/**
 * One turn at the schedules of customers: those whose visit is longest ago. The service is asked customer by customer,
 * each a look of its own.
 */
@Injectable()
export class CustomerPoll {
  private readonly everyMs: number;

  constructor(
    private readonly database: Database,
    private readonly turns: PollLeases,
    private readonly customers: PolledCustomers,
    private readonly records: ObservedRecords,
    private readonly comparison: Comparison,
    private readonly reader: ListingReader,
    private readonly clock: Clock,
    { watchEverySeconds }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
  }

  /** @throws Problem, UnusableListing when a listing cannot be read: the rotation goes on behind it; LostLease */
  async take(turn: PollLease, organization: Organization, signal: AbortSignal): Promise<void> {
    const place = await this.reader.placeOf(organization);
    const round = { turn, organization, place, signal };
    await this.begin(turn, place.service);
    await this.discover(turn);
    for (let calls = 0; calls < CALLS_PER_TURN;) {
      const visit = await this.next(round);
      if (!visit) break;
      calls += await this.visit(round, visit);
    }
    await this.finish(turn);
  }

  private begin(turn: PollLease, service: string): Promise<void> {
    return this.held(turn, async (tx, state) => {
      if (state.service === service) return;
      await this.records.forget(tx, turn);
      await this.customers.forget(tx, turn.organizationId);
      await this.turns.write(tx, turn, this.clock.now(), { service, lookedAt: null, nextToken: null });
    });
  }

  /** Whoever is there before all were looked up once was there before anybody looked. */
  private async discover(turn: PollLease): Promise<void> {
    for (let round = 0; round < DISCOVERIES; round += 1) {
      const more = await this.held(turn, async (tx, { nextToken, lookedAt }) => {
        const baseline = lookedAt === null;
        const next = await this.customers.discover(tx, turn.organizationId, nextToken, baseline);
        const now = this.clock.now();
        const all = baseline && next === undefined;
        await this.turns.write(tx, turn, now, { nextToken: next ?? null, ...(all && { lookedAt: now }) });
        return next !== undefined;
      });
      if (!more) return;
    }
  }

  private next({ turn, place: { spacingMs } }: Round): Promise<Visit | undefined> {
    const now = this.clock.now();
    const until = new Date(now.getTime() - this.everyMs);
    return this.held(turn, async (tx) => {
      const customer = await this.customers.take(tx, turn.organizationId, until, now);
      if (!customer) return undefined;
      await this.turns.write(tx, turn, now, {}, spacingMs);
      return { customer, startedAt: now, startPosition: await this.turns.feedPosition(tx) };
    });
  }

  /** @returns how many calls it took */
  private async visit(round: Round, visit: Visit): Promise<number> {
    const { turn, organization, place, signal } = round;
    const { customerId } = visit.customer;
    for (let read = 0, page = 1; page <= MOST_PAGES; page += 1) {
      const items = await this.reader
        .schedulesOf(place, organization, customerId, read, signal)
        .catch(unlessNotFound);
      // A customer that is gone says nothing of what was owed.
      if (!items) return page;
      const fresh = await this.takeIn(round, this.sightingsOf(round, customerId, items), page);
      read += items.length;
      // Pages may be smaller than asked for, or all at once, or the same again: nothing new is the end.
      if (items.length < SMALLEST_PAGE || fresh === 0) {
        await this.held(turn, async (tx) => {
          await this.compare(tx, round, visit);
          await this.customers.looked(tx, turn.organizationId, [customerId], visit.startedAt);
        });
        return page;
      }
    }
    throw new UnusableListing(`a customer has more than ${MOST_PAGES} pages of schedules`);
  }

  private sightingsOf(
    { turn, organization }: Round,
    customerId: string,
    items: readonly object[],
  ): ScopedSighting[] {
    const today = CalendarDate.fromInstant(this.clock.now(), organization.timeZone);
    return items.flatMap((item) => {
      const observation = observationOf(turn.kind, item, organization, today);
      return observation ? [{ ...observation, scopeId: customerId }] : [];
    });
  }

  /** @returns how many were new to the look, which begins with the first page */
  private takeIn(
    { turn, place }: Round,
    observations: readonly ScopedSighting[],
    page: number,
  ): Promise<number> {
    return this.held(turn, async (tx) => {
      if (page === 1) await this.records.clear(tx, turn);
      await this.turns.write(tx, turn, this.clock.now(), {}, place.spacingMs);
      return this.records.stage(tx, turn, observations);
    });
  }

  /** What was taken in of a customer. */
  private async compare(tx: Transaction, { turn, organization }: Round, visit: Visit): Promise<void> {
    const { customer, startedAt, startPosition } = visit;
    const { customerId, lookedAt } = customer;
    const { organizationId, kind } = turn;
    const scope = { organizationId, kind, scopeIds: [customerId] };
    const baseline = customer.baseline && lookedAt === null;
    const look = { organization, scope, startedAt, startPosition, feedPosition: null, lookedAt, baseline };
    await this.comparison.compare(tx, look, this.clock.now());
    await this.records.clear(tx, turn);
  }

  /** The age of what is known is that of the visit which is longest ago. */
  private finish(turn: PollLease): Promise<void> {
    return this.held(turn, async (tx, { lookedAt, nextToken }) => {
      const now = this.clock.now();
      const oldest = (await this.customers.oldestVisit(tx, turn.organizationId)) ?? now;
      const someNever = oldest.getTime() === 0;
      const dueAt = nextToken === null ? Math.max(now.getTime(), oldest.getTime() + this.everyMs) : now;
      await this.turns.write(tx, turn, now, {
        failures: 0,
        leaseUntil: null,
        dueAt: new Date(dueAt),
        ...(lookedAt !== null && !someNever && { lookedAt: oldest }),
      });
    });
  }

  private held<T>(turn: PollLease, work: (tx: Transaction, state: PollState) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => work(tx, await this.turns.hold(tx, turn)));
  }
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'not-found')) throw error;
}
