import type { PaymentFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { chargeDate, chargeDifferences } from '../mapping/charges';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { amountOfUnits } from '../mapping/minor-units';
import type { Payload } from '../payload';

/** The gateway's name in payments, refunds and what is waited for. */
export const GATEWAY = 'pagbank';

/** The one currency that PagBank has, where a payload names none. */
const CURRENCY = 'BRL';

/** One charge of an order, as PagBank tells it. */
export interface Charge {
  readonly place: Payload;
  readonly id: string;
  readonly status: string;
  /** The method of payment in lower case, as Ponte's tables have it: `credit_card`, `boleto`, `pix`. */
  readonly method: string;
  /** What is to be paid. */
  readonly value: Money;
  /** What was paid of it; undefined while nothing was. */
  readonly paid: Money | undefined;
  /** What went back of it so far; undefined: nothing. */
  readonly refunded: Money | undefined;
  /** Sentences about amounts that disagree. */
  readonly differences: readonly string[];
}

/** The currency of an amount. */
export function currencyOf(amount: Payload): string {
  return amount.currency('currency') ?? CURRENCY;
}

/** @throws UnreadablePayload, also when it is in another currency than the order */
export function readCharge(place: Payload, currency: string): Charge {
  const amount = place.at('amount');
  if (currencyOf(amount) !== currency) amount.fail('currency', `is not ${currency}, as the order is`);
  const status = place.word('status') ?? place.missing('status');
  const value = amountOfUnits(amount, 'value', currency) ?? amount.missing('value');
  if (!value.isPositive) amount.fail('value', 'must be more than zero');
  const summary = amount.at('summary');
  const stated = amountOfUnits(summary, 'paid', currency);
  const back = amountOfUnits(summary, 'refunded', currency);
  const refunded = back?.isPositive ? back : undefined;
  const cameIn = status === 'PAID' || refunded !== undefined || stated?.isPositive === true;
  const paid = stated?.isPositive ? stated : value;
  return {
    ...{ place, id: place.identifier('id') ?? place.missing('id'), status, value, refunded },
    method: (place.at('payment_method').word('type') ?? '').toLowerCase(),
    paid: cameIn ? paid : undefined,
    differences: cameIn
      ? [
          ...chargeDifferences({ status, value, paid: stated ?? value, back: refunded }, 'CANCELED'),
          ...divided(place),
        ]
      : [],
  };
}

/** A sentence where a charge is divided among accounts: it links to how, and says nothing more of it. */
function divided(charge: Payload): string[] {
  const links = charge.firstItems('links', MOST_PAYMENTS);
  return links.some((link) => link.textIfAny('rel') === 'SPLIT')
    ? ['PagBank divides the charge among several accounts (split): book by hand what goes to others.']
    : [];
}

/** Whether a charge has money in a state of which nobody knows whether the shop still has it. */
export function isUnknown({ status, paid }: Charge): boolean {
  return paid !== undefined && status !== 'PAID' && status !== 'CANCELED';
}

/**
 * The payment that a charge is, or would be.
 * @param key its business key
 */
export function paymentOf(charge: Charge, key: string, value: Money, zone: string): PaymentFacts {
  return defined({
    ...{ key, gateway: GATEWAY, method: charge.method, value },
    brand: charge.place.at('payment_method').loosely('card').textIfAny('brand'),
    instalments: instalmentsOf(charge),
    fee: interestOf(charge, value),
    ...chargeDate(charge.place, zone),
  });
}

/** The interest that the buyer pays for instalments, in what was paid: PagBank keeps it. Undefined where there is none. */
function interestOf({ place }: Charge, paid: Money): Money | undefined {
  const interest = place.at('amount').loosely('fees').loosely('buyer').loosely('interest');
  const total = amountOfUnits(interest, 'total', paid.currency);
  return total?.isPositive && total.compare(paid) < 0 ? total : undefined;
}

/** How many instalments the buyer chose; undefined where the charge does not say. */
export function instalmentsOf({ place }: Charge): number | undefined {
  return instalmentsIn(place.at('payment_method'), 'installments');
}
