import type { RefundFacts, ReturnedItem } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { refundKey } from '../mapping/keys';
import { latest } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import type { Payload } from '../payload';
import { gatewayOf } from './payment';
import { paymentKeys } from './payments';
import { refundedIn } from './presentment';
import { successful, sumOf } from './refund';

/** What of a refund went back through one gateway. */
interface Part {
  readonly id: string;
  readonly transactions: readonly Payload[];
}

/**
 * An order's refunds that returned money; restocks and refunds still on their way are none. What one refund gives back
 * through several gateways is a refund for each of them.
 * @throws UnreadablePayload
 */
export function refundsOf(order: Payload, key: string, currency: string, zone: string): RefundFacts[] {
  const keyOf = paymentKeys(order, key, zone);
  const paidThrough = gatewayOf(order);
  return order.items('refunds', MOST_REFUNDS).flatMap((refund) => {
    const all = partsOf(refund);
    const valueOf = ({ transactions }: Part): Money =>
      // The parts of a refund say nothing of its gateways.
      all.length === 1 ? refundedIn(currency, refund, transactions) : sumOf(transactions, currency);
    const parts = all
      .map((part) => ({ ...part, value: valueOf(part) }))
      .filter(({ value }) => value.isPositive);
    return parts.map(({ id, transactions, value }, index): RefundFacts => {
      const refundedAt =
        latest(transactions.map((transaction) => transaction.instant('processed_at', zone))) ??
        refund.instant('processed_at', zone) ??
        refund.instant('created_at', zone) ??
        refund.missing('created_at');
      const gateway = transactions.at(-1)?.text('gateway') ?? (paidThrough || undefined);
      const returned = index === 0 ? returnedOf(refund) : [];
      return defined({
        ...{ key: refundKey(key, id), value },
        paymentKey: keyOf(transactions.at(-1)?.identifier('parent_id')),
        returned: returned.length > 0 ? returned : undefined,
        gateway,
        ...storeCreditOf(gateway),
        refundedAt,
      });
    });
  });
}

/** The part in money comes first and has the refund's own identifier, which it has too where it is the only part. */
function partsOf(refund: Payload): Part[] {
  const id = (): string => refund.identifier('id') ?? refund.missing('id');
  const byGateway = new Map<string, Payload[]>();
  for (const transaction of successful(refund, ['refund'])) {
    const gateway = transaction.text('gateway') ?? '';
    byGateway.set(gateway, [...(byGateway.get(gateway) ?? []), transaction]);
  }
  const isCredit = (gateway: string): number => (storeCreditOf(gateway).storeCredit ? 1 : 0);
  return [...byGateway]
    .sort(([left], [right]) => isCredit(left) - isCredit(right))
    .map(([, transactions], index) => {
      const [first] = transactions;
      const own = index === 0 ? '' : `.${first?.identifier('id') ?? index}`;
      return { id: `${id()}${own}`, transactions };
    });
}

/** What came back or was put on the shelf again; what was not sent and not restocked did neither. */
function returnedOf(refund: Payload): ReturnedItem[] {
  return refund.items('refund_line_items').flatMap((item) => {
    const restocked = item.textIfAny('restock_type');
    const line = item.loosely('line_item');
    const title = line.textIfAny('title') ?? line.textIfAny('name');
    const quantity = Number(item.textIfAny('quantity'));
    const isKnown = restocked !== undefined && title !== undefined && quantity > 0 && quantity < 1e9;
    if (!isKnown || restocked === 'no_restock') return [];
    return [defined({ title, sku: line.textIfAny('sku'), quantity })];
  });
}
