import type { PaymentFacts } from '../../events/event';
import { parseDay } from '../instant';
import { parseInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import type { AwaitedCharge, PaymentDate } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import type { Payload } from '../payload';
import type { Share } from './listed-payments';

const GIFT_CARD = 'gift_card';
/** VTEX's groups of ways to pay, and what Ponte's tables call them. Any other has the name of its gateway. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['creditCard', 'credit_card'],
  ['debitCard', 'debit_card'],
  ['bankInvoice', 'boleto'],
  ['instantPayment', 'pix'],
  ['giftCard', GIFT_CARD],
  ['promissory', 'promissory'],
  ['cash', 'cash'],
]);
const CARDS = ['credit_card', 'debit_card'];

/** How it is paid: as Ponte's tables have it, else VTEX's group. Empty where it stands for several payments. */
export function methodOf({ place }: Share): string {
  const group = place?.text('group')?.replace(/PaymentGroup$/, '') ?? '';
  return METHODS.get(group) ?? group;
}

/**
 * Who has the money: the marketplace that sold the order, else the acquirer, where its connector says who it is, else what
 * a wallet is called; empty where VTEX does not say.
 */
export function gatewayOf(share: Share, marketplace: string | undefined): string {
  const method = methodOf(share);
  if (method === GIFT_CARD) return GIFT_CARD;
  if (marketplace !== undefined) return marketplace;
  const acquirer = share.place?.loosely('connectorResponses').textIfAny('acquirer');
  const isWallet = method !== '' && ![...METHODS.values()].includes(method);
  return acquirer ?? (isWallet ? share.place?.text('paymentSystemName') : undefined) ?? '';
}

/** The business key of what pays an order: it has the order in it, so that two orders of one payment are paid once each. */
export function keyOf({ place }: Share, orderKey: string): string {
  return paymentKey(orderKey, place?.identifier('id'));
}

/** How many instalments the buyer chose; undefined where the payment does not say. */
export function instalmentsOf({ place }: Share): number | undefined {
  const text = place?.text('installments');
  return text === undefined ? undefined : parseInstalments(text);
}

/**
 * All that pays an order that is paid.
 * @param dateOf when each was made
 * @throws UnreadablePayload where two payments are one
 */
export function paymentsOf(
  shares: readonly Share[],
  orderKey: string,
  marketplace: string | undefined,
  dateOf: (share: Share) => PaymentDate,
): PaymentFacts[] {
  const keys = new Set<string>();
  return shares.map((share) => {
    const key = keyOf(share, orderKey);
    if (keys.has(key)) share.place?.fail('id', 'is of a payment that another one is of');
    keys.add(key);
    return paymentOf(share, key, marketplace, dateOf(share));
  });
}

/** The payment of an order that lists none: of its whole total. */
export function unlistedPayment(
  share: Share,
  orderKey: string,
  marketplace: string | undefined,
  date: PaymentDate,
): PaymentFacts {
  return paymentOf(share, fullPaymentKey(orderKey), marketplace, date);
}

function paymentOf(
  share: Share,
  key: string,
  marketplace: string | undefined,
  date: PaymentDate,
): PaymentFacts {
  const gateway = gatewayOf(share, marketplace);
  const method = methodOf(share);
  return defined({
    ...{ key, gateway, method, value: share.value },
    brand: brandOf(share.place, method),
    instalments: instalmentsOf(share),
    ...storeCreditOf(gateway),
    ...date,
  });
}

function brandOf(place: Payload | undefined, method: string): string | undefined {
  return CARDS.includes(method) ? place?.text('paymentSystemName') : undefined;
}

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
    charge: defined({
      ...{
        key: keyOf(share, orderKey),
        gateway: gatewayOf(share, undefined),
        method: methodOf(share),
        value,
      },
      dueDate: dueOn === undefined ? undefined : parseDay(dueOn, zone),
      line:
        place?.textIfAny('bankIssuedInvoiceIdentificationNumberFormatted') ??
        place?.textIfAny('bankIssuedInvoiceIdentificationNumber'),
    }),
    at: createdAt,
    expired: false,
  };
}
