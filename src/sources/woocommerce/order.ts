import type { OrderFacts, OrderLine, PaymentFacts, RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import { Money, MoneyError } from '../../kernel/money';
import { CustomFields, readInstalments } from '../mapping/custom-fields';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey, orderKey, refundKey } from '../mapping/keys';
import { lineOfSum, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import type { PaymentDate } from '../mapping/order-events';
import { refundDifferences } from '../mapping/refunds';
import { storeCreditOf } from '../mapping/store-credit';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
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

/** What plugins of gateways write into an order that was paid in their test mode. */
const TEST_MODE = [
  ['_wcpay_mode', 'test'],
  ['is_production_mode', 'no'],
  ['_pagbank_environment', 'sandbox'],
  ['pagbank_is_sandbox', '1'],
  ['_ppcp_paypal_payment_mode', 'sandbox'],
] as const;
/** Gateways of WooCommerce's own that are paid outside of the shop, after the order. */
const OFFLINE = ['bacs', 'cheque', 'cod'];
/** Statuses that say that money is still expected. */
const UNPAID = ['pending', 'on-hold', 'failed'];

/**
 * Whether the money is there. A payment date says so, whatever the status is called; except where the source's
 * `paidStatuses` leave one of WooCommerce's own paid statuses out. Without a date the status has to be one of
 * `paidStatuses`. That is not enough for bank transfer and cheque while they are `processing`, and for cash on
 * delivery before it is `completed`: the goods are on their way then, not the money.
 */
function isPaid(order: Payload, status: string, context: SourceContext): boolean {
  const setting = textSetting(context.settings, 'paidStatuses') ?? PAID_STATUSES;
  const named = setting.split(',').some((name) => name.trim().replace(/^wc-/, '') === status);
  if (isDated(order)) return named || !PAID_STATUSES.split(',').includes(status);
  const gateway = order.text('payment_method') ?? '';
  if (status === 'refunded' || (status === 'processing' && OFFLINE.includes(gateway))) return false;
  return named && (gateway !== 'cod' || status === 'completed');
}

function isDated(order: Payload): boolean {
  return (order.text('date_paid_gmt') ?? order.text('date_paid')) !== undefined;
}

/**
 * When the payment was made, and by what evidence when that is inferred. An order without a payment date was paid when it was
 * completed, as far as anybody can say; else when it was placed, or by an offline gateway at its last change.
 */
function paidAtOf(order: Payload, changedAt: Date, zone: string): PaymentDate {
  const paidAt = instantOf(order, 'date_paid', zone);
  if (paidAt) return { paidAt };
  const completedAt = instantOf(order, 'date_completed', zone);
  if (completedAt) return { paidAt: completedAt, datedBy: 'date_completed' };
  if (OFFLINE.includes(order.text('payment_method') ?? ''))
    return { paidAt: changedAt, datedBy: 'its last change' };
  return { paidAt: createdAtOf(order, zone), datedBy: 'date_created' };
}

function createdAtOf(order: Payload, zone: string): Date {
  return instantOf(order, 'date_created', zone) ?? order.missing('date_created_gmt');
}

/** Negative on the wire, positive here. The order lists no dates for them: its last change is the closest. */
function refundsOf(order: Payload, key: string, currency: string, changedAt: Date): RefundFacts[] {
  const gateway = order.text('payment_method');
  return order.items('refunds', MOST_REFUNDS).flatMap((refund) => {
    const total = refund.money('total', currency) ?? refund.missing('total');
    const value = total.isNegative ? total.negated() : total;
    if (value.isZero) return [];
    const id = refund.identifier('id') ?? refund.missing('id');
    return [
      {
        ...{ key: refundKey(key, id), value },
        ...definedOnly({ gateway }),
        ...storeCreditOf(gateway),
        refundedAt: changedAt,
      },
    ];
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

/** What a gateway's plugin says that it keeps; a sentence where that cannot be read or is in another currency. */
function feeOf(own: CustomFields, currency: string): { value?: Money; differences: string[] } {
  const text = own.fee();
  if (text === undefined) return { differences: [] };
  const paidIn = own.feeCurrency();
  if (paidIn !== undefined && paidIn.toUpperCase() !== currency)
    return { differences: [`The gateway's fee is in ${paidIn.toUpperCase()}, so it is left out.`] };
  try {
    const value = Money.parse(text, currency);
    return value.isPositive ? { value, differences: [] } : { differences: [] };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return { differences: [`The gateway's fee cannot be read, so it is left out: ${error.message}.`] };
  }
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
  const refunds = refundsOf(order, key, currency, changedAt);
  const dated = isPaid(order, status, context) ? paidAtOf(order, changedAt, zone) : undefined;
  const paidAt = dated?.paidAt;
  const { lines, differences } = readLines(order.items('line_items'), (line) => lineOf(line, currency));
  const own = new CustomFields(order, 'meta_data', 'key');
  const preferred = textSetting(context.settings, 'instalmentsField');
  const chosen = readInstalments(own.instalments(preferred), own.unreadInstalments(preferred));
  const fee = dated ? feeOf(own, currency) : { differences: [] };
  const facts: OrderFacts = {
    key,
    source: context.source,
    id,
    number: order.text('number') ?? id,
    total,
    createdAt: createdAtOf(order, zone),
    ...definedOnly({ updatedAt, cancelledAt: status === 'cancelled' ? changedAt : undefined, paidAt }),
    instalments: chosen.instalments,
    // WooCommerce itself does not mark test orders; the plugins of some gateways do.
    test:
      TEST_MODE.some(([name, value]) => own.says(name, value)) &&
      !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOfOrder(order, key, context),
    refunds,
    lines,
    differences: [
      ...differences,
      ...chosen.differences,
      ...fee.differences,
      ...totalDifference(order, total),
      ...CustomFields.leftOut(order, 'meta_data'),
      ...(dated && UNPAID.includes(status)
        ? [`The order has a payment date, but is ${status}: its status says that it is not paid.`]
        : []),
      ...refundDifferences(refunds, paidAt !== undefined),
    ],
  };
  if (!dated) return { facts };
  const payment = {
    key: fullPaymentKey(key),
    gateway: order.text('payment_method') ?? '',
    method: order.text('payment_method_title') ?? '',
    value: total,
    ...definedOnly({ fee: fee.value }),
    ...storeCreditOf(order.text('payment_method')),
    ...dated,
  };
  return { facts, payment };
}
