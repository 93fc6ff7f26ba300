import { storeCreditOf } from '../mapping/store-credit';
import type { Money } from '../../kernel/money';
import { byTime } from '../mapping/order-events';
import type { Payload } from '../payload';
import { instantOf } from './dates';

/** One transaction of an order that succeeded. */
export interface Transaction {
  readonly place: Payload;
  readonly id: string;
  /** `purchase`, `authorization`, `capture`, `refund`, `void`, `pending` or `settled`. */
  readonly event: string;
  readonly method: string;
  readonly gateway: string;
  readonly value: Money;
  readonly at: Date;
  /** The transaction that it acts upon. */
  readonly acts: string | undefined;
  readonly isTest: boolean;
}

/** Transactions that brought money. A settlement is of one that was pending. */
const BROUGHT = ['purchase', 'capture', 'settled'];
const OFFLINE_METHODS = ['offline', 'custom'];
const CREDIT = ['storecredit', 'giftcertificate'];

/** Whether a gateway, or provider of a refund, moves no money. */
export function isCredit(gateway: string): boolean {
  return (
    CREDIT.includes(gateway.toLowerCase().replace(/[^a-z]/g, '')) || 'storeCredit' in storeCreditOf(gateway)
  );
}

/** Those that succeeded, the earliest first. @throws UnreadablePayload, also where one is of another order or currency */
export function readTransactions(
  places: readonly Payload[],
  orderId: string,
  currency: string,
  zone: string,
): Transaction[] {
  const read = places
    .filter((place) => (place.word('status') ?? place.missing('status')) === 'ok')
    .map((place) => readTransaction(place, orderId, currency, zone));
  const inOrder = read.toSorted(
    (left, right) => left.id.length - right.id.length || (left.id < right.id ? -1 : 1),
  );
  return byTime(inOrder, ({ at }) => at);
}

function readTransaction(place: Payload, orderId: string, currency: string, zone: string): Transaction {
  if (place.identifier('order_id') !== orderId) place.fail('order_id', 'is not that of the order');
  if (place.currency('currency') !== currency) place.fail('currency', `is not ${currency}, as the order is`);
  return {
    place,
    id: place.identifier('id') ?? place.missing('id'),
    event: place.word('event') ?? place.missing('event'),
    method: place.text('method') ?? '',
    gateway: place.text('gateway') ?? '',
    value: place.amount('amount', currency) ?? place.missing('amount'),
    at: instantOf(place, 'date_created', zone) ?? place.missing('date_created'),
    acts: place.textIfAny('reference_transaction_id'),
    isTest: place.flag('test'),
  };
}

/** Those by which a gateway took money, each once. */
export function capturesOf(transactions: readonly Transaction[]): Transaction[] {
  const took = transactions.filter(
    ({ event, value, ...one }) =>
      BROUGHT.includes(event) && value.isPositive && !isOffline(one) && !ofCredit(one),
  );
  return took.filter(({ acts }) => !took.some(({ id }) => id === acts));
}

/** What is paid outside of every gateway: it says how much, and not whether. */
export function offlineOf(transactions: readonly Transaction[]): Transaction | undefined {
  const found = transactions.filter(
    (one) => isOffline(one) && one.value.isPositive && one.event !== 'refund',
  );
  return found.length === 1 ? found[0] : undefined;
}

function isOffline({ method }: Pick<Transaction, 'method'>): boolean {
  return OFFLINE_METHODS.includes(method);
}

function ofCredit({ method, gateway }: Pick<Transaction, 'method' | 'gateway'>): boolean {
  return isCredit(method) || isCredit(gateway);
}
