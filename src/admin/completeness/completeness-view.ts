import { writeCursor } from '../../finance/api/ports/book-details.port';
import { CalendarDate } from '../../kernel/calendar-date';
import { amountText } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { Completeness, ListState } from './completeness';
import type {
  AspectTotalsView,
  CodeCountView,
  CompletenessView,
  DifferenceView,
  DifferingEntitiesPage,
  DifferingEntityView,
  ListStateView,
  RepairCallView,
  UnattachedView,
} from './completeness.dto';
import { APART, DIFFERENCE_CODES, type Difference, type Tally } from './differences';
import { type DifferingEntity, type Report, totalsOf } from './report';

/** A report as the operators' API answers it. */
export function completenessView(
  organization: Organization,
  isOwnBooks: boolean,
  { question, asOf, list, knownSince, report }: Completeness,
): CompletenessView {
  const { currency, timeZone } = organization;
  const { counts } = report;
  return {
    ...{ ...question, timeZone, currency, asOf, knownSince },
    books: isOwnBooks ? 'ledger' : 'observed',
    list: listView(organization, question, list),
    entities: {
      ...{ orders: counts.order, payouts: counts.payout, disputes: counts.dispute, bills: counts.bill },
      tests: counts.test,
      ...{ otherCurrency: counts.otherCurrency, differing: counts.differing },
    },
    totals: totalsOf(report).map(({ aspect, shop, booked, inBooks, later }): AspectTotalsView => ({
      aspect,
      shop: tallyView(shop, currency),
      booked: tallyView(booked, currency),
      inBooks: tallyView(inBooks, currency),
      later: tallyView(later, currency),
      difference: amountText(aspect === 'other' ? 0n : shop.minor - inBooks.minor, currency),
    })),
    apart: APART.flatMap((why) => {
      const tally = report.apart.get(why);
      return tally ? [{ why, ...tallyView(tally, currency) }] : [];
    }),
    arrivals: (['webhook', 'import', 'comparison'] as const).map((origin) => ({
      origin,
      count: report.origins[origin],
    })),
    missedByWebhooks: report.missedByWebhooks.map(({ key, madeAt }) => ({
      businessKey: key,
      day: CalendarDate.fromInstant(madeAt, timeZone).toString(),
    })),
    ...{ differences: report.differences, repairable: report.repairable },
    codes: codeCounts(report),
    ...differingView(organization, report),
    unattached: report.unattached.map(
      ([{ id, businessKey, topic, receivedAt }, difference]): UnattachedView => ({
        ...{ delivery: id, businessKey, topic, receivedAt, code: difference.code, cause: difference.cause },
        repair: repairCall(organization, difference),
      }),
    ),
  };
}

/** The entities that differ, and where the list goes on. */
export function differingView(
  organization: Organization,
  { items, hasMore }: Pick<Report, 'items' | 'hasMore'>,
): DifferingEntitiesPage {
  const last = items.at(-1);
  return {
    items: items.map((entity) => entityView(organization, entity)),
    after: hasMore && last ? writeCursor([last.facts.madeAt.toISOString(), last.facts.key]) : null,
  };
}

/** What the feed says of a daily comparison. */
export function checkedData(
  { currency }: Organization,
  { question, asOf, list, report }: Completeness,
): Record<string, unknown> {
  return {
    ...question,
    ...{ currency, asOf: asOf.toISOString(), listIsWhole: list.isWhole },
    ...{ orders: report.counts.order, payouts: report.counts.payout },
    ...{ disputes: report.counts.dispute, bills: report.counts.bill },
    ...{ differences: report.differences, repairable: report.repairable },
    codes: codeCounts(report),
    totals: totalsOf(report).map(({ aspect, shop, inBooks }) => ({
      aspect,
      shop: tallyView(shop, currency),
      inBooks: tallyView(inBooks, currency),
    })),
  };
}

function codeCounts({ byCode }: Report): CodeCountView[] {
  return DIFFERENCE_CODES.flatMap((code) => {
    const count = byCode.get(code);
    return count === undefined ? [] : [{ code, count }];
  });
}

function listView(
  organization: Organization,
  question: Completeness['question'],
  { isWhole, comparedFrom, comparedUntil, obstacle, canCompare }: ListState,
): ListStateView {
  return {
    ...{ isWhole, comparedFrom, comparedUntil, obstacle },
    repair: canCompare
      ? { method: 'POST', path: pathTo(organization, 'completeness/repair'), body: { ...question } }
      : null,
  };
}

function entityView(organization: Organization, { facts, compared }: DifferingEntity): DifferingEntityView {
  const { timeZone } = organization;
  const { key, kind, madeAt, currency, total, payments, refunds, fees, test } = facts;
  const sum = (amounts: Readonly<Record<string, string>>): string =>
    amountText(
      Object.values(amounts).reduce((all, minor) => all + BigInt(minor), 0n),
      currency,
    );
  return {
    ...{ businessKey: key, kind, test, day: CalendarDate.fromInstant(madeAt, timeZone).toString() },
    currency,
    total: amountText(BigInt(total), currency),
    ...{ paid: sum(payments), refunded: sum(refunds), fees: sum(fees) },
    differences: compared.differences.map((difference) => differenceView(organization, difference)),
  };
}

function differenceView(organization: Organization, difference: Difference): DifferenceView {
  const { code, aspect, expected, found, effect, deliveryId, cause, repairable } = difference;
  const text = (minor: bigint | undefined): string | null =>
    minor === undefined ? null : amountText(minor, organization.currency);
  return {
    ...{ code, aspect, expected: text(expected), found: text(found), effect, delivery: deliveryId },
    ...{ cause, repair: repairCall(organization, difference), repairable },
  };
}

/** The call that repairs a difference, or shows what has to be decided; null: it is repaired in the books, by hand. */
function repairCall(
  organization: Organization,
  { code, deliveryId }: Pick<Difference, 'code' | 'deliveryId'>,
): RepairCallView | null {
  const to = (path: string): string => pathTo(organization, path);
  switch (code) {
    case 'dead-letter':
      return { method: 'POST', path: to(`dead-letters/${deliveryId}/retry`) };
    case 'missing':
      return deliveryId === null
        ? null
        : { method: 'POST', path: to(`deliveries/${deliveryId}/replay`), body: { dryRun: false } };
    case 'waiting':
    case 'waits-for-record':
      return { method: 'GET', path: to(`deliveries/${deliveryId}`) };
    case 'approval-pending':
      return { method: 'GET', path: to('approvals?state=waiting') };
    case 'outcome-unknown':
      return { method: 'GET', path: to('effects?state=unknown') };
    case 'left-over':
      return { method: 'GET', path: to('attention') };
    default:
      return null;
  }
}

function pathTo({ slug }: Organization, path: string): string {
  return `/admin/organizations/${slug}/${path}`;
}

function tallyView({ count, minor }: Tally, currency: string): { count: number; value: string } {
  return { count, value: amountText(minor, currency) };
}
