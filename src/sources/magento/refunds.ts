import type { PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { paymentKey, refundKey } from '../mapping/keys';
import { byTime } from '../mapping/order-events';
import { shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { amountOf, type Reading } from './amounts';
import { type Credit, creditsOf, GIFT_CARDS, STORE_CREDIT } from './credits';
import { byNumber } from './payments';

/** `state` of a credit memo that gave money back. 1 is open, 3 is cancelled. */
const REFUNDED = '2';

/** What went back of an order. */
export interface Refunds {
  readonly refunds: RefundFacts[];
  /** Money of all credit memos, in minor units, however it was given back. */
  readonly money: bigint;
  /** Sentences about what nobody can tell to have gone back as money or as store credit. */
  readonly differences: string[];
}

interface Memo {
  readonly id: string;
  readonly value: Money;
  readonly credits: readonly Credit[];
  readonly refundedAt: Date;
}

/**
 * One refund of money for each credit memo, and one for each kind of credit that it gave back. Magento says of the order alone
 * how much the shop gave as store credit instead of money: where that is some of the money and not all, nobody can say which.
 * @throws UnreadablePayload
 */
export function readRefunds(
  reading: Reading,
  places: readonly Payload[],
  payments: readonly PaymentFacts[],
): Refunds {
  const memos = byNumber(places)
    .filter((place) => (place.word('state') ?? place.missing('state')) === REFUNDED)
    .map((place) => readMemo(place, reading));
  const money = sumOfValues(memos);
  const asCredit = givenAsCredit(reading, memos);
  const isClear = [0n, money].includes(asCredit) || money === 0n;
  const parts = memos.flatMap((memo) => [
    ...(isClear ? moneyRefund(memo, asCredit > 0n, reading, payments) : []),
    ...memo.credits.map((credit) => creditRefund(credit, memo, reading)),
  ]);
  const refunds = byTime(parts, ({ refundedAt }) => refundedAt);
  return { refunds, money, differences: isClear ? [] : [unclear(money, asCredit, reading)] };
}

function readMemo(place: Payload, { denomination }: Reading): Memo {
  return {
    id: place.identifier('entity_id') ?? place.missing('entity_id'),
    value: amountOf(place, 'grand_total', denomination) ?? place.missing('grand_total'),
    credits: creditsOf(place, denomination),
    refundedAt: place.instant('created_at', 'UTC') ?? place.missing('created_at'),
  };
}

/**
 * How much of the money went to the buyer's store credit, besides what had been paid with store credit. Where a shop has store
 * credit, Magento gives gift cards back as such, whatever becomes of the money. Minor units.
 */
function givenAsCredit({ order, denomination }: Reading, memos: readonly Memo[]): bigint {
  const name = 'customer_balance_total_refunded';
  const extension = order.at('extension_attributes');
  const all = amountOf(extension, name, denomination) ?? amountOf(order, name, denomination);
  const own = (kind: string): bigint =>
    sumOfValues(memos.flatMap(({ credits }) => credits.filter(({ id }) => id === kind)));
  const left = (all?.minor ?? 0n) - own(STORE_CREDIT);
  const withoutGifts = left - own(GIFT_CARDS);
  if ([0n, sumOfValues(memos)].includes(withoutGifts)) return withoutGifts;
  return left > 0n ? left : 0n;
}

function moneyRefund(
  { id, value, refundedAt }: Memo,
  isCredit: boolean,
  { key }: Reading,
  payments: readonly PaymentFacts[],
): RefundFacts[] {
  if (!value.isPositive) return [];
  const [payment, another] = payments.filter(({ storeCredit }) => !storeCredit);
  return [
    defined({
      ...{ key: refundKey(key, id), value, refundedAt },
      gateway: isCredit ? 'customerbalance' : payment?.gateway,
      ...(payment && !another && { paymentKey: payment.key }),
      ...(isCredit && { storeCredit: true }),
    }),
  ];
}

function creditRefund(
  { id: kind, gateway, value }: Credit,
  { id, refundedAt }: Memo,
  { key }: Reading,
): RefundFacts {
  return {
    ...{ key: refundKey(key, `${id}-${kind}`), value, gateway, storeCredit: true, refundedAt },
    paymentKey: paymentKey(key, kind),
  };
}

function unclear(money: bigint, asCredit: bigint, { total: { currency } }: Reading): string {
  return `Of ${shown(money, currency)} that went back, ${shown(asCredit, currency)} were given as store credit, and nothing says by which credit memo: book them by hand.`;
}
