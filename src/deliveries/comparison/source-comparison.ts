import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { ListedItem, ListPage, Period, ProviderList } from '../../sources/missed-webhooks';
import { UnreadablePayload } from '../../sources/source';
import type { AnswerOutcome } from '../fetch-back/answer-outcome';
import { ProviderApi } from '../fetch-back/provider-api';
import { ProviderRequests } from '../fetch-back/provider-requests';
import { arrivalOf } from '../import/imported-arrival';
import { Imports } from '../import/imports';
import type { Arrival } from '../inbox';
import type { LiveSource } from '../source-directory';
import { Comparisons } from './comparisons.repository';

/** Pages of one comparison. */
const MOST_PAGES = 200;
/** Longest time for which an API that says when to come back is waited for within a comparison, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
/** How often that is done. */
const MOST_WAITS = 10;

/** What came of comparing a period. */
export interface Compared {
  /** Deliveries that were missing and are stored now. */
  found: number;
  /** Whether it came to the end of the list. */
  isWhole: boolean;
  /** Why it did not, or what it left out; absent: all is compared. */
  failure?: string;
}

/** Compares what came with what a provider's list has, page by page, and stores what is missing. */
@Injectable()
export class SourceComparison {
  constructor(
    private readonly requests: ProviderRequests,
    private readonly imports: Imports,
    private readonly comparisons: Comparisons,
    private readonly clock: Clock,
  ) {}

  /**
   * @param goesOn asked before each page: whether this replica is to go on
   * @throws Problem when what is missing cannot be stored
   */
  async compare(
    source: LiveSource,
    list: ProviderList,
    period: Period,
    goesOn: () => Promise<boolean>,
  ): Promise<Compared> {
    const compared: Compared = { found: 0, isWhole: false };
    // One request at a time, and none about deliveries: there is nobody to share it with.
    const api = new ProviderApi();
    let unreadable = 0;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      if (!(await goesOn())) return { ...compared, failure: 'it was interrupted; it is compared again' };
      const outcome = await this.ask(source, list, page, { period, api, goesOn });
      if (outcome.state !== 'answered') return { ...compared, failure: outcome.reason };
      const read = readPage(list, outcome.answer.body, source);
      if ('failure' in read) return { ...compared, ...read };
      const { found, refused } = await this.take(source, read.items, period);
      compared.found += found;
      unreadable += refused;
      if (!read.more)
        return { ...compared, isWhole: true, ...(unreadable > 0 && { failure: leftOut(unreadable) }) };
    }
    return { ...compared, failure: `its list has more than ${MOST_PAGES} pages: import what is missing` };
  }

  private async ask(
    source: LiveSource,
    list: ProviderList,
    page: number,
    about: { period: Period; api: ProviderApi; goesOn: () => Promise<boolean> },
  ): Promise<AnswerOutcome> {
    const { settings, credentials = {} } = source;
    const { period, api, goesOn } = about;
    for (let waits = 0; ; waits += 1) {
      const request = list.request(page, period, { settings, credentials });
      const outcome = await this.requests.ask(source, request, api, 0);
      const isWaitedFor = outcome.state === 'later' && !outcome.failed && outcome.delayMs <= LONGEST_WAIT_MS;
      if (!isWaitedFor || waits >= MOST_WAITS) return outcome;
      await sleep(outcome.delayMs);
      if (!(await goesOn())) return outcome;
    }
  }

  private async take(
    source: LiveSource,
    items: readonly ListedItem[],
    { to }: Period,
  ): Promise<{ found: number; refused: number }> {
    const now = this.clock.now();
    const missing: Arrival[] = [];
    let refused = 0;
    for (const { webhook, changedAt } of items) {
      // It has changed since the page was asked for, or its provider takes no end: the next comparison has it.
      if (changedAt >= to) continue;
      const taken = arrivalOf(webhook, source, { now, origin: 'comparison' });
      if ('refused' in taken) refused += 1;
      else if (!taken.ignored && !(await this.isKnown(taken.arrival, taken.businessKey, changedAt)))
        missing.push(taken.arrival);
    }
    const receipts = await this.imports.store(source, missing);
    return { found: receipts.filter(({ duplicate }) => !duplicate).length, refused };
  }

  private async isKnown(
    arrival: Arrival,
    businessKey: string | undefined,
    changedAt: Date,
  ): Promise<boolean> {
    return businessKey !== undefined && (await this.comparisons.isKnown(arrival, businessKey, changedAt));
  }
}

function leftOut(count: number): string {
  return `${count} of its list cannot be read, and were left out`;
}

function readPage(list: ProviderList, body: Buffer, { context }: LiveSource): ListPage | { failure: string } {
  try {
    return list.read(body, context.timeZone);
  } catch (error) {
    if (error instanceof UnreadablePayload) return { failure: `its list cannot be read: ${error.message}` };
    throw error;
  }
}
