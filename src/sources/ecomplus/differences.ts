import type { RefundFacts } from '../../events/event';
import { sumDifference } from '../mapping/lines';
import { PAID, type Paid, type Reading, REFUNDED } from './payments';

const PARTLY_PAID = 'partially_paid';
const PARTLY_REFUNDED = 'partially_refunded';
/** What an order may be called that has payments. */
const KNOWN = [PAID, REFUNDED, PARTLY_PAID, PARTLY_REFUNDED, 'in_dispute'];

/** A sentence about an order that is paid and does not say by what; undefined where it does, or is not paid. */
export function unlistedDifference(
  paid: readonly Paid[],
  { status, total }: Pick<Reading, 'status' | 'total'>,
): string | undefined {
  if (paid.length > 0 || !KNOWN.includes(status) || !total.isPositive) return undefined;
  return `The order is ${status}, and none of its transactions says that it was paid: enter the payment by hand.`;
}

/**
 * Sentences where an order, its payments and its status say different things, or what nobody can book from it.
 * @param reading its `total` with the interest of instalments
 */
export function differencesOf(
  paid: readonly Paid[],
  reading: Reading,
  refunds: readonly RefundFacts[],
): string[] {
  const { status, total } = reading;
  const unlisted = unlistedDifference(paid, reading);
  if (paid.length === 0) return unlisted === undefined ? [] : [unlisted];
  const values = paid.map(({ facts }) => facts.value.minor);
  const isPart = status === PARTLY_PAID && values.reduce((sum, value) => sum + value, 0n) < total.minor;
  return [
    ...(isPart ? [] : sumDifference('The payments come to', values, total)),
    ...(KNOWN.includes(status) ? [] : [`A transaction of the order was paid, but the order is ${status}.`]),
    ...(status === PARTLY_REFUNDED && refunds.length === 0
      ? ['A part of the order went back, and E-Com Plus does not say how much: enter it by hand.']
      : []),
    ...paid.flatMap((one) => transactionDifferences(one, status)),
  ];
}

/** Where the order says that all came, a transaction that says nothing of it is the one that paid it. */
function transactionDifferences({ facts: { value, gateway }, transaction }: Paid, ofOrder: string): string[] {
  const what = `The payment of ${value.toString()} ${value.currency}`;
  const where = gateway === '' ? 'the gateway' : gateway;
  if (transaction?.isDisputed)
    return [`${what} is in dispute: see at ${where} whether the money was taken back, and enter what was.`];
  if (transaction === undefined || transaction.cameIn) return [];
  const { status, isVoided } = transaction;
  const since = status === '' ? 'without a status' : status;
  return isVoided || !KNOWN.includes(ofOrder)
    ? [`${what} is ${since} after it came: see at ${where} whether money went back, and enter what did.`]
    : [];
}
