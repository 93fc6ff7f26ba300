import type { FetchAccess, FetchRequest } from './source';

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
  readonly settings: Readonly<Record<string, unknown>>;
}

/** From when on, and before when, something of a provider's list changed. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A provider's own list of what its webhooks tell, with which deliveries are compared. Needs {@link SourceProvider.api}. */
export interface ProviderList {
  /** What has to be set on a source besides credentials, to be compared; undefined: all of it is. */
  missingSetting(settings: Readonly<Record<string, unknown>>): string | undefined;
  /** Asks for a page of what changed in the period. @param page from 1 */
  request(page: number, period: Period, access: FetchAccess): FetchRequest;
  /**
   * Reads a page as {@link request} asked for it.
   * @param timeZone IANA zone for times that come without one
   * @throws UnreadablePayload
   */
  read(page: Buffer, timeZone: string): ListPage;
}

/** A page of a provider's list. */
export interface ListPage {
  readonly items: readonly ListedItem[];
  /** Whether there may be another page. */
  readonly more: boolean;
}

/** One of its items. */
export interface ListedItem {
  /** What the provider would have sent when it changed last. */
  readonly webhook: ImportedWebhook;
  readonly changedAt: Date;
}

/** A line within a JSON text of which it becomes a part, to the byte: no number in it loses a digit. */
export function wrapLine(before: string, line: Buffer, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), line, Buffer.from(after)]);
}

/** A JSON text that names what is to be fetched. */
export function notification(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
