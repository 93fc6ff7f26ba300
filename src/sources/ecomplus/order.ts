import type { OrderFacts, OrderLine } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { latest, type ReadOrder } from '../mapping/order-events';
import { moneyOr, refundDifferences, sumOf, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { SourceContext, StoredWebhook } from '../source';
import { amountOf, partOf } from './amounts';
import { customerOf } from './customer';
import { differencesOf, unlistedDifference } from './differences';
import { History } from './history';
import { awaitedCharge, paidOf, refundsOf } from './payments';
import { Transaction } from './transaction';

const CANCELLED = 'cancelled';
/** What an order has for a financial status before anything is said of its payment. */
const PENDING = 'pending';

export interface EcomPlusOrder extends ReadOrder {
  /** What a person must enter, because the order is paid and does not say by what. */
  readonly unlisted: string | undefined;
}

/** An order as E-Com Plus's API has it. @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  id: string,
  webhook: StoredWebhook,
  context: SourceContext,
): EcomPlusOrder {
  const zone = context.timeZone;
  const key = orderKey(context.source, id);
  const currency = order.currency('currency_id') ?? context.currency;
  const amount = order.at('amount');
  const stated = amountOf(amount, 'total', currency) ?? amount.missing('total');
  const createdAt = order.instant('created_at', zone) ?? order.instant('opened_at', zone);
  if (createdAt === undefined) return order.missing('created_at');
  const updatedAt = order.instant('updated_at', zone);
  const changedAt = updatedAt ?? webhook.receivedAt;
  const financial = order.at('financial_status');
  const status = financial.word('current') ?? PENDING;
  const transactions = order
    .items('transactions', MOST_PAYMENTS)
    .map((place) => new Transaction(place, currency));
  const live = transactions.filter(({ isFailed }) => !isFailed);
  const whole = withPoints(live, amount, stated);
  const isCancelled = order.text('status')?.toLowerCase() === CANCELLED;
  const cancelledAt = isCancelled ? (order.instant('cancelled_at', zone) ?? changedAt) : undefined;
  const reading = {
    ...{ orderKey: key, transactions, history: new History(order, zone), status, changedAt, zone },
    ...{ statusAt: financial.instant('updated_at', zone), cancelledAt, total: whole },
  };
  const paid = paidOf(reading);
  const payments = paid.map(({ facts }) => facts);
  const refunds = refundsOf(paid, reading);
  const total = withInterest(
    paid.length > 0 ? paid.flatMap(({ transaction }) => transaction ?? []) : live,
    whole,
  );
  const isPaid = payments.length > 0 && sumOfValues(payments) >= total.minor;
  const interest = moneyOf([total.minor - whole.minor], currency);
  const goods = readLines(order.items('items'), (item) => lineOf(item, currency));
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number: order.text('number') ?? id, total },
    discount: moneyOf([partOf(amount, 'discount', currency)], currency),
    shipping: moneyOf([partOf(amount, 'freight', currency)], currency),
    tax: moneyOf([partOf(amount, 'tax', currency)], currency),
    createdAt,
    updatedAt,
    cancelledAt,
    paidAt: isPaid ? latest(payments.map(({ paidAt }) => paidAt)) : undefined,
    instalments: Math.max(1, ...payments.map(({ instalments }) => instalments ?? 1)),
    test: false,
    customer: customerOf(order, context.source, key),
    payments,
    refunds,
    lines: [
      ...goods.lines,
      ...(interest ? [lineOfPrice('Juros do parcelamento', undefined, 1_000_000n, interest)] : []),
    ],
    differences: [
      ...goods.differences,
      ...amountDifference(amount, stated),
      ...differencesOf(paid, { ...reading, total }, refunds),
      ...refundDifferences(refunds, isPaid),
    ],
  });
  const isWaiting = payments.length === 0 && !isCancelled;
  return {
    ...{ facts, status, unlisted: unlistedDifference(paid, { status, total }) },
    awaited: isWaiting ? awaitedCharge(transactions, key, createdAt, changedAt, zone) : undefined,
  };
}

/**
 * What the order costs with what points pay of it: E-Com Plus's checkout takes that off the total, as `balance`, once it has
 * the transaction of the points.
 */
function withPoints(live: readonly Transaction[], amount: Payload, stated: Money): Money {
  const points = sumOf(live.filter(({ isPoints }) => isPoints).map((one) => one.amount.minor));
  const balance = partOf(amount, 'balance', stated.currency) ?? 0n;
  const apart = points - balance;
  if (points <= 0n || apart < -1n || apart > 1n) return stated;
  return moneyOr(stated.minor + balance, stated.currency, () => stated);
}

/**
 * What the order costs with the interest of its instalments, where its transactions come to it without, or where some of them
 * have it in their amounts.
 */
function withInterest(transactions: readonly Transaction[], stated: Money): Money {
  const sum = sumOf(transactions.map(({ amount }) => amount.minor));
  if (sum !== stated.minor && !isExplained(transactions, sum, stated)) return stated;
  return moneyOr(sumOf(transactions.map(({ charged }) => charged.minor)), stated.currency, () => stated);
}

/** Whether interest is why transactions come to more than the order: without any that has some, they do not pay it. */
function isExplained(transactions: readonly Transaction[], sum: bigint, stated: Money): boolean {
  const interested = transactions.filter(({ includesInterest }) => includesInterest);
  return (
    interested.length > 0 &&
    sum > stated.minor &&
    interested.every(({ amount }) => sum - amount.minor < stated.minor)
  );
}

function lineOf(item: Payload, currency: string): OrderLine {
  const title = item.text('name') ?? item.text('sku') ?? item.missing('name');
  const price =
    amountOf(item, 'final_price', currency) ?? amountOf(item, 'price', currency) ?? item.missing('price');
  return lineOfPrice(title, item.text('sku'), quantityOf(item, 'quantity'), price);
}

function amountDifference(amount: Payload, stated: Money): string[] {
  if (!amount.has('subtotal')) return [];
  const { currency } = stated;
  const added = ['subtotal', 'freight', 'tax', 'extra'].map((name) => partOf(amount, name, currency));
  const taken = ['discount', 'balance'].map((name) => partOf(amount, name, currency));
  const off = taken.map((part) => (part === undefined ? undefined : -part));
  return sumDifference(
    'Goods, freight, taxes and extras less discount and balance come to',
    [...added, ...off],
    stated,
  );
}
