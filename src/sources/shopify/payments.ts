import type { PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import { type AwaitedCharge, byTime, latest, type PaymentDate } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { brandOf, gatewayOf, methodOf, salesOf } from './payment';
import { sumOf } from './refund';

/** Successful sales that are one payment. */
interface Part {
  readonly key: string;
  readonly sales: readonly Payload[];
}

/** The gateway of a sale, empty when it names none. */
function saleGateway(sale: Payload): string {
  return sale.text('gateway') ?? '';
}

/**
 * The successful sales of an order by the payments that they are. Webhooks of one order differ in whether they list
 * sales, and those that do not name the gateways alone: what went through the gateway of the first sale in money is
 * one payment, whose key does not depend on that, and each other sale is a payment of its own.
 */
function partsOf(order: Payload, key: string, zone: string): Part[] {
  const never = new Date(8.64e15);
  const sales = byTime(salesOf(order), (sale) => sale.instant('processed_at', zone) ?? never);
  const money = sales.find((sale) => storeCreditOf(saleGateway(sale)).storeCredit === undefined);
  const [first] = sales;
  if (!first) return [];
  const main = saleGateway(money ?? first);
  const others = sales.filter((sale) => saleGateway(sale) !== main);
  return [
    { key: fullPaymentKey(key), sales: sales.filter((sale) => saleGateway(sale) === main) },
    ...others.map((sale) => ({
      key: paymentKey(key, sale.identifier('id') ?? sale.missing('id')),
      sales: [sale],
    })),
  ];
}

/** Whether the order was paid through several gateways, and nothing says how much through each. */
export function isSplitUnknown(order: Payload): boolean {
  return salesOf(order).length === 0 && new Set(order.texts('payment_gateway_names')).size > 1;
}

/**
 * The payments of an order that is paid in full, the earliest first; none where {@link isSplitUnknown}. One payment is all
 * that came, several are what their sales say.
 * @param came what was paid in all
 * @param dated the date of a payment whose sales have none
 * @throws UnreadablePayload
 */
export function paymentsOf(
  order: Payload,
  key: string,
  came: Money,
  dated: PaymentDate,
  zone: string,
): PaymentFacts[] {
  if (isSplitUnknown(order)) return [];
  const parts = partsOf(order, key, zone);
  if (parts.length < 2) {
    const gateway = gatewayOf(order);
    const places = [...salesOf(order).reverse(), order];
    const one = { key: fullPaymentKey(key), gateway, method: methodOf(places), value: came };
    return [defined({ ...one, brand: brandOf(places), ...storeCreditOf(gateway), ...dated })];
  }
  const payments = parts.map(({ key: ofPart, sales }): PaymentFacts => {
    const places = sales.toReversed();
    const gateway = places.map(saleGateway)[0] ?? '';
    const madeAt = latest(sales.map((sale) => sale.instant('processed_at', zone)));
    return defined({
      ...{ key: ofPart, gateway, method: methodOf(places), value: sumOf(sales, came.currency) },
      brand: brandOf(places),
      ...storeCreditOf(gateway),
      ...(madeAt ? { paidAt: madeAt } : dated),
    });
  });
  return byTime(payments, ({ paidAt }) => paidAt);
}

/** The key of the payment that a sale is part of, by the sale's identifier; undefined where nothing says it. */
export function paymentKeys(
  order: Payload,
  key: string,
  zone: string,
): (sale: string | undefined) => string | undefined {
  const parts = partsOf(order, key, zone);
  if (parts.length < 2) return () => (isSplitUnknown(order) ? undefined : fullPaymentKey(key));
  const keys = new Map(
    parts.flatMap((part) => part.sales.map((sale) => [sale.identifier('id'), part.key] as const)),
  );
  return (sale) => (sale === undefined ? undefined : keys.get(sale));
}

/** Financial statuses that say that the payment will not come. */
const IN_VAIN = ['expired', 'voided'];

/**
 * What an order that is neither paid nor cancelled waits for: where Shopify calls it pending and names a gateway or terms
 * of payment. Undefined where it waits for nothing that is named.
 */
export function awaitedCharge(
  order: Payload,
  key: string,
  total: Money,
  webhook: StoredWebhook,
  zone: string,
): AwaitedCharge | undefined {
  const status = order.word('financial_status') ?? '';
  const expired = IN_VAIN.includes(status);
  if (status !== 'pending' && !expired) return undefined;
  const gateway = gatewayOf(order);
  const terms = order.loosely('payment_terms');
  if (gateway === '' && terms.textIfAny('payment_terms_type') === undefined) return undefined;
  const outstanding = order.money('total_outstanding', total.currency);
  const value = outstanding?.isPositive ? outstanding : total;
  if (!value.isPositive) return undefined;
  const due = terms.firstItems('payment_schedules', 1).map((one) => one.day('due_at', zone))[0];
  const changedAt = order.instant('updated_at', zone) ?? webhook.receivedAt;
  return {
    charge: defined({
      ...{ key: fullPaymentKey(key), gateway, method: methodOf([order]), value },
      dueDate: due,
    }),
    at: expired ? changedAt : (order.instant('created_at', zone) ?? changedAt),
    expired,
  };
}
