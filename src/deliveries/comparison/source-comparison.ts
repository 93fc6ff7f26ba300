import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { AboutPage, ListedItem, ListPage, Period, ProviderList } from '../../sources/missed-webhooks';
import { UnreadablePayload } from '../../sources/payload';
import type { FetchedAnswer } from '../../sources/source';
import { type Access, AccessTokens } from '../fetch-back/access-tokens';
import { type AnswerOutcome, TRIES_UNTIL_GONE } from '../fetch-back/answer-outcome';
import { ProviderApi } from '../fetch-back/provider-api';
import { ProviderRequests } from '../fetch-back/provider-requests';
import { arrivalOf, type TakenLine } from '../import/imported-arrival';
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
/** No list was made just now: where its API answers that a page is not there, and that is an answer, it is believed at once. */
const TRIES_BEFORE = TRIES_UNTIL_GONE - 1;

/** What came of comparing a period. */
export interface Compared {
  /** Deliveries that were missing and are stored now. */
  found: number;
  /** Whether it came to the end of the list. */
  isWhole: boolean;
  /** Why it did not, or what it left out; absent: all is compared. */
  failure?: string;
}

/** A comparison under way. */
interface UnderWay {
  readonly source: LiveSource;
  readonly list: ProviderList;
  readonly period: Period;
  readonly api: ProviderApi;
  /** Asked before each request: whether this replica is to go on. */
  readonly goesOn: () => Promise<boolean>;
}

/** Compares what came with what a provider's list has, page by page, and stores what is missing. */
@Injectable()
export class SourceComparison {
  constructor(
    private readonly requests: ProviderRequests,
    private readonly accessTokens: AccessTokens,
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
    const underWay: UnderWay = { source, list, period, api: new ProviderApi(), goesOn };
    let unreadable = 0;
    let place: string | undefined;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      if (!(await goesOn())) return { ...compared, failure: 'it was interrupted; it is compared again' };
      const outcome = await this.ask(underWay, place);
      if (outcome.state !== 'answered') return { ...compared, failure: outcome.reason };
      const read = readPage(list, outcome.answer, source, { place, period });
      if ('failure' in read) return { ...compared, ...read };
      const { found, refused } = await this.take(underWay, read.items);
      compared.found += found;
      unreadable += refused;
      place = read.next;
      if (place === undefined)
        return { ...compared, isWhole: true, ...(unreadable > 0 && { failure: leftOut(unreadable) }) };
    }
    return { ...compared, failure: `its list has more than ${MOST_PAGES} pages: import what is missing` };
  }

  /** Asks for a page, with another access token where the API refuses the one it granted. */
  private async ask(underWay: UnderWay, place: string | undefined): Promise<AnswerOutcome> {
    const { source, api } = underWay;
    const first = await this.accessTokens.of(source, api, 0);
    if (first.state !== 'granted') return first;
    const outcome = await this.askWith(underWay, place, first.access);
    const { accessToken } = first.access;
    const isUnauthorized = outcome.state !== 'answered' && outcome.unauthorized === true;
    if (!isUnauthorized || accessToken === undefined) return outcome;
    const again = await this.accessTokens.of(source, api, 0, accessToken);
    return again.state === 'granted' ? this.askWith(underWay, place, again.access) : again;
  }

  /** Asks for a page, and waits where the API says when to come back. */
  private async askWith(
    { source, list, period, api, goesOn }: UnderWay,
    place: string | undefined,
    access: Extract<Access, { state: 'granted' }>['access'],
  ): Promise<AnswerOutcome> {
    for (let waits = 0; ; waits += 1) {
      const request = list.request(place, period, { settings: source.settings, ...access });
      const outcome = await this.requests.ask(source, request, api, TRIES_BEFORE);
      const isWaitedFor = outcome.state === 'later' && !outcome.failed && outcome.delayMs <= LONGEST_WAIT_MS;
      if (!isWaitedFor || waits >= MOST_WAITS) return outcome;
      await sleep(outcome.delayMs);
      if (!(await goesOn())) return outcome;
    }
  }

  private async take(
    { source, list, period }: UnderWay,
    items: readonly ListedItem[],
  ): Promise<{ found: number; refused: number }> {
    const now = this.clock.now();
    const missing: { item: ListedItem; arrival: Arrival }[] = [];
    let refused = 0;
    for (const item of items) {
      // It has changed since the page was asked for, or its provider takes no end: the next comparison has it.
      if (item.changedAt >= period.to) continue;
      const taken = arrivalOf(item.webhook, source, { now, origin: 'comparison' });
      if ('refused' in taken) refused += 1;
      else if (!taken.ignored && !(list.has === 'states' && (await this.isKnown(source, item, taken))))
        missing.push({ item, arrival: taken.arrival });
    }
    const arrivals = missing.map(({ arrival }) => arrival);
    const receipts = await this.imports.store(source, arrivals);
    // What no webhook tells was not missed.
    const found = receipts.filter(({ duplicate }, index) => !duplicate && !missing[index]?.item.onlyListed);
    return { found: found.length, refused };
  }

  private async isKnown(
    { slug }: LiveSource,
    { entity, changedAt, topics }: ListedItem,
    taken: TakenLine,
  ): Promise<boolean> {
    const businessKey = entity === undefined ? taken.businessKey : `${slug}/${entity}`;
    if (businessKey === undefined) return false;
    return this.comparisons.isKnown(taken.arrival, { businessKey, topics }, changedAt);
  }
}

function leftOut(count: number): string {
  return `${count} of its list cannot be read, and were left out`;
}

function readPage(
  list: ProviderList,
  answer: FetchedAnswer,
  { context, settings }: LiveSource,
  about: Pick<AboutPage, 'place' | 'period'>,
): ListPage | { failure: string } {
  try {
    return list.read(answer, { ...about, timeZone: context.timeZone, settings });
  } catch (error) {
    if (error instanceof UnreadablePayload) return { failure: `its list cannot be read: ${error.message}` };
    throw error;
  }
}
