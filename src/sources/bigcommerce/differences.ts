import type { PaymentFacts, RefundFacts } from '../../events/event';
import { sumDifference } from '../mapping/lines';
import { refundDifferences, shown, sumOf, sumOfValues } from '../mapping/sums';
import type { Reading } from './payments';
import { capturesOf } from './transactions';

/** Sentences about what an order, its transactions and its refunds say otherwise of the same money. */
export function differencesOf(
  reading: Reading,
  payments: readonly PaymentFacts[],
  refunds: readonly RefundFacts[],
): string[] {
  if (payments.length === 0) return refundDifferences(refunds, false);
  const { status, total } = reading;
  const paid = payments.map(({ value }) => value.minor);
  return [
    ...sumDifference('The payments come to', paid, total),
    ...(status.isDisputed
      ? [
          'The order is Disputed: the buyer asked the gateway for the money, and nothing says how much went back.',
        ]
      : []),
    ...(status.isRefunded && refunds.length === 0
      ? [`The order is ${status.name}, but no refund says what went back.`]
      : []),
    ...moreBack(reading, sumOf(paid), refunds),
    ...voided(reading),
  ];
}

/** Money cannot go back that never came, and what a gateway gave back has a refund. */
function moreBack({ transactions, total }: Reading, paid: bigint, refunds: readonly RefundFacts[]): string[] {
  const { currency } = total;
  const back = sumOfValues(refunds);
  const given = sumOfValues(transactions.filter(({ event }) => event === 'refund'));
  return [
    ...(back > paid
      ? [`${shown(back, currency)} went back of an order of which ${shown(paid, currency)} were paid.`]
      : []),
    ...(given > back
      ? [
          `The gateways gave ${shown(given, currency)} back, but the refunds of the order come to ${shown(back, currency)}.`,
        ]
      : []),
  ];
}

/** A payment that was taken and then voided: nothing says whether its money went back. */
function voided({ transactions }: Reading): string[] {
  const captures = capturesOf(transactions);
  return transactions
    .filter(({ event, acts }) => event === 'void' && captures.some(({ id }) => id === acts))
    .map(({ acts, value }) => `Transaction ${acts} of ${value.withCurrency()} was voided after it was paid.`);
}
