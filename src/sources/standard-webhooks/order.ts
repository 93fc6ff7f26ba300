import type {
  EditFacts,
  OrderEventType,
  OrderFacts,
  OrderLine,
  PaymentFacts,
  RefundFacts,
  ReturnedItem,
} from '../../events/event';
import { MOST_EDITS, MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { editKey, orderKey, paymentKey, refundKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { byTime, latest, sinceOwed } from '../mapping/order-events';
import { moneyOr, sumOf, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { amountOf, changeOf, partOf } from './amounts';
import { readBuyer } from './customer';
import {
  type PaymentContext,
  type PaymentDefaults,
  paymentDifferences,
  readCharge,
  readPayment,
  readPayments,
  readTerms,
} from './payments';

/**
 * The payments of an order. A message `order.paid` without a list is about its one payment, or the one that it names:
 * without a value, of the whole total.
 */
function paymentsOf(
  order: Payload,
  type: OrderEventType,
  defaults: PaymentDefaults,
  context: PaymentContext,
): PaymentFacts[] {
  const listed = readPayments(order, context);
  if (type !== 'order.paid' || (listed.length > 0 && !order.has('payment'))) return listed;
  const payment = readPayment(order.at('payment'), defaults, context);
  if (listed.some(({ key }) => key === payment.key)) return listed;
  return byTime([...listed, payment], ({ paidAt }) => paidAt);
}

function refundsOf(
  order: Payload,
  sentAt: Date,
  payments: readonly PaymentFacts[],
  { orderKey: key, currency, timeZone }: PaymentContext,
): RefundFacts[] {
  const only = onlyGateway(payments);
  return order.items('refunds', MOST_REFUNDS).map((refund) => {
    const value = amountOf(refund, 'value', currency) ?? refund.missing('value');
    if (value.isZero) refund.fail('value', 'is zero');
    const id = refund.identifier('paymentId');
    const ofPayment = id === undefined ? undefined : paymentKey(key, id);
    const paidBy = payments.find((payment) => payment.key === ofPayment);
    const returned = returnedOf(refund);
    return defined({
      key: refundKey(key, refund.identifier('id') ?? refund.missing('id')),
      value,
      paymentKey: ofPayment,
      returned: returned.length > 0 ? returned : undefined,
      gateway:
        refund.text('gateway') ??
        (paidBy?.gateway || order.at('payment').text('gateway') || (id === undefined ? only : undefined)),
      ...(refund.flag('storeCredit') && { storeCredit: true }),
      refundedAt: refund.instant('refundedAt', timeZone) ?? sentAt,
    });
  });
}

/** The gateway that all money of the order came through; undefined: there are several, or none is known. */
function onlyGateway(payments: readonly PaymentFacts[]): string | undefined {
  const [first, ...others] = payments.filter(({ storeCredit }) => !storeCredit);
  return first && others.every(({ gateway }) => gateway === first.gateway)
    ? first.gateway || undefined
    : undefined;
}

function returnedOf(refund: Payload): ReturnedItem[] {
  return refund.items('returned').map((item) =>
    defined({
      title: item.text('title') ?? item.missing('title'),
      sku: item.text('sku'),
      quantity: Number(quantityOf(item, 'quantity')) / 1e6,
    }),
  );
}

function editsOf(order: Payload, { orderKey: key, currency, timeZone }: PaymentContext): EditFacts[] {
  const keys = new Set<string>();
  const edits = order.items('edits', MOST_EDITS).map((edit) => {
    const ofEdit = editKey(key, edit.identifier('id') ?? edit.missing('id'));
    if (keys.has(ofEdit)) edit.fail('id', 'is that of another edit');
    keys.add(ofEdit);
    const editedAt = edit.instant('editedAt', timeZone) ?? edit.missing('editedAt');
    return { key: ofEdit, value: changeOf(edit, 'value', currency), editedAt };
  });
  return byTime(edits, ({ editedAt }) => editedAt);
}

/** What the order came to before its edits. The message's total has them in it. */
function totalBefore(order: Payload, total: Money, edits: readonly EditFacts[]): Money {
  const minor = total.minor - sumOfValues(edits);
  if (minor < 0n) order.fail('edits', 'come to more than the total');
  return moneyOr(minor, total.currency, (error) =>
    order.fail('edits', `cannot be added up: ${error.message}`),
  );
}

function lineOf(line: Payload, currency: string, differences: string[]): OrderLine {
  const title = line.text('title') ?? line.missing('title');
  const price = amountOf(line, 'price', currency) ?? line.missing('price');
  return defined({
    ...lineOfPrice(title, line.text('sku'), quantityOf(line, 'quantity'), price),
    discount: partOf(line, 'discount', currency, differences),
    tax: partOf(line, 'tax', currency, differences),
    ...(line.flag('giftCard') && { giftCard: true }),
  });
}

/** What the total is made of besides the goods, as far as the message says. */
function partsOf(order: Payload, currency: string, differences: string[]) {
  return definedOnly({
    discount: partOf(order, 'discount', currency, differences),
    shipping: partOf(order, 'shipping', currency, differences),
    tax: partOf(order, 'tax', currency, differences),
    tip: partOf(order, 'tip', currency, differences),
    commission: partOf(order, 'commission', currency, differences),
    marketplace: order.textIfAny('marketplace'),
  });
}

/**
 * A sentence where the payments come to more than the order did when the last of them was made; payments to come may still
 * make up for less, and what the order was lowered by afterwards is given back by a refund.
 */
function overpaid(payments: readonly PaymentFacts[], edits: readonly EditFacts[], total: Money): string[] {
  const last = payments.at(-1);
  if (!last) return [];
  const asked = edits
    .filter(({ editedAt }) => editedAt <= last.paidAt)
    .reduce((sum, { value }) => sum.plus(value), total);
  const paid = payments.map(({ value }) => value.minor);
  const isMore = sumOf(paid) > asked.minor;
  return isMore ? sumDifference('The payments come to', paid, asked) : [];
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
  const asked = amountOf(order, 'total', currency) ?? order.missing('total');
  const about = { orderKey: key, currency, timeZone: zone };
  const changes = editsOf(order, about);
  const { total, edits } = sinceOwed(totalBefore(order, asked, changes), changes);
  const defaults = {
    // Of an order that was edited, before or after it was paid, only the shop knows what was paid.
    value: changes.length > 0 ? undefined : total,
    paidAt: order.instant('paidAt', zone) ?? sentAt,
  };
  const odd: string[] = [];
  const terms = readTerms(order, total, zone, odd);
  const instalments = instalmentsIn(order, 'instalments');
  const payments = paymentsOf(order, type, defaults, about).map((payment) =>
    // The parts of what was agreed are payments of their own, each made at once unless it says otherwise.
    terms && instalments === undefined ? { instalments: 1, ...payment } : payment,
  );
  const refunds = refundsOf(order, sentAt, payments, about);
  if (type === 'order.refunded' && refunds.length === 0) order.missing('refunds');
  if (type === 'order.edited' && changes.length === 0) order.missing('edits');
  const waits = type === 'order.pending' || type === 'order.expired';
  const cancelledAt = order.instant('cancelledAt', zone) ?? (type === 'order.cancelled' ? sentAt : undefined);
  const { lines, differences } = readLines(order.items('lines'), (line) => lineOf(line, currency, odd));
  const createdAt = order.instant('createdAt', zone) ?? order.missing('createdAt');
  const facts: OrderFacts = defined({
    key,
    source: context.source,
    id,
    number: order.text('number') ?? id,
    total,
    ...partsOf(order, currency, odd),
    createdAt,
    updatedAt: order.instant('updatedAt', zone),
    cancelledAt,
    paidAt: order.instant('paidAt', zone) ?? latest(payments.map(({ paidAt }) => paidAt)),
    instalments: instalments ?? terms?.length ?? 1,
    terms,
    test: order.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
    customer: readBuyer(order.at('customer'), context, key),
    payments,
    ...(waits && { charge: readCharge(order, asked, about) }),
    refunds,
    ...(edits.length > 0 && { edits }),
    lines,
    differences: [
      ...differences,
      ...odd,
      ...paymentDifferences(payments),
      ...overpaid(payments, edits, total),
    ],
  });
  const times: Partial<Record<OrderEventType, Date | undefined>> = {
    'order.created': createdAt,
    'order.edited': latest(changes.map((edit) => edit.editedAt)),
    'order.cancelled': cancelledAt,
    'order.refunded': latest(refunds.map((refund) => refund.refundedAt)),
  };
  return { order: facts, occurredAt: times[type] ?? sentAt };
}
