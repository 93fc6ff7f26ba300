import { MOST_PAYMENTS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { moneyOf } from '../mapping/lines';
import { shown } from '../mapping/sums';
import type { Payload } from '../payload';
import { amountOf } from './units';

/** What VTEX calls the transaction of an order whose payment it shows with another order of the same purchase. */
const PAID_ELSEWHERE = 'NO-PAYMENT';

/** One payment that falls to the order. */
export interface Share {
  /** Undefined where it stands for several payments. */
  readonly place: Payload | undefined;
  /** What of it pays this order. */
  readonly value: Money;
}

/** What an order's list of payments comes to. */
export interface Listed {
  readonly shares: readonly Share[];
  /** What instalments cost the buyer on top of the order's value; undefined: nothing. */
  readonly interest: Money | undefined;
  /** Its payment is shown with another order of the same purchase. */
  readonly isElsewhere: boolean;
  readonly differences: readonly string[];
}

/**
 * The payments of an order, as far as they pay it. One purchase from several sellers is several orders with one payment: one
 * of them may show all of it, and the others none. An order is never paid more than it costs, so that what the
 * orders of a purchase are paid comes to its payment and no more.
 * @param total what the order cost before it was changed
 * @param value what it costs now: an order that became dearer may list what was paid for that, too
 * @throws UnreadablePayload
 */
export function listedPayments(order: Payload, total: Money, value: Money): Listed {
  const transactions = order.at('paymentData').items('transactions', MOST_PAYMENTS);
  const active = transactions.filter((one) => !one.has('isActive') || one.flag('isActive'));
  const isElsewhere = active.some((one) => one.text('transactionId') === PAID_ELSEWHERE);
  const whole = active
    .flatMap((one) => one.items('payments', MOST_PAYMENTS))
    .map((place) => ({
      place,
      value: amountOf(place, 'value', total.currency) ?? place.missing('value'),
      reference: amountOf(place, 'referenceValue', total.currency),
    }))
    .filter(({ value }) => value.isPositive);
  const sum = whole.reduce((all, { value }) => all + value.minor, 0n);
  const reference = whole.reduce((all, one) => all + (one.reference ?? one.value).minor, 0n);
  const plain = { shares: whole, interest: undefined, isElsewhere, differences: [] };
  if (sum <= total.minor || sum <= value.minor) return plain;
  const isItsOwn = reference === total.minor || reference === value.minor;
  const interest = isItsOwn ? moneyOf([sum - reference], total.currency) : undefined;
  return interest ? { ...plain, interest } : { ...plain, ...shared(whole, sum, sum - reference, total) };
}

/**
 * Payments of more than the order costs: of one it is known what falls to the order, of several it is not. What their instalments
 * cost the buyer falls to no order.
 */
function shared(
  whole: readonly Share[],
  sum: bigint,
  interest: bigint,
  total: Money,
): Pick<Listed, 'shares' | 'differences'> {
  const [only] = whole;
  const place = whole.length === 1 ? only?.place : undefined;
  const text = shown(sum, total.currency);
  const value = total.withCurrency();
  const how = place ? '' : ', by which of them is not said';
  const sentence = `The payments come to ${text}, but the order to ${value}. Where they pay for other orders of the purchase too, this is right: it is paid with its own ${value}${how}.`;
  const unbooked = `${shown(interest, total.currency)} of the payments are interest of instalments, which is booked with none of the orders: enter it by hand.`;
  return { shares: [{ place, value: total }], differences: [sentence, ...(interest > 0n ? [unbooked] : [])] };
}
