import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import type { Transaction } from '../../database/transaction';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { Comparison } from './comparison';
import { ListingReader, type ReadingPlace } from './listing-reader';
import { observationOf, UnusableListing } from './observation';
import { type PolledCustomer, PolledCustomers } from './polled-customers.repository';
import { type ScopedObservation, ObservedRecords } from './observed-records.repository';
import { type PollLease, PollLeases } from './poll-leases.repository';

/** Calls within a lease, about; the rotation goes on under the next lease, which may be another replica's. */
const CALLS_PER_LEASE = 50;

/** Pages of one customer; one with more schedules is not polled. */
const MOST_PAGES = 100;

/** No service gives fewer records than this where there are more. */
const SMALLEST_PAGE = 10;

/** Batches of customers that are looked up within a lease. */
const DISCOVERIES = 20;

/** What all polls under one lease need. */
interface Rotation {
  readonly lease: PollLease;
  readonly organization: Organization;
  readonly place: ReadingPlace;
  readonly signal: AbortSignal;
}

/** The poll of one customer, before its listing is read. */
interface PollOfCustomer {
  readonly customer: PolledCustomer;
  readonly startedAt: Date;
  readonly startPosition: bigint;
}

/**
 * Polls the schedules of customers, those first whose last poll is longest ago. The service is asked customer by
 * customer; each is a poll of its own.
 */
@Injectable()
export class CustomerPoll {
  private readonly everyMs: number;

  constructor(
    private readonly leases: PollLeases,
    private readonly customers: PolledCustomers,
    private readonly records: ObservedRecords,
    private readonly comparison: Comparison,
    private readonly reader: ListingReader,
    private readonly clock: Clock,
    { watchEverySeconds }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
  }

  /** @throws Problem, UnusableListing when a listing cannot be read: the next lease goes on with the next customer; LostLease */
  async run(lease: PollLease, organization: Organization, signal: AbortSignal): Promise<void> {
    const place = await this.reader.placeOf(organization);
    const rotation = { lease, organization, place, signal };
    await this.begin(lease, place.service);
    await this.discover(lease);
    for (let calls = 0; calls < CALLS_PER_LEASE;) {
      const poll = await this.next(rotation);
      if (!poll) break;
      calls += await this.poll(rotation, poll);
    }
    await this.finish(lease);
  }

  private begin(lease: PollLease, service: string): Promise<void> {
    return this.leases.withLock(lease, async (tx, state) => {
      if (state.service === service) return;
      await this.records.forget(tx, lease);
      await this.customers.forget(tx, lease.organizationId);
      await this.leases.write(tx, lease, this.clock.now(), { service, polledAt: null, nextToken: null });
    });
  }

  /** A customer found before all were looked up once was there before the first poll. */
  private async discover(lease: PollLease): Promise<void> {
    for (let batch = 0; batch < DISCOVERIES; batch += 1) {
      const more = await this.leases.withLock(lease, async (tx, { nextToken, polledAt }) => {
        const baseline = polledAt === null;
        const next = await this.customers.discover(tx, lease.organizationId, nextToken, baseline);
        const now = this.clock.now();
        const all = baseline && next === undefined;
        await this.leases.write(tx, lease, now, { nextToken: next ?? null, ...(all && { polledAt: now }) });
        return next !== undefined;
      });
      if (!more) return;
    }
  }

  private next({ lease, place: { spacingMs } }: Rotation): Promise<PollOfCustomer | undefined> {
    const now = this.clock.now();
    const until = new Date(now.getTime() - this.everyMs);
    return this.leases.withLock(lease, async (tx) => {
      const customer = await this.customers.take(tx, lease.organizationId, until, now);
      if (!customer) return undefined;
      await this.leases.write(tx, lease, now, {}, spacingMs);
      return { customer, startedAt: now, startPosition: await this.leases.feedPosition(tx) };
    });
  }

  /** @returns how many calls it took */
  private async poll(rotation: Rotation, poll: PollOfCustomer): Promise<number> {
    const { lease, organization, place, signal } = rotation;
    const { customerId } = poll.customer;
    for (let read = 0, page = 1; page <= MOST_PAGES; page += 1) {
      const items = await this.reader
        .schedulesOf(place, organization, customerId, read, signal)
        .catch(unlessNotFound);
      // That a customer is gone does not show what became of its schedules.
      if (!items) return page;
      const added = await this.stage(rotation, this.observationsOf(rotation, customerId, items), page);
      read += items.length;
      // Pages may be smaller than asked for, or all at once, or the same again: nothing new is the end.
      if (items.length < SMALLEST_PAGE || added === 0) {
        await this.leases.withLock(lease, async (tx) => {
          await this.compare(tx, rotation, poll);
          await this.customers.setPolledAt(tx, lease.organizationId, customerId, poll.startedAt);
          // The service answers: a customer that fails later puts the others off by one interval, not by more and more.
          await this.leases.write(tx, lease, this.clock.now(), { failures: 0 });
        });
        return page;
      }
    }
    throw new UnusableListing(`a customer has more than ${MOST_PAGES} pages of schedules`);
  }

  private observationsOf(
    { lease, organization }: Rotation,
    customerId: string,
    items: readonly object[],
  ): ScopedObservation[] {
    const today = CalendarDate.fromInstant(this.clock.now(), organization.timeZone);
    return items.flatMap((item) => {
      const observation = observationOf(lease.kind, item, organization, today);
      return observation ? [{ ...observation, scopeId: customerId }] : [];
    });
  }

  /** @returns how many were new to the poll, which begins with page 1 */
  private stage(
    { lease, place }: Rotation,
    observations: readonly ScopedObservation[],
    page: number,
  ): Promise<number> {
    return this.leases.withLock(lease, async (tx) => {
      if (page === 1) await this.records.clearStaged(tx, lease);
      await this.leases.write(tx, lease, this.clock.now(), {}, place.spacingMs);
      return this.records.stage(tx, lease, observations);
    });
  }

  private async compare(
    tx: Transaction,
    { lease, organization }: Rotation,
    { customer, startedAt, startPosition }: PollOfCustomer,
  ): Promise<void> {
    const { customerId, polledAt } = customer;
    const { organizationId, kind } = lease;
    const scope = { organizationId, kind, scopeIds: [customerId] };
    const baseline = customer.baseline && polledAt === null;
    const run = { organization, scope, startedAt, startPosition, feedPosition: null, polledAt, baseline };
    await this.comparison.compare(tx, run, this.clock.now());
    await this.records.clearStaged(tx, lease);
  }

  /** What is known of the customers is as old as the poll that is longest ago. */
  private finish(lease: PollLease): Promise<void> {
    return this.leases.withLock(lease, async (tx, { polledAt, nextToken }) => {
      const now = this.clock.now();
      const oldest = (await this.customers.oldestAttempt(tx, lease.organizationId)) ?? now;
      const someNever = oldest.getTime() === 0;
      const dueAt = nextToken === null ? Math.max(now.getTime(), oldest.getTime() + this.everyMs) : now;
      await this.leases.write(tx, lease, now, {
        failures: 0,
        leaseUntil: null,
        dueAt: new Date(dueAt),
        ...(polledAt !== null && !someNever && { polledAt: oldest }),
      });
    });
  }
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'not-found')) throw error;
}
