import type { OrderFacts } from '../../events/event';
import { defined, definedOnly } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { moneyOf, partOf } from '../mapping/lines';
import { type AwaitedCharge, latest, type Refunds } from '../mapping/order-events';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { customerOfOrder } from './customer';
import { differencesOf } from './differences';
import type { Answers } from './fetch';
import { owedOf, type Paid, paidOf, type Reading, timesOf } from './payments';
import { readRefunds, withPayments } from './refunds';
import { type StatusFacts, statusOf } from './status';
import { readTransactions, type Transaction } from './transactions';

export interface BigCommerceOrder {
  readonly facts: OrderFacts;
  readonly status: StatusFacts;
  /** Something was paid or went back, and nothing says how much. */
  readonly isUnclear: boolean;
  /** What it waits for. */
  readonly awaited: AwaitedCharge | undefined;
}

/** The order as it stands, with its transactions and refunds. @throws UnreadablePayload */
export function readOrder(
  order: Payload,
  { transactions: listed, refunds: places }: Answers,
  id: string,
  webhook: StoredWebhook,
  context: SourceContext,
): BigCommerceOrder {
  const zone = context.timeZone;
  const key = orderKey(context.source, id);
  const currency = currencyOf(order, context);
  const total = order.amount('total_inc_tax', currency) ?? order.missing('total_inc_tax');
  const transactions = readTransactions(listed, id, currency, zone);
  const back = readRefunds(places, id, key, currency, zone);
  const { createdAt, updatedAt } = timesOf(order, zone);
  const status = statusOf(order, context.settings);
  const reading: Reading = {
    ...{ order, key, total, status, transactions, createdAt },
    wentBack: back.refunds.length > 0,
    changedAt: updatedAt ?? webhook.receivedAt,
  };
  const paid = paidOf(reading);
  return {
    facts: factsOf(reading, paid, back, id, updatedAt, context),
    status,
    isUnclear: paid.isUnclear || (status.isRefunded && paid.payments.length === 0),
    awaited: paid.payments.length === 0 ? awaitedOf(reading) : undefined,
  };
}

/** The currency that the buyer pays in, which may be another than the one that prices are shown in. */
function currencyOf(order: Payload, context: SourceContext): string {
  return order.currency('default_currency_code') ?? order.currency('currency_code') ?? context.currency;
}

function factsOf(
  reading: Reading,
  { payments }: Paid,
  back: Refunds,
  id: string,
  updatedAt: Date | undefined,
  context: SourceContext,
): OrderFacts {
  const { order, key, total, status, transactions, createdAt, changedAt } = reading;
  const refunds = withPayments(back.refunds, payments);
  const isCovered = payments.length > 0 && sumOfValues(payments) >= total.minor;
  const isPaid = status.saysPaid || reading.wentBack || isCovered;
  const paidAt = isPaid ? latest(payments.map((payment) => payment.paidAt)) : undefined;
  return defined({
    ...{ key, source: context.source, id, number: id, total, ...partsOf(order, total.currency), createdAt },
    updatedAt,
    cancelledAt: status.isEnded ? changedAt : undefined,
    paidAt,
    instalments: 1,
    test: isTest(order, transactions) && !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOfOrder(order, key, context),
    payments,
    refunds,
    lines: [],
    differences: [...back.differences, ...differencesOf(reading, payments, refunds)],
  });
}

function partsOf(order: Payload, currency: string) {
  const part = (name: string) => partOf(order, name, currency);
  return definedOnly({
    discount: moneyOf([part('discount_amount'), part('coupon_discount')], currency),
    shipping: moneyOf([part('shipping_cost_inc_tax')], currency),
    tax: moneyOf([part('total_tax')], currency),
  });
}

/** BigCommerce's own gateway for tests, or a gateway in its test mode. */
function isTest(order: Payload, transactions: readonly Transaction[]): boolean {
  return (
    /^test payment gateway/i.test(order.text('payment_method') ?? '') ||
    transactions.some(({ isTest: test, gateway }) => test || gateway === 'testgateway')
  );
}

/** A card that is authorised waits for nothing that the buyer has to do. */
function awaitedOf(reading: Reading): AwaitedCharge | undefined {
  const { status, transactions, createdAt } = reading;
  if (!status.isWaiting || transactions.some(({ event }) => event === 'authorization')) return undefined;
  const charge = owedOf(reading);
  return charge && { charge, at: createdAt, expired: false };
}
