import type { OrderFacts, OrderLine, PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { readInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { fullPaymentKey, orderKey, refundKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { latest, paidByChange, type PaymentDate, type ReadOrder } from '../mapping/order-events';
import { refundDifferences, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';
import { customerOf } from './customer';
import { instantOf } from './dates';
import { OrderStatus } from './status';
import {
  awaitedCharge,
  brandOf,
  type Capture,
  capturesOf,
  gatewayOf,
  methodOf,
  transactionsOf,
  wentBack,
} from './transactions';

/** What a webhook says of an order besides the order itself. */
export interface OrderMessage {
  /** Its event is `order.paid`. */
  readonly saysPaid: boolean;
  /** When the event happened. */
  readonly at: Date;
}

/** What payments and refunds of an order are read with. */
interface Reading {
  readonly order: Payload;
  readonly key: string;
  readonly total: Money;
  readonly status: OrderStatus;
  readonly message: OrderMessage;
  readonly changedAt: Date;
  readonly cancelledAt: Date | undefined;
}

/** Yampi names no currency: its shops sell in the organization's. @throws UnreadablePayload */
export function readOrder(order: Payload, message: OrderMessage, context: SourceContext): ReadOrder {
  const zone = context.timeZone;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const { currency } = context;
  const total = order.amount('value_total', currency) ?? order.missing('value_total');
  const createdAt = instantOf(order, 'created_at', zone) ?? order.missing('created_at');
  const updatedAt = instantOf(order, 'updated_at', zone);
  const status = new OrderStatus(order, context.settings, zone);
  const changedAt = updatedAt ?? message.at;
  const cancelledAt = status.isEnded ? (status.since() ?? changedAt) : undefined;
  const reading = { order, key, total, status, message, changedAt, cancelledAt };
  const captures = capturesOf(order, key, total, zone);
  const payments = paymentsOf(captures, reading);
  const isPaid = payments.length > 0 && sumOfValues(payments) >= total.minor;
  const refunds = refundsOf(payments, captures, reading, zone);
  const goods = readLines(order.at('items').items('data'), (item) => lineOf(item, currency));
  const interest = moneyOf([partOf(order, 'value_tax', currency)], currency);
  const chosen = readInstalments([latestTransaction(order, captures)?.text('installments')]);
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number: order.text('number') ?? id, total },
    discount: moneyOf([partOf(order, 'value_discount', currency)], currency),
    shipping: moneyOf([partOf(order, 'value_shipment', currency)], currency),
    createdAt,
    updatedAt,
    cancelledAt,
    paidAt: isPaid ? latest(payments.map(({ paidAt }) => paidAt)) : undefined,
    instalments: chosen.instalments,
    test: false,
    customer: customerOf(order, context.source, key),
    payments,
    refunds,
    lines: [...goods.lines, ...(interest ? [interestLine(interest)] : [])],
    differences: [
      ...goods.differences,
      ...chosen.differences,
      ...totalDifference(order, total),
      ...paymentDifferences(payments, reading),
      ...refundDifferences(refunds, isPaid),
    ],
  });
  const isWaiting = status.isWaiting && payments.length === 0;
  return {
    facts,
    status: status.alias,
    awaited: isWaiting ? awaitedCharge(order, key, total, createdAt, zone) : undefined,
  };
}

/**
 * One payment for each transaction that brought money; where none is said to have, but the order is paid, one of the whole
 * total.
 */
function paymentsOf(captures: readonly Capture[], reading: Reading): PaymentFacts[] {
  const { order, key, total, status, message } = reading;
  if (captures.length > 0)
    return captures.map(({ key: ofPayment, transaction, value, at }) =>
      defined({
        ...{ key: ofPayment, gateway: gatewayOf(transaction), method: methodOf(transaction, order), value },
        brand: brandOf(transaction),
        instalments: readInstalments([transaction.text('installments')]).instalments,
        ...(at ? { paidAt: at } : paymentDate(reading)),
      }),
    );
  const isPaid = message.saysPaid || status.isPaid || status.isRefunded || status.paidSince() !== undefined;
  if (!isPaid) return [];
  const last = transactionsOf(order).at(-1);
  const gateway = gatewayOf(last);
  return [
    {
      key: fullPaymentKey(key),
      gateway,
      method: methodOf(last, order),
      value: total,
      ...paymentDate(reading),
    },
  ];
}

/** When an order was paid that has no transaction with a time: by its history, by the event, else by its last change. */
function paymentDate({ status, message, changedAt, cancelledAt }: Reading): PaymentDate {
  const since = status.paidSince();
  if (since) return { paidAt: since };
  if (message.saysPaid) return { paidAt: message.at };
  return paidByChange(changedAt, 'updated_at', cancelledAt);
}

/** A payment goes back as a whole: Yampi does not say how much of it did. */
function refundsOf(
  payments: readonly PaymentFacts[],
  captures: readonly Capture[],
  { key, status, changedAt }: Reading,
  zone: string,
): RefundFacts[] {
  return payments.flatMap((payment): RefundFacts[] => {
    const transaction = captures.find((capture) => capture.key === payment.key)?.transaction;
    const isBack = status.isRefunded || (transaction !== undefined && wentBack(transaction));
    if (!isBack || payment.value.isZero) return [];
    const since = status.isRefunded || status.isEnded ? status.since() : undefined;
    return [
      {
        key: refundKey(key, payment.key.split('/').at(-1) ?? ''),
        value: payment.value,
        paymentKey: payment.key,
        ...(payment.gateway !== '' && { gateway: payment.gateway }),
        refundedAt: (transaction && instantOf(transaction, 'cancelled_at', zone)) ?? since ?? changedAt,
      },
    ];
  });
}

function lineOf(item: Payload, currency: string): OrderLine {
  const sku = item.at('sku').at('data');
  const title = sku.text('title') ?? item.text('name') ?? item.missing('sku');
  const price = item.amount('price', currency) ?? item.missing('price');
  return lineOfPrice(title, item.text('item_sku') ?? sku.text('sku'), quantityOf(item, 'quantity'), price);
}

/** What the buyer pays for paying in instalments. Yampi calls the field a tax. */
function interestLine(interest: Money): OrderLine {
  return lineOfPrice('Juros do parcelamento', undefined, 1_000_000n, interest);
}

/** The last that Yampi lists of those that brought money, else of all: of two cards the same before and after they are paid. */
function latestTransaction(order: Payload, captures: readonly Capture[]): Payload | undefined {
  const listed = transactionsOf(order);
  const captured = captures.map(({ transaction }) => transaction.text('id'));
  return listed.findLast((one) => captured.includes(one.text('id'))) ?? listed.at(-1);
}

function totalDifference(order: Payload, total: Money): string[] {
  const { currency } = total;
  if (!order.has('value_products')) return [];
  const discount = partOf(order, 'value_discount', currency);
  const parts = ['value_products', 'value_shipment', 'value_tax'].map((name) =>
    partOf(order, name, currency),
  );
  const sum = [...parts, discount === undefined ? undefined : -discount];
  return sumDifference('Goods, shipping and interest less discounts come to', sum, total);
}

/** Sentences where payments and the order's status or total say different things. */
function paymentDifferences(
  payments: readonly PaymentFacts[],
  { total, status, message }: Reading,
): string[] {
  if (payments.length === 0) return [];
  return [
    ...sumDifference(
      'The payments come to',
      payments.map(({ value }) => value.minor),
      total,
    ),
    ...(message.saysPaid && status.isWaiting
      ? [`The event is order.paid, but the order is ${status.alias}: its status says that it is not paid.`]
      : []),
    ...(status.isKnown
      ? []
      : [
          `The order is paid, and its status ${status.alias} is none that Ponte knows: where it means paid or refunded, paidStatuses or refundedStatuses has to name it.`,
        ]),
  ];
}
