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
import { sightingOf, UnusableListing } from './watched';
import { type WatchedCustomer, WatchCustomers } from './watch-customers.repository';
import { WatchRecords, type WatchScope } from './watch-records.repository';
import { type WatchState, type WatchTurn, WatchTurns } from './watch-turns.repository';

/** Calls that a turn makes, about; the rotation goes on in the next turn, which may be another replica's. */
const CALLS_PER_TURN = 50;

/** Pages of one customer; one with more schedules is not looked at. */
const MOST_PAGES = 100;

/** No service gives fewer records than this where there are more. */
const SMALLEST_PAGE = 10;

/** Rounds of looking up customers in one turn. */
const DISCOVERIES = 20;

/** A customer's listing as it is before it is read. */
interface Visit {
  readonly customer: WatchedCustomer;
  readonly startedAt: Date;
  readonly startMark: bigint;
}

/** One turn at the schedules of customers: those whose visit is longest ago, each a look of its own. */
@Injectable()
export class CustomerRounds {
  private readonly everyMs: number;

  constructor(
    private readonly database: Database,
    private readonly turns: WatchTurns,
    private readonly customers: WatchCustomers,
    private readonly records: WatchRecords,
    private readonly comparison: Comparison,
    private readonly reader: ListingReader,
    private readonly clock: Clock,
    { watchEverySeconds }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
  }

  /** @throws Problem, UnusableListing when a listing cannot be read: the rotation goes on behind it; LostTurn */
  async take(turn: WatchTurn, organization: Organization, signal: AbortSignal): Promise<void> {
    const place = await this.reader.placeOf(organization);
    await this.begin(turn, place.service);
    await this.discover(turn);
    for (let calls = 0; calls < CALLS_PER_TURN;) {
      const visit = await this.next(turn, place);
      if (!visit) break;
      calls += await this.visit(turn, organization, place, visit, signal);
    }
    await this.finish(turn);
  }

  private begin(turn: WatchTurn, service: string): Promise<void> {
    return this.held(turn, async (tx, state) => {
      if (state.service === service) return;
      await this.records.forget(tx, turn);
      await this.customers.forget(tx, turn.organizationId);
      await this.turns.write(tx, turn, this.clock.now(), { service, lookedAt: null, nextToken: null });
    });
  }

  /** Whoever is there before all were looked up once was there before anybody looked. */
  private async discover(turn: WatchTurn): Promise<void> {
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

  private next(turn: WatchTurn, { spacingMs }: ReadingPlace): Promise<Visit | undefined> {
    const now = this.clock.now();
    const until = new Date(now.getTime() - this.everyMs);
    return this.held(turn, async (tx) => {
      const customer = await this.customers.take(tx, turn.organizationId, until, now);
      if (!customer) return undefined;
      await this.records.clear(tx, turn);
      await this.turns.write(tx, turn, now, {}, spacingMs);
      return { customer, startedAt: now, startMark: await this.turns.feedMark(tx) };
    });
  }

  /** @returns how many calls it took */
  private async visit(
    turn: WatchTurn,
    organization: Organization,
    place: ReadingPlace,
    visit: Visit,
    signal: AbortSignal,
  ): Promise<number> {
    const { customerId } = visit.customer;
    for (let read = 0, page = 1; page <= MOST_PAGES; page += 1) {
      const items = await this.reader
        .schedulesOf(place, organization, customerId, read, signal)
        .catch(unlessNotFound);
      // A customer that is gone says nothing of what was owed.
      if (!items) return page;
      const fresh = await this.takeIn(turn, organization, { place, customerId }, items);
      read += items.length;
      // Pages may be smaller than asked for, or all at once, or the same again: nothing new is the end.
      if (items.length < SMALLEST_PAGE || fresh === 0) {
        await this.compare(turn, organization, visit);
        return page;
      }
    }
    throw new UnusableListing(`a customer has more than ${MOST_PAGES} pages of schedules`);
  }

  private takeIn(
    turn: WatchTurn,
    organization: Organization,
    { place, customerId }: { place: ReadingPlace; customerId: string },
    items: readonly object[],
  ): Promise<number> {
    const now = this.clock.now();
    const today = CalendarDate.fromInstant(now, organization.timeZone);
    const sightings = items.flatMap((item) => sightingOf(turn.kind, item, organization, today) ?? []);
    return this.held(turn, async (tx) => {
      await this.turns.write(tx, turn, now, {}, place.spacingMs);
      return this.records.stage(tx, scopeOf(turn, customerId), sightings);
    });
  }

  private compare(turn: WatchTurn, organization: Organization, visit: Visit): Promise<void> {
    const { customer, startedAt, startMark } = visit;
    const { customerId, lookedAt } = customer;
    return this.held(turn, async (tx) => {
      const scope = scopeOf(turn, customerId);
      const baseline = customer.baseline && lookedAt === null;
      const look = { organization, scope, startedAt, startMark, lookedAt, mark: null, baseline };
      await this.comparison.compare(tx, look, this.clock.now());
      await this.records.clear(tx, turn);
      await this.customers.looked(tx, turn.organizationId, customerId, startedAt);
    });
  }

  /** The age of what is known is that of the visit which is longest ago. */
  private finish(turn: WatchTurn): Promise<void> {
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

  private held<T>(turn: WatchTurn, work: (tx: Transaction, state: WatchState) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => work(tx, await this.turns.hold(tx, turn)));
  }
}

function scopeOf({ organizationId, kind }: WatchTurn, scopeId: string): WatchScope {
  return { organizationId, kind, scopeId };
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'not-found')) throw error;
}
