import type { OrderFacts, OrderLine, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { orderKey, paymentKey, refundKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines, sumDifference } from '../mapping/lines';
import { amountOfUnits } from '../mapping/minor-units';
import { type AwaitedCharge, byTime, earliest, latest, type ReadOrder } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { SourceContext, StoredWebhook } from '../source';
import { type Charge, currencyOf, GATEWAY, readCharge } from './charge';
import { customerOf } from './customer';
import type { Answers } from './fetch-back';
import { ZONE } from './operations';
import { awaitedCharge, instalmentsOf, paymentOf } from './payment';

export interface PagarmeOrder extends Omit<ReadOrder, 'status'> {
  readonly charges: readonly Charge[];
}

/**
 * An order with its charges, or a charge that was made without one, which is an order of its own. It is known by Pagar.me's
 * own identifier: a shop that tries again makes another order of the same code.
 * @throws UnreadablePayload
 */
export function readOrder(answers: Answers, webhook: StoredWebhook, context: SourceContext): PagarmeOrder {
  const { order } = answers;
  const id = order.identifier('id') ?? order.missing('id');
  const key = orderKey(context.source, id);
  const currency = currencyOf(order);
  const charges = answers.charges.map((place) =>
    readCharge(place, answers.operations.get(place.identifier('id') ?? ''), currency),
  );
  const keyOf = (charge: Charge): string => paymentKey(key, charge.id);
  const payments = paymentsOf(charges, keyOf);
  const paidAt = earliest(payments.map((payment) => payment.paidAt));
  const awaited = paidAt ? undefined : awaitedCharge(charges, keyOf, webhook);
  const total = amountOfUnits(order, 'amount', currency) ?? order.missing('amount');
  const goods = readLines(order.items('items'), (line) => lineOf(line, currency));
  const shipping = amountOfUnits(order.loosely('shipping'), 'amount', currency);
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number: order.text('code') ?? id, total },
    createdAt: order.instant('created_at', ZONE) ?? order.missing('created_at'),
    shipping: shipping?.isPositive ? shipping : undefined,
    updatedAt: order.instant('updated_at', ZONE),
    cancelledAt: cancelledAt(order, answers.charges, awaited),
    paidAt,
    instalments: instalmentsOfOrder(charges),
    test: false,
    customer: customerOf(order, key, context),
    payments,
    refunds: byTime(
      charges.flatMap((charge) => refundsOf(charge, key, keyOf(charge))),
      ({ refundedAt }) => refundedAt,
    ),
    lines: goods.lines,
    differences: [
      ...goods.differences,
      ...charges.flatMap(({ differences }) => differences),
      ...totalDifference(order, charges, total),
    ],
  });
  return { facts, charges, awaited };
}

/** An order whose boleto or Pix failed is over too: who tries again makes another order. */
function cancelledAt(
  order: Payload,
  charges: readonly Payload[],
  awaited: AwaitedCharge | undefined,
): Date | undefined {
  const status = order.word('status');
  if (status !== 'canceled' && !(status === 'failed' && awaited?.expired)) return undefined;
  return (
    latest(charges.map((charge) => charge.instant('canceled_at', ZONE))) ??
    order.instant('updated_at', ZONE) ??
    order.missing('updated_at')
  );
}

function paymentsOf(charges: readonly Charge[], keyOf: (charge: Charge) => string) {
  const keys = new Set<string>();
  const payments = charges.flatMap((charge) => {
    const key = keyOf(charge);
    if (keys.has(key)) charge.place.fail('id', 'is that of another charge');
    keys.add(key);
    return charge.paid === undefined ? [] : [paymentOf(charge, key, charge.paid)];
  });
  return byTime(payments, ({ paidAt }) => paidAt);
}

function refundsOf({ refunds }: Charge, order: string, payment: string): RefundFacts[] {
  return refunds.map(({ id, value, at }) => ({
    ...{ key: refundKey(order, id), value, paymentKey: payment, gateway: GATEWAY, refundedAt: at },
  }));
}

/** A sentence where the charges of a paid order are not its total, as with interest that the buyer pays. */
function totalDifference(order: Payload, charges: readonly Charge[], total: Money): string[] {
  if (order.word('status') !== 'paid') return [];
  const paid = charges.filter((charge) => charge.paid !== undefined);
  return sumDifference(
    'The charges that were paid come to',
    paid.map(({ value }) => value.minor),
    total,
  );
}

function instalmentsOfOrder(charges: readonly Charge[]): number {
  const chosen = charges.find(({ paid }) => paid !== undefined) ?? charges.at(-1);
  return (chosen && instalmentsOf(chosen)) ?? 1;
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('description') ?? line.missing('description');
  const price = amountOfUnits(line, 'amount', currency) ?? line.missing('amount');
  return lineOfPrice(title, line.text('code'), quantityOf(line, 'quantity'), price);
}
