import type { OrderFacts, OrderLine, RefundFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import { Money } from '../../kernel/money';
import { isIdentifier } from '../identity';
import { defined } from '../mapping/defined';
import { orderKey, paymentKey, refundKey } from '../mapping/keys';
import { lineOfPrice, quantityOf, readLines } from '../mapping/lines';
import { amountOfUnits } from '../mapping/minor-units';
import { byTime, earliest, type ReadOrder } from '../mapping/order-events';
import { moneyOr } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { awaitedCharge, codeOf } from './awaited';
import { type Charge, currencyOf, GATEWAY, instalmentsOf, paymentOf, readCharge } from './charge';
import { customerOf } from './customer';

export interface PagBankOrder extends Omit<ReadOrder, 'status'> {
  readonly charges: readonly Charge[];
}

/**
 * An order with its charges, or a charge that was made without an order, which is read as an order of its own. PagBank
 * tells of no total: it is what was paid, else what is waited for. Of two charges that are not paid yet, one is another try.
 * @param places of the charges
 * @throws UnreadablePayload
 */
export function readOrder(
  order: Payload,
  places: readonly Payload[],
  webhook: StoredWebhook,
  context: SourceContext,
): PagBankOrder {
  const zone = context.timeZone;
  const { id, number } = idOf(order);
  const key = orderKey(context.source, id);
  const currency = currencyOf((places[0] ?? codeOf(order) ?? order).at('amount'));
  const charges = places.map((place) => readCharge(place, currency));
  const keyOf = paymentKeys(order, key);
  const payments = paymentsOf(charges, keyOf, zone);
  const paidAt = earliest(payments.map((payment) => payment.paidAt));
  const awaited = paidAt ? undefined : awaitedCharge(order, charges, keyOf, key, webhook, zone);
  const goods = readLines(order.items('items'), (line) => lineOf(line, currency));
  const methods = charges.map(({ place }) => place.at('payment_method'));
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number },
    total: paidOf(charges) ?? awaited?.charge.value ?? charges.at(-1)?.value ?? Money.zero(currency),
    createdAt: order.instant('created_at', zone) ?? order.missing('created_at'),
    paidAt,
    instalments: instalmentsOfOrder(charges),
    test: isSandbox([order, ...places]) && !flagSetting(context.settings, 'bookTestOrders'),
    customer: customerOf(order, methods, key, context),
    payments,
    refunds: refundsOf(charges, keyOf, key, webhook),
    lines: goods.lines,
    differences: [...goods.differences, ...charges.flatMap(({ differences }) => differences)],
  });
  return { facts, charges, awaited };
}

/** The shop's own `reference_id`, else PagBank's identifier. A reference that is fit for people alone is the number. */
function idOf(order: Payload): { id: string; number: string } {
  const reference = order.text('reference_id');
  if (reference !== undefined && isIdentifier(reference)) return { id: reference, number: reference };
  const id = order.identifier('id') ?? order.missing('id');
  return { id, number: reference ?? id };
}

/** A payment is known by its charge; a Pix by its code, which is there before it is paid and has a charge. */
function paymentKeys(order: Payload, key: string): (charge: Charge) => string {
  const code = codeOf(order)?.identifier('id');
  return ({ id, method }) => paymentKey(key, method === 'pix' ? (code ?? id) : id);
}

function paymentsOf(charges: readonly Charge[], keyOf: (charge: Charge) => string, zone: string) {
  const keys = new Set<string>();
  const payments = charges.flatMap((charge) => {
    if (charge.paid === undefined) return [];
    const key = keyOf(charge);
    if (keys.has(key)) charge.place.fail('id', 'is of a payment that another charge is of');
    keys.add(key);
    return [paymentOf(charge, key, charge.paid, zone)];
  });
  return byTime(payments, ({ paidAt }) => paidAt);
}

/** What went back of each charge: PagBank tells the sum of all its refunds alone, and not when. */
function refundsOf(
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
  key: string,
  { receivedAt }: StoredWebhook,
): RefundFacts[] {
  return charges.flatMap((charge) =>
    charge.refunded === undefined
      ? []
      : [
          {
            ...{ key: refundKey(key, charge.id), value: charge.refunded, paymentKey: keyOf(charge) },
            ...{ gateway: GATEWAY, refundedAt: receivedAt },
          },
        ],
  );
}

/** What was paid in all charges together; undefined where nothing was. */
function paidOf(charges: readonly Charge[]): Money | undefined {
  return charges.reduce<Money | undefined>((sum, { paid, place }) => {
    if (paid === undefined || sum === undefined) return paid ?? sum;
    return moneyOr(sum.minor + paid.minor, sum.currency, (error) =>
      place.fail('amount', `cannot be added up: ${error.message}`),
    );
  }, undefined);
}

function instalmentsOfOrder(charges: readonly Charge[]): number {
  const chosen = charges.find(({ paid }) => paid !== undefined) ?? charges.at(-1);
  return (chosen && instalmentsOf(chosen)) ?? 1;
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('name') ?? line.missing('name');
  const price = amountOfUnits(line, 'unit_amount', currency) ?? line.missing('unit_amount');
  return lineOfPrice(title, line.text('reference_id'), quantityOf(line, 'quantity'), price);
}

/** Whether the payload's own links lead to PagBank's sandbox: nothing else in it says so. */
function isSandbox(places: readonly Payload[]): boolean {
  return places.some((place) =>
    place
      .firstItems('links', MOST_PAYMENTS)
      .some((link) => /^https:\/\/sandbox\./.test(link.textIfAny('href') ?? '')),
  );
}
