import type { ChargeFacts, PaymentFacts, PaymentTerm } from '../../events/event';
import { MOST_PAYMENTS, MOST_SETTLEMENTS, MOST_TERMS } from '../../events/limits';
import type { PlannedSettlement } from '../../events/settlement';
import type { Money } from '../../kernel/money';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { paymentKey, settlementKey } from '../mapping/keys';
import { sumDifference } from '../mapping/lines';
import { byTime } from '../mapping/order-events';
import { termsOf } from '../mapping/terms';
import type { Payload } from '../payload';
import { amountOf, anyOf, countOf, positiveOf } from './amounts';

/** What payments of an order are read with. */
export interface PaymentContext {
  /** The order's business key. */
  readonly orderKey: string;
  readonly currency: string;
  /** IANA zone for times and days that carry none. */
  readonly timeZone: string;
}

/** What a payment is where it does not say it itself. */
export interface PaymentDefaults {
  readonly value: Money | undefined;
  readonly paidAt: Date | undefined;
}

/**
 * One payment. Without an id it is the one payment of the order.
 * @throws UnreadablePayload
 */
export function readPayment(
  payment: Payload,
  defaults: PaymentDefaults,
  { orderKey, currency, timeZone }: PaymentContext,
): PaymentFacts {
  const key = paymentKey(orderKey, payment.identifier('id'));
  const settlements = settlementsOf(payment, key, currency, timeZone);
  return defined({
    key,
    gateway: payment.text('gateway') ?? '',
    method: payment.text('method') ?? '',
    value: amountOf(payment, 'value', currency) ?? defaults.value ?? payment.missing('value'),
    brand: payment.text('brand'),
    fee: anyOf(payment, 'fee', currency),
    net: amountOf(payment, 'net', currency),
    instalments: instalmentsIn(payment, 'instalments'),
    settlements: settlements.length > 0 ? settlements : undefined,
    ...(payment.flag('storeCredit') && { storeCredit: true }),
    paidAt: payment.instant('paidAt', timeZone) ?? defaults.paidAt ?? payment.missing('paidAt'),
  });
}

/**
 * The list of all payments of an order, the earliest first. Where there is more than one, each needs an id.
 * @throws UnreadablePayload
 */
export function readPayments(order: Payload, context: PaymentContext): PaymentFacts[] {
  const items = order.items('payments', MOST_PAYMENTS);
  const keys = new Set<string>();
  const payments = items.map((item) => {
    if (items.length > 1 && item.identifier('id') === undefined) item.missing('id');
    const payment = readPayment(item, { value: undefined, paidAt: undefined }, context);
    if (keys.has(payment.key)) item.fail('id', 'is that of another payment');
    keys.add(payment.key);
    return payment;
  });
  return byTime(payments, ({ paidAt }) => paidAt);
}

/**
 * What an order waits for. Without a value it is the whole total.
 * @throws UnreadablePayload
 */
export function readCharge(
  order: Payload,
  total: Money,
  { orderKey, currency, timeZone }: PaymentContext,
): ChargeFacts {
  if (!order.has('charge')) order.missing('charge');
  const charge = order.at('charge');
  const value = amountOf(charge, 'value', currency) ?? total;
  if (!value.isPositive) charge.fail('value', 'must be more than zero');
  return defined({
    key: paymentKey(orderKey, charge.identifier('id')),
    gateway: charge.text('gateway') ?? '',
    method: charge.text('method') ?? '',
    value,
    dueDate: charge.day('dueDate', timeZone),
    expiresAt: charge.instant('expiresAt', timeZone),
    line: charge.text('line'),
  });
}

/** Sentences about payments whose own amounts disagree. */
export function paymentDifferences(payments: readonly PaymentFacts[]): string[] {
  return payments.flatMap(({ key, value, fee, net, settlements }) => {
    const id = key.split('/').at(-1);
    const { currency } = value;
    const kept = fee?.currency === currency ? fee.minor : 0n;
    const settled = settlements?.reduce((sum, one) => sum + one.value.minor, 0n);
    return [
      ...(net && net.minor !== value.minor - kept
        ? [`Payment ${id} of ${value.toString()} less its fee is not its net value, ${net.toString()}.`]
        : []),
      ...(settled !== undefined && settled !== value.minor
        ? [`The settlements of payment ${id} do not come to its value, ${value.toString()} ${currency}.`]
        : []),
    ];
  });
}

function settlementsOf(
  payment: Payload,
  key: string,
  currency: string,
  timeZone: string,
): PlannedSettlement[] {
  const numbers = new Set<number>();
  const settlements = payment.items('settlements', MOST_SETTLEMENTS).map((item): PlannedSettlement => {
    const number = countOf(item, 'number');
    if (numbers.has(number)) item.fail('number', 'is that of another settlement');
    numbers.add(number);
    return defined({
      ...{ key: settlementKey(key, number), number, value: positiveOf(item, 'value', currency) },
      fee: anyOf(item, 'fee', currency),
      on: item.day('on', timeZone) ?? item.missing('on'),
    });
  });
  return settlements.sort((left, right) => left.number - right.number);
}

/**
 * What was agreed on when the order is to be paid.
 * @param total that the terms have to come to
 * @param differences gets a sentence where they do not: then they are left out
 * @throws UnreadablePayload
 */
export function readTerms(
  order: Payload,
  total: Money,
  timeZone: string,
  differences: string[],
): PaymentTerm[] | undefined {
  const terms = order.items('terms', MOST_TERMS).map((term) => {
    const value = amountOf(term, 'value', total.currency) ?? term.missing('value');
    if (value.isZero) term.fail('value', 'is zero');
    return { value, dueDate: term.day('dueDate', timeZone) ?? term.missing('dueDate') };
  });
  const minor = terms.map(({ value }) => value.minor);
  differences.push(...sumDifference('The terms come to', minor, total));
  return termsOf(total, terms);
}
