import type { PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { readInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { fullPaymentKey, refundKey } from '../mapping/keys';
import { sumDifference } from '../mapping/lines';
import { paidByChange, type PaymentDate } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { methodOf } from './charge';
import { refundsOfCapture } from './refunds';
import type { Capture } from './transactions';

/** Statuses of an order's payment that say that all of it was paid, whatever went back since. */
const PAID = ['paid', 'refunded', 'partially_refunded'];
const PARTLY_PAID = 'partially_paid';
/** Statuses that say that no money is there. */
const UNPAID = ['pending', 'authorized', 'abandoned', 'voided'];

/** What the money of an order is read with. */
export interface Reading {
  readonly order: Payload;
  /** The order's business key. */
  readonly key: string;
  readonly total: Money;
  /** `payment_status`. */
  readonly status: string;
  readonly changedAt: Date;
  readonly cancelledAt: Date | undefined;
  readonly captures: readonly Capture[];
  readonly zone: string;
}

/** The money of an order. */
export interface PaidMoney {
  readonly payments: PaymentFacts[];
  readonly refunds: RefundFacts[];
  /** Whether all of it was paid. */
  readonly isPaid: boolean;
  readonly differences: string[];
}

/** The gateway that took an order's money: the shop's word for it, else the name it has in the panel. */
export function gatewayOf(order: Payload): string {
  return order.text('gateway') ?? order.text('gateway_name') ?? '';
}

/**
 * One payment for each transaction that brought money; where none is said to have, but the order is paid, one of the whole
 * total.
 * @throws UnreadablePayload
 */
export function readMoney(reading: Reading): PaidMoney {
  const { order, captures, status, changedAt, zone, key } = reading;
  if (captures.length === 0) return moneyOfStatus(reading);
  const [first] = captures;
  const gateway = ({ transaction }: Capture): string => {
    const provider = transaction.text('payment_provider_id');
    const isAnother = provider !== undefined && provider !== first?.transaction.text('payment_provider_id');
    return isAnother ? provider : gatewayOf(order);
  };
  const payments = captures.map((capture) => paymentOf(capture, gateway(capture), order));
  const back = captures.map((capture) => refundsOfCapture(capture, gateway(capture), key, changedAt, zone));
  const refunds = back.flatMap((one) => one.refunds);
  const isPaid = PAID.includes(status) || sumOfValues(payments) >= reading.total.minor;
  return {
    ...{ payments, refunds, isPaid },
    differences: [
      ...back.flatMap((one) => one.differences),
      ...differencesOf(reading, payments),
      ...missingRefunds(status, refunds),
    ],
  };
}

function paymentOf(
  { transaction, key, value, date }: Capture,
  gateway: string,
  order: Payload,
): PaymentFacts {
  const details = order.loosely('payment_details');
  const info = transaction.at('info');
  const method = methodOf(transaction) || (details.textIfAny('method') ?? '');
  const chosen = info.at('installments').text('quantity');
  return defined({
    ...{ key, gateway, method, value },
    brand: info.at('card').text('brand') ?? brandOf(method, details),
    instalments: chosen === undefined ? undefined : readInstalments([chosen]).instalments,
    ...date,
  });
}

/** The money of an order that only `payment_status` tells of. */
function moneyOfStatus(reading: Reading): PaidMoney {
  const { order, key, total, status, changedAt } = reading;
  const differences = differencesOf(reading, []);
  if (!PAID.includes(status)) return { payments: [], refunds: [], isPaid: false, differences };
  const details = order.loosely('payment_details');
  const gateway = gatewayOf(order);
  const method = details.textIfAny('method') ?? '';
  const payment: PaymentFacts = defined({
    ...{ key: fullPaymentKey(key), gateway, method, value: total },
    ...storeCreditOf(gateway),
    brand: brandOf(method, details),
    ...dateOf(reading),
  });
  const refund: RefundFacts = defined({
    ...{ key: refundKey(key, 'paid'), value: total, paymentKey: payment.key },
    gateway: gateway || undefined,
    refundedAt: changedAt,
  });
  const refunds = status === 'refunded' && total.isPositive ? [refund] : [];
  return {
    ...{ payments: [payment], refunds, isPaid: true },
    differences: [...differences, ...(status === 'refunded' ? [] : missingRefunds(status, refunds))],
  };
}

function brandOf(method: string, details: Payload): string | undefined {
  return method.endsWith('_card') ? details.textIfAny('credit_card_company') : undefined;
}

function dateOf({ order, changedAt, cancelledAt, zone }: Reading): PaymentDate {
  const paidAt = order.instant('paid_at', zone);
  return paidAt ? { paidAt } : paidByChange(changedAt, 'updated_at', cancelledAt);
}

/** Sentences where the status, the total and the payments say different things. */
function differencesOf({ order, total, status }: Reading, payments: readonly PaymentFacts[]): string[] {
  const hasMoney = payments.length > 0 || order.has('paid_at');
  const values = payments.map(({ value }) => value.minor);
  return [
    ...(status === PARTLY_PAID ? [] : sumDifference('The payments come to', values, total)),
    ...(payments.length > 0 && UNPAID.includes(status)
      ? [`The order is ${status}, but its transactions brought money.`]
      : []),
    ...(payments.length === 0 && order.has('paid_at') && UNPAID.includes(status)
      ? [`The order has a payment date, but is ${status}: whether it was paid has to be seen in the shop.`]
      : []),
    ...(payments.length === 0 && status === PARTLY_PAID
      ? ['A part of the order is paid, and nothing says how much: book it by hand.']
      : []),
    ...(hasMoney && ![...PAID, ...UNPAID, PARTLY_PAID].includes(status)
      ? [`The payment status ${status} is none that Ponte knows: what it means for the money has to be seen.`]
      : []),
  ];
}

/** A sentence where an order says that money went back, and nothing says how much. */
function missingRefunds(status: string, refunds: readonly RefundFacts[]): string[] {
  const isBack = status === 'refunded' || status === 'partially_refunded';
  return isBack && refunds.length === 0
    ? [`The order is ${status}, and nothing says how much went back: book it by hand.`]
    : [];
}
