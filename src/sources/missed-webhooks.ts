import type { FetchAccess, FetchedAnswer, FetchRequest, Settings } from './source';

/*
 * Webhooks that did not come: what an operator imports, and what a provider's own list says.
 */

/** What the provider would have sent. Its {@link SourceProvider.identify} names it, as it does what was received. */
export interface ImportedWebhook {
  /** What `identify` reads of the headers, such as the topic; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it reads of the query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What is known of a line besides itself. */
export interface AboutLine {
  /** As the operator names it for all lines; absent: not named. */
  readonly topic?: string;
  readonly settings: Settings;
}

/** From when on, and before when, something of a provider's list changed. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A provider's own list of what its webhooks tell, with which deliveries are compared. Needs {@link SourceProvider.api}. */
export interface ProviderList {
  /**
   * `states`: the newest state of each order or payment, which is known once any webhook about it came since it changed.
   * `events`: what was sent or should have been; each is known by its own delivery alone.
   */
  readonly has: 'states' | 'events';
  /** What has to be set on a source besides credentials, to be compared; undefined: all of it is. */
  missingSetting(settings: Settings): string | undefined;
  /**
   * Asks for a page of what changed in the period. Where the API cannot be asked for a period it may bring more than that. Of
   * `answers`, those that mean an empty page are believed at once.
   * @param place where the page before ended, as {@link ListPage.next} has it; undefined: the first page
   */
  request(place: string | undefined, period: Period, access: FetchAccess): FetchRequest;
  /**
   * Reads a page as {@link request} asked for it.
   * @throws UnreadablePayload
   */
  read(answer: FetchedAnswer, about: AboutPage): ListPage;
}

/** What is known of a page besides its answer. */
export interface AboutPage {
  /** As it was asked for. */
  readonly place: string | undefined;
  readonly period: Period;
  /** IANA zone for times that come without one. */
  readonly timeZone: string;
  readonly settings: Settings;
}

/** A page of a provider's list. */
export interface ListPage {
  readonly items: readonly ListedItem[];
  /** Where the next page begins; absent: this was the last one. */
  readonly next?: string;
}

/** One of its items. */
export interface ListedItem {
  /** What the provider would have sent when it changed last. */
  readonly webhook: ImportedWebhook;
  readonly changedAt: Date;
  /**
   * Whose state it is, as the events about it have it in their key after the source: `order/1001`. Absent: it is in the
   * webhook itself, and nothing is fetched to know it.
   */
  readonly entity?: string;
  /** No webhook tells of it: it is not counted as one that was missed. Absent: one should have come. */
  readonly onlyListed?: true;
  /** Topics of the webhooks that have this state, where others about the same entity do not; absent: all have it. */
  readonly topics?: readonly string[];
}
