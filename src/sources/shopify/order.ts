import type { OrderFacts, OrderLine, PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../mapping/custom-fields';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey, orderKey } from '../mapping/keys';
import { lineOfPrice, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { refundDifferences } from '../mapping/refunds';
import { storeCreditOf } from '../mapping/store-credit';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { gatewayOf, isPaidInFull, methodOf, paidAtOf, paymentDifferences } from './payment';
import { refundsOf, successful } from './refund';

export interface ShopifyOrder {
  facts: OrderFacts;
  /** Set when the order has been paid in full. Part payments are not booked before the rest arrives. */
  payment?: PaymentFacts;
  /** Shopify's financial status, for a person. */
  status: string;
}

function instalmentsOf(order: Payload, context: SourceContext): ReturnType<typeof readInstalments> {
  const own = new CustomFields(order, 'note_attributes', 'name');
  const preferred = textSetting(context.settings, 'instalmentsField');
  const transactions = successful(order, ['sale', 'capture', 'authorization']).reverse();
  const places = transactions.flatMap((sale) => [sale.loosely('payment_details'), sale.loosely('receipt')]);
  return readInstalments(
    [...own.instalments(preferred), ...places.map((place) => place.textIfAny('installments'))],
    own.unreadInstalments(preferred),
  );
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
  const refunds = refundsOf(order, key, currency, zone, gatewayOf(order));
  const isPaid = isPaidInFull(order, webhook.topic, total, refunds);
  const dated = isPaid ? paidAtOf(order, webhook, zone, refunds) : undefined;
  const paidAt = dated?.paidAt;
  const { lines, differences } = readLines(order.items('line_items'), (line) => lineOf(line, currency));
  const chosen = instalmentsOf(order, context);
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
    refunds,
    lines,
    differences: [
      ...differences,
      ...chosen.differences,
      ...CustomFields.leftOut(order, 'note_attributes'),
      ...totalDifference(order, total),
      ...paymentDifferences(order, total, isPaid),
      ...refundDifferences(refunds, isPaid),
    ],
  };
  const status = order.word('financial_status') ?? 'without a financial status';
  if (!dated) return { facts, status };
  const payment = {
    key: fullPaymentKey(key),
    gateway: gatewayOf(order),
    method: methodOf(order),
    value: total,
    ...storeCreditOf(gatewayOf(order)),
    ...dated,
  };
  return { facts, payment, status };
}
