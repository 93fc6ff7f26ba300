import type { Money } from '../../kernel/money';
import { sumDifference } from '../mapping/lines';
import { sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import type { OrderMoney } from './money';
import { statusOf } from './payments';

/** Statuses of an order that was paid in full, whatever went back since. */
const PAID = ['paid', 'partially_refunded'];
const PARTLY_PAID = 'partially_paid';
const PENDING_CANCEL = 'pending_cancel';
/** Statuses of an order that will not be paid any more; `invalid` is one of a buyer who was found to be a fraud. */
const ENDED = ['cancelled', 'invalid'];
const WAITING = ['confirmed', 'payment_required', 'payment_in_process'];
/** What an order is tagged with that was cancelled, and whose buyer got the money into an account at Mercado Pago. */
const UNFULFILLED = 'unfulfilled';
const KNOWN = [...PAID, PARTLY_PAID, PENDING_CANCEL, ...ENDED, ...WAITING];

/** What the order itself says of its state. */
export interface OrderStatus {
  /** As Mercado Livre spells it. */
  readonly name: string;
  /** When all of it was paid; undefined: it is not, or no payment is named. */
  readonly paidAt: Date | undefined;
  /** When it was cancelled; undefined: it is not. */
  readonly cancelledAt: Date | undefined;
  /** Sentences about what in it disagrees. */
  readonly differences: string[];
}

/** Whether an order's status says that all of it was paid. */
export function saysPaid(name: string): boolean {
  return PAID.includes(name);
}

/** @param changedAt when the order last changed. @throws UnreadablePayload where the order has no status */
export function statusOfOrder(
  order: Payload,
  total: Money,
  money: OrderMoney,
  changedAt: Date,
  zone: string,
): OrderStatus {
  const name = order.word('status') ?? order.missing('status');
  const ended = ENDED.includes(name);
  const values = money.payments.map(({ value }) => value.minor);
  const sum = sumOf(values);
  const isPaid = saysPaid(name) || sum >= total.minor;
  return {
    name,
    paidAt: isPaid ? money.payments.at(-1)?.paidAt : undefined,
    cancelledAt: ended ? (order.loosely('cancel_detail').instant('date', zone) ?? changedAt) : undefined,
    differences: [
      ...(name === PARTLY_PAID ? [] : sumDifference('The payments come to', values, total)),
      ...(saysPaid(name) ? unnamedPayment(total, money) : []),
      ...(money.payments.length > 0 ? stateDifferences(order, name, ended, money) : []),
    ],
  };
}

/** A paid order has to name what paid it. */
function unnamedPayment(total: Money, { payments }: OrderMoney): string[] {
  return payments.length === 0 && total.isPositive
    ? [`The order of ${total.withCurrency()} is paid, and Mercado Livre names no payment: enter it by hand.`]
    : [];
}

/** Sentences about a state in which the money may not stay where it is. */
function stateDifferences(
  order: Payload,
  name: string,
  ended: boolean,
  { brought, refunds, differences }: OrderMoney,
): string[] {
  const isUntouched = brought.some(({ place }) => statusOf(place) === 'approved');
  const nothingBack = refunds.length === 0 && differences.length === 0;
  const isUnfulfilled = saysPaid(name) && order.texts('tags').includes(UNFULFILLED);
  return [
    ...(name === PENDING_CANCEL
      ? ['Mercado Livre cancelled the order, and has not given the money back yet.']
      : []),
    ...(ended && isUntouched && nothingBack
      ? [`The order is ${name}, and nothing says that its payment went back: see the statement (extrato).`]
      : []),
    ...(isUnfulfilled && isUntouched && nothingBack
      ? [
          'The order is paid and was not fulfilled: Mercado Livre may have given the money to the buyer’s account, and taken it from the seller (extrato).',
        ]
      : []),
    ...(KNOWN.includes(name)
      ? []
      : [`The status ${name} is none that Ponte knows: what it means for the money has to be seen.`]),
  ];
}
