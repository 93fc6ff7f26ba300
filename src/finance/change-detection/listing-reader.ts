import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { AccountsPort } from '../api/ports/accounts.port';
import { CostCentersPort } from '../api/ports/cost-centers.port';
import { FinanceConnections } from '../remote/connections/connections';
import { SchedulesPort } from '../api/ports/schedules.port';
import type { ListPart, ListRequest } from '../api/shapes/lists.dto';
import type { ListingKind } from './observation';

const PAGE_SIZE = 500;

/** Of what a service allows in a second, so much is used for polling. */
const SHARE_OF_RATE = 0.1;

/** Where a listing is read. */
export interface ReadingPlace {
  /** Names a service and its company. */
  readonly service: string;
  /** Milliseconds between two reads at least. */
  readonly spacingMs: number;
}

/** What is read of a listing at once, and where it goes on. */
export type ListingPage = ListPart<object>;

/** Reads listings page by page, through the ports, as work that can wait. */
@Injectable()
export class ListingReader {
  constructor(
    private readonly schedules: SchedulesPort,
    private readonly accounts: AccountsPort,
    private readonly costCenters: CostCentersPort,
    private readonly connections: FinanceConnections,
  ) {}

  /** @throws Problem `finance-not-connected` */
  async placeOf(organization: Organization): Promise<ReadingPlace> {
    const { baseUrl, organization: company = null, limits } = await this.connections.of(organization);
    const name = JSON.stringify([baseUrl, company]);
    return {
      service: createHash('sha256').update(name).digest('base64url'),
      spacingMs: Math.ceil(1000 / (limits.perSecond * SHARE_OF_RATE)),
    };
  }

  /**
   * Waits until it is time, then reads a page. An organization's listings are polled one at a time, so this wait alone
   * keeps to the share of its rate.
   * @param token where the page before ended, as it said; a number: so many records are passed over
   * @throws Problem what the port throws; AbortError when the signal comes first
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

  private async paced<T>(
    { spacingMs }: ReadingPlace,
    signal: AbortSignal,
    read: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (spacingMs > 0) await sleep(spacingMs, undefined, { signal });
    return read();
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
