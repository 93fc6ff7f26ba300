import type { OrderFacts, OrderLine, PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../facts/custom-fields';
import { definedOnly } from '../facts/defined';
import { fullPaymentKey, orderKey, refundKey } from '../facts/keys';
import { lineOfSum, partOf, quantityOf, readLines, sumDifference } from '../facts/lines';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { instantOf } from './dates';

/** Statuses that mean paid unless the source's settings name others. */
export const PAID_STATUSES = 'processing,completed';

export interface WooCommerceOrder {
  facts: OrderFacts;
  /** Set when the order is paid. */
  payment?: PaymentFacts;
}

/**
 * Whether the money is there. A status says so, with two exceptions: cash on delivery is `processing` long
 * before anybody has paid (WooCommerce then sets no payment date), and `refunded` was paid if it has one.
 */
function isPaid(order: Payload, status: string, context: SourceContext): boolean {
  const named = textSetting(context.settings, 'paidStatuses') ?? PAID_STATUSES;
  const dated = (order.text('date_paid_gmt') ?? order.text('date_paid')) !== undefined;
  if (status === 'refunded') return dated;
  const paid = named.split(',').some((name) => name.trim().replace(/^wc-/, '') === status);
  return paid && (dated || order.text('payment_method') !== 'cod' || status === 'completed');
}

/** Negative on the wire, positive here. The order lists no dates for them: its last change is the closest. */
function refundsOf(order: Payload, key: string, currency: string, changedAt: Date): RefundFacts[] {
  return order.items('refunds').flatMap((refund) => {
    const total = refund.money('total', currency) ?? refund.missing('total');
    const value = total.isNegative ? total.negated() : total;
    if (value.isZero) return [];
    const id = refund.identifier('id') ?? refund.missing('id');
    return [{ key: refundKey(key, id), value, refundedAt: changedAt }];
  });
}

/** `price` is a float on the wire; the exact figure is `subtotal`, what all pieces cost before discounts. */
function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('name') ?? line.missing('name');
  const subtotal = line.amount('subtotal', currency) ?? line.missing('subtotal');
  return lineOfSum(title, line.text('sku'), quantityOf(line, 'quantity'), subtotal);
}

function totalDifference(order: Payload, total: Money): string[] {
  const { currency } = total;
  const sums = [...order.items('line_items'), ...order.items('fee_lines')];
  const parts = [
    ...sums.map((sum) => partOf(sum, 'total', currency)),
    partOf(order, 'shipping_total', currency),
    partOf(order, 'total_tax', currency),
  ];
  return sumDifference('Goods, fees, shipping and taxes come to', parts, total);
}

/** @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  status: string,
  webhook: StoredWebhook,
  context: SourceContext,
): WooCommerceOrder {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const total = order.amount('total', currency) ?? order.missing('total');
  const updatedAt = instantOf(order, 'date_modified', zone);
  const changedAt = updatedAt ?? webhook.receivedAt;
  const paidAt = isPaid(order, status, context)
    ? (instantOf(order, 'date_paid', zone) ?? instantOf(order, 'date_completed', zone) ?? changedAt)
    : undefined;
  const { lines, differences } = readLines(order.items('line_items'), (line) => lineOf(line, currency));
  const own = new CustomFields(order.items('meta_data'), 'key', 'value');
  const chosen = readInstalments(own.instalments(textSetting(context.settings, 'instalmentsField')));
  const facts: OrderFacts = {
    key,
    source: context.source,
    id,
    number: order.text('number') ?? id,
    total,
    createdAt: instantOf(order, 'date_created', zone) ?? order.missing('date_created_gmt'),
    ...definedOnly({ updatedAt, cancelledAt: status === 'cancelled' ? changedAt : undefined, paidAt }),
    instalments: chosen.instalments,
    // WooCommerce does not mark test orders: a gateway in test mode looks like one in earnest.
    test: false,
    customer: customerOfOrder(order, key, context),
    refunds: refundsOf(order, key, currency, changedAt),
    lines,
    differences: [...differences, ...chosen.differences, ...totalDifference(order, total)],
  };
  if (!paidAt) return { facts };
  const payment = {
    key: fullPaymentKey(key),
    gateway: order.text('payment_method') ?? '',
    method: order.text('payment_method_title') ?? '',
    value: total,
    paidAt,
  };
  return { facts, payment };
}
