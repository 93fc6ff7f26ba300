import type { OrderEventType, OrderFacts, OrderLine, PaymentFacts, RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { parseInstalments } from '../mapping/custom-fields';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey, orderKey, refundKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines } from '../mapping/lines';
import { latest } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { readBuyer } from './customer';

/** Money must be written as text: a JSON number may have been a float on its way, and `10.1` was meant as `10.10`. */
export function amountOf(place: Payload, key: string, currency: string): Money | undefined {
  return place.isNumber(key)
    ? place.fail(key, 'must be text, for example "12.34"')
    : place.amount(key, currency);
}

/**
 * The payment an `order.paid` is about. Without an id it is the one payment of the order; without a value
 * it is the whole total.
 */
function paymentOf(order: Payload, key: string, total: Money, sentAt: Date, zone: string): PaymentFacts {
  const payment = order.at('payment');
  const id = payment.identifier('id');
  return {
    key: id === undefined ? fullPaymentKey(key) : `${key}/payment/${id}`,
    gateway: payment.text('gateway') ?? '',
    method: payment.text('method') ?? '',
    value: amountOf(payment, 'value', total.currency) ?? total,
    ...definedOnly({ fee: feeOf(payment, total.currency) }),
    ...(payment.flag('storeCredit') && { storeCredit: true }),
    paidAt: payment.instant('paidAt', zone) ?? order.instant('paidAt', zone) ?? sentAt,
  };
}

/** A fee of nothing is none. */
function feeOf(payment: Payload, currency: string): Money | undefined {
  const fee = amountOf(payment, 'fee', currency);
  return fee?.isPositive ? fee : undefined;
}

function refundsOf(order: Payload, key: string, currency: string, sentAt: Date, zone: string): RefundFacts[] {
  return order.items('refunds', MOST_REFUNDS).map((refund) => {
    const value = amountOf(refund, 'value', currency) ?? refund.missing('value');
    if (value.isZero) refund.fail('value', 'is zero');
    return {
      key: refundKey(key, refund.identifier('id') ?? refund.missing('id')),
      value,
      ...definedOnly({ gateway: refund.text('gateway') ?? order.at('payment').text('gateway') }),
      ...(refund.flag('storeCredit') && { storeCredit: true }),
      refundedAt: refund.instant('refundedAt', zone) ?? sentAt,
    };
  });
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('title') ?? line.missing('title');
  const price = amountOf(line, 'price', currency) ?? line.missing('price');
  return lineOfPrice(title, line.text('sku'), quantityOf(line, 'quantity'), price);
}

function instalmentsOf(order: Payload): number {
  const text = order.text('instalments');
  return text === undefined
    ? 1
    : (parseInstalments(text) ?? order.fail('instalments', 'is not a number of instalments'));
}

/**
 * An order as the message tells it, and when the event of this type happened.
 * @param sentAt the message's own timestamp: when something happened, as far as no field says it better
 * @throws UnreadablePayload
 */
export function readOrder(
  order: Payload,
  type: OrderEventType,
  sentAt: Date,
  context: SourceContext,
): { order: OrderFacts; occurredAt: Date } {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const total = amountOf(order, 'total', currency) ?? order.missing('total');
  const payment = type === 'order.paid' ? paymentOf(order, key, total, sentAt, zone) : undefined;
  const refunds = refundsOf(order, key, currency, sentAt, zone);
  if (type === 'order.refunded' && refunds.length === 0) order.missing('refunds');
  const cancelledAt = order.instant('cancelledAt', zone) ?? (type === 'order.cancelled' ? sentAt : undefined);
  const { lines, differences } = readLines(order.items('lines'), (line) => lineOf(line, currency));
  const createdAt = order.instant('createdAt', zone) ?? order.missing('createdAt');
  const facts: OrderFacts = {
    key,
    source: context.source,
    id,
    number: order.text('number') ?? id,
    total,
    createdAt,
    ...definedOnly({
      updatedAt: order.instant('updatedAt', zone),
      cancelledAt,
      paidAt: order.instant('paidAt', zone) ?? payment?.paidAt,
    }),
    instalments: instalmentsOf(order),
    test: order.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
    customer: readBuyer(order.at('customer'), context, key),
    ...definedOnly({ payment }),
    refunds,
    lines,
    differences,
  };
  const times: Record<OrderEventType, Date | undefined> = {
    'order.created': createdAt,
    'order.paid': payment?.paidAt,
    'order.cancelled': cancelledAt,
    'order.refunded': latest(refunds.map((refund) => refund.refundedAt)),
  };
  return { order: facts, occurredAt: times[type] ?? sentAt };
}
