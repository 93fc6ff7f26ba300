import { defined, definedOnly } from '../mapping/defined';
import { paymentKey } from '../mapping/keys';
import { amountOfUnits } from '../mapping/minor-units';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { type Charge, currencyOf, GATEWAY } from './charge';

/** Ways to pay that the buyer pays after ordering. */
const PAID_LATER = ['boleto', 'pix'];

/**
 * What an order of which nothing is paid waits for: a boleto, or a Pix. It waited in vain where a boleto or Pix is
 * canceled; a card that is declined may be followed by another, and waits for nothing.
 */
export function awaitedCharge(
  order: Payload,
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
  key: string,
  webhook: StoredWebhook,
  zone: string,
): AwaitedCharge | undefined {
  const later = charges.filter(({ method }) => PAID_LATER.includes(method));
  const open = later.findLast(({ status }) => status === 'WAITING');
  const charge = open ?? later.findLast(({ status }) => status === 'CANCELED');
  if (charge === undefined) return charges.length > 0 ? undefined : awaitedCode(order, key, webhook, zone);
  const { place, method, value } = charge;
  const boleto = place.at('payment_method').at('boleto');
  const createdAt = place.instant('created_at', zone) ?? webhook.receivedAt;
  const expired = open === undefined;
  return {
    charge: defined({
      ...{ key: keyOf(charge), gateway: GATEWAY, method, value },
      dueDate: boleto.day('due_date', zone),
      line: boleto.text('formatted_barcode') ?? boleto.text('barcode'),
      ...(method === 'pix' && codeFacts(order, zone)),
    }),
    at: expired ? webhook.receivedAt : createdAt,
    expired,
  };
}

/** The one code of an order that can be paid by Pix; undefined where there is none, or several. */
export function codeOf(order: Payload): Payload | undefined {
  const [code, another] = order.firstItems('qr_codes', 2);
  return another === undefined ? code : undefined;
}

function codeFacts(order: Payload, zone: string) {
  const code = codeOf(order);
  return { expiresAt: code?.instant('expiration_date', zone), line: code?.text('text') };
}

/** A Pix has no charge before it is paid: its code says how much it is. */
function awaitedCode(
  order: Payload,
  key: string,
  webhook: StoredWebhook,
  zone: string,
): AwaitedCharge | undefined {
  const code = codeOf(order);
  if (code === undefined) return undefined;
  const amount = code.at('amount');
  const value = amountOfUnits(amount, 'value', currencyOf(amount)) ?? amount.missing('value');
  if (!value.isPositive) amount.fail('value', 'must be more than zero');
  const id = code.identifier('id') ?? code.missing('id');
  return {
    charge: {
      ...{ key: paymentKey(key, id), gateway: GATEWAY, method: 'pix', value },
      ...definedOnly(codeFacts(order, zone)),
    },
    at: order.instant('created_at', zone) ?? webhook.receivedAt,
    expired: false,
  };
}
