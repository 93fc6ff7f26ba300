import { latest, type AwaitedCharge } from '../mapping/order-events';
import { FAILED, GATEWAY, methodOf, type Paid, statusOf } from './payments';

/** Ways to pay that the buyer pays after ordering: `ticket` and `atm` are paid at a counter. */
const PAID_LATER = ['boleto', 'pix', 'ticket', 'atm', 'bank_transfer'];
const WAITING = ['pending', 'in_process', 'authorized'];

/**
 * The boleto or Pix that an order waits for, or waited for in vain; undefined where it waits for none. A card that is looked
 * at waits for nothing that the buyer could do.
 * @param payments all of an order of which none brought money
 * @param ended the order will not be paid any more
 */
export function awaitedCharge(
  payments: readonly Paid[],
  ended: boolean,
  createdAt: Date,
  changedAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const later = payments.filter(
    ({ place, value }) => PAID_LATER.includes(methodOf(place)) && value.isPositive,
  );
  const open = later.findLast(({ place }) => WAITING.includes(statusOf(place)));
  const charged = open ?? later.findLast(({ place }) => FAILED.includes(statusOf(place)));
  if (charged === undefined) return undefined;
  const { key, value, place } = charged;
  const expired = ended || open === undefined;
  const at = expired ? latest([place.instant('date_last_modified', zone)]) : createdAt;
  return {
    charge: { key, gateway: GATEWAY, method: methodOf(place), value },
    at: at ?? changedAt,
    expired,
  };
}
