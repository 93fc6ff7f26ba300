import type { OrderFacts, OrderLine } from '../../events/event';
import type { Money } from '../../kernel/money';
import { readInstalments } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { latest, type ReadOrder } from '../mapping/order-events';
import { parseInstant } from '../instant';
import { refundDifferences } from '../mapping/sums';
import type { Payload } from '../payload';
import type { SourceContext, StoredWebhook } from '../source';
import { awaitedCharge } from './charge';
import { customerOfOrder } from './customer';
import { gatewayOf, readMoney } from './payments';
import { capturesOf } from './transactions';

/** Statuses of a payment that will not come any more. */
const ENDED = ['voided', 'abandoned'];

/**
 * @param transactions of the order; undefined where the app may not read them
 * @throws UnreadablePayload
 */
export function readOrder(
  order: Payload,
  transactions: readonly Payload[] | undefined,
  webhook: StoredWebhook,
  context: SourceContext,
): ReadOrder {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = order.currency('currency') ?? context.currency;
  const total = order.amount('total', currency) ?? order.missing('total');
  const status = order.word('payment_status') ?? order.missing('payment_status');
  const updatedAt = order.instant('updated_at', zone);
  const createdAt = createdAtOf(order, zone) ?? updatedAt ?? order.missing('created_at');
  const changedAt = updatedAt ?? webhook.receivedAt;
  const cancelledAt = cancelledAtOf(order, changedAt, zone);
  const captures = capturesOf(order, transactions ?? [], key, currency, zone);
  const money = readMoney({ order, key, total, status, changedAt, cancelledAt, captures, zone });
  const goods = readLines(order.items('products'), (line) => lineOf(line, currency));
  const chosen = readInstalments([instalmentsIn(order, captures[0]?.transaction)]);
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number: order.text('number') ?? id, total },
    ...partsOf(order, currency),
    createdAt,
    ...{ updatedAt, cancelledAt },
    paidAt: money.isPaid
      ? (order.instant('paid_at', zone) ?? latest(money.payments.map(({ paidAt }) => paidAt)))
      : undefined,
    marketplace: order.text('storefront') === 'meli' ? 'mercado_livre' : undefined,
    instalments: chosen.instalments,
    test: false,
    customer: customerOfOrder(order, key, context),
    ...{ payments: money.payments, refunds: money.refunds, lines: goods.lines },
    differences: [
      ...goods.differences,
      ...chosen.differences,
      ...totalDifference(order, total),
      ...money.differences,
      ...refundDifferences(money.refunds, money.isPaid),
    ],
  });
  const ended = ENDED.includes(status) || cancelledAt !== undefined;
  const isWaiting = money.payments.length === 0 && !order.has('paid_at') && (ended || status === 'pending');
  const waiting = { order, orderKey: key, total, gateway: gatewayOf(order), ended, createdAt, changedAt };
  return { facts, status, awaited: isWaiting ? awaitedCharge(waiting, transactions ?? [], zone) : undefined };
}

/**
 * When the order was made. One that the shop made by hand (a draft) may have no such time, which Nuvemshop writes as the
 * year -1; when it was completed stands in an object of its own then.
 */
function createdAtOf(order: Payload, zone: string): Date | undefined {
  if (!order.text('created_at')?.startsWith('-')) return order.instant('created_at', zone);
  const completed = order.loosely('completed_at').textIfAny('date');
  return completed === undefined ? undefined : parseInstant(completed, 'UTC');
}

function cancelledAtOf(order: Payload, changedAt: Date, zone: string): Date | undefined {
  if (order.text('status') !== 'cancelled') return undefined;
  return order.instant('cancelled_at', zone) ?? changedAt;
}

function instalmentsIn(order: Payload, transaction: Payload | undefined): string | undefined {
  return (
    transaction?.at('info').at('installments').text('quantity') ??
    order.loosely('payment_details').textIfAny('installments')
  );
}

function partsOf(order: Payload, currency: string) {
  const part = (name: string): Money | undefined => moneyOf([partOf(order, name, currency)], currency);
  return definedOnly({ discount: part('discount'), shipping: part('shipping_cost_customer') });
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('name') ?? line.missing('name');
  const price = line.amount('price', currency) ?? line.missing('price');
  return lineOfPrice(title, line.text('sku'), quantityOf(line, 'quantity'), price);
}

/**
 * A sentence where goods and shipping do not come to the total. Whether the subtotal has the discount in it is not
 * documented, so that either is taken.
 */
function totalDifference(order: Payload, total: Money): string[] {
  if (!order.has('subtotal')) return [];
  const [goods, shipping, discount] = ['subtotal', 'shipping_cost_customer', 'discount'].map((name) =>
    partOf(order, name, total.currency),
  );
  if (goods === undefined || shipping === undefined || discount === undefined) return [];
  const sum = goods + shipping;
  return sum === total.minor || sum - discount === total.minor
    ? []
    : sumDifference('Goods and shipping less discounts come to', [sum - discount], total);
}
