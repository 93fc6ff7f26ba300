import { Injectable } from '@nestjs/common';
import { AccountsPort } from '../../finance/api/ports/accounts.port';
import { BookDetailsPort, readCursor, writeCursor } from '../../finance/api/ports/book-details.port';
import { CustomersPort } from '../../finance/api/ports/customers.port';
import { notFound } from '../../finance/api/ports/not-found';
import { SchedulesPort } from '../../finance/api/ports/schedules.port';
import type { AccountListingView } from '../../finance/api/shapes/accounts.dto';
import type { ListPart } from '../../finance/api/shapes/lists.dto';
import type { ScheduleFullView } from '../../finance/api/shapes/schedules.dto';
import { minorOfWire } from '../../finance/api/shapes/wire';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import { amountText } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { Filter } from '../filter-query';
import type { OperatorsPage } from '../list-query';
import type {
  BooksAccountView,
  BooksCustomerView,
  BooksEntryView,
  BooksReceivableView,
  BooksStatementView,
  RECEIVABLE_STATES,
} from './books.dto';
import { badCursor, type BooksPage, readingAfter } from './books-page';
import { NO_ORIGIN, OriginsRepository } from './origins.repository';
import { bookedAs, customerOf, daysBetween, daysOf, personOf, receivableOf, searchedBy } from './readings';
import { type BookedReceivable, type Line, statementOf, type Totals } from './statement';

type ReceivableState = (typeof RECEIVABLE_STATES)[number];

/** As many as a listing gives at once. */
const LARGEST_PAGE = 500;
/** Receivables that a statement is made of; a customer with more has none. */
const MOST_RECEIVABLES = 2_000;
const NO_ACCOUNTS: ListPart<AccountListingView> = { items: [], count: 0 };
const LATEST_FIRST = 'dueDate desc,scheduleId desc';

/**
 * The books as operators see them, whoever keeps them. Every method throws what the same reading of `/v1` throws:
 * `not-found`, and of a remote service `finance-not-connected`, `not-implemented`, `finance-misbehaved` and
 * `finance-unreachable`.
 */
@Injectable()
export class Books {
  constructor(
    private readonly accountsPort: AccountsPort,
    private readonly customersPort: CustomersPort,
    private readonly schedulesPort: SchedulesPort,
    private readonly details: BookDetailsPort,
    private readonly origins: OriginsRepository,
    private readonly clock: Clock,
  ) {}

  /** In the order of their creation. Names and balances are two listings, walked side by side. */
  async accounts(
    organization: Organization,
    { limit, after }: BooksPage,
  ): Promise<OperatorsPage<BooksAccountView>> {
    const [balancesToken, listingToken] = tokensOf(after);
    const part = { top: limit, skip: 0, uncounted: true };
    const [balances, listing, defaultAccount] = await readingAfter(
      Promise.all([
        this.accountsPort.listBalances(organization, { ...part, ...tokenOf(balancesToken) }),
        after !== undefined && listingToken === undefined
          ? NO_ACCOUNTS
          : this.accountsPort.list(organization, { ...part, ...tokenOf(listingToken) }),
        this.details.defaultAccount(organization),
      ]),
    );
    const kinds = new Map(
      listing.items.map(
        ({ id, isVirtual }) => [id.toLowerCase(), isVirtual ? 'virtual' : 'ordinary'] as const,
      ),
    );
    const items = balances.items.map(({ accountId, accountName, balance }) => {
      const id = accountId.toLowerCase();
      return {
        ...{ id, name: accountName, kind: kinds.get(id) ?? null },
        balance: this.amount(organization, minorOfWire(balance, organization.currency)),
        currency: organization.currency,
        isDefault: defaultAccount === undefined ? null : id === defaultAccount,
      };
    });
    const tokens = [balances.next, listing.next].flatMap((token) => token ?? []);
    return { items, after: balances.next === undefined ? null : writeCursor(tokens) };
  }

  /** Entries of an account, the latest day first. @throws Problem not-found */
  async entries(
    organization: Organization,
    accountId: string,
    filter: Filter,
    { limit, after }: BooksPage,
  ): Promise<OperatorsPage<BooksEntryView>> {
    const [from, to] = daysOf(filter);
    await this.mustHaveAccount(organization, accountId);
    const { items, next } = await this.details.entries(organization, accountId, { from, to, limit, after });
    const origins = await this.origins.of(
      organization.id,
      items.map(({ kind, ...entry }) => ({
        ...entry,
        kind: kind === 'receipt' || kind === 'payment' ? kind : 'other',
      })),
    );
    return {
      items: items.map((entry, index) => ({
        ...{ id: entry.id, date: entry.date.toString(), type: entry.kind, description: entry.description },
        value: this.amount(organization, entry.minor),
        ...{ customerOrSupplier: entry.stakeholder, schedule: entry.schedule },
        ...(origins[index] ?? NO_ORIGIN),
      })),
      after: next ?? null,
    };
  }

  /**
   * By due date: what is open the earliest first, what is paid and all the latest first.
   * @throws Problem not-found: there is no such customer, which must not pass for one who owes nothing
   */
  async receivables(
    organization: Organization,
    state: ReceivableState,
    filter: Filter,
    { limit, after }: BooksPage,
  ): Promise<OperatorsPage<BooksReceivableView>> {
    const today = this.today(organization);
    const { customer } = filter;
    const [from, to] = daysOf(filter);
    const conditions = [
      ...(customer === undefined ? [] : [`stakeholder/id eq ${customer}`]),
      ...(from ? [`dueDate ge ${from.toString()}`] : []),
      ...(to ? [`dueDate le ${to.toString()}`] : []),
      ...(state === 'overdue' ? [`dueDate lt ${today.toString()}`] : []),
      ...(state === 'paid' ? ['isPaid eq true'] : []),
    ];
    const list = {
      ...{ top: limit, skip: 0, uncounted: true, ...tokenOf(after) },
      ...(conditions.length > 0 && { filter: conditions.join(' and ') }),
    };
    const isOpen = state === 'open' || state === 'overdue';
    const part: ListPart<ScheduleFullView> = await readingAfter(
      isOpen
        ? this.schedulesPort.listOpenCredit(organization, list)
        : this.schedulesPort.listCredit(organization, { ...list, orderBy: LATEST_FIRST }),
    );
    const read = part.items.map((view) => ({ view, ...receivableOf(view, organization) }));
    const isAsked = ({ view, dueDate, openMinor }: (typeof read)[number]): boolean =>
      (customer === undefined || view.stakeholder.id?.toLowerCase() === customer) &&
      !(from && dueDate.compare(from) < 0) &&
      !(to && dueDate.compare(to) > 0) &&
      !(state === 'overdue' && dueDate.compare(today) >= 0) &&
      !(state === 'paid' && openMinor !== 0n);
    if (!read.every(isAsked))
      throw new Problem(
        'finance-misbehaved',
        'the finance service lists receivables that were not asked for',
      );
    if (read.length === 0 && customer !== undefined)
      await this.schedulesPort.listOfCustomer(organization, customer, { top: 1, skip: 0 });
    const [origins, instalments] = await Promise.all([
      this.origins.of(organization.id, read.map(bookedAs)),
      this.details.instalments(
        organization,
        read.map(({ id }) => id),
      ),
    ]);
    const items = read.map((receivable, index) => {
      const { id, description, dueDate, minor, openMinor, view } = receivable;
      const instalment = instalments.get(id);
      return {
        ...{ id, description, customer: personOf(view.stakeholder) },
        value: this.amount(organization, minor),
        open: this.amount(organization, openMinor),
        dueDate: dueDate.toString(),
        overdueDays: openMinor > 0n ? Math.max(0, daysBetween(dueDate, today)) : 0,
        instalment: instalment ? `${instalment.number}/${instalment.count}` : null,
        ...(origins[index] ?? NO_ORIGIN),
      };
    });
    return { items, after: part.next ?? null };
  }

  /** In the order of their creation. @param search a document, or a part of a name in any letter case */
  async customers(
    organization: Organization,
    search: string | undefined,
    { limit, after }: BooksPage,
  ): Promise<OperatorsPage<BooksCustomerView>> {
    const part = await readingAfter(
      this.customersPort.list(organization, {
        ...{ top: limit, skip: 0, uncounted: true, ...tokenOf(after) },
        ...(search && { filter: searchedBy(search) }),
      }),
    );
    return { items: part.items.map(customerOf), after: part.next ?? null };
  }

  /**
   * A customer with all receivables and what was received on them, the earliest first.
   * @throws Problem not-found
   */
  async statement(
    organization: Organization,
    customerId: string,
    { limit, after }: BooksPage,
  ): Promise<BooksStatementView> {
    const key = after === undefined ? '' : keyOf(after);
    const customer = customerOf(await this.customersPort.get(organization, customerId));
    const today = this.today(organization);
    const head = { ...customer, currency: organization.currency, today: today.toString() };
    const receivables = await this.receivablesOf(organization, customerId);
    const ids = receivables?.map(({ id }) => id) ?? [];
    const settlements = await this.details.settlements(organization, customerId, ids);
    if (!receivables || !settlements)
      return { ...head, isWhole: false, totals: null, items: [], after: null };
    const { lines, totals } = statementOf(receivables, settlements, today);
    const rest = lines.filter((line) => line.key > key);
    const shown = rest.slice(0, limit);
    const origins = await this.origins.of(
      organization.id,
      shown.map((line) => ({ ...line, kind: line.type === 'receipt' ? 'receipt' : 'receivable' })),
    );
    const last = shown.at(-1);
    return {
      ...{ ...head, isWhole: true, totals: this.totals(organization, totals) },
      items: shown.map((line, index) => ({
        ...this.line(organization, line),
        ...(origins[index] ?? NO_ORIGIN),
      })),
      after: last && rest.length > shown.length ? writeCursor([last.key]) : null,
    };
  }

  private today({ timeZone }: Organization): CalendarDate {
    return CalendarDate.fromInstant(this.clock.now(), timeZone);
  }

  /** No operation reads one account: a service that takes no filter lists it among the others. @throws Problem not-found */
  private async mustHaveAccount(organization: Organization, id: string): Promise<void> {
    const list = { top: LARGEST_PAGE, skip: 0, filter: `id eq ${id}`, uncounted: true };
    const { items } = await this.accountsPort.list(organization, list);
    if (!items.some((account) => account.id.toLowerCase() === id)) throw notFound('account');
  }

  /** @returns undefined where there are more than {@link MOST_RECEIVABLES} */
  private async receivablesOf(
    organization: Organization,
    customerId: string,
  ): Promise<BookedReceivable[] | undefined> {
    const found = new Map<string, BookedReceivable>();
    for (let skip = 0; ; skip += LARGEST_PAGE) {
      const list = { top: LARGEST_PAGE, skip, fresh: true };
      const views = await this.schedulesPort.listOfCustomer(organization, customerId, list);
      const before = found.size;
      const credits = views.filter(({ type }) => type !== 'Debit');
      for (const view of credits) found.set(view.scheduleId.toLowerCase(), receivableOf(view, organization));
      if (found.size > MOST_RECEIVABLES || skip > 2 * MOST_RECEIVABLES) return undefined;
      // A service that takes no options gives the same again, or all at once.
      const isSame = credits.length > 0 && found.size === before;
      if (views.length < LARGEST_PAGE || isSame) return [...found.values()];
    }
  }

  private amount({ currency }: Organization, minor: bigint): string {
    return amountText(minor, currency);
  }

  private totals(organization: Organization, totals: Totals) {
    return {
      booked: this.amount(organization, totals.booked),
      received: this.amount(organization, totals.received),
      discounts: this.amount(organization, totals.discounts),
      open: this.amount(organization, totals.open),
      overdue: this.amount(organization, totals.overdue),
    };
  }

  private line(organization: Organization, line: Line) {
    const { id, type, description, schedule } = line;
    return {
      ...{ id, type, date: line.date?.toString() ?? null, description, schedule },
      dueDate: line.dueDate?.toString() ?? null,
      value: this.amount(organization, line.minor),
      open: this.amount(organization, line.openMinor),
    };
  }
}

function tokenOf(skipToken: string | undefined): { skipToken?: string } {
  return skipToken === undefined ? {} : { skipToken };
}

/** @throws Problem malformed-request */
function tokensOf(after: string | undefined): (string | undefined)[] {
  if (after === undefined) return [];
  const tokens = readCursor(after);
  if (
    !tokens ||
    tokens.length < 1 ||
    tokens.length > 2 ||
    !tokens.every((token) => typeof token === 'string')
  )
    throw badCursor();
  return tokens;
}

/** @throws Problem malformed-request */
function keyOf(after: string): string {
  const [key] = readCursor(after) ?? [];
  if (typeof key !== 'string') throw badCursor();
  return key;
}
