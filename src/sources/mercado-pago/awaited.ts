import { definedOnly } from '../mapping/defined';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { GATEWAY, methodOf, valueOf } from './payment';

/** Ways to pay that the buyer pays after ordering: `ticket` is paid at a counter. */
const PAID_LATER = ['boleto', 'pix', 'ticket'];

/** Whether a payment waits for its buyer, or waited in vain. */
export function isAwaited(payment: Payload): boolean {
  return (
    PAID_LATER.includes(methodOf(payment)) && ['pending', 'cancelled'].includes(payment.word('status') ?? '')
  );
}

/**
 * What a payment waits for that is not made yet: a boleto, a Pix, a slip for a counter. It waited in vain where it is
 * cancelled. A card that is looked at may be refused, and waits for nothing that the buyer could do.
 * @param key the payment's business key
 */
export function awaitedCharge(
  payment: Payload,
  key: string,
  webhook: StoredWebhook,
  zone: string,
): AwaitedCharge | undefined {
  if (!isAwaited(payment)) return undefined;
  const method = methodOf(payment);
  const expired = payment.word('status') === 'cancelled';
  const createdAt = payment.instant('date_created', zone);
  const changedAt = payment.instant('date_last_updated', zone);
  return {
    charge: {
      ...{ key, gateway: GATEWAY, method, value: valueOf(payment) },
      ...definedOnly(method === 'pix' ? codeOf(payment, zone) : slipOf(payment, zone)),
    },
    at: (expired ? changedAt : createdAt) ?? webhook.receivedAt,
    expired,
  };
}

function codeOf(payment: Payload, zone: string) {
  return {
    expiresAt: payment.instant('date_of_expiration', zone),
    line: payment.loosely('point_of_interaction').loosely('transaction_data').textIfAny('qr_code'),
  };
}

/** A slip has its last day alone; its line is the digits that the buyer types, else those of the bars. */
function slipOf(payment: Payload, zone: string) {
  return {
    dueDate: payment.day('date_of_expiration', zone),
    line:
      payment.loosely('transaction_details').textIfAny('digitable_line') ??
      payment.loosely('barcode').textIfAny('content'),
  };
}
