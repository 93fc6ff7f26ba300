import type { DisputeFacts, OrderFacts, OrderLine } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import type { ReadOrder } from '../mapping/order-events';
import { refundDifferences } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { billingIn } from './answers';
import { customerOf } from './customer';
import { type OrderMoney, readMoney } from './money';
import { awaitedCharge, instalmentsOf, sumIn } from './payments';
import { disputeOf } from './refunds';
import { type OrderStatus, statusOfOrder } from './status';

/** Who sold the order, as people call it. */
const MARKETPLACE = 'Mercado Livre';
const TEST_TAG = 'test_order';
const MILLION = 1_000_000n;

export interface MercadoLivreOrder extends ReadOrder {
  /** Payments that were taken back. */
  readonly disputes: readonly DisputeFacts[];
  /** Whether a payment does not say any more on which day its money was to be released. */
  readonly isReplanned: boolean;
}

/** An order as Mercado Livre's API has it, with its payments as they were asked for. @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  id: string,
  webhook: StoredWebhook,
  { source, timeZone: zone, settings }: SourceContext,
): MercadoLivreOrder {
  const key = orderKey(source, id);
  const currency = order.currency('currency_id') ?? order.missing('currency_id');
  const goods = order.amount('total_amount', currency) ?? order.missing('total_amount');
  const createdAt = order.instant('date_created', zone) ?? order.missing('date_created');
  const updatedAt = order.instant('last_updated', zone);
  const changedAt = updatedAt ?? webhook.receivedAt;
  const ownShipping = flagSetting(settings, 'ownShipping');
  const closedAt = order.instant('date_closed', zone);
  const money = readMoney(order, { orderKey: key, currency, ownShipping, closedAt }, webhook, zone);
  const shipping = ownShipping ? shippingOf(money, currency) : undefined;
  const total = shipping ? sumIn(order, 'total_amount', goods, shipping) : goods;
  const status = statusOfOrder(order, total, money, changedAt, zone);
  const items = order.items('order_items');
  const lines = readLines(items, (item) => lineOf(item, currency));
  const commission = commissionOf(items, currency);
  const test = order.texts('tags').includes(TEST_TAG) && !flagSetting(settings, 'bookTestOrders');
  const disputes = money.brought.flatMap(
    (paid) => disputeOf(paid, { source, key, test }, changedAt, zone) ?? [],
  );
  const wentBack = money.refunds.length > 0 || disputes.some(({ state }) => state !== 'won');
  const facts: OrderFacts = defined({
    ...{ key, source, id, number: order.text('pack_id') ?? id, total },
    shipping,
    commission: commission.value,
    ...{ marketplace: MARKETPLACE, createdAt },
    updatedAt,
    cancelledAt: cancelledAt(status, money),
    paidAt: status.paidAt,
    instalments: Math.max(1, ...money.live.map(({ place }) => instalmentsOf(place) ?? 1)),
    test,
    customer: customerOf(order, billingIn(webhook), source, key),
    payments: money.payments,
    refunds: money.refunds,
    lines: lines.lines,
    differences: [
      ...lines.differences,
      ...goodsDifference(items, goods),
      ...status.differences,
      ...moneyDifferences(money, commission, status.paidAt !== undefined),
      ...(wentBack ? keptDifference(commission.value) : []),
    ],
  });
  const ended = status.cancelledAt !== undefined;
  const awaited =
    money.brought.length === 0 ? awaitedCharge(money.all, ended, createdAt, changedAt, zone) : undefined;
  return { facts, status: status.name, awaited, disputes, isReplanned: money.isReplanned };
}

/** A paid sale whose buyer was paid by Mercado Livre's own programme stands: the seller keeps the money, as a sentence says. */
function cancelledAt(status: OrderStatus, { isCovered }: OrderMoney): Date | undefined {
  return isCovered && status.paidAt !== undefined ? undefined : status.cancelledAt;
}

/** Sentences about the money that came and went back, and about what Mercado Livre kept of it. */
function moneyDifferences(money: OrderMoney, commission: Commission, isPaid: boolean): string[] {
  return [
    ...money.differences,
    ...refundDifferences(money.refunds, isPaid),
    ...(money.payments.length > 0 ? commission.differences : []),
  ];
}

/** What the buyer pays for the delivery; a payment that failed pays nothing. */
function shippingOf({ live }: OrderMoney, currency: string): Money | undefined {
  return moneyOf(
    live.map(({ shipping }) => shipping?.minor ?? 0n),
    currency,
  );
}

function lineOf(line: Payload, currency: string): OrderLine {
  const item = line.at('item');
  const title = item.text('title') ?? item.missing('title');
  const sku = item.textIfAny('seller_sku') ?? item.textIfAny('seller_custom_field') ?? item.textIfAny('id');
  const price = line.amount('unit_price', currency) ?? line.missing('unit_price');
  return lineOfPrice(title, sku, quantityOf(line, 'quantity'), price);
}

/** A sentence where the prices do not come to the total, as far as they can be read. */
function goodsDifference(items: readonly Payload[], goods: Money): string[] {
  const prices = items.map((item) => {
    const price = item.has('unit_price') ? partOf(item, 'unit_price', goods.currency) : undefined;
    const scaled = price === undefined ? undefined : price * quantityOf(item, 'quantity');
    return scaled === undefined || scaled % MILLION !== 0n ? undefined : scaled / MILLION;
  });
  return sumDifference('The items come to', prices, goods);
}

/** What Mercado Livre kept of a sale that went back: the order does not say whether it came back too. */
function keptDifference(commission: Money | undefined): string[] {
  return commission
    ? [
        `Money went back to the buyer. How much of the commission of ${commission.toString()} ${commission.currency} came back to the seller is in Mercado Livre's statement (faturamento) alone: enter what did.`,
      ]
    : [];
}

/** What Mercado Livre keeps of an order for having sold it. */
interface Commission {
  /** Undefined where it is nothing, or not told. */
  readonly value: Money | undefined;
  readonly differences: string[];
}

/**
 * The fee of one piece times the pieces, over all items.
 * @throws UnreadablePayload where an item has no quantity
 */
function commissionOf(items: readonly Payload[], currency: string): Commission {
  const fees = items.map((item) => feeOf(item, currency));
  const isKnown = fees.length > 0 && fees.every((fee) => fee !== undefined);
  return isKnown
    ? { value: moneyOf(fees, currency), differences: [] }
    : {
        value: undefined,
        differences: [
          'Mercado Livre does not say its commission for all of the order: enter it from the statement (faturamento).',
        ],
      };
}

/** In minor units; undefined where it is not told, or not to the cent. */
function feeOf(item: Payload, currency: string): bigint | undefined {
  const fee = item.has('sale_fee') ? partOf(item, 'sale_fee', currency) : undefined;
  if (fee === undefined || fee < 0n) return undefined;
  const scaled = fee * quantityOf(item, 'quantity');
  return scaled % MILLION === 0n ? scaled / MILLION : undefined;
}
