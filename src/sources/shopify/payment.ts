import type { RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { sumDifference } from '../mapping/lines';
import { earliest, latest, type PaymentDate } from '../mapping/order-events';
import { parseInstant } from '../instant';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { successful, sumOf } from './refund';

/** Financial statuses that say that money went back, and not how much of the order had been paid before. */
const WENT_BACK = ['refunded', 'partially_refunded'];

/** Ways to pay that are paid after the order is placed, as gateways and Shopify's manual methods are named. */
const PAID_LATER =
  /boleto|\bmanual\b|dep[oó]sit|transfer|\bcash\b|cash_on_delivery|money.?order|\bcod\b|entrega/i;

/**
 * A gateway takes Pix within minutes, and the staff of a shop that takes it by itself say days later that it came. An order of a
 * list has the time of its last change alone, which may be long after either.
 */
const PIX = /\bpix\b/i;

/** The transactions that brought money. */
export function salesOf(order: Payload): Payload[] {
  return successful(order, ['sale', 'capture']);
}

/** Whether a financial status says that money went back. */
export function isRefundedStatus(status: string | undefined): boolean {
  return status !== undefined && WENT_BACK.includes(status);
}

/**
 * Whether the order has been paid in full. `paid` says so. `refunded` and `partially_refunded` do not: there the
 * transactions say what came in; without them, that nothing is outstanding, or that all of it went back.
 * @param cost what the order costs without what was taken off it
 * @throws UnreadablePayload when the status denies the topic `orders/paid`
 */
export function isPaidInFull(
  order: Payload,
  topic: string,
  cost: Money,
  refunds: readonly RefundFacts[],
): boolean {
  const status = order.word('financial_status');
  if (isRefundedStatus(status)) return cameInFull(order, cost, refunds);
  if (topic !== 'orders/paid') return status === 'paid';
  if (status !== undefined && status !== 'paid') {
    order.fail('financial_status', 'does not say paid, although the topic is orders/paid');
  }
  return true;
}

function cameInFull(order: Payload, cost: Money, refunds: readonly RefundFacts[]): boolean {
  const sales = salesOf(order);
  if (sales.length > 0) return sumOf(sales, cost.currency).minor >= cost.minor;
  const outstanding = order.money('total_outstanding', cost.currency);
  if (outstanding) return !outstanding.isPositive;
  return sumOfValues(refunds) >= cost.minor;
}

/** When Shopify raised the event; else the order's last change; else when the webhook came. */
function eventTime(order: Payload, webhook: StoredWebhook, zone: string): { at: Date; by: string } {
  const { triggeredAt } = webhook.attributes;
  const raised = triggeredAt === undefined ? undefined : parseInstant(triggeredAt, zone);
  if (raised) return { at: raised, by: 'the time of the event' };
  const changed = order.instant('updated_at', zone);
  return changed
    ? { at: changed, by: 'updated_at' }
    : { at: webhook.receivedAt, by: 'the receipt of the webhook' };
}

/** When the order was placed: `processed_at`, which orders taken over from elsewhere keep; else `created_at`. */
function placed(order: Payload, zone: string): { at: Date; by: string } {
  const at = order.instant('processed_at', zone);
  if (at) return { at, by: 'processed_at' };
  return { at: order.instant('created_at', zone) ?? order.missing('created_at'), by: 'created_at' };
}

/** Whether the buyer was to pay after ordering: by payment terms, or in a way that may take days. */
function isPaidLater(order: Payload, { attributes }: StoredWebhook): boolean {
  const hasTerms = order.loosely('payment_terms').textIfAny('payment_terms_type') !== undefined;
  const gateway = gatewayOf(order);
  return hasTerms || PAID_LATER.test(gateway) || (attributes.triggeredAt !== undefined && PIX.test(gateway));
}

/**
 * When the payment was made, and by what evidence when that is inferred. The last successful sale or capture says it, else
 * the event `orders/paid`, else `orders/create`: what is created as paid was paid when it was placed. Any other event
 * only says that it has been paid by then, perhaps long before: the payment is then dated when the order was placed,
 * or, where the buyer was to pay later, at that event. It is never dated after a refund, nor after the order's cancellation
 * unless `orders/paid` says so: an order that is told as cancelled and paid was paid by then, as far as anybody can say.
 */
export function paidAtOf(
  order: Payload,
  webhook: StoredWebhook,
  zone: string,
  refunds: readonly RefundFacts[],
): PaymentDate {
  const made = latest(salesOf(order).map((sale) => sale.instant('processed_at', zone)));
  if (made) return { paidAt: made };
  const event = eventTime(order, webhook, zone);
  const isEvent =
    webhook.topic === 'orders/paid' || (webhook.topic !== 'orders/create' && isPaidLater(order, webhook));
  const { at, by } = isEvent ? event : placed(order, zone);
  const firstRefund = earliest(refunds.map((refund) => refund.refundedAt));
  const cancelledAt = webhook.topic === 'orders/paid' ? undefined : order.instant('cancelled_at', zone);
  const limit = earliest([firstRefund, cancelledAt]);
  if (limit && limit < at)
    return { paidAt: limit, datedBy: limit === firstRefund ? 'its first refund' : 'its cancellation' };
  const isKnown =
    webhook.topic === 'orders/create' || (webhook.topic === 'orders/paid' && by === 'the time of the event');
  return isKnown ? { paidAt: at } : { paidAt: at, datedBy: by };
}

/** The gateway of the last successful payment; without transactions, the last one the order lists. */
export function gatewayOf(order: Payload): string {
  return (
    salesOf(order).at(-1)?.text('gateway') ??
    order.texts('payment_gateway_names').at(-1) ??
    order.text('gateway') ??
    ''
  );
}

/** The method of the first of these sales, or the order, that names one. */
export function methodOf(places: readonly Payload[]): string {
  return firstDetail(places, ['payment_method_name', 'credit_card_company']) ?? '';
}

/** The card's brand of the first of these sales, or the order, that names one. */
export function brandOf(places: readonly Payload[]): string | undefined {
  return firstDetail(places, ['credit_card_company']);
}

function firstDetail(places: readonly Payload[], keys: readonly string[]): string | undefined {
  for (const details of places.map((place) => place.loosely('payment_details')))
    for (const key of keys) {
      const text = details.textIfAny(key);
      if (text !== undefined) return text;
    }
  return undefined;
}

/** What a person reads of an order of which no payment is told although it is paid. */
export const SPLIT_UNKNOWN =
  'The order was paid through more than one gateway, and the webhook does not say how much through each: Ponte cannot book the payment, so book it by hand.';

/** A part of an order is booked when all of it is paid, and that will not be. */
const PARTLY_PAID =
  'The order was cancelled when a part of it was paid, and that part is not booked: see in Shopify whether it went back, and enter what did not.';

/**
 * Sentences about an order that is paid, or of which money went back, where its amounts say otherwise.
 * @param cost what the order came to when it was paid
 */
export function paymentDifferences(order: Payload, cost: Money, isPaid: boolean): string[] {
  if (order.word('financial_status') === 'partially_paid' && order.has('cancelled_at')) return [PARTLY_PAID];
  if (!isPaid && !isRefundedStatus(order.word('financial_status'))) return [];
  const { currency } = cost;
  const sales = salesOf(order);
  const paid = sales.length > 0 ? [sumOf(sales, currency).minor] : [];
  const outstanding = order.money('total_outstanding', currency);
  const status = order.word('financial_status') ?? 'paid';
  return [
    ...sumDifference('The payments come to', paid, cost),
    ...(outstanding?.isPositive
      ? [`The order is ${status}, but ${outstanding.toString()} ${currency} is said to be outstanding.`]
      : []),
  ];
}
