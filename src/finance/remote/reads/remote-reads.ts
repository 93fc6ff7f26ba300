import { Injectable } from '@nestjs/common';
import { exactDecimal, reckonedDecimal } from '../../../kernel/exact-decimal';
import { CalendarDate } from '../../../kernel/calendar-date';
import { isUuid } from '../../../kernel/identifier';
import { isObject } from '../../../kernel/json-object';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import type { WantedSupplier } from '../../api/effects/supplier-find';
import type { OperationId } from '../../api/operations/operations';
import type { FinanceConnection } from '../client/connection';
import { FinanceClient, type AttemptOutcome } from '../client/finance-client';
import { orderedSkip, orderOf } from '../client/list-order';

/** What could not be read, and why, for a person. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** A list that will not be given as a whole when it is read again, either. */
export class Incomplete extends Unreadable {}

/** The service did not answer: it may later. */
export class Unanswered extends Unreadable {}

/** What is read now may be older than what Ponte did itself: it tells when it is read again, at `until` or later. */
export class NotYetShown extends Unreadable {
  constructor(
    message: string,
    readonly until: Date,
  ) {
    super(message);
  }
}

/** What is to be read is not there, by the word of the service. */
export class Missing extends Unreadable {}

/** Most pages of one list: a list that is longer is not read to its end, and says so. */
const MAX_PAGES = 100;
const PAGE_SIZE = 100;
const NOT_IMPLEMENTED = 501;
const SERVER_ERRORS = 500;

type Item = Readonly<Record<string, unknown>>;
type Ask = (query: Readonly<Record<string, string>>) => Promise<AttemptOutcome>;

/** A schedule of a remote service, as far as it is needed to know it again. */
export interface RemoteScheduleView {
  /** UUID in lower case. */
  readonly id: string;
  readonly reference: string | undefined;
  readonly value: Money;
  readonly openMinor: bigint;
  readonly dueDate: CalendarDate;
}

export interface RemoteAccountView {
  readonly id: string;
  readonly name: string;
  readonly openBalance: Money | undefined;
  readonly openedOn: CalendarDate | undefined;
}

/** How a list is read. */
interface Reading {
  /** What names an item: the same name twice is the same item. */
  readonly name: string;
  readonly path?: Readonly<Record<string, string>>;
  /** Left out when the service does not take it; what does not match comes, too, then. */
  readonly filter?: string;
  /** Whether what was read is enough. */
  readonly enough?: (items: readonly Item[]) => boolean;
}

/**
 * Reads lists of a remote finance service. A service may ignore `$filter`, `$top` and `$skip`: pages are asked
 * for until nothing new comes, and whoever reads looks at each item itself.
 */
@Injectable()
export class RemoteReads {
  constructor(private readonly client: FinanceClient) {}

  /**
   * The schedules of a customer (operation 13).
   * @param options `enough` ends the reading early; without `filter` everything is read
   * @throws Unreadable
   */
  async schedules(
    connection: FinanceConnection,
    organization: Organization,
    customerId: string,
    options: { filter?: string; enough?: (schedules: readonly RemoteScheduleView[]) => boolean } = {},
  ): Promise<RemoteScheduleView[]> {
    const { filter, enough } = options;
    const view = (items: readonly Item[]): RemoteScheduleView[] =>
      items.flatMap((item) => scheduleView(item, organization));
    const items = await this.all(connection, 'schedules.listOfCustomer', {
      name: 'scheduleId',
      path: { CustomerId: customerId },
      filter,
      ...(enough ? { enough: (read) => enough(view(read)) } : {}),
    });
    return view(items);
  }

  /** Accounts by name (operation 16). @throws Unreadable */
  async accounts(connection: FinanceConnection, { currency, timeZone }: Organization, name: string) {
    const filter = `name eq ${quoted(name)}`;
    const items = await this.all(connection, 'accounts.list', { name: 'id', filter });
    return items
      .filter((item) => item['name'] === name)
      .map((item): RemoteAccountView => ({
        id: idOf(item, 'id'),
        name,
        openBalance: moneyOf(item['openBalance'], currency),
        openedOn: dayOf(item['dateOfOpenBalance'], timeZone),
      }));
  }

  /** Identifiers of the cost centers with an external code (operation 14). @throws Unreadable */
  async costCenters(connection: FinanceConnection, externalCode: string): Promise<string[]> {
    const filter = `externalCode eq ${quoted(externalCode)}`;
    const items = await this.all(connection, 'costCenters.list', { name: 'costCenterId', filter });
    return items
      .filter((item) => item['externalCode'] === externalCode && item['isDeleted'] !== true)
      .map((item) => idOf(item, 'costCenterId'));
  }

  /**
   * Identifiers of the suppliers with a document or an exact name (operation 19). Where the filter finds none the whole
   * list is read, as for customers.
   * @throws Unreadable
   */
  async suppliers(connection: FinanceConnection, wanted: WantedSupplier): Promise<string[]> {
    const isIt = (item: Item): boolean =>
      'document' in wanted ? documentOf(item) === wanted.document : item['name'] === wanted.name;
    const filter =
      'document' in wanted
        ? `document/number eq ${quoted(wanted.document)}`
        : `name eq ${quoted(wanted.name)}`;
    const read = async (extra: { filter?: string }): Promise<string[]> => {
      const items = await this.all(connection, 'suppliers.list', { name: 'id', ...extra });
      return items.filter(isIt).map((item) => idOf(item, 'id'));
    };
    const filtered = await read({ filter });
    return filtered.length > 0 ? filtered : read({});
  }

  /** An account's balance as decimal text (operation 15); undefined when it is not listed. @throws Unreadable */
  async balance(connection: FinanceConnection, accountId: string): Promise<string | undefined> {
    const items = await this.all(connection, 'accounts.listBalances', {
      name: 'accountId',
      enough: (read) => read.some((item) => sameId(item['accountId'], accountId)),
    });
    const found = items.find((item) => sameId(item['accountId'], accountId));
    return found && decimalOf(found['balance']);
  }

  /** Customers with a document whom the service finds by its filter. @throws Unreadable */
  async customersByDocument(
    connection: FinanceConnection,
    listing: string,
    document: string,
    filter: Readonly<Record<string, string>> = { $filter: `document/number eq ${quoted(document)}` },
  ): Promise<string[]> {
    const ask: Ask = (query) => this.client.list(connection, listing, { ...query, ...filter });
    const items = await this.inOrder('id', 'id', ask);
    return items.filter((item) => documentOf(item) === document).map((item) => idOf(item, 'id'));
  }

  /**
   * As {@link customersByDocument}. Where the filter finds none the whole list is read: a filter that means something
   * else to the service, or documents that it keeps spelled otherwise, must not make it look empty.
   * @throws Unreadable
   */
  async allCustomersByDocument(
    connection: FinanceConnection,
    listing: string,
    document: string,
  ): Promise<string[]> {
    const filtered = await this.customersByDocument(connection, listing, document);
    return filtered.length > 0 ? filtered : this.customersByDocument(connection, listing, document, {});
  }

  /**
   * The document of a customer, which is no operation of the interface: many services have it all the same.
   * @param listing path of the listing of customers, below which each is
   * @returns bare; null for a customer without one; undefined where the service does not tell
   * @throws Unanswered
   */
  async documentOfCustomer(
    connection: FinanceConnection,
    listing: string,
    customerId: string,
  ): Promise<string | null | undefined> {
    const outcome = await this.client.list(connection, `${listing}/${customerId}`, {}, 'record');
    if (outcome.kind === 'refused') return undefined;
    if (outcome.kind !== 'succeeded') {
      if (outcome.kind === 'unknown' && tellsNothing(outcome.status)) return undefined;
      throw new Unanswered(`the finance service could not be read: ${outcome.reason}`);
    }
    const record = isObject(outcome.value) ? outcome.value : {};
    const id = record['id'];
    if (id !== undefined && !sameId(id, customerId)) return undefined;
    return documentOf(record) ?? null;
  }

  private async all(connection: FinanceConnection, operation: OperationId, reading: Reading) {
    const { name, path, filter, enough } = reading;
    const ask =
      (extra: Readonly<Record<string, string>>): Ask =>
      (query) =>
        this.client.call(connection, { operation, path, query: { ...query, ...extra } });
    const order = orderOf(operation);
    if (filter !== undefined) {
      const filtered = await this.pages(name, order, ask({ $filter: filter }), enough).catch(unlessRefused);
      if (filtered) return filtered;
    }
    return this.inOrder(name, order, ask({}), enough);
  }

  /** Without an order where the service takes none: then it has to link to the next page, or there is only one. */
  private async inOrder(
    name: string,
    order: string,
    ask: Ask,
    enough?: (items: readonly Item[]) => boolean,
  ): Promise<Item[]> {
    const ordered = await this.pages(name, order, ask, enough).catch(unlessRefused);
    return ordered ?? this.pages(name, undefined, ask, enough);
  }

  /** All pages in one order: of pages in several, some records would come twice and others not at all. */
  private async pages(
    name: string,
    order: string | undefined,
    ask: Ask,
    enough?: (items: readonly Item[]) => boolean,
  ): Promise<Item[]> {
    const found = new Map<string, Item>();
    const first = { $top: String(PAGE_SIZE), ...(order !== undefined && { $orderby: order }) };
    let query: Readonly<Record<string, string>> = first;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, count, next } = read(await ask(query));
      const before = found.size;
      for (const item of items) found.set(idOf(item, name), item);
      const all = [...found.values()];
      if (enough?.(all)) return all;
      if (found.size === before) return whole(all, items, count);
      if (order !== undefined) query = orderedSkip(next ?? { ...first, $skip: String(found.size) }, order);
      else if (next) query = next;
      else if (items.length < PAGE_SIZE && (count ?? 0) <= found.size) return all;
      else throw new Incomplete('a list of the finance service is longer than a page and takes no order');
    }
    throw new Incomplete(`a list of the finance service is longer than ${MAX_PAGES} pages`);
  }
}

/**
 * A count is no sign of the end: some count the page. What is given again although more is said to be there is the
 * beginning of a list that cannot be read further.
 * @throws Incomplete
 */
function whole(all: Item[], again: readonly Item[], count = 0): Item[] {
  if (again.length === 0 || count <= all.length) return all;
  throw new Incomplete(`a list of the finance service gives ${all.length} of ${count} records and no more`);
}

/** The service refused the list itself: its options, perhaps. */
class ListRefused extends Unreadable {}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ListRefused)) throw error;
}

interface ReadPage {
  items: Item[];
  /** How many the service says there are. */
  count?: number;
  /** List options of the next page, where the service links to it. */
  next?: Record<string, string>;
}

function read(outcome: AttemptOutcome): ReadPage {
  switch (outcome.kind) {
    case 'succeeded':
      return pageOf(outcome.value);
    case 'refused': {
      const { status, code } = outcome.problem;
      const why = `the finance service refused to be read: ${code ?? `status ${status}`}`;
      if (status === 404 || status === 410) throw new Missing(why);
      throw status === 400 ? new ListRefused(why) : new Unreadable(why);
    }
    case 'not-sent':
    case 'unknown':
      throw new Unanswered(`the finance service could not be read: ${outcome.reason}`);
  }
}

function pageOf(value: unknown): ReadPage {
  const page = isObject(value) ? value : {};
  const items: unknown = Array.isArray(value) ? value : page['items'];
  if (!Array.isArray(items) || !items.every((item) => isObject(item))) {
    throw new Unreadable('the finance service answered with something that is no list');
  }
  const link = page['nextPageLink'];
  const count = page['count'];
  return {
    items,
    ...(typeof count === 'number' ? { count } : {}),
    ...(typeof link === 'string' && link !== '' ? { next: optionsOf(link) } : {}),
  };
}

/** The list options of a link: where it leads is never followed, and keys in it are not sent. */
function optionsOf(link: string): Record<string, string> | undefined {
  const url = URL.canParse(link, 'https://list.invalid') ? new URL(link, 'https://list.invalid') : undefined;
  const options = [...(url?.searchParams ?? [])].filter(([name]) => name.startsWith('$'));
  return options.length > 0 ? Object.fromEntries(options) : undefined;
}

function idOf(item: Item, name: string): string {
  const id = item[name];
  if (typeof id !== 'string' || !isUuid(id)) throw new Unreadable(`a listed record has no ${name}`);
  return id.toLowerCase();
}

function sameId(value: unknown, id: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === id.toLowerCase();
}

/** Payables are none of ours. A receivable that cannot be read leaves the whole list unread. */
function scheduleView(item: Item, { currency, timeZone }: Organization): RemoteScheduleView[] {
  if (typeof item['type'] === 'string' && item['type'].toLowerCase() === 'debit') return [];
  const value = moneyOf(item['value'], currency);
  const open = moneyOf(item['openValue'], currency);
  const dueDate = dayOf(item['dueDate'], timeZone);
  if (!value || !open || !dueDate)
    throw new Unreadable('a listed schedule has no value, open value or due date');
  const reference = typeof item['reference'] === 'string' ? item['reference'] : undefined;
  return [{ id: idOf(item, 'scheduleId'), reference, value, openMinor: open.minor, dueDate }];
}

function decimalOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? exactDecimal(String(value)) : undefined;
}

export function moneyOf(value: unknown, currency: string): Money | undefined {
  const text = reckonedDecimal(value, Money.exponentOf(currency));
  return text === undefined ? undefined : attempted(() => Money.parse(text, currency));
}

/** A service may write a day as midnight in UTC: then it is the day that is written, whatever the zone. */
export function dayOf(value: unknown, timeZone: string): CalendarDate | undefined {
  return typeof value === 'string'
    ? attempted(() => CalendarDate.parseSerialised(value, timeZone))
    : undefined;
}

function attempted<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Without punctuation, upper case. */
export function bareDocument(number: string): string {
  return number.replace(/[\s./-]/g, '').toUpperCase();
}

function documentOf(item: Item): string | undefined {
  const document = item['document'];
  const number = isObject(document) ? document['number'] : document;
  return typeof number === 'string' ? bareDocument(number) : undefined;
}

/** A text as a `$filter` writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Whether a service that answers so has no such page, rather than trouble that passes: a web page or a redirection. */
function tellsNothing(status = 0): boolean {
  return status === NOT_IMPLEMENTED || (status > 0 && status < SERVER_ERRORS);
}
