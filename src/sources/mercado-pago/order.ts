import type { OrderFacts, OrderLine } from '../../events/event';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { orderKey, paymentKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines } from '../mapping/lines';
import type { ReadOrder } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { awaitedCharge } from './awaited';
import { customerOf } from './customer';
import { isTest } from './dispute';
import { orderNameOf } from './order-id';
import { paymentOf, valueOf } from './payment';
import { refundsOf } from './refunds';

/** Operations that are a sale; the others move money of the account itself, or from one person to another. */
const SALES = ['regular_payment', 'recurring_payment', 'pos_payment'];
/** Statuses of a payment that brought money, whatever came of it later. */
const PAID = ['approved', 'in_mediation', 'refunded', 'charged_back'];

/** The operation of a payment that is no sale; undefined: it is one. */
export function operationBesidesSales(payment: Payload): string | undefined {
  const operation = payment.word('operation_type');
  return operation === undefined || SALES.includes(operation) ? undefined : operation;
}

/** Whether a payment brought money. */
export function isPaid(payment: Payload): boolean {
  return PAID.includes(payment.word('status') ?? payment.missing('status'));
}

/**
 * The order that a payment is of. Mercado Pago tells of no order: its total is the payment.
 * @throws UnreadablePayload
 */
export function readOrder(
  payment: Payload,
  webhook: StoredWebhook,
  context: SourceContext,
): Omit<ReadOrder, 'status'> {
  const zone = context.timeZone;
  const { id, number } = orderNameOf(payment);
  const key = orderKey(context.source, id);
  const ofPayment = paymentKey(key, payment.identifier('id') ?? payment.missing('id'));
  const value = valueOf(payment);
  const goods = readLines(payment.loosely('additional_info').items('items'), (line) =>
    lineOf(line, value.currency),
  );
  const paid = isPaid(payment) ? paymentOf(payment, ofPayment, zone) : undefined;
  const back = paid && refundsOf(payment, key, ofPayment, value, zone);
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number, total: value },
    createdAt: payment.instant('date_created', zone) ?? payment.missing('date_created'),
    updatedAt: payment.instant('date_last_updated', zone),
    paidAt: paid?.payment.paidAt,
    instalments: instalmentsIn(payment, 'installments') ?? 1,
    test: isTest(payment) && !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOf(payment, key, context),
    payments: paid ? [paid.payment] : [],
    refunds: back?.refunds ?? [],
    lines: goods.lines,
    differences: [
      ...goods.differences,
      ...(paid?.differences ?? []),
      ...(back?.differences ?? []),
      ...mediation(payment),
    ],
  });
  return { facts, awaited: paid ? undefined : awaitedCharge(payment, ofPayment, webhook, zone) };
}

function mediation(payment: Payload): string[] {
  return payment.word('status') === 'in_mediation'
    ? ['The buyer complained at Mercado Pago, which may take the payment back.']
    : [];
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('title') ?? line.missing('title');
  const price = line.amount('unit_price', currency) ?? line.missing('unit_price');
  return lineOfPrice(title, line.text('id'), quantityOf(line, 'quantity'), price);
}
