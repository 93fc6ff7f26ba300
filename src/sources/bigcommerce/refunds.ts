import type { PaymentFacts, RefundFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { refundKey } from '../mapping/keys';
import { byTime, type Refunds } from '../mapping/order-events';
import type { Payload } from '../payload';
import { instantOf } from './dates';
import { isCredit } from './transactions';

/**
 * One refund for each way by which a refund of BigCommerce's gave money back. What a gateway declined did not go back.
 * @throws UnreadablePayload
 */
export function readRefunds(
  places: readonly Payload[],
  orderId: string,
  key: string,
  currency: string,
  zone: string,
): Refunds {
  const read = places.map((place) => readRefund(place, orderId, key, currency, zone));
  return {
    refunds: byTime(
      read.flatMap(({ refunds }) => refunds),
      ({ refundedAt }) => refundedAt,
    ),
    differences: read.flatMap(({ differences }) => differences),
  };
}

function readRefund(place: Payload, orderId: string, key: string, currency: string, zone: string): Refunds {
  if (place.identifier('order_id') !== orderId) place.fail('order_id', 'is not that of the order');
  const id = place.identifier('id') ?? place.missing('id');
  const refundedAt = instantOf(place, 'created', zone) ?? place.missing('created');
  const ways = place.items('payments', MOST_PAYMENTS);
  const refunds: RefundFacts[] = [];
  const differences: string[] = [];
  for (const way of ways) {
    const value = way.amount('amount', currency) ?? way.missing('amount');
    const gateway = way.text('provider_id') ?? '';
    if (way.flag('is_declined')) differences.push(declined(id, value));
    else if (value.isPositive)
      refunds.push({
        key: refundKey(key, `${id}-${way.identifier('id') ?? way.missing('id')}`),
        value,
        ...(gateway !== '' && { gateway }),
        ...(isCredit(gateway) && { storeCredit: true }),
        refundedAt,
      });
  }
  const total = place.amount('total_amount', currency);
  if (ways.length === 0 && total?.isPositive) differences.push(unpaid(id, total));
  return { refunds, differences };
}

/** Each with the payment that it gives back, and the name of its gateway, where there is one alone that it can be. */
export function withPayments(
  refunds: readonly RefundFacts[],
  payments: readonly PaymentFacts[],
): RefundFacts[] {
  return refunds.map((refund) => {
    const sameKind = payments.filter(
      ({ storeCredit = false }) => storeCredit === (refund.storeCredit ?? false),
    );
    const sameGateway = sameKind.filter(({ gateway }) => gateway === refund.gateway);
    const [payment, another] = sameGateway.length > 0 ? sameGateway : sameKind;
    if (payment === undefined || another) return refund;
    return {
      ...refund,
      paymentKey: payment.key,
      ...(payment.gateway !== '' && { gateway: payment.gateway }),
    };
  });
}

function declined(id: string, value: Money): string {
  return `${value.toString()} ${value.currency} of refund ${id} were declined by the gateway, and did not go back.`;
}

function unpaid(id: string, value: Money): string {
  return `Refund ${id} is of ${value.toString()} ${value.currency}, and does not say by which way they went back.`;
}
