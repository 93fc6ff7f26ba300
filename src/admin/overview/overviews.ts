import { Injectable } from '@nestjs/common';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import { grouped } from '../../kernel/grouped';
import { amountText, formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { readCursor, writeCursor } from '../../finance/api/ports/book-details.port';
import { badCursor, type BooksPage } from '../books/books-page';
import { NO_ORIGIN, OriginsRepository } from '../books/origins.repository';
import { type DaySpan, daySpan } from './day-hours';
import type { OpenCountsView, OverviewView, PaymentsOfDayPage, ReceivedView } from './overview.dto';
import {
  type HourReceived,
  MOST_COUNTED,
  type OfDay,
  type OpenCounts,
  OverviewReads,
  type Received,
} from './overview.repository';
import {
  type PaymentFilter,
  type PaymentPosition,
  PaymentsOfDay,
  type ReceiptSum,
} from './payments-of-day.repository';

/** Days before it and after it are of no organization. */
const [FIRST_DAY, LAST_DAY] = [CalendarDate.of(2000, 1, 1), CalendarDate.of(9998, 12, 31)];
const NOTHING: Received = {
  ...{ accepted: 0, applied: 0, waiting: 0, waitingForRecord: 0, dead: 0, ignored: 0, discarded: 0 },
};

/** What is open now, whatever the day. */
export interface OpenNow {
  /** Age of the oldest delivery that waits to be worked on; null: none waits. */
  readonly lagSeconds: number | null;
  readonly open: OpenCountsView;
}

/** The day of an organization at a glance. It writes nothing, and reads no body. */
@Injectable()
export class Overviews {
  constructor(
    private readonly reads: OverviewReads,
    private readonly payments: PaymentsOfDay,
    private readonly origins: OriginsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param text a day in the organization's time zone; absent: today
   * @throws Problem malformed-request
   */
  async show(organization: Organization, text?: string): Promise<OverviewView> {
    const { timeZone, currency } = organization;
    const day = text === undefined ? this.today(organization) : readDay(text);
    const span = daySpan(day, timeZone);
    const found = await this.reads.received(organization, span);
    const byIndex = new Map(found.rows.map((row) => [row.index, row]));
    return {
      ...{ date: day.toString(), timeZone, currency, received: receivedView(found) },
      ...(await this.openNow(organization)),
      flow: span.hours.map(({ hour, from }, index) => {
        const { accepted, applied, dead } = byIndex.get(index) ?? NOTHING;
        return { hour, from, accepted, applied, dead };
      }),
      money: await this.money(organization, day, span),
    };
  }

  /**
   * The payments that the sums of a day's money are made of, by their keys.
   * @param text a day in the organization's time zone; absent: today
   * @throws Problem malformed-request
   */
  async listPayments(
    organization: Organization,
    text: string | undefined,
    filter: PaymentFilter,
    { limit, after }: BooksPage,
  ): Promise<PaymentsOfDayPage> {
    const day = text === undefined ? this.today(organization) : readDay(text);
    await this.payments.requireKnown(organization, filter);
    const span = daySpan(day, organization.timeZone);
    const page = { limit: limit + 1, after: after === undefined ? undefined : positionOf(after) };
    const { rows, complete } = await this.payments.list(organization, day, span, filter, page);
    const shown = rows.slice(0, limit);
    const booked = shown.map(({ key }) => ({ kind: 'receipt', reference: key, identifier: key }) as const);
    const origins = await this.origins.of(organization.id, booked);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(({ payment, accountId, accountName, source, gateway, minor, receipts }, index) => ({
        ...{ payment, account: { id: accountId, name: accountName }, source, gateway, receipts },
        value: amountText(minor, organization.currency),
        ...(origins[index] ?? NO_ORIGIN),
      })),
      after: last ? writeCursor([last.payment, last.accountId]) : null,
      complete,
    };
  }

  /** The organization's day that it is now. */
  today({ timeZone }: Organization): CalendarDate {
    return CalendarDate.fromInstant(this.clock.now(), timeZone);
  }

  /** The deliveries that were accepted on a day, by what they are now. */
  async received(organization: Organization, day: CalendarDate): Promise<ReceivedView> {
    return receivedView(await this.reads.received(organization, daySpan(day, organization.timeZone)));
  }

  async openNow(organization: Organization): Promise<OpenNow> {
    const { lagSeconds, counts } = await this.reads.open(organization);
    return { lagSeconds, open: openView(counts) };
  }

  private async money(
    organization: Organization,
    day: CalendarDate,
    span: DaySpan,
  ): Promise<OverviewView['money']> {
    const { rows, complete } = await this.payments.sums(organization, day, span);
    const { currency } = organization;
    const names = new Map(rows.map(({ accountId, accountName }) => [accountId, accountName]));
    return {
      books: this.payments.isLedger ? 'ledger' : 'applied',
      bySource: sums(rows, ({ source }) => source, currency).map(([source, sum]) => ({ source, ...sum })),
      byAccount: sums(rows, ({ accountId }) => accountId, currency).map(([id, sum]) => ({
        account: { id, name: names.get(id) ?? null },
        ...sum,
      })),
      byGateway: sums(rows, ({ gateway }) => gateway, currency).map(([gateway, sum]) => ({
        gateway,
        ...sum,
      })),
      complete,
    };
  }
}

/** @throws Problem malformed-request */
function readDay(text: string): CalendarDate {
  const day = CalendarDate.isDay(text) ? CalendarDate.parse(text) : undefined;
  if (day && day.compare(FIRST_DAY) >= 0 && day.compare(LAST_DAY) <= 0) return day;
  throw new Problem('malformed-request', 'date must be a day such as 2026-03-10, of the year 2000 or later');
}

/** @throws Problem malformed-request */
function positionOf(after: string): PaymentPosition {
  const [payment, accountId] = readCursor(after) ?? [];
  if (typeof payment !== 'string' || typeof accountId !== 'string') throw badCursor();
  return { payment, accountId };
}

function receivedView({ rows, complete }: OfDay<HourReceived>): ReceivedView {
  const total = { ...NOTHING };
  for (const { index: _index, ...row } of rows)
    for (const [name, count] of Object.entries(row)) total[name as keyof Received] += count;
  return { ...total, complete };
}

function openView(counts: OpenCounts): OpenCountsView {
  const { deadLetters, unknownEffects, attention, approvals, deferred } = counts;
  const named = { deadLetters, unknownEffects, attention, approvals, deferred };
  const bounded = Object.entries(named).map(([name, count]) => [name, Math.min(count, MOST_COUNTED)]);
  return {
    ...(Object.fromEntries(bounded) as OpenCounts),
    complete: Object.values(named).every((count) => count <= MOST_COUNTED),
  };
}

/** @returns by the name, the largest sum first */
function sums<Name extends string | null>(
  rows: readonly ReceiptSum[],
  nameOf: (row: ReceiptSum) => Name,
  currency: string,
): [Name, { value: string; payments: number }][] {
  const found = [...grouped(rows, nameOf)].map(([name, those]) => ({
    name,
    minor: those.reduce((sum, { minor }) => sum + minor, 0n),
    payments: those.reduce((sum, { payments }) => sum + payments, 0),
  }));
  const exponent = Money.exponentOf(currency);
  return found
    .sort((one, other) => (one.minor > other.minor ? -1 : one.minor < other.minor ? 1 : 0))
    .map(({ name, minor, payments }) => [name, { value: formatMinor(minor, exponent), payments }]);
}
