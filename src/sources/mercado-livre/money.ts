import type { PaymentFacts, RefundFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import { byTime } from '../mapping/order-events';
import { sumOf, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { paymentIn } from './answers';
import { couponDifferences } from './coupons';
import {
  brought,
  FAILED,
  isReplanned,
  type Paid,
  paidOf,
  paymentFacts,
  type PaymentReading,
  statusOf,
} from './payments';
import { refundsOf } from './refunds';

/** The money of an order. */
export interface OrderMoney {
  /** All payments, those that brought nothing among them. */
  readonly all: readonly Paid[];
  /** Those that brought money, or may still. */
  readonly live: readonly Paid[];
  /** Those that brought money. */
  readonly brought: readonly Paid[];
  /** The earliest first. */
  readonly payments: PaymentFacts[];
  /** The earliest first. */
  readonly refunds: RefundFacts[];
  /** Whether all that was paid went back, and some of it from Mercado Livre's own programme: that the seller keeps. */
  readonly isCovered: boolean;
  /** Whether a payment that may be seen does not say any more on which day its money was to be released. */
  readonly isReplanned: boolean;
  readonly differences: string[];
}

/** @throws UnreadablePayload, also where two payments or two refunds are one */
export function readMoney(
  order: Payload,
  reading: PaymentReading,
  webhook: StoredWebhook,
  zone: string,
): OrderMoney {
  const all = order.items('payments', MOST_PAYMENTS).map((place) => paidOf(place, reading));
  if (new Set(all.map(({ key }) => key)).size < all.length) order.fail('payments', 'has one payment twice');
  const came = all.filter(({ place, value }) => brought(place) && value.isPositive);
  const read = came.map((paid) => {
    const detail = paymentIn(webhook, paid.id);
    const back = refundsOf(paid, detail, reading.orderKey, zone);
    return {
      payment: paymentFacts(paid, detail, reading, zone),
      ...{ refunds: back.refunds, covered: back.covered },
      isReplanned: detail !== undefined && isReplanned(paid, detail),
      differences: [...back.differences, ...couponDifferences(paid, detail), ...mediation(paid)],
    };
  });
  const refunds = read.flatMap((one) => one.refunds);
  if (new Set(refunds.map(({ key }) => key)).size < refunds.length)
    order.fail('payments', 'has one refund twice');
  const covered = sumOf(read.map((one) => one.covered));
  const own = sumOfValues(refunds);
  return {
    ...{ isCovered: covered > 0n && own + covered >= sumOfValues(came) },
    isReplanned: read.some((one) => one.isReplanned),
    ...{ all, live: all.filter(({ place }) => !FAILED.includes(statusOf(place))), brought: came },
    payments: byTime(
      read.map(({ payment }) => payment),
      ({ paidAt }) => paidAt,
    ),
    refunds: byTime(refunds, ({ refundedAt }) => refundedAt),
    differences: read.flatMap((one) => one.differences),
  };
}

function mediation({ place }: Paid): string[] {
  return statusOf(place) === 'in_mediation'
    ? ['The buyer complained at Mercado Livre, which may take the payment back.']
    : [];
}
