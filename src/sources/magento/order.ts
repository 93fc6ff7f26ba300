import type { OrderFacts, OrderLine } from '../../events/event';
import { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { fullPaymentKey, orderKey } from '../mapping/keys';
import { lineOfSum, type Lines, moneyOf, partOf, quantityOf, readLines } from '../mapping/lines';
import { type AwaitedCharge, latest, type ReadOrder } from '../mapping/order-events';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { amountOf, type Denomination, denominationOf, type Reading, WAITING } from './amounts';
import { creditsOf } from './credits';
import { customerOfOrder } from './customer';
import { differencesOf } from './differences';
import type { Answers } from './fetch';
import { namesOf, paymentsOf } from './payments';
import { readRefunds } from './refunds';

/** Ways to pay that are paid after the order is placed, as Magento and modules in Brazil call them. */
const PAID_LATER = /boleto|billet|pix|banktransfer|checkmo|transfer|dep[oó]sito/i;

/** The order as it stands, with its invoices and credit memos. @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  { invoices, creditMemos }: Answers,
  webhook: StoredWebhook,
  context: SourceContext,
): ReadOrder {
  const denomination = denominationOf(order, context);
  const id = order.identifier('entity_id') ?? order.missing('entity_id');
  const credits = creditsOf(order, denomination);
  const grandTotal = amountOf(order, 'grand_total', denomination) ?? order.missing('grand_total');
  const updatedAt = order.instant('updated_at', 'UTC');
  const reading: Reading = {
    ...{ order, denomination, key: orderKey(context.source, id) },
    total: totalOf(order, grandTotal, sumOfValues(credits)),
    state: order.word('state') ?? order.missing('state'),
    paid: amountOf(order, 'total_paid', denomination),
    createdAt: order.instant('created_at', 'UTC') ?? order.missing('created_at'),
    changedAt: updatedAt ?? webhook.receivedAt,
  };
  const payments = paymentsOf(reading, invoices, credits);
  const back = readRefunds(reading, creditMemos, payments);
  const facts = factsOf(reading, { payments, back }, id, updatedAt, context);
  const isWaiting = payments.length === 0 && back.refunds.length === 0;
  return {
    facts,
    status: reading.state,
    awaited: isWaiting ? awaitedOf(reading, grandTotal) : undefined,
  };
}

/** Magento's `grand_total` is what is left to pay in money. */
function totalOf(order: Payload, grandTotal: Money, credit: bigint): Money {
  try {
    return Money.ofMinor(grandTotal.minor + credit, grandTotal.currency);
  } catch {
    return order.fail('grand_total', 'and what credits paid come to more than is taken');
  }
}

function factsOf(
  reading: Reading,
  { payments, back }: { payments: OrderFacts['payments']; back: ReturnType<typeof readRefunds> },
  id: string,
  updatedAt: Date | undefined,
  context: SourceContext,
): OrderFacts {
  const { order, key, total, state, denomination, createdAt, changedAt } = reading;
  const isPaid = payments.length > 0 && sumOfValues(payments) >= total.minor;
  const paidAt = isPaid ? latest(payments.map((payment) => payment.paidAt)) : undefined;
  const goods = linesOf(order, denomination);
  const chosen = instalmentsOf(order, context);
  return defined({
    ...{ key, source: context.source, id, number: order.text('increment_id') ?? id, total },
    ...partsOf(order, denomination),
    createdAt,
    updatedAt,
    cancelledAt: state === 'canceled' ? changedAt : undefined,
    paidAt,
    instalments: chosen.instalments,
    // Magento marks no order as a test.
    test: false,
    customer: customerOfOrder(order, key, context),
    payments,
    refunds: back.refunds,
    lines: goods.lines,
    differences: [...goods.differences, ...chosen.differences, ...differencesOf(reading, payments, back)],
  });
}

/** What the buyer chose at the gateway's module, which keeps it beside the payment. */
function instalmentsOf(order: Payload, { settings }: SourceContext) {
  const own = new CustomFields(order.at('extension_attributes'), 'payment_additional_info', 'key');
  const preferred = textSetting(settings, 'instalmentsField');
  return readInstalments(own.instalments(preferred), own.unreadInstalments(preferred));
}

function partsOf(order: Payload, { prefix, currency }: Denomination) {
  const part = (name: string): bigint | undefined => partOf(order, `${prefix}${name}`, currency);
  const discount = part('discount_amount');
  return definedOnly({
    discount: moneyOf([discount === undefined ? undefined : -discount], currency),
    shipping: moneyOf([part('shipping_amount')], currency),
    tax: moneyOf([part('tax_amount')], currency),
  });
}

/** The variant of a product, and the parts of a bundle, come as lines of their own below the line that was sold. */
function linesOf(order: Payload, denomination: Denomination): Lines {
  const sold = order.items('items').filter((item) => !item.has('parent_item_id'));
  return readLines(sold, (item) => lineOf(item, denomination));
}

function lineOf(item: Payload, denomination: Denomination): OrderLine {
  const { prefix, currency } = denomination;
  const sum = amountOf(item, 'row_total', denomination) ?? Money.zero(currency);
  const title = item.text('name') ?? item.missing('name');
  return defined({
    ...lineOfSum(title, item.text('sku'), quantityOf(item, 'qty_ordered'), sum),
    discount: moneyOf([partOf(item, `${prefix}discount_amount`, currency)], currency),
    tax: moneyOf([partOf(item, `${prefix}tax_amount`, currency)], currency),
    ...(item.text('product_type') === 'giftcard' && { giftCard: true }),
  });
}

function awaitedOf({ order, key, state, createdAt }: Reading, value: Money): AwaitedCharge | undefined {
  const { gateway, method } = namesOf(order);
  const isLater = PAID_LATER.test(gateway) || PAID_LATER.test(method);
  if (!WAITING.includes(state) || !value.isPositive || !isLater) return undefined;
  return { charge: { key: fullPaymentKey(key), gateway, method, value }, at: createdAt, expired: false };
}
