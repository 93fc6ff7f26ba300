import type { Money } from '../../kernel/money';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import { dayOf, instantOf } from './dates';
import { gatewayOf, methodOf, transactionsOf } from './transactions';

/** Ways to pay that are paid after the order is placed. */
const PAID_LATER = ['boleto', 'pix', 'deposit'];

/** The boleto, Pix or deposit that an order waits for; undefined where it waits for nothing, or for a card's acquirer. */
export function awaitedCharge(
  order: Payload,
  orderKey: string,
  total: Money,
  createdAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const transaction = transactionsOf(order).findLast((one) => !one.flag('cancelled'));
  const method = methodOf(transaction, order);
  if (!PAID_LATER.includes(method) || !total.isPositive) return undefined;
  const pix = pixOf(order, transaction);
  return {
    charge: {
      ...{ key: fullPaymentKey(orderKey), gateway: gatewayOf(transaction), method, value: total },
      ...definedOnly({
        dueDate: transaction && dayOf(transaction, 'billet_date', zone),
        expiresAt: pix && instantOf(pix, 'pix_expiration_date', zone),
        line: transaction?.text('billet_barcode') ?? pix?.text('pix_qr_code'),
      }),
    },
    at: (transaction && instantOf(transaction, 'created_at', zone)) ?? createdAt,
    expired: false,
  };
}

/** Where the text of a Pix is: at the transaction, or at the order; both hold an empty list where there is none. */
function pixOf(order: Payload, transaction: Payload | undefined): Payload | undefined {
  const places = [transaction?.loosely('metadata').loosely('data'), order.loosely('pix').loosely('data')];
  return places.find((place) => place?.has('pix_qr_code') || place?.has('pix_expiration_date'));
}
