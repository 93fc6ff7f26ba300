import type { Money } from '../../kernel/money';
import { parseDay, parseInstant } from '../instant';
import { isoOfBrazilian } from '../mapping/brazilian-dates';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import { GATEWAY } from './gateway';

/** The boleto or Pix that an order waits for. What cannot be read of its dates is left out: nothing is booked by them. */
export function awaitedCharge(
  order: Payload,
  orderKey: string,
  value: Money,
  at: Date,
  zone: string,
): AwaitedCharge {
  const due = isoOfBrazilian(order.text('boleto_expiry_date'));
  const expiry = isoOfBrazilian(order.text('pix_expiration'));
  return {
    charge: {
      ...{
        key: fullPaymentKey(orderKey),
        gateway: GATEWAY,
        method: order.text('payment_method') ?? '',
        value,
      },
      ...definedOnly({
        dueDate: due === undefined ? undefined : parseDay(due, zone),
        expiresAt: expiry === undefined ? undefined : parseInstant(expiry, zone),
        line: order.text('boleto_barcode') ?? order.text('pix_code'),
      }),
    },
    at,
    expired: false,
  };
}
