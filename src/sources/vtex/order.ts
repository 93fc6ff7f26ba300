import type { EditFacts, OrderFacts, OrderLine, PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines, sumDifference } from '../mapping/lines';
import type { ReadOrder } from '../mapping/order-events';
import { refundDifferences, sumOf, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { Settings, SourceContext, StoredWebhook } from '../source';
import { customerOf } from './customer';
import { CHANGE, changeDifferences, type Changes, changesOf, paymentDates } from './edits';
import { type Listed, listedPayments } from './listed-payments';
import { awaitedCharge, instalmentsOf, paymentsOf, unlistedPayment } from './payments';
import { refundsOf } from './refunds';
import { ownSellersOf } from './settings';
import { type OrderStatus, statusOf } from './status';
import { Totals } from './totals';
import { amountOf } from './units';

/** An order as VTEX's API has it. @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  id: string,
  webhook: StoredWebhook,
  context: SourceContext,
): ReadOrder {
  const { source, timeZone: zone, settings } = context;
  const key = orderKey(source, id);
  const currency = order.at('storePreferencesData').currency('currencyCode') ?? context.currency;
  const value = amountOf(order, 'value', currency) ?? order.missing('value');
  const createdAt = order.instant('creationDate', zone) ?? order.missing('creationDate');
  const updatedAt = order.instant('lastChange', zone);
  const status = statusOf(order, zone, webhook.receivedAt);
  const totals = new Totals(order, currency);
  const changes = changesOf(order, key, value, totals.part(CHANGE), zone);
  const listed = listedPayments(order, changes.total, value);
  const total = listed.interest ? changes.total.plus(listed.interest) : changes.total;
  const marketplace = marketplaceOf(order);
  const payments = paid(listed, status, key, total, marketplace, changes);
  const changedAt = updatedAt ?? webhook.receivedAt;
  const back = refundsOf(order, { orderKey: key, currency, payments, zone, changedAt });
  const { refunds } = back;
  const goods = readLines(order.items('items'), (item) => lineOf(item, currency));
  const facts: OrderFacts = defined({
    ...{ key, source, id, number: order.text('sequence') ?? id, total },
    discount: totals.amount('Discounts', -1n),
    shipping: totals.amount('Shipping'),
    tax: totals.amount('Tax'),
    marketplace,
    createdAt,
    updatedAt,
    cancelledAt: status.cancelledAt,
    paidAt: status.paid?.paidAt,
    instalments: instalmentsOfOrder(listed),
    test: false,
    customer: customerOf(order, source, key),
    payments,
    refunds,
    ...(changes.edits.length > 0 && { edits: changes.edits }),
    lines: [...goods.lines, ...interestLine(listed.interest)],
    differences: [
      ...goods.differences,
      ...totals.difference(value),
      ...changes.differences,
      ...status.differences,
      ...(status.paid
        ? [
            ...listed.differences,
            ...paymentDifferences(payments, total, changes.edits),
            ...sellerDifferences(order, settings),
            ...changeDifferences(changes.edits, status.paid.paidAt, currency),
          ]
        : []),
      ...refundDifferences(refunds, status.paid !== undefined),
      ...back.differences,
    ],
  });
  const awaited = status.isWaiting ? awaitedCharge(listed.shares, key, createdAt, zone) : undefined;
  return { facts, status: status.name, awaited };
}

/**
 * The payments of an order that is paid. Two kinds of orders list none, and are paid with their whole total: those whose
 * payment VTEX shows with another order of the purchase, and those that a marketplace sold and was paid for.
 */
function paid(
  listed: Listed,
  { paid: date }: OrderStatus,
  key: string,
  total: Money,
  marketplace: string | undefined,
  changes: Changes,
): PaymentFacts[] {
  if (date === undefined) return [];
  const { shares } = listed;
  if (shares.length > 0) return paymentsOf(shares, key, marketplace, paymentDates(shares, changes, date));
  const isWhole = (listed.isElsewhere || marketplace !== undefined) && total.isPositive;
  return isWhole ? [unlistedPayment({ place: undefined, value: total }, key, marketplace, date)] : [];
}

/** An order that was changed lists what was paid for it as it was, or as it is now. */
function paymentDifferences(
  payments: readonly PaymentFacts[],
  total: Money,
  edits: readonly EditFacts[],
): string[] {
  if (payments.length === 0)
    return total.isPositive
      ? [`The order of ${total.withCurrency()} is paid, and VTEX names no payment: enter it by hand.`]
      : [];
  const paid = payments.map(({ value }) => value.minor);
  const now = total.minor + sumOfValues(edits);
  return sumOf(paid) === now ? [] : sumDifference('The payments come to', paid, total);
}

function instalmentsOfOrder({ shares }: Listed): number {
  return Math.max(1, ...shares.map((share) => instalmentsOf(share) ?? 1));
}

function lineOf(item: Payload, currency: string): OrderLine {
  const title = item.text('name') ?? item.missing('name');
  const sku = item.text('refId') ?? item.text('sellerSku') ?? item.text('id');
  const price = amountOf(item, 'price', currency) ?? item.missing('price');
  return lineOfPrice(title, sku, quantityOf(item, 'quantity'), price);
}

function interestLine(interest: Money | undefined): OrderLine[] {
  return interest ? [lineOfPrice('Juros do parcelamento', undefined, 1_000_000n, interest)] : [];
}

/** Most sellers of one order that are read: VTEX makes an order for each. */
const MOST_SELLERS = 50;
/** What VTEX calls the flow of an order that a marketplace sold: this shop delivers it, or has another seller deliver it. */
const DELIVERED_HERE = 'fulfillment';
const HANDED_ON = 'chain';
const SHOWN = /^[\w.-]{1,60}$/;

/**
 * Who sold the order and was paid for it, where that was a marketplace: its name, else its identifier as an affiliate;
 * undefined where this shop sold it.
 */
function marketplaceOf(order: Payload): string | undefined {
  if (![DELIVERED_HERE, HANDED_ON].includes(flowOf(order))) return undefined;
  return order.loosely('marketplace').textIfAny('name') ?? order.text('affiliateId') ?? 'marketplace';
}

function flowOf(order: Payload): string {
  return order.text('origin')?.toLowerCase() ?? '';
}

/** A sentence where another company delivers what this shop sold or handed on: a part of the money is that company's. */
function sellerDifferences(order: Payload, settings: Settings): string[] {
  if (flowOf(order) === DELIVERED_HERE) return [];
  const own = ownSellersOf(settings);
  const sellers = order.firstItems('sellers', MOST_SELLERS).map((seller) => seller.textIfAny('id') ?? '');
  const others = sellers.filter((id) => id !== '' && !own.includes(id));
  if (others.length === 0) return [];
  const names = others.map((id) => (SHOWN.test(id) ? id : 'another')).join(', ');
  return [
    `The order is delivered by the seller ${names}: a part of what was paid is the seller's, unless ownSellers names it.`,
  ];
}
