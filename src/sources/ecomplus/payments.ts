import type { PaymentFacts, RefundFacts } from '../../events/event';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey, paymentKey, refundKey } from '../mapping/keys';
import { byTime, type PaymentDate } from '../mapping/order-events';
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
 * The transactions that brought money, the earliest first. Where none says so and the order does, it is the one
 * transaction that did not fail, or the whole total where there is no transaction at all; of several it is not known which.
 * @throws UnreadablePayload
 */
export function paidOf(reading: Reading): Paid[] {
  const { transactions, history, status } = reading;
  const came = transactions.filter(
    (one) => one.cameIn || (one.isVoided && history.first(one.id, PAID) !== undefined),
  );
  const live = transactions.filter((one) => !one.isFailed);
  const byOrder = came.length === 0 && ALL_CAME.includes(status);
  const paid = byOrder && live.length === 1 ? live : came;
  if (byOrder && transactions.length === 0 && reading.total.isPositive) return [unlisted(reading)];
  const all = paid
    .filter(({ charged }) => charged.isPositive)
    .map((transaction) => ({ transaction, facts: paymentOf(transaction, reading) }));
  return byTime(all, ({ facts }) => facts.paidAt);
}

/** What is paid, else what an order waits for, has the key of its transaction. */
export function keyOf(transaction: Transaction, orderKey: string): string {
  return paymentKey(orderKey, transaction.id ?? transaction.place.missing('_id'));
}

function paymentOf(transaction: Transaction, reading: Reading): PaymentFacts {
  const { gateway } = transaction;
  return {
    ...{ key: keyOf(transaction, reading.orderKey), gateway, method: transaction.method },
    value: transaction.charged,
    ...definedOnly({ brand: transaction.brand, instalments: transaction.instalments }),
    ...storeCreditOf(gateway),
    ...dateOf(transaction, reading),
  };
}

function dateOf(transaction: Transaction, reading: Reading): PaymentDate {
  const { history, zone, status, statusAt, changedAt } = reading;
  const paidAt =
    history.first(transaction.id, PAID) ??
    (transaction.status === PAID ? transaction.changedAt(zone) : undefined) ??
    (status === PAID ? statusAt : undefined);
  return paidAt ? { paidAt } : { paidAt: changedAt, datedBy: 'updated_at' };
}

function unlisted({ orderKey, total, status, statusAt, changedAt, history }: Reading): Paid {
  const paidAt = history.first(undefined, PAID) ?? (status === PAID ? statusAt : undefined);
  const date = paidAt ? { paidAt } : { paidAt: changedAt, datedBy: 'updated_at' };
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
