import type { Money } from '../../kernel/money';
import { chargeDifferences } from '../mapping/charges';
import { amountOfUnits } from '../mapping/minor-units';
import type { Payload } from '../payload';
import { moneySum, type Refunded, refundsOf, returnedWith } from './operations';

/** The gateway's name in payments, refunds, disputes and what is waited for. */
export const GATEWAY = 'pagarme';
/** The one currency of Pagar.me, where a payload names none. */
export const CURRENCY = 'BRL';
/** Ways to pay that the buyer pays after ordering. */
export const PAID_LATER = ['boleto', 'pix'];

/** Statuses of a charge that has money in it. */
const PAID = ['paid', 'overpaid', 'underpaid', 'chargedback'];
/** Statuses of an operation after which money went back that had come. */
const GIVEN_BACK = ['refunded', 'partial_refunded'];
/** Statuses of an operation that took money. */
const TAKEN = ['captured', 'partial_capture', 'paid', 'overpaid', 'underpaid'];

/** One charge of an order, as Pagar.me tells it. */
export interface Charge {
  readonly place: Payload;
  readonly id: string;
  readonly status: string;
  readonly method: string;
  /** What is to be paid. */
  readonly value: Money;
  /** What was paid of it; undefined while nothing was. */
  readonly paid: Money | undefined;
  /** What went back of it, each operation for itself. */
  readonly refunds: readonly Refunded[];
  /** Something was cancelled, and nothing says whether it had been paid. */
  readonly unknown: boolean;
  /** Sentences about amounts that disagree. */
  readonly differences: readonly string[];
}

export function currencyOf(place: Payload): string {
  return place.currency('currency') ?? CURRENCY;
}

/** An amount above zero; undefined where there is none, or it is zero. */
function positiveOf(place: Payload, key: string, currency: string): Money | undefined {
  const money = amountOfUnits(place, key, currency);
  return money?.isPositive ? money : undefined;
}

/** Whether the charge itself says that money came, whatever became of it. */
export function saysPaid(charge: Payload, currency: string): boolean {
  const last = charge.at('last_transaction').word('status') ?? '';
  return (
    PAID.includes(charge.word('status') ?? '') ||
    positiveOf(charge, 'paid_amount', currency) !== undefined ||
    charge.has('paid_at') ||
    GIVEN_BACK.includes(last)
  );
}

/** Whether what was cancelled of it may have been paid, though it does not say so: a boleto or Pix would. */
function isPaidAtOnce(charge: Payload): boolean {
  return !PAID_LATER.includes(charge.word('payment_method') ?? '');
}

/** Whether only the list of its operations tells what went back of a charge, or whether it had been paid. */
export function needsOperations(charge: Payload): boolean {
  const currency = currencyOf(charge);
  const canceled = positiveOf(charge, 'canceled_amount', currency);
  if (canceled === undefined) return false;
  if (!saysPaid(charge, currency)) return isPaidAtOnce(charge);
  const last = returnedWith(charge.at('last_transaction'), currency);
  return last === undefined || !last.equals(canceled);
}

/**
 * @param operations of the charge, where they were asked for
 * @throws UnreadablePayload, also when it is in another currency than the order
 */
export function readCharge(
  place: Payload,
  operations: readonly Payload[] | undefined,
  currency: string,
): Charge {
  if (currencyOf(place) !== currency) place.fail('currency', `is not ${currency}, as the order is`);
  const id = place.identifier('id') ?? place.missing('id');
  const status = place.word('status') ?? place.missing('status');
  const value = positiveOf(place, 'amount', currency) ?? place.fail('amount', 'must be more than zero');
  const canceled = positiveOf(place, 'canceled_amount', currency);
  const cameIn = saysPaid(place, currency) || (operations ?? []).some(tookMoney);
  const back = cameIn && canceled ? refundsOf(place, operations, canceled) : undefined;
  const paid = paidOf(place, value, canceled);
  return {
    ...{ place, id, status, value, method: place.word('payment_method') ?? '' },
    paid: cameIn ? paid : undefined,
    refunds: back?.refunds ?? [],
    unknown: cameIn
      ? !PAID.includes(status) && status !== 'canceled'
      : canceled !== undefined && isPaidAtOnce(place) && !(operations ?? []).some(onlyReserved),
    differences: [
      ...(cameIn ? chargeDifferences({ status, value, paid, back: canceled }, 'canceled') : []),
      ...(cameIn ? divided(place) : []),
      ...(back?.differences ?? []),
    ],
  };
}

function succeeded(operation: Payload): boolean {
  return !operation.has('success') || operation.flag('success');
}

function tookMoney(operation: Payload): boolean {
  const type = operation.word('operation_type') ?? '';
  const took = TAKEN.includes(operation.word('status') ?? '') || /^(auth_and_)?capture$/.test(type);
  return took && succeeded(operation);
}

function onlyReserved(operation: Payload): boolean {
  return operation.word('operation_type') === 'auth_only' && succeeded(operation);
}

/** What was paid: of a charge of which a part went back, Pagar.me may say what is left. */
function paidOf(charge: Payload, value: Money, canceled: Money | undefined): Money {
  const paid = positiveOf(charge, 'paid_amount', value.currency);
  if (paid === undefined) return value;
  const isRest = canceled !== undefined && paid.minor + canceled.minor === value.minor;
  return isRest ? value : paid;
}

/** A sentence where a charge is divided among recipients, of which one may be the shop itself. */
function divided(charge: Payload): string[] {
  const last = charge.at('last_transaction');
  const count = last.countOf('split') || last.countOf('splits');
  return count < 2
    ? []
    : [`Pagar.me divides the charge among ${count} recipients (split): book by hand what goes to others.`];
}

/** What is left of what was paid. */
export function leftOf({ paid, refunds }: Charge): Money | undefined {
  if (paid === undefined) return undefined;
  const back = moneySum(refunds.map(({ value }) => value));
  if (back === undefined) return paid;
  return paid.compare(back) > 0 ? paid.minus(back) : undefined;
}
