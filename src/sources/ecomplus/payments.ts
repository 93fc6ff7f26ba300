import type { PaymentFacts, RefundFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { fullPaymentKey, paymentKey, refundKey } from '../mapping/keys';
import { type AwaitedCharge, byTime, paidByChange, type PaymentDate } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import type { Money } from '../../kernel/money';
import type { History } from './history';
import type { Transaction } from './transaction';

/** What payments and refunds of an order are read with. */
export interface Reading {
  readonly orderKey: string;
  readonly transactions: readonly Transaction[];
  readonly history: History;
  /** What `financial_status` says. */
  readonly status: string;
  /** Since when it says that. */
  readonly statusAt: Date | undefined;
  /** When the order last changed. */
  readonly changedAt: Date;
  readonly cancelledAt: Date | undefined;
  readonly zone: string;
  /** What the order costs. */
  readonly total: Money;
}

/** What financial statuses of an order say of all its money. */
export const PAID = 'paid';
export const REFUNDED = 'refunded';
const ALL_CAME = [PAID, REFUNDED, 'partially_refunded', 'in_dispute'];

/** A payment, and the transaction that it is; undefined: the order has none. */
export interface Paid {
  readonly facts: PaymentFacts;
  readonly transaction: Transaction | undefined;
}

/**
 * The transactions that brought money, the earliest first; what was paid once did, whatever an application calls it since: that
 * for Pagar.me has no word for a part that went back, and writes unknown. Where the order says that it is paid and one transaction alone is
 * left that neither brought money nor failed, it is that one too, or the whole total where there is no transaction at all; of
 * several it is not known which.
 * @throws UnreadablePayload
 */
export function paidOf(reading: Reading): Paid[] {
  const { transactions, history, status, total } = reading;
  const came = transactions.filter((one) => one.cameIn || history.first(one.id, PAID) !== undefined);
  const open = transactions.filter((one) => !one.isFailed && !came.includes(one));
  const byOrder = ALL_CAME.includes(status);
  if (byOrder && transactions.length === 0 && total.isPositive) return [unlisted(reading)];
  const isLeft = byOrder && open.length === 1 && (came.length === 0 || comesTo([...came, ...open], total));
  const all = (isLeft ? [...came, ...open] : came)
    .filter(({ charged }) => charged.isPositive)
    .map((transaction) => ({ transaction, facts: paymentOf(transaction, reading) }));
  return byTime(all, ({ facts }) => facts.paidAt);
}

function comesTo(transactions: readonly Transaction[], total: Money): boolean {
  return transactions.reduce((sum, { amount }) => sum + amount.minor, 0n) === total.minor;
}

/** What is paid, else what an order waits for, has the key of its transaction. */
export function keyOf(transaction: Transaction, orderKey: string): string {
  return paymentKey(orderKey, transaction.id ?? transaction.place.missing('_id'));
}

function paymentOf(transaction: Transaction, reading: Reading): PaymentFacts {
  const { gateway } = transaction;
  return defined({
    ...{ key: keyOf(transaction, reading.orderKey), gateway, method: transaction.method },
    value: transaction.charged,
    brand: transaction.brand,
    instalments: transaction.instalments,
    ...storeCreditOf(gateway),
    ...dateOf(transaction, reading),
  });
}

function dateOf(transaction: Transaction, reading: Reading): PaymentDate {
  const { history, zone, status, statusAt, changedAt, cancelledAt } = reading;
  const paidAt =
    history.first(transaction.id, PAID) ??
    (transaction.status === PAID ? transaction.changedAt(zone) : undefined) ??
    (status === PAID ? statusAt : undefined);
  return paidAt ? { paidAt } : paidByChange(changedAt, 'updated_at', cancelledAt);
}

function unlisted(reading: Reading): Paid {
  const { orderKey, total, status, statusAt, changedAt, cancelledAt, history } = reading;
  const paidAt = history.first(undefined, PAID) ?? (status === PAID ? statusAt : undefined);
  const date = paidAt ? { paidAt } : paidByChange(changedAt, 'updated_at', cancelledAt);
  const facts = { key: fullPaymentKey(orderKey), gateway: '', method: '', value: total, ...date };
  return { facts, transaction: undefined };
}

/** A transaction goes back as a whole, and so do all of an order that is refunded. */
export function refundsOf(paid: readonly Paid[], reading: Reading): RefundFacts[] {
  const { orderKey, history, status, statusAt, changedAt, zone } = reading;
  return paid.flatMap(({ facts, transaction }): RefundFacts[] => {
    if (!transaction?.wentBack && status !== REFUNDED) return [];
    const own = transaction?.wentBack ? transaction.changedAt(zone) : undefined;
    return [
      {
        ...{ key: refundKey(orderKey, facts.key.split('/').at(-1) ?? ''), value: facts.value },
        paymentKey: facts.key,
        ...(facts.storeCredit ? { storeCredit: true } : facts.gateway !== '' && { gateway: facts.gateway }),
        refundedAt: history.last(transaction?.id, REFUNDED) ?? own ?? statusAt ?? changedAt,
      },
    ];
  });
}

/** Ways to pay that the buyer pays after ordering. */
const PAID_LATER = ['boleto', 'pix', 'account_deposit'];

/** The boleto, Pix or deposit that an order of which nothing is paid waits for, or waited for in vain. */
export function awaitedCharge(
  transactions: readonly Transaction[],
  orderKey: string,
  createdAt: Date,
  changedAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const later = transactions.filter(({ method }) => PAID_LATER.includes(method));
  const open = later.findLast(({ isFailed }) => !isFailed);
  const transaction = open ?? later.at(-1);
  if (transaction === undefined || !transaction.amount.isPositive) return undefined;
  const { place, method, gateway, charged: value } = transaction;
  const boleto = place.loosely('banking_billet');
  const expired = open === undefined;
  return {
    charge: defined({
      ...{ key: keyOf(transaction, orderKey), gateway, method, value },
      dueDate: boleto.day('valid_thru', zone),
      expiresAt: place.loosely('account_deposit').instant('valid_thru', zone),
      line: boleto.textIfAny('code') ?? transaction.pixText,
    }),
    at: expired ? (transaction.changedAt(zone) ?? changedAt) : createdAt,
    expired,
  };
}
