import type { PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { orderKey, refundKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import type { Payload } from '../payload';
import type { Normalised, SourceContext } from '../source';
import { amountOf, currencyOf } from './amounts';
import { hasSales } from './hooks';
import { GATEWAY, orderIdOf, type StripeEvent } from './stripe-event';

/**
 * What went back with this event. A charge says what went back of it so far, and the event what that was before: the
 * difference is this refund, whose key is the sum that it led to, so that refunds are told apart in whatever order they come.
 * @param order the order's business key
 * @param payment that it gives back
 * @throws UnreadablePayload
 */
export function refundsOf(event: StripeEvent, order: string, payment: PaymentFacts): RefundFacts[] {
  if (event.type !== 'charge.refunded') return [];
  const { object: charge, before } = event;
  const { currency } = payment.value;
  const sum = amountOf(charge, 'amount_refunded', currency) ?? charge.missing('amount_refunded');
  const earlier = amountOf(before, 'amount_refunded', currency) ?? before.missing('amount_refunded');
  const value = sum.minus(earlier);
  if (!value.isPositive) charge.fail('amount_refunded', 'is not more than before the refund');
  const id = charge.identifier('id') ?? charge.missing('id');
  return [
    {
      ...{ key: refundKey(order, `${id}.${sum.minor}`), value, paymentKey: payment.key },
      ...{ gateway: GATEWAY, refundedAt: event.at },
    },
  ];
}

/** Sentences about a charge of which money went back, where its amounts may not be what they seem. */
export function captureDifferences(charge: Payload, captured: Money): string[] {
  const { currency } = captured;
  const allowed = amountOf(charge, 'amount', currency) ?? captured;
  const refunded = amountOf(charge, 'amount_refunded', currency) ?? captured;
  return [
    ...(refunded.compare(captured) > 0
      ? [`${refunded.withCurrency()} went back, but only ${captured.withCurrency()} were captured.`]
      : []),
    ...(allowed.compare(captured) > 0
      ? [
          `Of ${allowed.withCurrency()} only ${captured.withCurrency()} were captured: Stripe may count what it released as refunded.`,
        ]
      : []),
  ];
}

/** Statuses of a refund whose money came back to the shop's balance. */
const FAILED = ['failed', 'canceled'];

/**
 * A refund's own event names its payment and nothing of the order: rules hear of it by the charge. That it failed is said
 * nowhere else.
 * @throws UnreadablePayload
 */
export function readRefund({ object: refund, test }: StripeEvent, context: SourceContext): Normalised {
  const id = refund.identifier('id') ?? refund.missing('id');
  const value = amountOf(refund, 'amount', currencyOf(refund)) ?? refund.missing('amount');
  const status = refund.word('status') ?? refund.missing('status');
  const shown = `refund ${id} of ${value.toString()} ${value.currency}`;
  if (!FAILED.includes(status)) {
    const how = hasSales(context.settings)
      ? 'rules hear of it by charge.refunded, which has the charge'
      : 'the shop reports it';
    return { ignored: `${shown} is ${status}: ${how}` };
  }
  const detail = `${shown} is ${status}: its money is back on the Stripe balance, and what was posted for it stands. Take it back by hand`;
  const businessKey = orderKey(context.source, orderIdOf(refund).id);
  return askPerson(businessKey, detail, value, { test, code: 'refund-not-booked' });
}
