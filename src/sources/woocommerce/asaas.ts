import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { parseDay, parseInstant } from '../instant';
import type { CustomFields } from '../mapping/custom-fields';
import { moneyOf, partOf } from '../mapping/lines';
import { ifReadable, Payload } from '../payload';

/** The payment as Asaas's plugin wrote it into the order when it was made: JSON as text; undefined where it is none. */
function paymentIn(own: CustomFields): Payload | undefined {
  const text = own.first(['asaasorder']);
  if (text === undefined) return undefined;
  return ifReadable(() => Payload.parse(Buffer.from(text)));
}

/** What Asaas keeps of an order's one payment; undefined where it is one of several instalments, or nothing says it. */
export function asaasFee(own: CustomFields, total: Money): Money | undefined {
  const payment = paymentIn(own);
  if (payment?.textIfAny('netValue') === undefined || payment.textIfAny('value') === undefined)
    return undefined;
  const value = partOf(payment, 'value', total.currency);
  const net = partOf(payment, 'netValue', total.currency);
  if (value !== total.minor || net === undefined) return undefined;
  return moneyOf([value, -net], total.currency);
}

/** How a boleto or Pix of Asaas is paid, and until when; empty where the order has none. */
export function asaasCharge(
  own: CustomFields,
  zone: string,
): { line?: string | undefined; dueDate?: CalendarDate | undefined; expiresAt?: Date | undefined } {
  const payment = paymentIn(own);
  if (payment === undefined) return {};
  const line = payment.textIfAny('payload');
  const due = payment.textIfAny('dueDate');
  const expiry = payment.textIfAny('expirationDate');
  const isPix = payment.textIfAny('billingType') === 'PIX';
  return {
    line,
    dueDate: isPix || due === undefined ? undefined : parseDay(due, zone),
    expiresAt: expiry === undefined ? undefined : parseInstant(expiry, zone),
  };
}
