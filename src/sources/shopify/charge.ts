import type { Money } from '../../kernel/money';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { gatewayOf, methodOf } from './payment';

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
    charge: {
      ...{ key: fullPaymentKey(key), gateway, method: methodOf([order]), value },
      ...definedOnly({ dueDate: due }),
    },
    at: expired ? changedAt : (order.instant('created_at', zone) ?? changedAt),
    expired,
  };
}
