import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';

/** In which currency amounts are read: Magento has each in the order's, and in the shop's own as `base_…`. */
export interface Denomination {
  readonly currency: string;
  readonly prefix: '' | 'base_';
}

/** @throws UnreadablePayload */
export function denominationOf(order: Payload, { settings, currency }: SourceContext): Denomination {
  return flagSetting(settings, 'baseCurrency')
    ? { prefix: 'base_', currency: order.currency('base_currency_code') ?? currency }
    : { prefix: '', currency: order.currency('order_currency_code') ?? currency };
}

/** An amount that is not below zero. @throws UnreadablePayload */
export function amountOf(
  place: Payload,
  name: string,
  { prefix, currency }: Denomination,
): Money | undefined {
  return place.amount(`${prefix}${name}`, currency);
}

/** A sentence where an order is in another currency than the shop, and nobody said which of them the gateway took. */
export function currencyDifference(order: Payload, { prefix }: Denomination): string[] {
  const [own, base] = [order.currency('order_currency_code'), order.currency('base_currency_code')];
  const isPlain = prefix !== '' || own === undefined || base === undefined || own === base;
  return isPlain
    ? []
    : [
        `The order is in ${own}, and the shop in ${base}: ${own} is booked. Set baseCurrency if the gateway takes ${base}.`,
      ];
}

/** States of an order of which nothing is invoiced yet, unless its totals say otherwise. */
export const WAITING: readonly string[] = ['new', 'pending_payment'];

/** An order as its money is read from it. */
export interface Reading {
  readonly order: Payload;
  /** Its business key. */
  readonly key: string;
  /** What it came to, with the part that credits paid. */
  readonly total: Money;
  readonly denomination: Denomination;
  /** `new`, `pending_payment`, `processing`, `complete`, `closed`, `canceled`, `holded`, `payment_review`. */
  readonly state: string;
  /** `total_paid`, in money; undefined: nothing is. */
  readonly paid: Money | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}
