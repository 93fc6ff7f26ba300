import type { RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import { fullPaymentKey, refundKey } from '../mapping/keys';
import type { Refunds } from '../mapping/order-events';
import { shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { type Charge, CURRENCY, gatewayOf, instantOf } from './charge';
import type { DateZones } from '../source';

/**
 * What went back, and sentences about what disagrees. Asaas gives refunds no number: each is known by its place among all of
 * the charge's refunds, and one of all of it as the charge, as where no refund is listed.
 * @param disputedSince when a chargeback began that was not won: what went back since is told by it
 * @throws UnreadablePayload
 */
export function refundsOf(
  charge: Charge,
  disputedSince: Date | undefined,
  receivedAt: Date,
  zones: DateZones,
): Refunds {
  const { place, id, orderKey, value, status } = charge;
  const listed = byDate(place.items('refunds', MOST_REFUNDS), zones);
  const facts = { paymentKey: fullPaymentKey(orderKey), gateway: gatewayOf(charge) };
  if (listed.length === 0) {
    const refund = { key: refundKey(orderKey, id), value, ...facts, refundedAt: receivedAt };
    return { refunds: status === 'REFUNDED' && disputedSince === undefined ? [refund] : [], differences: [] };
  }
  const refunds = listed.flatMap((refund, index): RefundFacts[] => {
    if (refund.text('status') !== 'DONE') return [];
    const back = refund.amount('value', CURRENCY) ?? refund.missing('value');
    if (!back.isPositive) refund.fail('value', 'must be more than zero');
    const name = index === 0 && back.equals(value) ? id : `${id}.${index + 1}`;
    const refundedAt = instantOf(refund, 'dateCreated', zones) ?? receivedAt;
    return [{ key: refundKey(orderKey, name), value: back, ...facts, refundedAt }];
  });
  const undisputed = refunds.filter(
    ({ refundedAt }) => disputedSince === undefined || refundedAt < disputedSince,
  );
  const left = refunds.length - undisputed.length;
  return {
    refunds: undisputed,
    differences:
      left > 0
        ? [`${left} of its refunds are not booked, because a chargeback says that the same money went back.`]
        : differencesOf(charge, undisputed, disputedSince !== undefined),
  };
}

function byDate(refunds: readonly Payload[], zones: DateZones): Payload[] {
  const at = (refund: Payload): number => instantOf(refund, 'dateCreated', zones)?.getTime() ?? Infinity;
  return refunds.toSorted((left, right) => (at(left) < at(right) ? -1 : at(left) > at(right) ? 1 : 0));
}

function differencesOf(
  { status, value }: Charge,
  refunds: readonly RefundFacts[],
  isDisputed: boolean,
): string[] {
  const back = sumOfValues(refunds);
  const wentBack = `${shown(back, CURRENCY)} went back of a payment of ${value.withCurrency()}`;
  if (back > value.minor) return [`${wentBack}.`];
  return status === 'REFUNDED' && back < value.minor && !isDisputed
    ? [`${wentBack}, which is REFUNDED.`]
    : [];
}
