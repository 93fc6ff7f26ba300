import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { AccountsPort } from '../api/ports/accounts.port';
import { CostCentersPort } from '../api/ports/cost-centers.port';
import { readItems } from '../embedded/lists/list.repository';
import { FinanceConnections } from '../remote/connections/connections';
import { schedulesOfSome } from '../embedded/lists/schedule-lists.sql';
import type { ScheduleFullView } from '../api/shapes/schedules.dto';
import { SchedulesPort } from '../api/ports/schedules.port';
import type { ListPart, ListRequest } from '../api/shapes/lists.dto';
import type { ListingKind } from './observation';

const PAGE_SIZE = 500;

/** Customers whose schedules Ponte's own books are asked for together: some hundred rows, a few milliseconds of work. */
const CUSTOMERS_AT_ONCE = 16;

/** Of what a service allows in a second, so much is used for looking. */
const SHARE_OF_RATE = 0.1;

/** Of Ponte's own books: so many times as long as the last page took nothing is read. */
const REST_FOR_READING = 4;

/** Where a listing is read. */
export interface ReadingPlace {
  /** Tells a service and its company from every other. */
  readonly service: string;
  /** Milliseconds between two reads at least. */
  readonly spacingMs: number;
  /** Of how many customers the schedules can be read together: see {@link ListingReader.schedulesOfSome}. */
  readonly customersAtOnce: number;
}

/** What is read of a listing at once, and where it goes on. */
export type ListingPage = ListPart<object>;

/** Reads listings page by page, through the ports, as work that can wait. */
@Injectable()
export class ListingReader {
  private readonly remote: boolean;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly schedules: SchedulesPort,
    private readonly accounts: AccountsPort,
    private readonly costCenters: CostCentersPort,
    private readonly connections: FinanceConnections,
    { financeBackend }: Settings,
  ) {
    this.remote = financeBackend === 'remote';
  }

  /** @throws Problem `finance-not-connected` */
  async placeOf(organization: Organization): Promise<ReadingPlace> {
    if (!this.remote) return { service: 'embedded', spacingMs: 0, customersAtOnce: CUSTOMERS_AT_ONCE };
    const { baseUrl, organization: company = null, limits } = await this.connections.of(organization);
    const name = JSON.stringify([baseUrl, company]);
    return {
      service: createHash('sha256').update(name).digest('base64url'),
      spacingMs: Math.ceil(1000 / (limits.perSecond * SHARE_OF_RATE)),
      customersAtOnce: 1,
    };
  }

  /**
   * Waits until it is time, then reads a page. Every look at an organization is another's end, so this is all that
   * keeps to the share of its rate.
   * @param token where the page before said that it goes on; a number: so many records are passed over
   * @throws Problem what the port throws; AbortError when the signal says so first
   */
  async page(
    place: ReadingPlace,
    kind: ListingKind,
    organization: Organization,
    token: string | number | null,
    signal: AbortSignal,
  ): Promise<ListingPage> {
    const start = { top: PAGE_SIZE, skip: typeof token === 'number' ? token : 0, fresh: true };
    const request = typeof token === 'string' ? { ...start, skipToken: token } : start;
    return this.paced(place, signal, () => this.ask(kind, organization, request));
  }

  /** The schedules of a customer, so many of them passed over. @throws as {@link page} */
  async schedulesOf(
    place: ReadingPlace,
    organization: Organization,
    customerId: string,
    skip: number,
    signal: AbortSignal,
  ): Promise<object[]> {
    const request = { top: PAGE_SIZE, skip, fresh: true };
    return this.paced(place, signal, () => this.schedules.listOfCustomer(organization, customerId, request));
  }

  /** All schedules of some customers of Ponte's own books; undefined: they are more than a page. @throws as {@link page} */
  async schedulesOfSome(
    place: ReadingPlace,
    organization: Organization,
    customerIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ScheduleFullView[] | undefined> {
    const today = CalendarDate.fromInstant(this.clock.now(), organization.timeZone);
    const list = schedulesOfSome(organization, today, customerIds, PAGE_SIZE + 1);
    const request = { top: PAGE_SIZE + 1, skip: 0 };
    const read = (): Promise<ScheduleFullView[]> =>
      readItems(this.database.prisma, organization, list, request);
    const items = await this.paced(place, signal, read);
    return items.length > PAGE_SIZE ? undefined : items;
  }

  private async paced<T>(
    { spacingMs }: ReadingPlace,
    signal: AbortSignal,
    read: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (spacingMs > 0) await sleep(spacingMs, undefined, { signal });
    const begun = performance.now();
    const result = await read();
    if (!this.remote) await sleep((performance.now() - begun) * REST_FOR_READING, undefined, { signal });
    return result;
  }

  private ask(kind: ListingKind, organization: Organization, request: ListRequest): Promise<ListingPage> {
    switch (kind) {
      case 'accounts':
        return this.accounts.list(organization, request);
      case 'balances':
        return this.accounts.listBalances(organization, request);
      case 'cost-centers':
        return this.costCenters.list(organization, request);
      case 'debit-schedules':
        return this.schedules.listDebit(organization, request);
      case 'overdue-credit':
        return this.schedules.listOverdueCredit(organization, request);
      case 'customer-schedules':
        throw new Error('the schedules of customers are read customer by customer');
    }
  }
}
