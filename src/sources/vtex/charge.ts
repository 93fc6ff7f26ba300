import { parseDay } from '../instant';
import { definedOnly } from '../mapping/defined';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Share } from './listed-payments';
import { gatewayOf, keyOf, methodOf } from './payments';

/** Ways to pay that the buyer pays after ordering. */
const PAID_LATER = ['boleto', 'pix'];

/** The boleto or Pix that an order waits for; undefined where it waits for the approval of a card. */
export function awaitedCharge(
  shares: readonly Share[],
  orderKey: string,
  createdAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const share = shares.findLast((one) => PAID_LATER.includes(methodOf(one)));
  if (share === undefined) return undefined;
  const { place, value } = share;
  const dueOn = place?.textIfAny('dueDate');
  return {
    charge: {
      ...{
        key: keyOf(share, orderKey),
        gateway: gatewayOf(share, undefined),
        method: methodOf(share),
        value,
      },
      ...definedOnly({
        dueDate: dueOn === undefined ? undefined : parseDay(dueOn, zone),
        line:
          place?.textIfAny('bankIssuedInvoiceIdentificationNumberFormatted') ??
          place?.textIfAny('bankIssuedInvoiceIdentificationNumber'),
      }),
    },
    at: createdAt,
    expired: false,
  };
}
