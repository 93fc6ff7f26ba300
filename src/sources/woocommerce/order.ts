import type { OrderFacts, OrderLine, RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { CustomFields, readInstalments } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { orderKey, refundKey } from '../mapping/keys';
import {
  lineOfPrice,
  lineOfSum,
  moneyOf,
  partOf,
  quantityOf,
  readLines,
  sumDifference,
} from '../mapping/lines';
import type { PaymentDate, ReadOrder } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import { refundDifferences, shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting, listSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { instantOf } from './dates';
import { awaitedCharge, giftCardsOf, paymentsOf, soldFor, withoutFeesOf } from './payments';

/** The setting that names gateways whose fees are left to their own sources. */
export const LEFT_OUT_FEES = 'leftOutFees';

/** Statuses that mean paid unless the source's settings name others. */
export const PAID_STATUSES = 'processing,completed';

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
/**
 * Statuses of plugins for deposits, which WooCommerce dates as paid. The order's total is not what was paid then. (Those of
 * WooCommerce's own, Webtomizer, Acowebs and Bayna.)
 */
export const PARTLY_PAID = ['partial-payment', 'partially-paid', 'deposit'];
/** Statuses that say that money is still expected. */
const UNPAID = ['pending', 'on-hold', 'failed'];

/**
 * Whether the money is there. A payment date says so, whatever the status is called; except where the source's
 * `paidStatuses` leave one of WooCommerce's own paid statuses out, or do not name one of {@link PARTLY_PAID}. Without a date the status has to be one of
 * `paidStatuses`. That is not enough for bank transfer and cheque while they are `processing`, and for cash on
 * delivery before it is `completed`: the goods are on their way then, not the money.
 */
function isPaid(order: Payload, status: string, context: SourceContext): boolean {
  const setting = textSetting(context.settings, 'paidStatuses') ?? PAID_STATUSES;
  const named = setting.split(',').some((name) => name.trim().replace(/^wc-/, '') === status);
  if (isDated(order)) return named || ![...PAID_STATUSES.split(','), ...PARTLY_PAID].includes(status);
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
      defined({
        ...{ key: refundKey(key, id), value },
        gateway,
        ...storeCreditOf(gateway),
        refundedAt: changedAt,
      }),
    ];
  });
}

/** A sentence where a refunded order does not say that all of it went back. */
function missingRefunds(refunds: readonly RefundFacts[], total: Money): string[] {
  const minor = sumOfValues(refunds);
  if (minor >= total.minor) return [];
  const back = shown(minor, total.currency);
  return [
    `The order is refunded, but its refunds come to ${back}, and its total is ${total.withCurrency()}.`,
  ];
}

/** `price` is a float on the wire; the exact figure is `subtotal`, what all pieces cost before discounts. */
function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('name') ?? line.missing('name');
  const subtotal = line.amount('subtotal', currency) ?? line.missing('subtotal');
  const total = partOf(line, 'total', currency);
  return defined({
    ...lineOfSum(title, line.text('sku'), quantityOf(line, 'quantity'), subtotal),
    discount: moneyOf([subtotal.minor, total === undefined ? undefined : -total], currency),
    tax: moneyOf([partOf(line, 'total_tax', currency)], currency),
  });
}

/** A fee that the buyer pays, as a line of its own. */
function lineOfFee(fee: Payload, currency: string): OrderLine {
  const price = fee.amount('total', currency) ?? fee.missing('total');
  const line = lineOfPrice(fee.text('name') ?? '', undefined, 1_000_000n, price);
  const tax = moneyOf([partOf(fee, 'total_tax', currency)], currency);
  return defined({ ...line, tax });
}

/** What the total is made of besides the goods. A fee below zero is a discount, as for paying by Pix. */
function partsOf(order: Payload, discounts: readonly Payload[], currency: string) {
  const fees = discounts.map((fee) => partOf(fee, 'total', currency));
  const off = [partOf(order, 'discount_total', currency), ...fees.map((minor) => minor && -minor)];
  return definedOnly({
    discount: moneyOf(off, currency),
    shipping: moneyOf([partOf(order, 'shipping_total', currency)], currency),
    tax: moneyOf([partOf(order, 'total_tax', currency)], currency),
  });
}

/** Whether a fee takes something off the total. */
function isDiscount(fee: Payload, currency: string): boolean {
  return (partOf(fee, 'total', currency) ?? 0n) < 0n;
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
): Omit<ReadOrder, 'status'> {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const inMoney = order.amount('total', currency) ?? order.missing('total');
  const cards = giftCardsOf(order, currency);
  const total = soldFor(order, inMoney, cards);
  const updatedAt = instantOf(order, 'date_modified', zone);
  const changedAt = updatedAt ?? webhook.receivedAt;
  const refunds = refundsOf(order, key, currency, changedAt);
  const dated = isPaid(order, status, context) ? paidAtOf(order, changedAt, zone) : undefined;
  const paidAt = dated?.paidAt;
  const goods = readLines(order.items('line_items'), (line) => lineOf(line, currency));
  const discounts = order.items('fee_lines').filter((fee) => isDiscount(fee, currency));
  const charged = order.items('fee_lines').filter((fee) => !discounts.includes(fee));
  const fees = readLines(charged, (fee) => lineOfFee(fee, currency));
  const own = new CustomFields(order, 'meta_data', 'key');
  const preferred = textSetting(context.settings, 'instalmentsField');
  const chosen = readInstalments(own.instalments(preferred), own.unreadInstalments(preferred));
  const paid = dated && paymentsOf(order, key, inMoney, cards, own, dated);
  const payments = withoutFeesOf(listSetting(context.settings, LEFT_OUT_FEES), paid?.payments ?? []);
  const facts: OrderFacts = defined({
    key,
    source: context.source,
    id,
    number: order.text('number') ?? id,
    total,
    ...partsOf(order, discounts, currency),
    createdAt: createdAtOf(order, zone),
    updatedAt,
    cancelledAt: status === 'cancelled' ? changedAt : undefined,
    paidAt,
    instalments: chosen.instalments,
    // WooCommerce itself does not mark test orders; the plugins of some gateways do.
    test:
      TEST_MODE.some(([name, value]) => own.says(name, value)) &&
      !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOfOrder(order, key, own, context),
    payments,
    refunds,
    lines: [...goods.lines, ...fees.lines],
    differences: [
      ...goods.differences,
      ...fees.differences,
      ...chosen.differences,
      ...(paid?.differences ?? []),
      ...totalDifference(order, total),
      ...CustomFields.leftOut(order, 'meta_data'),
      ...(dated && UNPAID.includes(status)
        ? [`The order has a payment date, but is ${status}: its status says that it is not paid.`]
        : []),
      ...refundDifferences(refunds, paidAt !== undefined),
      ...(dated && status === 'refunded' ? missingRefunds(refunds, inMoney) : []),
    ],
  });
  const isWaiting = !dated && refunds.length === 0;
  return { facts, awaited: isWaiting ? awaitedCharge(order, status, key, inMoney, own, zone) : undefined };
}
