import type { PaymentFacts } from '../../events/event';
import type { PlannedSettlement } from '../../events/settlement';
import type { Money } from '../../kernel/money';
import { parseInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { paymentKey, settlementKey } from '../mapping/keys';
import { type AwaitedCharge, latest, type PaymentDate } from '../mapping/order-events';
import { moneyOr } from '../mapping/sums';
import type { Payload } from '../payload';
import { isNumber } from './notification';

/** Who has the money of every sale until the seller takes it out. */
export const GATEWAY = 'mercado_pago';

export const CHARGED_BACK = 'charged_back';
export const REFUNDED = 'refunded';
/** Statuses of a payment that brought money, whatever came of it later. */
const BROUGHT = ['approved', 'partially_refunded', 'in_mediation', REFUNDED, CHARGED_BACK];
/** Statuses of a payment that will bring nothing any more. */
export const FAILED = ['cancelled', 'rejected'];
const CARDS = ['credit_card', 'debit_card', 'prepaid_card'];

/** Whether a payment brought money. @throws UnreadablePayload */
export function brought(payment: Payload): boolean {
  return BROUGHT.includes(statusOf(payment));
}

export function statusOf(payment: Payload): string {
  return payment.word('status') ?? payment.missing('status');
}

export function paymentIdOf(payment: Payload): string {
  const id = payment.identifier('id') ?? payment.missing('id');
  return isNumber(id) ? id : payment.fail('id', 'is not the number of a payment');
}

/** `boleto` and `pix`, as the table `paymentTiming` has them; every other method in Mercado Livre's own word. */
export function methodOf(payment: Payload): string {
  const id = payment.textIfAny('payment_method_id') ?? '';
  const type = payment.textIfAny('payment_type') ?? '';
  if (id === 'pix') return 'pix';
  return type === 'ticket' && id.startsWith('bol') ? 'boleto' : type;
}

/** One payment of an order. */
export interface Paid {
  readonly place: Payload;
  readonly id: string;
  readonly key: string;
  /** What the goods cost. */
  readonly goods: Money;
  /** What of it is the seller's sale: the goods, and the freight where the seller delivers. */
  readonly value: Money;
  /** What the buyer paid for the delivery on top of the goods; undefined: nothing. */
  readonly shipping: Money | undefined;
}

/** What a payment is worth to the seller. */
export interface PaymentReading {
  readonly orderKey: string;
  readonly currency: string;
  /** The seller delivers, so that what buyers pay for it is the seller's. */
  readonly ownShipping: boolean;
  /** When the order was confirmed or paid; undefined: it does not say. */
  readonly closedAt: Date | undefined;
}

/**
 * What the buyer paid for the goods, coupons of Mercado Livre included: they reach the seller like money.
 * @throws UnreadablePayload
 */
export function paidOf(place: Payload, { orderKey, currency, ownShipping }: PaymentReading): Paid {
  if ((place.currency('currency_id') ?? currency) !== currency)
    place.fail('currency_id', `is not ${currency}, as the order is`);
  const id = paymentIdOf(place);
  const goods = place.amount('transaction_amount', currency) ?? place.missing('transaction_amount');
  const paid = place.amount('shipping_cost', currency);
  const shipping = paid?.isPositive ? paid : undefined;
  const value = ownShipping && shipping ? sumIn(place, 'shipping_cost', goods, shipping) : goods;
  return { place, id, key: paymentKey(orderKey, id), goods, value, shipping };
}

/** @param key of the field that is refused where the sum is out of range. @throws UnreadablePayload */
export function sumIn(place: Payload, key: string, left: Money, right: Money): Money {
  return moneyOr(left.minor + right.minor, left.currency, () => place.fail(key, 'comes to too much'));
}

/** @param detail the payment as it was asked for; undefined where the application may not see it */
export function paymentFacts(
  paid: Paid,
  detail: Payload | undefined,
  { closedAt }: PaymentReading,
  zone: string,
): PaymentFacts {
  const { place, key, value } = paid;
  const type = place.textIfAny('payment_type') ?? '';
  return defined({
    ...{ key, gateway: GATEWAY, method: methodOf(place), value },
    brand: CARDS.includes(type) ? place.textIfAny('payment_method_id') : undefined,
    instalments: instalmentsOf(place),
    settlements: detail && planOf(paid, detail, zone),
    ...dateOf(place, closedAt, zone),
  });
}

/**
 * Whether a payment that brought money does not say any more on which day its money was to be released. Of order and payment, which
 * are asked for one after the other, either may be ahead.
 */
export function isReplanned({ place }: Paid, detail: Payload): boolean {
  return [statusOf(place), detail.word('status') ?? statusOf(place)].some((status) => status !== 'approved');
}

/** How many instalments the buyer chose; undefined where the payment does not say. */
export function instalmentsOf(place: Payload): number | undefined {
  const text = place.text('installments');
  return text === undefined ? undefined : parseInstalments(text);
}

/** An order may name its payments without any of their dates. */
function dateOf(place: Payload, closedAt: Date | undefined, zone: string): PaymentDate {
  const paidAt = place.instant('date_approved', zone);
  if (paidAt) return { paidAt };
  const createdAt = place.instant('date_created', zone);
  if (createdAt) return { paidAt: createdAt, datedBy: 'date_created' };
  return { paidAt: closedAt ?? place.missing('date_approved'), datedBy: 'date_closed' };
}

/**
 * When the money is released: all of it at once, whatever the buyer's instalments are and whatever became of it since. Once it went back,
 * was taken back or is complained about, the date is another than the one that was planned, or there is none ({@link isReplanned}).
 */
function planOf(paid: Paid, detail: Payload, zone: string): PlannedSettlement[] | undefined {
  const { place, key, value } = paid;
  const paidOn = place.day('date_approved', zone) ?? place.day('date_created', zone);
  const on = detail.day('money_release_date', zone) ?? (isReplanned(paid, detail) ? paidOn : undefined);
  return on && [{ key: settlementKey(key, 1), number: 1, value, on }];
}

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
