import type { OrderFacts, OrderLine } from '../../events/event';
import type { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import type { ReadOrder } from '../mapping/order-events';
import { refundDifferences } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { isPaidInFull, paidAtOf, paymentDifferences, SPLIT_UNKNOWN } from './payment';
import { awaitedCharge, paymentsOf } from './payments';
import { successful } from './refund';
import { refundsOf } from './refunds';
import { beforePayment, costAfter, removalsOf, unclearRemovals } from './removals';

export interface ShopifyOrder extends ReadOrder {
  /** It is paid, and no payment can be told: nothing says how much came through which gateway. */
  readonly isSplit: boolean;
}

function instalmentsOf(
  order: Payload,
  own: CustomFields,
  context: SourceContext,
): ReturnType<typeof readInstalments> {
  const preferred = textSetting(context.settings, 'instalmentsField');
  const transactions = successful(order, ['sale', 'capture', 'authorization']).reverse();
  const places = transactions.flatMap((sale) => [sale.loosely('payment_details'), sale.loosely('receipt')]);
  return readInstalments(
    [...own.instalments(preferred), ...places.map((place) => place.textIfAny('installments'))],
    own.unreadInstalments(preferred),
  );
}

/** Of an order with more lines no line's discounts and taxes are read: rules read no more lines either. */
const MOST_DETAILED_LINES = 500;

function lineOf(line: Payload, currency: string, isDetailed: boolean): OrderLine {
  const title = line.text('title') ?? line.text('name') ?? line.missing('title');
  const price = line.amount('price', currency) ?? line.missing('price');
  return {
    ...lineOfPrice(title, line.text('sku'), quantityOf(line, 'quantity'), price),
    ...(isDetailed && detailsOf(line, currency)),
    ...(line.flag('gift_card') && { giftCard: true }),
  };
}

function detailsOf(line: Payload, currency: string) {
  const discounts = line.items('discount_allocations').map((one) => partOf(one, 'amount', currency));
  const whole = [partOf(line, 'total_discount', currency)];
  const taxes = line.items('tax_lines').map((one) => partOf(one, 'price', currency));
  return definedOnly({
    discount: moneyOf(discounts.length > 0 ? discounts : whole, currency),
    tax: moneyOf(taxes, currency),
  });
}

/** What the total is made of besides the goods, as far as the order says. */
function partsOf(order: Payload, currency: string) {
  const shipping = order.items('shipping_lines').map((line) => partOf(line, 'price', currency));
  return definedOnly({
    discount: moneyOf([partOf(order, 'total_discounts', currency)], currency),
    shipping: moneyOf(shipping, currency),
    tax: moneyOf([partOf(order, 'total_tax', currency)], currency),
    tip: moneyOf([partOf(order, 'total_tip_received', currency)], currency),
  });
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
 * An order's facts. The total is `total_price`, what was sold; `current_total_price` shrinks with refunds and with what is
 * taken off.
 * @throws UnreadablePayload
 */
export function readOrder(order: Payload, webhook: StoredWebhook, context: SourceContext): ShopifyOrder {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const total = order.amount('total_price', currency) ?? order.missing('total_price');
  const refunds = refundsOf(order, key, currency, zone);
  const removals = removalsOf(order, key, total, refunds, zone);
  const isPaid = isPaidInFull(order, webhook.topic, removals.left, refunds);
  const removed = isPaid ? beforePayment(removals, total) : removals.edits;
  const edits = removed ?? [];
  const dated = isPaid ? paidAtOf(order, webhook, zone, refunds) : undefined;
  const paidAt = dated?.paidAt;
  const items = order.items('line_items');
  const isDetailed = items.length <= MOST_DETAILED_LINES;
  const { lines, differences } = readLines(items, (line) => lineOf(line, currency, isDetailed));
  const own = new CustomFields(order, 'note_attributes', 'name');
  const chosen = instalmentsOf(order, own, context);
  const payments = dated ? paymentsOf(order, key, removals.came, dated, zone) : [];
  const isSplit = isPaid && payments.length === 0;
  const facts: OrderFacts = defined({
    key,
    source: context.source,
    id,
    number: order.text('name') ?? order.text('order_number') ?? id,
    total,
    ...partsOf(order, currency),
    createdAt: order.instant('created_at', zone) ?? order.missing('created_at'),
    updatedAt: order.instant('updated_at', zone),
    cancelledAt: order.instant('cancelled_at', zone),
    paidAt,
    instalments: chosen.instalments,
    test: order.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOfOrder(order, key, own, context),
    payments,
    refunds,
    ...(edits.length > 0 && { edits: [...edits] }),
    lines,
    differences: [
      ...differences,
      ...chosen.differences,
      ...CustomFields.leftOut(order, 'note_attributes'),
      ...totalDifference(order, total),
      ...paymentDifferences(order, costAfter(total, edits), isPaid),
      ...(isPaid ? unclearRemovals(removals, removed, total) : []),
      ...(isSplit ? [SPLIT_UNKNOWN] : []),
      ...refundDifferences(refunds, isPaid),
    ],
  });
  const status = order.word('financial_status') ?? 'without a financial status';
  const isWaiting = !isPaid && refunds.length === 0 && facts.cancelledAt === undefined;
  const awaited = isWaiting ? awaitedCharge(order, key, total, webhook, zone) : undefined;
  return { facts, status, isSplit, awaited };
}
