import type { EditFacts, RefundFacts } from '../../events/event';
import { MOST_LINES, MOST_REFUNDS } from '../../events/limits';
import { Money } from '../../kernel/money';
import { editKey, refundKey } from '../mapping/keys';
import { partOf } from '../mapping/lines';
import { byTime } from '../mapping/order-events';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { salesOf } from './payment';
import { partsOf } from './presentment';
import { successful, sumOf } from './refund';

/** Milliseconds before a cancellation within which it is the cancellation that takes the goods off. */
const OF_CANCELLATION = 60_000;

/**
 * What was taken off an order without any money going back. Shopify tells it as a refund without transactions, or as one that
 * gave back less than its goods, as for an exchange: the order's `total_price` stays what it was, and `current_total_price`
 * is what is left of it.
 */
export interface Removals {
  /** The earliest first. What the cancellation of the order took off is none of them. */
  readonly edits: readonly EditFacts[];
  /** What the order comes to without them. */
  readonly left: Money;
  /** What came in, once the order is paid in full. */
  readonly came: Money;
  /** Nothing says what was taken off. */
  readonly isUnclear: boolean;
}

/**
 * @param refunds what went back in money
 * @throws UnreadablePayload
 */
export function removalsOf(
  order: Payload,
  key: string,
  total: Money,
  refunds: readonly RefundFacts[],
  zone: string,
): Removals {
  const backOf = givenBackOf(key, refunds);
  const removed = order.items('refunds', MOST_REFUNDS).filter((refund) => isRemoval(refund, total, backOf));
  const now = order.has('current_total_price')
    ? partOf(order, 'current_total_price', total.currency)
    : undefined;
  const plain = { edits: [], left: total, came: total, isUnclear: false };
  if (now === undefined || now >= total.minor) return plain;
  if (removed.length === 0) {
    // As where a discount was given later: without a refund it is only known by what the order costs.
    const isUntold = order.countOf('refunds') === 0 && order.has('total_outstanding');
    return isUntold ? { ...plain, came: cameIn(order, total, now, 0n), isUnclear: true } : plain;
  }
  const back = sumOfValues(refunds);
  const came = cameIn(order, total, now, back);
  const values = valuesOf(removed, total, total.minor - now, backOf, back);
  if (!values) return { edits: [], left: total, came, isUnclear: true };
  const cancelledAt = order.instant('cancelled_at', zone)?.getTime() ?? Infinity;
  const edits = removed.flatMap((refund, index): EditFacts[] => {
    const value = values[index];
    const editedAt = refund.instant('created_at', zone) ?? refund.missing('created_at');
    if (!value || editedAt.getTime() > cancelledAt - OF_CANCELLATION) return [];
    return [
      {
        key: editKey(key, refund.identifier('id') ?? refund.missing('id')),
        value: value.negated(),
        editedAt,
      },
    ];
  });
  return {
    ...{ edits: byTime(edits, ({ editedAt }) => editedAt), left: costAfter(total, edits), came },
    isUnclear: false,
  };
}

type GivenBack = (refund: Payload) => bigint;

/** What each of an order's refunds gave back, in minor units. @param key the order's */
function givenBackOf(key: string, refunds: readonly RefundFacts[]): GivenBack {
  return (refund) => {
    if (refund.countOf('transactions') === 0) return 0n;
    const own = refundKey(key, refund.identifier('id') ?? refund.missing('id'));
    return sumOfValues(refunds.filter((one) => one.key === own || one.key.startsWith(`${own}.`)));
  };
}

/**
 * Whether a refund took off goods of more than it gave back. What is still to come of one may be as much as its goods, one
 * with adjustments says itself why it is less, and one of `legacy_restock` is from before there were exchanges.
 */
function isRemoval(refund: Payload, { currency }: Money, backOf: GivenBack): boolean {
  if (refund.countOf('refund_line_items') === 0) return false;
  const transactions = refund.countOf('transactions');
  if (transactions === 0) return true;
  if (refund.countOf('order_adjustments') > 0 || successful(refund, ['refund']).length < transactions)
    return false;
  const lines = refund.items('refund_line_items', MOST_LINES);
  if (lines.some((line) => line.text('restock_type') === 'legacy_restock')) return false;
  const goods = partsOf(refund, 'shop_money', currency, {
    taxes: false,
    shipping: false,
    adjustments: false,
  });
  return goods !== undefined && goods.minor > backOf(refund);
}

/**
 * Those of the removals that made the order cheaper before it was paid: what came in says which. What is taken off a paid order
 * goes back by a refund. Undefined where what came in fits none.
 */
export function beforePayment({ edits, came }: Removals, total: Money): readonly EditFacts[] | undefined {
  const count = [0, ...edits.map((_edit, index) => index + 1)].find((most) =>
    costAfter(total, edits.slice(0, most)).equals(came),
  );
  return count === undefined ? undefined : edits.slice(0, count);
}

/** What an order comes to after these edits. */
export function costAfter(total: Money, edits: readonly EditFacts[]): Money {
  return edits.reduce((cost, { value }) => cost.plus(value), total);
}

/**
 * A sentence about an order of which less was paid, where nothing says that so much had been taken off.
 * @param removed what {@link beforePayment} says
 */
export function unclearRemovals(
  { came, isUnclear }: Removals,
  removed: readonly EditFacts[] | undefined,
  total: Money,
): string[] {
  if (came.equals(total) || (removed && !isUnclear)) return [];
  return [
    `The order costs less than it did, and nothing says for sure what it cost when it was paid: ${came.toString()} ${came.currency} is taken for what was paid.`,
  ];
}

/** What the sales say; without any what the order costs now, less what is owed of it, with what went back. */
function cameIn(order: Payload, total: Money, now: bigint, back: bigint): Money {
  const sales = salesOf(order);
  if (sales.length > 0) return sumOf(sales, total.currency);
  const owed = partOf(order, 'total_outstanding', total.currency) ?? 0n;
  const came = now - owed + back;
  return came > 0n && came < total.minor ? Money.ofMinor(came, total.currency) : total;
}

/**
 * What each removal took off, where together they are what the order costs less now. Prices that include taxes have them in
 * what goods cost. What money went back for was taken off too, unless it was for what had been taken off before.
 * @param gone what the order costs less now, in minor units
 * @param back what went back in all
 */
function valuesOf(
  removed: readonly Payload[],
  { currency }: Money,
  gone: bigint,
  backOf: GivenBack,
  back: bigint,
): (Money | undefined)[] | undefined {
  for (const taxes of [true, false]) {
    const values = removed.map((refund) => {
      const parts = partsOf(refund, 'shop_money', currency, { taxes, shipping: true, adjustments: false });
      return parts && Money.ofMinor(parts.minor - backOf(refund), currency);
    });
    const sum = values.reduce((all, value) => all + (value?.minor ?? 0n), 0n);
    if (sum === gone || sum + back === gone) return values;
  }
  return undefined;
}
