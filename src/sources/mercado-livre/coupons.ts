import { partOf } from '../mapping/lines';
import { shown, sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import type { Paid } from './payments';

/** More fees and charges than any payment has. */
const MOST_CHARGES = 100;
const SELLER = 'collector';

/**
 * A sentence about a coupon that the seller bears, or of which nobody knows who does. One that Mercado Livre bears changes
 * nothing: the seller gets the whole price.
 * @param detail the payment as it was asked for; undefined where the application may not see it
 */
export function couponDifferences(
  { place, value: { currency } }: Paid,
  detail: Payload | undefined,
): string[] {
  const coupon = partOf(place, 'coupon_amount', currency) ?? 0n;
  if (detail === undefined)
    return coupon > 0n
      ? [
          `A coupon of ${shown(coupon, currency)} was used, and the application may not see who bears it: where that is the seller, enter it as a discount.`,
        ]
      : [];
  const borne = ofSeller(detail, currency);
  return borne > 0n
    ? [
        `The seller bears ${shown(borne, currency)} of a coupon, which Mercado Livre keeps from the payment: enter it as a discount.`,
      ]
    : [];
}

/** In minor units. The same coupon may stand among the fees and among the charges. */
function ofSeller(detail: Payload, currency: string): bigint {
  const fees = detail
    .firstItems('fee_details', MOST_CHARGES)
    .filter((fee) => fee.textIfAny('type') === 'coupon_fee' && fee.textIfAny('fee_payer') === SELLER)
    .map((fee) => partOf(fee, 'amount', currency));
  const charges = detail
    .firstItems('charges_details', MOST_CHARGES)
    .filter(
      (charge) =>
        charge.textIfAny('type') === 'coupon' && charge.loosely('accounts').textIfAny('from') === SELLER,
    )
    .map((charge) => partOf(charge.loosely('amounts'), 'original', currency));
  const [byFees = 0n, byCharges = 0n] = [fees, charges].map((parts) =>
    sumOf(parts.map((part) => part ?? 0n)),
  );
  return byFees > byCharges ? byFees : byCharges;
}
