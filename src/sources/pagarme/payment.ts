import type { ChargeFacts, DisputeFacts, PaymentFacts } from '../../events/event';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { chargeDate } from '../mapping/charges';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { disputeKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import { parseDay } from '../instant';
import type { Payload } from '../payload';
import type { SourceContext, StoredWebhook } from '../source';
import { type Charge, GATEWAY, leftOf, PAID_LATER } from './charge';
import { ZONE } from './operations';

/** Statuses of a charge that will not be paid any more. */
export const IN_VAIN = ['canceled', 'failed'];

/** How many instalments the buyer chose; undefined where the charge does not say. */
export function instalmentsOf({ place }: Charge): number | undefined {
  return instalmentsIn(place.at('last_transaction'), 'installments');
}

/** The payment that a charge is. @param key its business key */
export function paymentOf(charge: Charge, key: string, value: Money): PaymentFacts {
  return defined({
    ...{ key, gateway: GATEWAY, method: charge.method, value },
    brand: charge.place.at('last_transaction').loosely('card').textIfAny('brand'),
    instalments: instalmentsOf(charge),
    ...chargeDate(charge.place, ZONE),
  });
}

/**
 * What an order of which nothing is paid waits for: the last boleto or Pix that is open. It waited in vain where the last
 * of them will not be paid any more; a card that is refused may be followed by another, and waits for nothing.
 */
export function awaitedCharge(
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
  { receivedAt }: StoredWebhook,
): AwaitedCharge | undefined {
  const later = charges.filter(({ method }) => PAID_LATER.includes(method));
  const open = later.findLast(({ status }) => status === 'pending');
  const charge = open ?? later.findLast(({ status }) => IN_VAIN.includes(status));
  if (charge === undefined) return undefined;
  const { place } = charge;
  const createdAt = place.instant('created_at', ZONE);
  const endedAt = place.instant('canceled_at', ZONE) ?? place.instant('updated_at', ZONE);
  return {
    charge: chargeFacts(charge, keyOf(charge)),
    at: (open ? createdAt : endedAt) ?? receivedAt,
    expired: open === undefined,
  };
}

function chargeFacts({ place, method, value }: Charge, key: string): ChargeFacts {
  const last = place.at('last_transaction');
  const how =
    method === 'pix'
      ? { expiresAt: last.instant('expires_at', ZONE), line: last.textIfAny('qr_code') }
      : { dueDate: dayOf(last) ?? dayOf(place), line: last.textIfAny('line') };
  return { key, gateway: GATEWAY, method, value, ...definedOnly(how) };
}

/** The day on which a boleto is due: as it is written, for its time means nothing. */
function dayOf(place: Payload): CalendarDate | undefined {
  const text = place.text('due_at');
  if (text === undefined) return undefined;
  return parseDay(text.slice(0, 10), ZONE) ?? place.fail('due_at', 'is not a day');
}

/**
 * A buyer who had a charge taken back. Pagar.me gives chargebacks no number: it is that of the charge.
 * @param orderKey undefined: the order is told by its shop, under a key of its own
 */
export function disputeOf(
  charge: Charge,
  orderKey: string | undefined,
  { receivedAt }: StoredWebhook,
  { source }: SourceContext,
): DisputeFacts | undefined {
  const value = leftOf(charge);
  if (charge.status !== 'chargedback' || value === undefined) return undefined;
  const { id, place } = charge;
  return defined({
    ...{ key: disputeKey(source, id), source, id, orderKey, gateway: GATEWAY, value, state: 'open' },
    openedAt: place.instant('updated_at', ZONE) ?? receivedAt,
    test: false,
  });
}
