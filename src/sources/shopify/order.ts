import type { OrderFacts, OrderLine, PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../facts/custom-fields';
import { definedOnly } from '../facts/defined';
import { fullPaymentKey, orderKey } from '../facts/keys';
import { lineOfPrice, partOf, quantityOf, readLines, sumDifference } from '../facts/lines';
import { latest } from '../facts/order-events';
import { parseInstant } from '../instant';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { refundsOf, successful, sumOf } from './refund';

/** Financial statuses of an order that has been paid in full; money that went back later does not undo it. */
const PAID = ['paid', 'partially_refunded', 'refunded'];

export interface ShopifyOrder {
  facts: OrderFacts;
  /** Set when the order has been paid in full. Part payments are not booked before the rest arrives. */
  payment?: PaymentFacts;
  /** Shopify's financial status, for a person. */
  status: string;
}

function isPaid(order: Payload, topic: string): boolean {
  const status = order.word('financial_status');
  if (topic !== 'orders/paid') return status !== undefined && PAID.includes(status);
  if (status !== undefined && !PAID.includes(status)) {
    order.fail('financial_status', 'does not say paid, although the topic is orders/paid');
  }
  return true;
}

/**
 * When the payment was made: the last successful sale or capture; else when Shopify raised the event; else
 * the order's last change. `order.processed_at` is when the order was placed and is never used.
 */
function paidAtOf(order: Payload, webhook: StoredWebhook, zone: string): Date {
  const { triggeredAt } = webhook.attributes;
  return (
    latest(successful(order, ['sale', 'capture']).map((sale) => sale.instant('processed_at', zone))) ??
    (triggeredAt === undefined ? undefined : parseInstant(triggeredAt, zone)) ??
    order.instant('updated_at', zone) ??
    webhook.receivedAt
  );
}

/** The gateway of the last successful payment; without transactions, the last one the order lists. */
function gatewayOf(order: Payload): string {
  return (
    successful(order, ['sale', 'capture']).at(-1)?.text('gateway') ??
    order.texts('payment_gateway_names').at(-1) ??
    order.text('gateway') ??
    ''
  );
}

function methodOf(order: Payload): string {
  const details = [...successful(order, ['sale', 'capture']).reverse(), order].map((place) =>
    place.loosely('payment_details'),
  );
  const named = details.map(
    (place) => place.textIfAny('payment_method_name') ?? place.textIfAny('credit_card_company'),
  );
  return named.find((method) => method !== undefined) ?? '';
}

function instalmentCandidates(order: Payload, context: SourceContext): (string | undefined)[] {
  const own = new CustomFields(order.items('note_attributes'), 'name', 'value');
  const transactions = successful(order, ['sale', 'capture', 'authorization']).reverse();
  const places = transactions.flatMap((sale) => [sale.loosely('payment_details'), sale.loosely('receipt')]);
  return [
    ...own.instalments(textSetting(context.settings, 'instalmentsField')),
    ...places.map((place) => place.textIfAny('installments')),
  ];
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('title') ?? line.text('name') ?? line.missing('title');
  const price = line.amount('price', currency) ?? line.missing('price');
  return lineOfPrice(title, line.text('sku'), quantityOf(line, 'quantity'), price);
}

/** Compares the pieces Shopify names with the total; duties are in no list, so orders with them are not compared. */
function totalDifference(order: Payload, total: Money): string[] {
  const { currency } = total;
  const duties = ['original_total_duties_set', 'original_total_additional_fees_set'];
  const hasDuties = duties.some((key) => order.loosely(key).loosely('shop_money').textIfAny('amount'));
  if (hasDuties || order.textIfAny('total_line_items_price') === undefined) return [];
  const discounts = partOf(order, 'total_discounts', currency);
  const parts = [
    partOf(order, 'total_line_items_price', currency),
    discounts === undefined ? undefined : -discounts,
    ...order.items('shipping_lines').map((line) => partOf(line, 'price', currency)),
    order.flag('taxes_included') ? 0n : partOf(order, 'total_tax', currency),
    partOf(order, 'total_tip_received', currency),
  ];
  return sumDifference('Goods, shipping and taxes less discounts come to', parts, total);
}

function paymentDifferences(order: Payload, total: Money): string[] {
  const { currency } = total;
  const sales = successful(order, ['sale', 'capture']);
  const paid = sales.length > 0 ? [sumOf(sales, currency).minor] : [];
  const outstanding = order.money('total_outstanding', currency);
  const gateways = new Set(order.texts('payment_gateway_names'));
  return [
    ...sumDifference('The payments come to', paid, total),
    ...(outstanding?.isPositive
      ? [`The order is paid, but ${outstanding.toString()} ${currency} is said to be outstanding.`]
      : []),
    ...(gateways.size > 1 ? ['The order was paid through more than one gateway; one payment is told.'] : []),
  ];
}

/**
 * An order's facts. The total is `total_price`, what was sold; `current_total_price` shrinks with refunds.
 * @throws UnreadablePayload
 */
export function readOrder(order: Payload, webhook: StoredWebhook, context: SourceContext): ShopifyOrder {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const total = order.amount('total_price', currency) ?? order.missing('total_price');
  const paidAt = isPaid(order, webhook.topic) ? paidAtOf(order, webhook, zone) : undefined;
  const { lines, differences } = readLines(order.items('line_items'), (line) => lineOf(line, currency));
  const chosen = readInstalments(instalmentCandidates(order, context));
  const facts: OrderFacts = {
    key,
    source: context.source,
    id,
    number: order.text('name') ?? order.text('order_number') ?? id,
    total,
    createdAt: order.instant('created_at', zone) ?? order.missing('created_at'),
    ...definedOnly({
      updatedAt: order.instant('updated_at', zone),
      cancelledAt: order.instant('cancelled_at', zone),
      paidAt,
    }),
    instalments: chosen.instalments,
    test: order.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOfOrder(order, key, context),
    refunds: refundsOf(order, key, currency, zone),
    lines,
    differences: [
      ...differences,
      ...chosen.differences,
      ...totalDifference(order, total),
      ...(paidAt ? paymentDifferences(order, total) : []),
    ],
  };
  const status = order.word('financial_status') ?? 'without a financial status';
  if (!paidAt) return { facts, status };
  const payment = {
    key: fullPaymentKey(key),
    gateway: gatewayOf(order),
    method: methodOf(order),
    value: total,
    paidAt,
  };
  return { facts, payment, status };
}
