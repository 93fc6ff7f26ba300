import type { OrderFacts, OrderLine, SettlementEvent } from '../../events/event';
import { formatMinor } from '../../kernel/money';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey, settlementKey } from '../mapping/keys';
import { lineOfPrice, partOf } from '../mapping/lines';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { type Charge, CURRENCY, GATEWAY, paymentOf, settledAt } from './charge';
import { customerOf } from './customer';
import { disputedSince } from './dispute';
import { refundsOf } from './refunds';

const ONE = 1_000_000n;

/**
 * The order that a charge is: of Asaas's instalments each is one of its own, with its own due date, fee and refunds.
 * @param differences of what else the charge says
 * @throws UnreadablePayload
 */
export function orderOf(
  charge: Charge,
  customer: Payload | undefined,
  webhook: StoredWebhook,
  context: SourceContext,
  differences: readonly string[],
): OrderFacts {
  const { place, id, orderKey, value, isPaid, isDeleted } = charge;
  const paid = isPaid ? paymentOf(charge, context.timeZone) : undefined;
  const back = isPaid
    ? refundsOf(charge, disputedSince(charge, context.timeZone), webhook.receivedAt, context.timeZone)
    : { refunds: [], differences: [] };
  return {
    ...{ key: orderKey, source: context.source, id, total: value },
    number: place.text('externalReference') ?? place.text('invoiceNumber') ?? id,
    createdAt: charge.createdAt,
    ...definedOnly({
      cancelledAt: isDeleted && !isPaid ? webhook.receivedAt : undefined,
      paidAt: paid?.payment.paidAt,
    }),
    instalments: 1,
    test: isTest(charge, context),
    customer: customerOf(place, customer, context.source, orderKey),
    payments: paid ? [paid.payment] : [],
    refunds: back.refunds,
    lines: linesOf(charge),
    differences: [
      ...(paid?.differences ?? []),
      ...back.differences,
      ...(isDeleted && isPaid ? ['The payment is removed at Asaas, although it was paid.'] : []),
      ...(isPaid ? splitDifference(place) : []),
      ...differences,
    ],
  };
}

/** Of Asaas's sandbox, and the source does not book that: its invoices, or the address that it is fetched from, say so. */
export function isTest({ place }: Charge, { settings }: SourceContext): boolean {
  const isSandbox =
    /^https:\/\/sandbox\./.test(place.textIfAny('invoiceUrl') ?? '') ||
    /^https:\/\/(?:api-)?sandbox\./.test(textSetting(settings, 'apiUrl') ?? '');
  return isSandbox && !flagSetting(settings, 'bookTestOrders');
}

/** What was charged, and what the buyer paid for being late. */
function linesOf({ place, value }: Charge): OrderLine[] {
  const title = place.text('description');
  if (title === undefined) return [];
  const original = partOf(place, 'originalValue', CURRENCY);
  const late = place.has('originalValue') && original !== undefined ? value.minor - original : 0n;
  if (late <= 0n) return [lineOfPrice(title, undefined, ONE, value)];
  const charged = place.amount('originalValue', CURRENCY) ?? value;
  return [
    lineOfPrice(title, undefined, ONE, charged),
    lineOfPrice('Juros e multa', undefined, ONE, value.minus(charged)),
  ];
}

/** A sentence about what of a payment goes to other accounts of Asaas. */
function splitDifference(place: Payload): string[] {
  const going = place
    .firstItems('split', 100)
    .filter((one) => !['CANCELLED', 'REFUNDED'].includes(one.textIfAny('status') ?? ''));
  if (going.length === 0) return [];
  const values = going.flatMap((one) => splitValue(one) ?? []);
  const sum = formatMinor(
    values.reduce((all, value) => all + value, 0n),
    2,
  );
  const what = values.length === going.length ? `${sum} BRL` : 'a part';
  return [`A split sends ${what} of it to other accounts of Asaas: book that by hand.`];
}

/** What goes to one other account, in minor units; undefined where Asaas says a percentage alone. */
function splitValue(split: Payload): bigint | undefined {
  const name = ['totalValue', 'fixedValue'].find((one) => split.has(one));
  return name === undefined ? undefined : partOf(split, name, CURRENCY);
}

/** The money of a card that became available; undefined while it did not. What Asaas keeps of it was said with the payment. */
export function settlementOf(
  charge: Charge,
  test: boolean,
  context: SourceContext,
): SettlementEvent | undefined {
  const at = settledAt(charge, context.timeZone);
  if (at === undefined) return undefined;
  const payment = fullPaymentKey(charge.orderKey);
  const key = settlementKey(payment, 1);
  return {
    type: 'payment.settled',
    key,
    occurredAt: at,
    settlement: {
      ...{ key, source: context.source, id: charge.id, orderKey: charge.orderKey, paymentKey: payment },
      ...{ gateway: GATEWAY, number: 1, of: 1, value: charge.value, settledAt: at, test },
    },
    get raw() {
      return charge.place.raw();
    },
  };
}
