import type { PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { paymentKey } from '../mapping/keys';
import type { PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';
import { amountOf, type Denomination } from './amounts';

export const STORE_CREDIT = 'store-credit';
export const GIFT_CARDS = 'gift-cards';
/** Parts of an order that are no money. `grand_total` of orders, invoices and credit memos is without them. */
const CREDITS = [
  { field: 'customer_balance_amount', id: STORE_CREDIT, gateway: 'customerbalance', method: 'store_credit' },
  { field: 'gift_cards_amount', id: GIFT_CARDS, gateway: 'giftcardaccount', method: 'gift_card' },
  { field: 'reward_currency_amount', id: 'reward-points', gateway: 'reward', method: 'reward_points' },
] as const;

/** One kind of credit in an order or credit memo. */
export interface Credit {
  readonly id: string;
  readonly gateway: string;
  readonly method: string;
  readonly value: Money;
}

/** What is in an order or credit memo that is no money; none in Magento Open Source. @throws UnreadablePayload */
export function creditsOf(place: Payload, denomination: Denomination): Credit[] {
  const extension = place.at('extension_attributes');
  return CREDITS.flatMap(({ field, ...names }) => {
    const value = amountOf(extension, field, denomination) ?? amountOf(place, field, denomination);
    return value?.isPositive ? [{ ...names, value }] : [];
  });
}

/** One payment for each kind of credit that paid a part of an order. @param date of its first payment */
export function creditPayments(
  credits: readonly Credit[],
  orderKey: string,
  date: PaymentDate,
): PaymentFacts[] {
  return credits.map(({ id, gateway, method, value }) => ({
    ...{ key: paymentKey(orderKey, id), gateway, method, value, storeCredit: true, ...date },
  }));
}
